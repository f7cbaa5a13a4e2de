/* model.force: f(t) as expressions in t, one for all degrees of freedom or one for each, over pieces of time or over
 * all time.
 *
 * A piece {until: t1, value: f} holds up to and including t1, so at a jump f(t1) is the left limit. Times are compared
 * with a tolerance of 1e-9 steps, so that a jump on the grid falls on the same side however the grid's times are
 * rounded. */
#ifndef SRC_FORCE_H
#define SRC_FORCE_H

#include "src/file/values/reader.h"

/* Reads a force; reports errors. node: NULL for no force. Returns NULL if there is no memory. */
Force *force_read(Reader *reader, Node *node);
/* Whether a force as written depends on time: an expression in t, pieces, a file, or a list with one of these. */
bool force_in_time(const Node *node);
/* Returns another reference to the same force, which must also be destroyed; NULL for NULL. */
Force *force_share(Force *force);
void force_destroy(Force *force); /* NULL: does nothing */

/* Number of degrees of freedom for which the force is written; 0: any number. */
int force_size(const Force *force);

/* Whether all measured pieces have samples over their whole time within 0..end; reports an error otherwise. */
bool force_covers(const Force *force, Reader *reader, const SimProblem *problem);

/* Estimated time to evaluate the force once on all its degrees of freedom, s. */
double force_seconds(const Force *force);

/* Fills problem->force. Reports the first time at which a piece is not finite or no piece is defined. Skips tracks that
 * have errors or are written for another number of degrees of freedom. */
void force_tabulate(const Force *force, Reader *reader, SimProblem *problem);

/* Fills a table [sim_force_count][columns] in the same way. */
void force_tabulate_into(const Force *force, Reader *reader, const SimProblem *problem, int columns, double *table);

/* Fills the first `wanted` columns of a table in the same way with f', the right derivative at jumps of f': from
 * `rate`, or, if that is NULL, by finite differences of fourth order. A scheme that integrates f' is wrong if f is not
 * the integral of f'. So this reports the first jump of a track (between pieces or inside an expression), a rate that
 * is not finite, and a given rate that contradicts the force. */
void force_tabulate_rate(const Force *force, const Force *rate, Reader *reader, const SimProblem *problem, int columns,
                         int wanted, double *table);

/* Sets problem->pieces for schemes that use them. Adds `share` times the value of `end` (one track; NULL: none) to the
 * last degree of freedom. */
void force_make_pieces(const Force *force, const Force *end, double share, Reader *reader, SimProblem *problem);

/* Sets problem->surface, w(t). Reports an error if it jumps, or if with sparse matrices it differs between degrees of
 * freedom. */
void force_make_surface(const Force *force, Reader *reader, SimProblem *problem);

/* Sets problem->thresholds to the values times scale, for both directions or, with backward not NULL, for each. Reports
 * an error if a threshold is negative, or if with sparse matrices they differ between degrees of freedom. */
void force_make_thresholds(const Force *forward, const Force *backward, double scale, Reader *reader,
                           SimProblem *problem);

/* Evaluates f at time t for rows first .. first + count - 1, as in force_tabulate. NaN where no piece covers t. */
void force_at(const Force *force, const SimProblem *problem, double t, int first, int count, double *f);
/* Whether the force does not depend on t. */
bool force_is_constant(const Force *force);

/* Returns the force as written. NULL if there is no memory. */
json_t *force_echo(const Force *force);

#endif
