/* Internals shared by the files about the linear motions of patterns. */
#ifndef CONTROL_PATTERN_MOTIONS_H
#define CONTROL_PATTERN_MOTIONS_H

#include "control/pattern/pattern.h"
#include "control/pattern/stages.h"
#include "sim/internal.h"

#include <stdint.h>

enum { SUBSTEPS = 8 /* per piece; a force is linear on each */ };

/* Linear motion of a piece while the joints of `slips` slip. */
typedef struct Linear {
  uint64_t slips;
  double *over;         /* [2d][2d] transition of (x, v) over a piece */
  double *there, *rise; /* [2d][p] effect over a piece of u at its beginning, and of the change of u until its end */
  double *state,
      /* transitions over a substep: [2d][2d] of (x, v); [2][2d][d] of a force at its beginning, and of the change of
       * the force */
      *forced;
  double *inverse; /* [d][d] inverse mass of the slipping joints, otherwise 0 */
} Linear;

/* The beginning or end of a piece within a segment: (x, v) = map z + off, z = (x, v, u before) at the segment's
 * beginning, then u. */
typedef struct PatternPlace {
  double *map, *off; /* [2d][z], [2d] */
  double part;       /* position in the segment, 0..1 */
} PatternPlace;

/* A known effort of a pattern; the key is a 128-bit hash. */
typedef struct Known {
  uint64_t key[2];
  double J, enough; /* J INFINITY: it exceeds `enough` */
} Known;

enum { KNOWN = 1 << 13 };

struct PatternMotions {
  const CtlProblem *problem;
  const SimProblem *sim;
  int d, p, segments, pieces, parts, w, z; /* pieces = segments * parts */
  bool before;                             /* w includes u before a segment, for rates or linear pieces */
  bool springs, falls;
  bool changes;  /* forces or thresholds change inside a piece */
  bool free;     /* computation without friction */
  double h;      /* duration of a piece, s */
  double *force; /* [pieces SUBSTEPS + 1][d] */
  double *speed; /* [d] unit of speeds in rows, m/s */
  double *drift; /* [d] distance that a joint moves without friction, m */
  double *slid;  /* [pieces][d] speeds of the last problem, m/s; NAN: none yet */
  /* [pieces][d] distance from a change of stick and slip, by the last problem. For a sticking joint: distance of its
   * holding force from the threshold, relative to it. For a slipping one: its speed at the end of the piece,
   * relative to the maximum of its slips */
  double *room;
  double *add;  /* [pieces][2d] change of (x, v) over a piece by forces and friction */
  double *path; /* [pieces + 1][2d] (x, v) of the last problem */
  double *F;    /* [segments][w][z] */
  PatternPlace place[2];
  const Linear **at; /* [pieces] */
  Linear **linear;   /* [n_linear] owned */
  int n_linear;
  Stages stages;
  signed char *ways;             /* [pieces][d] */
  int *held;                     /* [rows] piece d + joint whose holding force is in the row; -1: other rows */
  long looked;                   /* number of patterns whose effort was computed or looked up */
  Known *known;                  /* [KNOWN] */
  const SimInterrupt *interrupt; /* borrowed; NULL: none */
  SimStatus status;              /* SIM_CANCELLED or SIM_NO_MEMORY: results after that are invalid */
};

static inline int sign_of(double a) { return (a > 0) - (a < 0); }

/* Returns the motion of a piece while these joints slip, and caches it. NULL: out of memory, or the mass is
 * singular. */
const Linear *pattern_linear(PatternMotions *motions, uint64_t slips);
void pattern_linear_destroy(Linear *linear);

/* Whether a joint can stick in the current computation; its threshold at the end of a piece, in a direction. */
bool pattern_may_stick(const PatternMotions *motions, int joint);
double pattern_threshold(const PatternMotions *motions, int joint, int piece, int way);

/* Sets up the quadratic problem of motions->ways. Returns false when out of memory. */
bool pattern_lay_out(PatternMotions *motions);

/* Sets motions->ways and drift from the least effort without friction; slow motion counts as 0. Returns false if
 * there is none. */
bool pattern_go_free(PatternMotions *motions);

#endif
