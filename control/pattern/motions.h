/* What the files about the linear motions of patterns share. */
#ifndef CONTROL_PATTERN_MOTIONS_H
#define CONTROL_PATTERN_MOTIONS_H

#include "control/pattern/pattern.h"
#include "control/pattern/stages.h"
#include "sim/sim.h"

#include <stdint.h>

enum { SUBSTEPS = 8 /* of a piece, between which a force is linear */ };

/* The motion of a piece while the joints of `slips` slip. */
typedef struct Linear {
  uint64_t slips;
  double *over;         /* [2d][2d] over a piece, of (x, v) */
  double *there, *rise; /* [2d][p] over a piece, of u at its beginning, of how it changes until its end */
  double *state,
      *forced; /* [2d][2d], [2][2d][d] over a substep: of (x, v), of a force that is there at its beginning, of how it changes
                           * until its end */
  double *inverse; /* [d][d] of the mass of those that slip, else 0 */
} Linear;

/* Where in a segment a piece begins or ends: (x, v) = map z + off, z = (x, v, u before) at the segment's beginning, then u. */
typedef struct PatternPlace {
  double *map, *off; /* [2d][z], [2d] */
  double part;       /* of the segment */
} PatternPlace;

/* The effort of a pattern, which was found before; by 128 bits of it. */
typedef struct Known {
  uint64_t key[2];
  double J, enough; /* INFINITY: it is more than enough */
} Known;

enum { KNOWN = 1 << 13 };

struct PatternMotions {
  const CtlProblem *problem;
  const SimProblem *sim;
  int d, p, segments, pieces, parts, w, z; /* pieces = segments parts */
  bool before;                             /* u before a segment is a part of w: rates, or linear pieces */
  bool springs, falls;
  bool changes;  /* what acts on a joint changes inside a piece */
  bool free;     /* without friction, for now */
  double h;      /* of a piece, s */
  double *force; /* [pieces SUBSTEPS + 1][d] */
  double *speed; /* [d] m/s that rows are divided by */
  double *drift; /* [d] how far a joint goes without friction, m */
  double *slid;  /* [pieces][d] speeds of the last problem, m/s; NAN: none yet */
  double *
      room; /* [pieces][d] by the last problem: of a joint that sticks, how far the force that holds it is from its threshold, as a part of
                  * that; of one that slips, its speed at the end of the piece, as a part of the fastest of its slips */
  double *add;  /* [pieces][2d] what forces and friction add to (x, v) over a piece */
  double *path; /* [pieces + 1][2d] (x, v) of the last problem */
  double *F;    /* [segments][w][z] */
  PatternPlace place[2];
  const Linear **at; /* [pieces] */
  Linear **linear;   /* [n_linear] owned */
  int n_linear;
  Stages stages;
  signed char *ways;             /* [pieces][d] */
  int *held;                     /* [rows] piece d + joint that a row holds; -1: it is another's */
  long looked;                   /* patterns whose effort was wanted */
  Known *known;                  /* [KNOWN] */
  const SimInterrupt *interrupt; /* borrowed; NULL: none */
  SimStatus status;              /* SIM_CANCELLED or SIM_NO_MEMORY: what is asked for from then on has no answer */
};

static inline int sign_of(double a) { return (a > 0) - (a < 0); }

/* The motion of a piece while these joints slip; kept for later. NULL: out of memory, or the mass has no inverse. */
const Linear *pattern_linear(PatternMotions *motions, uint64_t slips);
void pattern_linear_destroy(Linear *linear);

/* Whether a joint sticks at all, for now; its threshold at the end of so many pieces, in a direction. */
bool pattern_may_stick(const PatternMotions *motions, int joint);
double pattern_threshold(const PatternMotions *motions, int joint, int piece, int way);

/* Lays out the quadratic problem of motions->ways. Returns false when out of memory. */
bool pattern_lay_out(PatternMotions *motions);

/* The way that joints go without friction, by its least effort: motions->ways, 0 where slowly, and drift. Returns false: there is none. */
bool pattern_go_free(PatternMotions *motions);

#endif
