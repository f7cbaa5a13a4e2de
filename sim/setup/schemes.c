/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/setup/tables.h"

#include "sim/base/argument.h"
#include "sim/parameter.h"

#include <stdlib.h>
#include <string.h>

/* The table of schemes. A new scheme NAME needs a file that defines sim_scheme_NAME, and its name here. The first
 * scheme of a kind is its default. */
#define SCHEMES(X)                                                                                                     \
  X(moreau)                                                                                                            \
  X(centered)                                                                                                          \
  X(lie)                                                                                                               \
  X(strang)                                                                                                            \
  X(backward_euler)                                                                                                    \
  X(implicit_euler)                                                                                                    \
  X(symplectic) X(increment) X(event_friction) X(event_dashpot) X(event_chain) X(event_mechanism) X(moreau_mechanism)

#define DECLARE(name) extern const SimScheme sim_scheme_##name;
SCHEMES(DECLARE)
#define ENTRY(name) &sim_scheme_##name,
static const SimScheme *const table[] = {SCHEMES(ENTRY)};
enum { N_SCHEMES = sizeof table / sizeof *table };

const SimScheme *sim_scheme_of_kind(SimKind kind, int k) {
  for (int i = 0; i < N_SCHEMES; i++)
    if (table[i]->kind == kind && k-- == 0) return table[i];
  return NULL;
}

const SimScheme *sim_scheme_at(int k) { return k >= 0 && k < N_SCHEMES ? table[k] : NULL; }

const SimScheme *sim_scheme_for(SimKind kind, const char *name) {
  for (int i = 0; i < N_SCHEMES && name; i++)
    if (table[i]->kind == kind && strcmp(table[i]->name, name) == 0) return table[i];
  return NULL;
}

SimStatus sim_problem_set_scheme(SimProblem *problem, const char *name) {
  ARGUMENT_THERE(problem);
  ARGUMENT_THERE(name);
  const SimScheme *scheme = sim_scheme_for(problem->kind, name);
  if (!scheme) return SIM_BAD_PROBLEM;
  void *parameters = scheme->parameters ? calloc(1, scheme->parameters_size) : NULL;
  if (scheme->parameters && !parameters) return SIM_NO_MEMORY;
  free(problem->parameters);
  problem->scheme = scheme;
  problem->parameters = parameters;
  sim_parameters_set_defaults(scheme->parameters, parameters);
  return SIM_OK;
}
