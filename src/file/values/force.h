/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads and evaluates model.force, f(t): expressions in t, one for all degrees of freedom or one for each, for all
 * time or for pieces of time.
 *
 * A piece {until: t1, value: f} holds up to t1, t1 included, so at a jump f(t1) is the left limit. Times are
 * compared with a tolerance of 1e-9 steps. So the rounding of the grid's times does not decide on which side of the
 * grid point a jump falls. */
#ifndef SRC_FORCE_H
#define SRC_FORCE_H

#include "src/file/values/reader.h"

/* Reads a force and reports errors. node NULL: there is no force. Returns NULL if there is no memory. */
Force *force_read(Reader *reader, Node *node);
/* Returns whether a force as written depends on time, i.e. is an expression in t, pieces, a file, or a list with one of
 * these. In a list any other expression counts, too, for it can only be a mistake in one in t. */
bool force_in_time(const Node *node);
/* Returns another reference to the same force, which must also be destroyed; NULL for NULL. */
Force *force_share(Force *force);
void force_destroy(Force *force); /* NULL is allowed */

/* Returns the number of degrees of freedom for which the force is written; 0 if it serves any number. */
int force_size(const Force *force);

/* Returns whether all measured pieces have samples for their whole time within 0..end; reports an error if not. */
bool force_covers(const Force *force, Reader *reader, const SimProblem *problem);

/* Returns the estimated time to evaluate the force once for all its degrees of freedom, in s. */
double force_seconds(const Force *force);

/* Fills problem->force with the values at all times of the grid. Reports the first time at which a piece is not finite
 * or no piece is defined. Skips tracks that have errors or are written for another number of degrees of freedom. */
void force_tabulate(const Force *force, Reader *reader, SimProblem *problem);

/* Fills a table [sim_force_count][columns] as force_tabulate does. */
void force_tabulate_into(const Force *force, Reader *reader, const SimProblem *problem, int columns, double *table);

/* Fills the first `wanted` columns of a table with the rate f', at jumps of f' with its right limit. The rate is taken
 * from `rate` or, if that is NULL, from finite differences of fourth order. A scheme that integrates f' is wrong if f
 * is not the integral of f'. So this reports the first jump of f in a track (between pieces or within an expression), a
 * rate that is not finite, and a given rate that contradicts the force. */
void force_tabulate_rate(const Force *force, const Force *rate, Reader *reader, const SimProblem *problem, int columns,
                         int wanted, double *table);

/* Sets problem->pieces, for schemes that use them. Adds `share` times the value of `end`, a force with one track (NULL:
 * none), to the last degree of freedom. */
void force_make_pieces(const Force *force, const Force *end, double share, Reader *reader, SimProblem *problem);

/* Sets problem->surface, the velocity w(t). Reports an error if it jumps, or if it differs between degrees of freedom
 * with sparse matrices. */
void force_make_surface(const Force *force, Reader *reader, SimProblem *problem);

/* Sets problem->thresholds to the given values times scale. `forward` is for both directions, or if backward is not
 * NULL each is for its own. Reports an error if a threshold is negative, or if thresholds differ between degrees of
 * freedom with sparse matrices. */
void force_make_thresholds(const Force *forward, const Force *backward, double scale, Reader *reader,
                           SimProblem *problem);

/* Evaluates f at time t for the rows first .. first + count - 1, as force_tabulate does. A row has NaN if no piece
 * covers t. */
void force_at(const Force *force, const SimProblem *problem, double t, int first, int count, double *f);
/* Returns whether the force does not depend on t. */
bool force_is_constant(const Force *force);

/* Returns the force as written. NULL if there is no memory. */
json_t *force_echo(const Force *force);

#endif
