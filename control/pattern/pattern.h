/* The least effort of a pattern: of which joint slips which way in which piece of time. With the pattern given the motion is linear in u,
 *
 *     M v' = f + B u - D v - A x - C s    on the joints that slip, s the way they do,    v = 0 on those that stick,
 *
 * and what makes it a motion with friction are linear inequalities: a slipping joint goes its way, s v >= 0 at the ends of the pieces; it is
 * at rest where its slip ends; a sticking joint's force is at most its threshold at the ends of each piece. So the least effort that meets
 * the targets, inside bounds and rates, is a convex quadratic problem (stages.h): no motion is simulated for it. Its J is that of a control of
 * the true problem where nothing that acts on a joint changes inside a piece: constant pieces, no springs; else nearly so. Friction that falls with speed is taken at the speeds of the
 * last of a few such problems. */
#ifndef CONTROL_PATTERN_H
#define CONTROL_PATTERN_H

#include "control/control.h"
#include "sim/sim.h"

/* Joint i slips in pieces from..to - 1, the way `way`: -1 or 1. */
typedef struct PatternSlip {
  int joint, from, to, way;
} PatternSlip;

/* Slips of one joint stand in order of time, and do not overlap; joints in order. */
typedef struct Pattern {
  int pieces, n;
  PatternSlip *slips; /* [n] owned; of pattern_slips_most(d, pieces) at most */
} Pattern;

enum { PATTERN_D = 32 };

/* From ways [pieces][d], -1, 0 or 1, and back. */
void pattern_from_ways(int d, const signed char *ways, Pattern *pattern);
void pattern_ways(const Pattern *pattern, int d, signed char *ways);

int pattern_slips_most(int d, int pieces);
/* Returns false when out of memory. */
bool pattern_init(Pattern *pattern, int d, int pieces);
void pattern_clear(Pattern *pattern);
void pattern_copy(const Pattern *from, Pattern *to);
bool pattern_same(const Pattern *a, const Pattern *b);
/* Whether slips are in order, inside the pieces and apart; those of no length are removed first. */
bool pattern_tidy(Pattern *pattern);
/* The same in `factor` times as many pieces. */
void pattern_refine(Pattern *pattern, int factor);

/* The linear motions of a problem with so many pieces in time. */
typedef struct PatternMotions PatternMotions;

/* Whether a problem's motions have patterns: dense, joints with thresholds, linear springs and dampers, targets that leave freedom. */
bool pattern_takes(const CtlProblem *problem, const SimProblem *sim);

/* Of u in so many segments, of so many parts each, which are the pieces of patterns; the problem's bounds, rates, weight and targets; both
 * borrowed. NULL: out of memory. */
PatternMotions *pattern_motions_create(const CtlProblem *problem, const SimProblem *sim, int segments, int parts);
int pattern_parts(const PatternMotions *motions);
/* Before a question: what may end it (borrowed; NULL: nothing). After it: SIM_OK; SIM_CANCELLED, SIM_NO_MEMORY: what was found is no answer. */
void pattern_begin(PatternMotions *motions, const SimInterrupt *interrupt);
SimStatus pattern_status(const PatternMotions *motions);
void pattern_fail(PatternMotions *motions); /* out of memory */
void pattern_motions_destroy(PatternMotions *motions);
int pattern_joints(const PatternMotions *motions);
/* Which way a joint starts to slip, which it must: its speed at 0; 0: at rest. And which way its target lies, or, of one that may end
 * anywhere (free), where the least effort without friction takes it. */
int pattern_way_at_start(const PatternMotions *motions, int joint);
int pattern_way_to_target(const PatternMotions *motions, int joint);
/* The piece in which a joint at rest may begin to slip: 1 of linear pieces, as u(0) = 0 moves nothing. */
int pattern_first(const PatternMotions *motions, int joint);
bool pattern_is_free(const PatternMotions *motions, int joint);
bool pattern_has_springs(const PatternMotions *motions);
bool pattern_has_friction(const PatternMotions *motions, int joint);

/* Least J of a pattern; INFINITY: none. control: [segments][p], NULL: not wanted. */
double pattern_effort(PatternMotions *motions, const Pattern *pattern, double *control);
/* The same where it is less than `enough`, else INFINITY may be returned; of a pattern seen before as it was then, without its motion: what
 * follows is of the last one that was solved. */
double pattern_less_effort(PatternMotions *motions, const Pattern *pattern, double enough);
/* By the last pattern that had one: of a joint that sticks in a piece, how far the force that holds it is from its threshold, as a part of
 * that; of one that slips, how fast it is at its end, as a part of the fastest of its slips. */
double pattern_room(const PatternMotions *motions, int joint, int piece);
/* Patterns whose least effort was wanted so far, known or not: the same on any rank. */
long pattern_looked(const PatternMotions *motions);

/* The pattern of the least effort without friction. Returns false where there is none, an empty one. */
bool pattern_without_friction(PatternMotions *motions, Pattern *pattern);

/* Windows to begin with: seed k in a fixed order. Returns false beyond the last. */
bool pattern_seed(const PatternMotions *motions, long k, Pattern *pattern);

/* The pattern of a motion of the file's own scheme: in each piece a joint does what it does most of its time there. control: [n] of the
 * problem. SIM_OK; the status of a motion that failed; SIM_NO_MEMORY. */
SimStatus pattern_of_motion(const SimProblem *sim, const SimModel *model, SimWorkspace *work, const double *control,
                            Pattern *pattern);

/* Moves ends of slips while J falls, by a whole segment, then by parts of it; one end at a time, then two by a piece; returns J. Out of memory
 * it is said by pattern_status. */
double pattern_shift(PatternMotions *motions, Pattern *pattern);

#endif
