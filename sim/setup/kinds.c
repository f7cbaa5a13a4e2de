#include "sim/setup/tables.h"

/* A new kind NAME is a room with a file that defines sim_kind_NAME, and its name here. */
#define KINDS(X) X(SIM_FRICTION, friction) X(SIM_DASHPOT, dashpot) X(SIM_CHAIN, chain)

#define DECLARE(kind, name) extern const SimKindOps sim_kind_##name;
KINDS(DECLARE)
#define ENTRY(kind, name) [kind] = &sim_kind_##name,
static const SimKindOps *const table[] = {KINDS(ENTRY)};

const SimKindOps *sim_kind(SimKind kind) { return (unsigned)kind < sizeof table / sizeof *table ? table[kind] : NULL; }

bool sim_kind_has_multiplier(SimKind kind) { return table[kind]->has_multiplier; }

int sim_kind_extras(SimKind kind, const char *const **names) {
  *names = table[kind]->extra;
  return table[kind]->n_extra;
}
const char *sim_kind_extra_unit(SimKind kind, int k) { return table[kind]->extra_units[k]; }
