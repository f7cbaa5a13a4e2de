#include "sim/core/scheme.h"

#include <math.h>
#include <string.h>

bool sim_scheme_takes(const SimScheme *scheme, const char *key) {
  size_t length = strlen(key);
  for (const char *at = scheme->keys; (at = strstr(at, key)) != NULL; at++)
    if (at[-1] == ' ' && at[length] == ' ') return true;
  return false;
}

const char *sim_scheme_name(const SimScheme *scheme) { return scheme->name; }

bool sim_scheme_offers(const SimScheme *scheme, SimMultiplier multiplier) {
  return (scheme->multipliers >> multiplier) & 1u;
}

SimMultiplier sim_scheme_default_multiplier(const SimScheme *scheme) { return scheme->default_multiplier; }

int sim_scheme_default_friction_substeps(const SimScheme *scheme) { return scheme->friction_substeps; }

double sim_default_r(const SimProblem *problem, const SimBounds *bounds) {
  return bounds->delta > 0 ? problem->scheme->relaxation / (bounds->delta * problem->step) : 1;
}

bool sim_force_rate_wanted(const SimProblem *problem) {
  bool massless = problem->kind == SIM_CHAIN && problem->chain.chain_case != SIM_CHAIN_DYNAMICAL;
  return massless && problem->scheme->needs_force_rate;
}

long sim_force_count(const SimProblem *problem) {
  return problem->scheme->force_count ? problem->scheme->force_count(problem) : problem->steps + 1;
}

double sim_force_time(const SimProblem *problem, long k) {
  return problem->scheme->force_time ? problem->scheme->force_time(problem, k) : (double)k * problem->step;
}

int scheme_check(const SimProblem *problem, const SimReport *report) {
  return problem->scheme->check ? problem->scheme->check(problem, report) : 0;
}

double scheme_step_limit(const SimProblem *problem, double frequency_squared) {
  return problem->scheme->step_limit ? problem->scheme->step_limit(problem, frequency_squared) : INFINITY;
}
