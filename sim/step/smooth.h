/* The smooth friction law of Glowinski et al. (5), lambda = w / sqrt(eta^2 + w^2), in place of sgn(w). */
#ifndef SIM_STEP_SMOOTH_H
#define SIM_STEP_SMOOTH_H

#include <stdbool.h>

typedef struct SmoothRoot {
  double w, lambda;
  bool converged;
} SmoothRoot;

/* The root of e w + q w / sqrt(eta^2 + w^2) = b; e, q, eta > 0. */
SmoothRoot step_smooth_root(double e, double q, double eta, double b);

#endif
