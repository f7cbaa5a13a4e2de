/* model.force: f(t), as expressions in t, for all degrees of freedom or one each, over pieces of time or all
 * of it.
 *
 * A piece {until: t1, value: f} holds up to and at t1, the left limit at a jump; times are compared with a
 * tolerance of 1e-9 steps, so that a jump on the grid falls on the same side however the grid's times are
 * rounded. */
#ifndef SRC_FORCE_H
#define SRC_FORCE_H

#include "src/file/values/reader.h"

/* node: NULL for no force. Mistakes are told; NULL: no memory. */
Force *force_read(Reader *reader, Node *node);
/* Whether what is written changes in time: an expression in t, pieces, a file, or a list with one of these. */
bool force_in_time(const Node *node);
/* The same once more, which is destroyed as well; NULL: NULL. */
Force *force_share(Force *force);
void force_destroy(Force *force); /* NULL: nothing */

/* Degrees of freedom that the force is written for; 0: any number of them. */
int force_size(const Force *force);

/* Whether all measured pieces have samples over all of their time in 0..end; told if not. */
bool force_covers(const Force *force, Reader *reader, const SimProblem *problem);

/* About the time of evaluating it once on every degree of freedom that it is written for, s. */
double force_seconds(const Force *force);

/* Fills problem->force; tells the first time at which a piece is not finite, or that no piece covers. Does
 * nothing for parts that were wrong, or written for another number of degrees of freedom. */
void force_tabulate(const Force *force, Reader *reader, SimProblem *problem);

/* The same into a table [sim_force_count][columns]. */
void force_tabulate_into(const Force *force, Reader *reader, const SimProblem *problem, int columns, double *table);

/* Fills the first `wanted` columns of a table likewise with f', from the right where it jumps: as `rate` has it, or, where
 * that is NULL, by differences of fourth order. A scheme that follows f' is wrong where f is not what f' sums up to, so
 * it tells the first jump of a track (from a piece to the next, or inside an expression), a rate that is not finite, and
 * a rate given that is not the force's. */
void force_tabulate_rate(const Force *force, const Force *rate, Reader *reader, const SimProblem *problem, int columns,
                         int wanted, double *table);

/* The same as problem->pieces, for a scheme that takes them, with `share` times what `end` has (one track; NULL: nothing) added
 * to the last degree of freedom. */
void force_make_pieces(const Force *force, const Force *end, double share, Reader *reader, SimProblem *problem);

/* The same as problem->surface, w(t); told if it jumps, and if with sparse matrices it is not one for all. */
void force_make_surface(const Force *force, Reader *reader, SimProblem *problem);

/* The same, times scale, as problem->thresholds, of one direction or both (backward: else NULL); told if one is below 0, and if with
 * sparse matrices they are not one for all. */
void force_make_thresholds(const Force *forward, const Force *backward, double scale, Reader *reader,
                           SimProblem *problem);

/* f at one time, of rows first .. first + count - 1: what force_tabulate would put there. NaN where nothing covers t. */
void force_at(const Force *force, const SimProblem *problem, double t, int first, int count, double *f);
/* Whether it does not depend on t. */
bool force_is_constant(const Force *force);

/* As it was written. NULL: no memory. */
json_t *force_echo(const Force *force);

#endif
