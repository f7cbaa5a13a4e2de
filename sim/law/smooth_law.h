/* SPDX-License-Identifier: BSD-2-Clause */
/* The smooth friction law of Glowinski et al. (5), lambda = w / sqrt(eta^2 + w^2), in place of sgn(w). */
#ifndef SIM_SMOOTH_LAW_H
#define SIM_SMOOTH_LAW_H

#include <stdbool.h>

typedef struct SmoothRoot {
  double w, lambda;
  bool converged;
} SmoothRoot;

/* Returns the slope d lambda / dw = eta^2 / (eta^2 + w^2)^(3/2) of the smooth law lambda = w / sqrt(eta^2 + w^2). */
double smooth_law_slope(double eta, double w);

/* Returns the root w of e w + q w / sqrt(eta^2 + w^2) = b; e, q, eta > 0. */
SmoothRoot smooth_law_root(double e, double q, double eta, double b);

#endif
