/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads and evaluates model.force, the force f(t). It is given by expressions in t, one for all degrees of freedom or
 * one for each of them. An expression holds at all times, or for a piece of time.
 *
 * A piece {until: t1, value: f} ends at t1 and includes t1, so at a jump f(t1) is the left limit. Times are compared
 * with a tolerance of 1e-9 steps, so that the rounding of the grid's times does not decide on which side of a grid
 * point a jump lies. */
#ifndef SRC_FORCE_H
#define SRC_FORCE_H

#include "src/file/values/reader.h"

/* Reads a force and reports errors. node NULL: there is no force. Returns NULL if there is no memory. */
Force *force_read(Reader *reader, Node *node);
/* Returns whether a force as written depends on time: it is an expression in t, pieces of time, a file, or a list with
 * one of these. In a list any other expression counts, too, since it can only be a mistyped expression in t. */
bool force_in_time(const Node *node);
/* Returns another reference to the same force, which must also be destroyed; NULL for NULL. */
Force *force_share(Force *force);
void force_destroy(Force *force); /* NULL is allowed */

/* Returns the number of degrees of freedom for which the force is written; 0 if it can be used for any number. */
int force_size(const Force *force);

/* Returns whether each measured piece has samples for its whole duration within 0..end; reports an error if not. */
bool force_covers(const Force *force, Reader *reader, const SimProblem *problem);

/* Returns the estimated time to evaluate the force once for all its degrees of freedom, in s. */
double force_seconds(const Force *force);

/* Fills problem->force with the values at all times of the grid. Reports the first time at which a piece has no finite
 * value, or at which no piece is defined. Tracks with errors, or written for another number of degrees of freedom, are
 * skipped. */
void force_tabulate(const Force *force, Reader *reader, SimProblem *problem);

/* Works as force_tabulate, but fills a table [sim_force_count][columns]. */
void force_tabulate_into(const Force *force, Reader *reader, const SimProblem *problem, int columns, double *table);

/* Fills the first `wanted` columns of a table with the rate f'; at jumps of f' with its right limit. The rate is
 * evaluated from `rate`; if this is NULL, it is computed by finite differences of fourth order. A scheme that
 * integrates f' gives wrong results unless f is the integral of f'. Therefore errors are reported for the first jump of
 * f in a track (between pieces or within an expression), for a rate that is not finite, and for a given rate that
 * contradicts the force. */
void force_tabulate_rate(const Force *force, const Force *rate, Reader *reader, const SimProblem *problem, int columns,
                         int wanted, double *table);

/* Sets problem->pieces, polynomial pieces of the force, for schemes that use them. Adds `share` times the value of
 * `end`, a force with one track, to the last degree of freedom; end NULL: nothing is added. */
void force_make_pieces(const Force *force, const Force *end, double share, Reader *reader, SimProblem *problem);

/* Sets problem->surface, the velocity w(t) of the surfaces. Reports an error if w jumps, or if it differs between
 * degrees of freedom although the matrices are sparse. */
void force_make_surface(const Force *force, Reader *reader, SimProblem *problem);

/* Sets problem->thresholds to the given values times scale. If backward is NULL, `forward` holds for both directions of
 * motion; otherwise each holds for its own direction. Reports an error if a threshold is negative, or if thresholds
 * differ between degrees of freedom although the matrices are sparse. */
void force_make_thresholds(const Force *forward, const Force *backward, double scale, Reader *reader,
                           SimProblem *problem);

/* Evaluates f at time t for the rows first .. first + count - 1, as force_tabulate does. Sets NaN in a row if no piece
 * contains t. */
void force_at(const Force *force, const SimProblem *problem, double t, int first, int count, double *f);
/* Returns whether the force does not depend on t. */
bool force_is_constant(const Force *force);

/* Returns the force as JSON, as written in the file. NULL if there is no memory. */
json_t *force_echo(const Force *force);

#endif
