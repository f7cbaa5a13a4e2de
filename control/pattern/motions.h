/* SPDX-License-Identifier: BSD-2-Clause */
/* Data of the linear motions of patterns (pattern.h), shared by several files. Time is divided into the segments of the
 * control u, and each segment into pieces. During a piece each joint either sticks or slips in one direction. Each
 * segment is one stage of the quadratic problem (stages.h). A row is a constraint of this problem. */
#ifndef CONTROL_PATTERN_MOTIONS_H
#define CONTROL_PATTERN_MOTIONS_H

#include "control/pattern/pattern.h"
#include "control/pattern/stages.h"
#include "sim/internal.h"

#include <stdint.h>

enum { SUBSTEPS = 8 /* number of substeps per piece; the force f is linear in time on each substep */ };

/* Linear motion of a piece during which the joints of the bit set `slips` slip. */
typedef struct Linear {
  uint64_t slips;
  double *over; /* [2d][2d] transition matrix of (x, v) over a piece */
  /* [2d][p] each: effects on (x, v) at the end of the piece: `there` of u at the beginning of the piece, `rise` of the
   * change of u during the piece */
  double *there, *rise;
  double *state,
      /* Data of a substep. state: [2d][2d] transition matrix of (x, v). forced: [2][2d][d] effects on (x, v) of the
       * force at the beginning of the substep, and of the change of the force during it. */
      *forced;
  double *inverse; /* [d][d] inverse mass matrix of the slipping joints, 0 for the others */
} Linear;

/* A place: the beginning or end of a piece within a segment. There (x, v) = map z + off. The vector z consists of (x,
 * v) at the beginning of the segment, of u of the previous segment (if PatternMotions.before is set), and of u of the
 * segment. */
typedef struct PatternPlace {
  double *map, *off; /* matrix [2d][z] and vector [2d] */
  double part;       /* position of the place in its segment, 0..1 */
} PatternPlace;

/* Entry of a hash table of the least efforts of patterns. The key is a 128-bit hash of the pattern. */
typedef struct Known {
  uint64_t key[2];
  double J, enough; /* least effort J, or INFINITY if it exceeds `enough` */
} Known;

/* number of entries of the table */
enum { KNOWN = 1 << 13 };

struct PatternMotions {
  const CtlProblem *problem;
  const SimProblem *sim;
  /* d: number of joints. p: number of entries of u. segments: number of segments of u. parts: number of pieces per
   * segment. pieces = segments * parts. w: number of entries of the state of a stage. z = w + p: number of entries of
   * state and control. */
  int d, p, segments, pieces, parts, w, z;
  bool before; /* whether the state of a stage includes u of the previous segment, which is needed with rate limits and
                * for linear signals */
  bool springs, falls;
  bool changes;  /* whether forces or thresholds change within a piece */
  bool free;     /* whether the current computation is for motions without friction */
  double h;      /* duration of a piece, in s */
  double *force; /* [pieces SUBSTEPS + 1][d] force f at the ends of all substeps, in N */
  double *speed; /* [d] unit of speed of each joint, in m/s, for the scale of rows */
  double *drift; /* [d] displacement of each joint in the motion of least effort without friction, in m */
  double *slid;  /* [pieces][d] mean speeds for the control that was found last, in m/s; NAN: there is none yet */
  /* [pieces][d] distance of each joint from a change between stick and slip, in the problem that was solved last. For a
   * sticking joint: distance of the force on it from the threshold, relative to the threshold. For a slipping joint:
   * its speed at the end of the piece, relative to its largest speed */
  double *room;
  double *add;  /* [pieces][2d] change of (x, v) over a piece due to forces and friction */
  double *path; /* [pieces + 1][2d] (x, v) at the ends of pieces for the control that was found last */
  double *F;    /* [segments][w][z] transition matrices F of the stages */
  PatternPlace place[2];
  const Linear **at; /* [pieces] linear motion of each piece, for the joints that slip in it; borrowed from `linear` */
  Linear **linear;   /* [n_linear] linear motions; owned */
  int n_linear;
  Stages stages;
  signed char *ways; /* [pieces][d] direction of slip: -1, 1, or 0 if the joint sticks */
  int *held;         /* [rows] for a row that limits the force on a sticking joint: piece times d plus joint; -1: other
                      * rows */
  long looked;       /* number of patterns for which the effort was computed or found in the table */
  Known *known;      /* [KNOWN] hash table of known efforts */
  const SimInterrupt *interrupt; /* interrupt of the current query; borrowed; NULL: none */
  SimStatus status;              /* SIM_CANCELLED or SIM_NO_MEMORY; later results are then invalid */
};

static inline int sign_of(double a) { return (a > 0) - (a < 0); }

/* Returns the linear motion of a piece during which the joints in the bit set `slips` slip. It is cached and belongs to
 * `motions`. NULL: memory is lacking, or the mass matrix of these joints is singular. */
const Linear *pattern_linear(PatternMotions *motions, uint64_t slips);
void pattern_linear_destroy(Linear *linear);

/* pattern_may_stick returns whether a joint can stick in the current computation. pattern_threshold returns the
 * threshold of a joint for slip in direction `way`, at the end of a piece, in N. */
bool pattern_may_stick(const PatternMotions *motions, int joint);
double pattern_threshold(const PatternMotions *motions, int joint, int piece, int way);

/* Sets up the quadratic problem of the pattern in motions->ways. Returns false when out of memory. */
bool pattern_lay_out(PatternMotions *motions);

/* Sets motions->ways and drift from the motion of least effort without friction; joints that move slowly there count as
 * sticking. Returns false if there is no such motion. */
bool pattern_go_free(PatternMotions *motions);

#endif
