/* SPDX-License-Identifier: BSD-2-Clause */
/* Lists of the schemes, by kind of model and by name, and of their keys. Included by sim/internal.h. */
#ifndef SIM_SCHEMES_H
#define SIM_SCHEMES_H

#include "sim/problem.h"

/* Returns the name of a scheme in problem files; static storage. */
const char *sim_scheme_name(const SimScheme *scheme);
/* Returns scheme k = 0, 1, .. of a kind of model; NULL after the last. */
const SimScheme *sim_scheme_of_kind(SimKind kind, int k);
/* Returns scheme k of all schemes; NULL after the last. */
const SimScheme *sim_scheme_at(int k);
/* Returns the scheme of this name for the kind; NULL if there is none. */
const SimScheme *sim_scheme_for(SimKind kind, const char *name);
/* Whether a scheme supports the problem's kind and storage. */
bool sim_scheme_serves(const SimScheme *scheme, const SimProblem *problem);
/* Returns a sentence that describes a scheme. */
const char *sim_scheme_sentence(const SimScheme *scheme);
/* Returns the table of the scheme's keys in the section `scheme` of a problem file, except name. Their values are in
 * SimProblem.parameters. NULL: the scheme has no keys. */
const SimParameter *sim_scheme_parameters(const SimScheme *scheme);
/* Whether a scheme computes motions from event to event, without the error of a time step. */
bool sim_scheme_by_events(const SimScheme *scheme);
/* Whether the scheme supports control segments of unequal lengths, derivatives by these lengths and by T, and
 * SimQuantity values before T. */
bool sim_scheme_moves_end(const SimScheme *scheme);
/* Whether a scheme has a given key. */
bool sim_scheme_takes(const SimScheme *scheme, const char *key);

#endif
