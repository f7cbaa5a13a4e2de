#include "src/problem/given.h"

#include <math.h>

void given_entries(const SimProblem *sim, const CtlProblem *control, bool *given) {
  size_t rows = (size_t)sim->count;
  for (size_t i = 0; i < rows; i++) {
    given[i] = !isnan(control->position[(size_t)sim->first + i]);
    given[rows + i] = !isnan(control->velocity[(size_t)sim->first + i]);
  }
}

bool given_rest(const CtlProblem *control) {
  bool rest = control->velocity_spacing > 0;
  for (int i = 0; i < control->d; i++) rest = rest && control->velocity[i] == 0;
  return rest;
}
