/* SPDX-License-Identifier: BSD-2-Clause */
/* Least effort of a pattern. A pattern specifies which joint slips in which direction in which piece of time; otherwise
 * joints stick. For a given pattern the motion is linear in the control u: with the directions s = 1 or -1 of slip,
 *
 *   M v' = f + B u - D v - A x - C s for the slipping joints, v = 0 for the sticking joints.
 *
 * Friction becomes linear inequalities. A slipping joint must have s v >= 0 at the ends of the pieces, and be at rest
 * where its slip ends. The force on a sticking joint must be at most its threshold at the ends of each piece. The least
 * effort that meets the targets within bounds and rates is then the minimum of a convex quadratic problem (stages.h);
 * no simulation is needed. This minimum is attained by a control of the true problem if forces and thresholds are
 * constant inside a piece (piecewise constant signals, no springs), and is approximate otherwise. If friction falls
 * with speed, a few such problems are solved, each with the speeds of the preceding solution. */
#ifndef CONTROL_PATTERN_H
#define CONTROL_PATTERN_H

#include "control/internal.h"
#include "sim/internal.h"

/* A slip of joint i in pieces from..to - 1, in direction `way`, -1 or 1. */
typedef struct PatternSlip {
  int joint, from, to, way;
} PatternSlip;

/* A pattern as a list of slips. They are ordered by joint, then by time, and do not overlap. */
typedef struct Pattern {
  int pieces, n;
  PatternSlip *slips; /* [n] slips; owned, with capacity pattern_slips_most(d, pieces) */
} Pattern;

/* maximum number of joints of problems for which patterns are searched */
enum { PATTERN_D = 32 };

/* pattern_from_ways converts directions ways [pieces][d], with entries -1, 0 or 1, to a pattern; pattern_ways converts
 * a pattern to directions. */
void pattern_from_ways(int d, const signed char *ways, Pattern *pattern);
void pattern_ways(const Pattern *pattern, int d, signed char *ways);

int pattern_slips_most(int d, int pieces);
/* Allocates a pattern. Returns false when out of memory. */
bool pattern_init(Pattern *pattern, int d, int pieces);
void pattern_clear(Pattern *pattern);
void pattern_copy(const Pattern *from, Pattern *to);
/* Removes empty slips. Returns whether the others are in order, disjoint, and inside the range of pieces. */
bool pattern_tidy(Pattern *pattern);
/* Divides each piece into `factor` pieces. */
void pattern_refine(Pattern *pattern, int factor);

/* The linear motions of the patterns of a problem, for a given number of pieces in time. */
typedef struct PatternMotions PatternMotions;

/* Whether patterns can be used for a problem. The problem must have dense storage, joints with thresholds, and linear
 * springs and dampers, and more variables than targets. */
bool pattern_takes(const CtlProblem *problem, const SimProblem *sim);

/* Creates the linear motions for a control u with a number of segments, each of which has `parts` pieces. They use the
 * problem's bounds, rates, weight and targets. Both problems are borrowed. Returns NULL when out of memory. */
PatternMotions *pattern_motions_create(const CtlProblem *problem, const SimProblem *sim, int segments, int parts);
int pattern_parts(const PatternMotions *motions);
/* pattern_begin begins a query. interrupt: limits that may end the query early; borrowed; NULL: no limits.
 * pattern_status must be checked after the query: if it returns SIM_CANCELLED or SIM_NO_MEMORY, the results are
 * invalid. */
void pattern_begin(PatternMotions *motions, const SimInterrupt *interrupt);
SimStatus pattern_status(const PatternMotions *motions);
void pattern_fail(PatternMotions *motions); /* sets the status to SIM_NO_MEMORY */
void pattern_motions_destroy(PatternMotions *motions);
int pattern_joints(const PatternMotions *motions);
/* pattern_way_at_start returns the direction in which a joint must slip at first, the direction of its velocity at t =
 * 0; 0 for a joint at rest. pattern_way_to_target returns the direction from a joint's start to its target or, for a
 * joint without a target, the direction in which the joint moves in the motion of least effort without friction. */
int pattern_way_at_start(const PatternMotions *motions, int joint);
int pattern_way_to_target(const PatternMotions *motions, int joint);
/* pattern_first returns the index of the first piece in which a joint at rest can begin to slip. It is 0, or 1 for
 * piecewise linear signals, as u(0) = 0. */
int pattern_first(const PatternMotions *motions, int joint);
bool pattern_is_free(const PatternMotions *motions, int joint);
bool pattern_has_springs(const PatternMotions *motions);
bool pattern_has_friction(const PatternMotions *motions, int joint);

/* Returns the least effort J of a pattern; INFINITY if no control has this pattern. control: set to the control,
 * [segments][p]; may be NULL. */
double pattern_effort(PatternMotions *motions, const Pattern *pattern, double *control);
/* Returns the least effort J of a pattern if it is less than `enough`; otherwise the result may be INFINITY. For a
 * known pattern the stored value is returned without a computation. Functions that return properties of the motion,
 * such as pattern_room, then refer to the last pattern that was solved. */
double pattern_less_effort(PatternMotions *motions, const Pattern *pattern, double enough);
/* Returns the distance of a joint from a change between stick and slip in a piece, for the last pattern that was
 * solved. For a sticking joint this is the distance of the force on it from the threshold, relative to the threshold.
 * For a slipping joint it is the speed at the end of the piece, relative to the largest speed of the joint. */
double pattern_room(const PatternMotions *motions, int joint, int piece);
/* Returns the number of patterns for which the least effort was requested, whether it was computed or found in a table.
 * This number is the same on any rank. */
long pattern_looked(const PatternMotions *motions);

/* Computes the pattern of the motion of least effort without friction. Returns false and an empty pattern if there is
 * no such motion. */
bool pattern_without_friction(PatternMotions *motions, Pattern *pattern);

/* Sets *pattern to seed k, one of a fixed sequence of initial patterns. Returns false if there are at most k seeds. */
bool pattern_seed(const PatternMotions *motions, long k, Pattern *pattern);

/* Finds the pattern of a simulated motion. In each piece of time the state of a joint in the pattern (slip in a
 * direction, or stick) is its most frequent state in the motion. control: [n] of the problem. Returns SIM_OK,
 * SIM_NO_MEMORY, or the status of a motion that failed. */
SimStatus pattern_of_motion(const SimProblem *sim, const SimModel *model, SimWorkspace *work, const double *control,
                            Pattern *pattern);

/* Shifts the times at which slips begin and end, as long as this lowers the effort J. First moves single ends, by whole
 * segments and then by pieces, and after that pairs of ends by a piece. Returns J. If memory is lacking, this changes
 * pattern_status. */
double pattern_shift(PatternMotions *motions, Pattern *pattern);

#endif
