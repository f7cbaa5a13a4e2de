/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/run/rollout_context.h"

#include <math.h>
#include <stdio.h>

/* Returns the unit of E1 or E2, the distances of the final state from the target, for messages. Each distance is
 * divided by max(1, ||target||). Thus it is a relative error if the norm of the target is above 1; otherwise it has the
 * unit of its scale. */
static const char *error_unit(int d, const double *target, const double *scale, double spacing, const char *unit) {
  double largest = 0, squares = 0;
  bool any = false, scaled = false;
  for (int i = 0; i < d; i++) {
    if (isnan(target[i])) continue;
    any = true;
    scaled |= !isnan(scale[i]);
    largest = fmax(largest, fabs(target[i]));
    squares += target[i] * target[i];
  }
  double norm = spacing > 0 ? sqrt(spacing * squares) : largest;
  return !any ? "no target" : scaled ? "scaled" : norm > 1 ? "relative" : unit;
}

void miss_print(int k, double miss) { printf(miss > 0 ? "E%d = %.1e" : "E%d = %.0f", k, miss); }

void misses_print(const Problem *problem, const char *name, double cost, const double misses[2]) {
  const CtlProblem *control = &problem->control;
  printf("%s = %.10g   E1 = %.2e (position, %s)   E2 = %.2e (velocity, %s)\n", name, cost, misses[0],
         error_unit(control->d, control->position, control->position_scale, control->position_spacing,
                    problem->labels.position),
         misses[1],
         error_unit(control->d, control->velocity, control->velocity_scale, control->velocity_spacing,
                    problem->labels.velocity));
}
