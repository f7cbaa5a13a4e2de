/* SPDX-License-Identifier: BSD-2-Clause */
/* Constants of a step's friction law (sim/step/friction_solver.h). */
#ifndef SIM_STEP_LAW_H
#define SIM_STEP_LAW_H

/* Constants of the friction law of a step, for all dofs. For dof i, q_i is threshold c_i, in N times the unit of
 * `threshold`, and weight_i is projection_weight c_i (sim/step/dense_solver.h). */
typedef struct StepLaw {
  const double *friction; /* [count] thresholds c_i, in N */
  double threshold, projection_weight;
  /* weights of the new and the old multiplier in the regularized law; 1 and 0 for the unregularized law */
  double fresh, kept;
} StepLaw;

/* Constants of the law of one dof: the threshold q_i, the weight of w_i in the projection, and the weights fresh and
 * kept of the regularized law (see sim/step/dense_solver.h). */
typedef struct DofLaw {
  double q, weight, fresh, kept;
} DofLaw;

static inline DofLaw step_law_of(const StepLaw *law, int i) {
  double c = law->friction[i];
  return (DofLaw){law->threshold * c, law->projection_weight * c, law->fresh, law->kept};
}

#endif
