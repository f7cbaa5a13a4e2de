#include "sim/scheme.h"

#include <string.h>

static const SimScheme *const table[] = {
    &sim_scheme_centered,
    &sim_scheme_moreau,
};
enum { N_SCHEMES = sizeof table / sizeof *table };

const SimScheme *sim_scheme_find(const char *name) {
  for (int i = 0; i < N_SCHEMES; i++)
    if (strcmp(table[i]->name, name) == 0) return table[i];
  return NULL;
}

const char *sim_scheme_names(void) {
  static char names[N_SCHEMES * 24];
  if (!names[0])
    for (int i = 0; i < N_SCHEMES; i++) {
      if (i) strcat(names, ", ");
      strcat(names, table[i]->name);
    }
  return names;
}

const char *sim_scheme_name(const SimScheme *scheme) { return scheme->name; }

bool sim_scheme_offers(const SimScheme *scheme, SimMultiplier multiplier) {
  return (scheme->multipliers >> multiplier) & 1u;
}

SimMultiplier sim_scheme_default_multiplier(const SimScheme *scheme) { return scheme->default_multiplier; }

long sim_force_count(const SimProblem *problem) { return problem->scheme->force_count(problem); }

double sim_force_time(const SimProblem *problem, long k) { return problem->scheme->force_time(problem, k); }
