/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/results/motion_failure.h"

#include <math.h>
#include <stdio.h>

bool motion_failure_distrusts(SimStatus status) { return status == SIM_ENERGY_OPEN || status == SIM_RESIDUAL_LARGE; }

const char *motion_failure_ranges(const SimProblem *sim) {
  static const char *const keys[] = {"a law", "model.springs", "model.friction_rise",
                                     "model.springs or model.friction_rise"};
  bool springs = false;
  for (SimSpringPlace place = 0; place < SIM_SPRING_PLACES; place++) springs |= sim->springs[place].pieces > 0;
  return keys[springs + 2 * (sim->rise.pieces > 0)];
}

static void overflow_text(const Labels *labels, const SimOverflow *overflow, char text[MOTION_FAILURE_SIZE]) {
  char dof[LABEL_SIZE], by[40] = "";
  if (isfinite(overflow->time)) snprintf(by, sizeof by, " by t = %.9g s", overflow->time);
  int length = snprintf(text, MOTION_FAILURE_SIZE, "%s%s", stiction_status_text(SIM_NON_FINITE), by);
  if (overflow->dof >= 0)
    snprintf(text + length, MOTION_FAILURE_SIZE - (size_t)length,
             ": degree of freedom %s, position %.3g, velocity %.3g", labels_name(labels, overflow->dof + 1, dof),
             isnan(overflow->x) ? NAN : overflow->x, isnan(overflow->v) ? NAN : overflow->v);
}

void motion_failure_text(const Labels *labels, const SimFinal *final, char text[MOTION_FAILURE_SIZE]) {
  if (final->status == SIM_BAD_PROBLEM)
    snprintf(text, MOTION_FAILURE_SIZE,
             "a step's matrix is not positive definite (model.mass, model.damping, model.stiffness)");
  else if (final->status == SIM_RESIDUAL_LARGE)
    snprintf(text, MOTION_FAILURE_SIZE,
             "%s: at t = %.9g s, degree of freedom %d, %s is missed by %.1e of its largest term",
             stiction_status_text(final->status), final->examined.time, final->examined.dof + 1,
             sim_residual_text(final->examined.of), final->examined.largest);
  else if (final->status == SIM_ENERGY_OPEN)
    snprintf(text, MOTION_FAILURE_SIZE, "%s: at t = %.9g s by %.1e of the largest energies up to then",
             stiction_status_text(final->status), final->closure.time, final->closure.error);
  else if (final->status == SIM_OUT_OF_RANGE && final->outside.key)
    snprintf(text, MOTION_FAILURE_SIZE, "the motion leaves the range of %s.law, entry %d at %.9g m, by t = %.9g s",
             final->outside.key, final->outside.dof + 1, final->outside.elongation, final->outside.time);
  else if (final->status == SIM_NON_FINITE)
    overflow_text(labels, &final->overflow, text);
  else
    snprintf(text, MOTION_FAILURE_SIZE, "%s", stiction_status_text(final->status));
}
