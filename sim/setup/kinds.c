/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/setup/tables.h"

/* The table of kinds of models. A new kind NAME needs a folder with a file that defines sim_kind_NAME, and a row
 * here. */
#define KINDS(X) X(SIM_FRICTION, friction) X(SIM_DASHPOT, dashpot) X(SIM_CHAIN, chain) X(SIM_MECHANISM, mechanism)

#define DECLARE(kind, name) extern const SimKindOps sim_kind_##name;
KINDS(DECLARE)
#define ENTRY(kind, name) [kind] = &sim_kind_##name,
static const SimKindOps *const table[] = {KINDS(ENTRY)};

const SimKindOps *sim_kind(SimKind kind) { return (unsigned)kind < sizeof table / sizeof *table ? table[kind] : NULL; }

const SimParameter *sim_kind_parameters(SimKind kind) { return sim_kind(kind) ? table[kind]->parameters : NULL; }

bool sim_kind_has_multiplier(SimKind kind) { return sim_kind(kind) && table[kind]->has_multiplier; }

int stiction_kind_extras(SimKind kind, const char *const **names) {
  const SimKindOps *ops = sim_kind(kind);
  if (names) *names = ops ? ops->extra : NULL;
  return ops ? ops->n_extra : 0;
}

const char *stiction_kind_extra_unit(SimKind kind, int k) {
  const SimKindOps *ops = sim_kind(kind);
  return ops && k >= 0 && k < ops->n_extra ? ops->extra_units[k] : NULL;
}
