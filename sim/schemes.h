/* The schemes there are, by kind of model and by name, and the keys they take. A part of sim.h. */
#ifndef SIM_SCHEMES_H
#define SIM_SCHEMES_H

#include "sim/problem.h"

SIM_API_BEGIN

/* Its name in problem files; static storage. */
const char *sim_scheme_name(const SimScheme *scheme);
/* The schemes of a kind of model, one by one: k = 0, 1, ..; NULL after the last. */
const SimScheme *sim_scheme_of_kind(SimKind kind, int k);
/* All schemes likewise. */
const SimScheme *sim_scheme_at(int k);
/* The scheme of that name that serves the kind; NULL when there is none. */
const SimScheme *sim_scheme_for(SimKind kind, const char *name);
/* Whether it serves a problem of this kind and storage. */
bool sim_scheme_serves(const SimScheme *scheme, const SimProblem *problem);
/* What it is, in one sentence. */
const char *sim_scheme_sentence(const SimScheme *scheme);
/* The keys of a problem file's section `scheme` that it takes besides name, kept in SimProblem.parameters; NULL when there
 * are none. */
const SimParameter *sim_scheme_parameters(const SimScheme *scheme);
/* Whether a key is among them. */
bool sim_scheme_takes(const SimScheme *scheme, const char *key);

SIM_API_END

#endif
