/* Least effort of a pattern. A pattern says which joint slips in which direction in which piece of time. With the
 * pattern given, the motion is linear in u:
 *
 *     M v' = f + B u - D v - A x - C s    on slipping joints, s their directions,    v = 0 on sticking ones.
 *
 * Friction becomes linear inequalities. A slipping joint has s v >= 0 at the ends of the pieces and is at rest where
 * its slip ends. The force on a sticking joint is at most its threshold at the ends of each piece. The least effort
 * that meets the targets within bounds and rates is then a convex quadratic problem (stages.h), without any
 * simulation. Its J is that of a control of the true problem if forces and thresholds are constant inside a piece
 * (constant pieces, no springs), and approximate otherwise. If friction falls with speed, a few such problems are
 * solved, each with the speeds of the one before. */
#ifndef CONTROL_PATTERN_H
#define CONTROL_PATTERN_H

#include "control/internal.h"
#include "sim/internal.h"

/* Joint i slips in pieces from..to - 1 in direction `way`: -1 or 1. */
typedef struct PatternSlip {
  int joint, from, to, way;
} PatternSlip;

/* A pattern as a list of slips, in order of joints, then of time, without overlaps. */
typedef struct Pattern {
  int pieces, n;
  PatternSlip *slips; /* [n] owned; capacity pattern_slips_most(d, pieces) */
} Pattern;

enum { PATTERN_D = 32 };

/* Converts from ways [pieces][d], -1, 0 or 1, and back. */
void pattern_from_ways(int d, const signed char *ways, Pattern *pattern);
void pattern_ways(const Pattern *pattern, int d, signed char *ways);

int pattern_slips_most(int d, int pieces);
/* Allocates a pattern. Returns false when out of memory. */
bool pattern_init(Pattern *pattern, int d, int pieces);
void pattern_clear(Pattern *pattern);
void pattern_copy(const Pattern *from, Pattern *to);
/* Removes empty slips. Returns whether the others are in order, inside the pieces and disjoint. */
bool pattern_tidy(Pattern *pattern);
/* Divides each piece into `factor` pieces. */
void pattern_refine(Pattern *pattern, int factor);

/* The linear motions of a problem with a number of pieces in time. */
typedef struct PatternMotions PatternMotions;

/* Whether a problem has patterns: dense storage, joints with thresholds, linear springs and dampers, targets that
 * leave freedom. */
bool pattern_takes(const CtlProblem *problem, const SimProblem *sim);

/* Creates them for u with a number of segments of `parts` pieces each, with the problem's bounds, rates, weight and
 * targets; both borrowed. NULL: out of memory. */
PatternMotions *pattern_motions_create(const CtlProblem *problem, const SimProblem *sim, int segments, int parts);
int pattern_parts(const PatternMotions *motions);
/* Begins a query. interrupt: may end it (borrowed; NULL: nothing). After it, check pattern_status: with
 * SIM_CANCELLED or SIM_NO_MEMORY the results are invalid. */
void pattern_begin(PatternMotions *motions, const SimInterrupt *interrupt);
SimStatus pattern_status(const PatternMotions *motions);
void pattern_fail(PatternMotions *motions); /* sets the status to SIM_NO_MEMORY */
void pattern_motions_destroy(PatternMotions *motions);
int pattern_joints(const PatternMotions *motions);
/* Direction in which a joint must start to slip, by its speed at 0; 0: at rest. Then the direction of its target, or
 * for a free joint the direction in which the least effort without friction moves it. */
int pattern_way_at_start(const PatternMotions *motions, int joint);
int pattern_way_to_target(const PatternMotions *motions, int joint);
/* First piece in which a joint at rest can begin to slip. It is 1 for linear pieces, as u(0) = 0. */
int pattern_first(const PatternMotions *motions, int joint);
bool pattern_is_free(const PatternMotions *motions, int joint);
bool pattern_has_springs(const PatternMotions *motions);
bool pattern_has_friction(const PatternMotions *motions, int joint);

/* Least J of a pattern; INFINITY: none. control: [segments][p], or NULL. */
double pattern_effort(PatternMotions *motions, const Pattern *pattern, double *control);
/* Least J of a pattern if it is less than `enough`; otherwise it may return INFINITY. For a known pattern it returns
 * the stored value without a motion, so later results refer to the last pattern that was solved. */
double pattern_less_effort(PatternMotions *motions, const Pattern *pattern, double enough);
/* Distance from a change of stick and slip, by the last pattern that was solved. For a sticking joint: distance of
 * its holding force from the threshold, relative to it. For a slipping one: its speed at the end of the piece,
 * relative to the maximum of its slips. */
double pattern_room(const PatternMotions *motions, int joint, int piece);
/* Number of patterns whose least effort was requested, known or not; the same on any rank. */
long pattern_looked(const PatternMotions *motions);

/* The pattern of the least effort without friction. Returns false and an empty pattern if there is none. */
bool pattern_without_friction(PatternMotions *motions, Pattern *pattern);

/* Initial windows of slip: seed k in a fixed order. Returns false beyond the last. */
bool pattern_seed(const PatternMotions *motions, long k, Pattern *pattern);

/* The pattern of a simulated motion. In each piece a joint's state is the most frequent one. control: [n] of the
 * problem. SIM_OK; the status of a motion that failed; SIM_NO_MEMORY. */
SimStatus pattern_of_motion(const SimProblem *sim, const SimModel *model, SimWorkspace *work, const double *control,
                            Pattern *pattern);

/* Shifts the ends of slips while J falls, by whole segments, then by pieces; one end at a time, then pairs by a
 * piece. Returns J. When out of memory it sets pattern_status. */
double pattern_shift(PatternMotions *motions, Pattern *pattern);

#endif
