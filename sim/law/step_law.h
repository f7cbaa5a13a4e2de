/* Constants of a step's friction law (sim/step/friction_solver.h). */
#ifndef SIM_STEP_LAW_H
#define SIM_STEP_LAW_H

/* Constants of the law of all dofs. Dof i has q_i = threshold c_i, N times the unit of threshold, and weight_i =
 * projection_weight c_i. */
typedef struct StepLaw {
  const double *friction; /* [count] c */
  double threshold, projection_weight;
  /* weights of the new and of the old multiplier in the regularized law; 1 and 0: not regularized */
  double fresh, kept;
} StepLaw;

/* Constants of the law of one dof: q_i, weight_i, and fresh and kept as above. */
typedef struct DofLaw {
  double q, weight, fresh, kept;
} DofLaw;

static inline DofLaw step_law_of(const StepLaw *law, int i) {
  double c = law->friction[i];
  return (DofLaw){law->threshold * c, law->projection_weight * c, law->fresh, law->kept};
}

#endif
