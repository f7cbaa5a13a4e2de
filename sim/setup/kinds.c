#include "sim/setup/tables.h"

static const SimKindOps *const table[] = {
    [SIM_FRICTION] = &sim_kind_friction,
    [SIM_DASHPOT] = &sim_kind_dashpot,
    [SIM_CHAIN] = &sim_kind_chain,
};

const SimKindOps *sim_kind(SimKind kind) { return table[kind]; }

bool sim_kind_has_multiplier(SimKind kind) { return table[kind]->has_multiplier; }

int sim_kind_extras(SimKind kind, const char *const **names) {
  *names = table[kind]->extra;
  return table[kind]->n_extra;
}
const char *sim_kind_extra_unit(SimKind kind, int k) { return table[kind]->extra_units[k]; }
