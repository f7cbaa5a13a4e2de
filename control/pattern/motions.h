/* Internals that the files about the linear motions of patterns share. */
#ifndef CONTROL_PATTERN_MOTIONS_H
#define CONTROL_PATTERN_MOTIONS_H

#include "control/pattern/pattern.h"
#include "control/pattern/stages.h"
#include "sim/internal.h"

#include <stdint.h>

enum { SUBSTEPS = 8 /* number of substeps per piece; a force is linear on each of them */ };

/* Linear motion of a piece during which the joints of the bit set `slips` slip. */
typedef struct Linear {
  uint64_t slips;
  double *over; /* [2d][2d] transition matrix of (x, v) over a piece */
  /* [2d][p] effect on (x, v) of u at the beginning of a piece; the same of the change of u until its end */
  double *there, *rise;
  double *state,
      /* transitions over a substep: [2d][2d] of (x, v); then [2][2d][d] of the force at its beginning and of the change
       * of the force */
      *forced;
  double *inverse; /* [d][d] inverse mass matrix of the slipping joints, 0 for the others */
} Linear;

/* The beginning or end of a piece within a segment: (x, v) = map z + off, z = (x, v, u before) at the segment's
 * beginning, then u. */
typedef struct PatternPlace {
  double *map, *off; /* [2d][z], [2d] */
  double part;       /* position of the place in its segment, 0..1 */
} PatternPlace;

/* The known effort of a pattern. Its key is a 128-bit hash of the pattern. */
typedef struct Known {
  uint64_t key[2];
  double J, enough; /* least effort; INFINITY: it exceeds `enough` */
} Known;

enum { KNOWN = 1 << 13 };

struct PatternMotions {
  const CtlProblem *problem;
  const SimProblem *sim;
  /* sizes, with pieces = segments * parts; w and z are the numbers of entries of a stage's state, without and with u */
  int d, p, segments, pieces, parts, w, z;
  bool before; /* whether w includes u before the segment, which rates and linear pieces need */
  bool springs, falls;
  bool changes;  /* whether forces or thresholds change inside a piece */
  bool free;     /* whether the current computation is without friction */
  double h;      /* duration of a piece, s */
  double *force; /* [pieces SUBSTEPS + 1][d] force at the ends of all substeps, N */
  double *speed; /* [d] unit of speeds in rows, m/s */
  double *drift; /* [d] distance that a joint moves in the motion without friction, m */
  double *slid;  /* [pieces][d] speeds in the problem that was solved last, m/s; NAN: there is none yet */
  /* [pieces][d] distance from a change of stick and slip, in the problem that was solved last. For a sticking joint it
   * is the distance of its holding force from the threshold, relative to the threshold. For a slipping joint it is its
   * speed at the end of the piece, relative to its largest speed */
  double *room;
  double *add;  /* [pieces][2d] change of (x, v) over a piece that forces and friction cause */
  double *path; /* [pieces + 1][2d] (x, v) in the problem that was solved last */
  double *F;    /* [segments][w][z] */
  PatternPlace place[2];
  const Linear **at; /* [pieces] */
  Linear **linear;   /* [n_linear] owned */
  int n_linear;
  Stages stages;
  signed char *ways; /* [pieces][d] */
  int *held;         /* [rows] index, piece d + joint, of the joint whose holding force is in the row; -1: other rows */
  long looked;       /* number of patterns whose effort was computed or looked up */
  Known *known;      /* [KNOWN] */
  const SimInterrupt *interrupt; /* interrupt of the current query; borrowed; NULL: none */
  SimStatus status;              /* SIM_CANCELLED or SIM_NO_MEMORY; later results are then invalid */
};

static inline int sign_of(double a) { return (a > 0) - (a < 0); }

/* Returns the linear motion of a piece during which these joints slip; it is cached. NULL: memory is lacking, or the
 * mass matrix is singular. */
const Linear *pattern_linear(PatternMotions *motions, uint64_t slips);
void pattern_linear_destroy(Linear *linear);

/* The first function returns whether a joint can stick in the current computation. The second returns its threshold at
 * the end of a piece, in a direction. */
bool pattern_may_stick(const PatternMotions *motions, int joint);
double pattern_threshold(const PatternMotions *motions, int joint, int piece, int way);

/* Sets up the quadratic problem of motions->ways. Returns false when out of memory. */
bool pattern_lay_out(PatternMotions *motions);

/* Sets motions->ways and drift from the motion of least effort without friction, in which slow motion counts as rest.
 * Returns false if there is no such motion. */
bool pattern_go_free(PatternMotions *motions);

#endif
