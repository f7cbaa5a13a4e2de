/* The scalar friction laws of Glowinski-Kearsley and Shiau-Glowinski, as every scheme uses them. */
#ifndef SIM_FRICTION_LAW_H
#define SIM_FRICTION_LAW_H

#include "sim/sim.h"

#include <math.h>

static inline double friction_sign(double z) { return (z > 0) - (z < 0); }

/* P(z) = min(1, max(-1, z)), the projection (1.11); a NaN stays one. */
static inline double friction_project(double z) { return z > 1 ? 1 : z < -1 ? -1 : z; }

/* gamma(s), s in m/s: the drop of friction with speed. */
static inline double friction_stribeck(SimStribeck law, double beta, double epsilon, double s) {
  switch (law) {
  case SIM_STRIBECK_SQRT: return beta * s / sqrt(epsilon * epsilon + s * s);
  case SIM_STRIBECK_RAMP: return fabs(s) <= epsilon ? beta * s / epsilon : beta * friction_sign(s);
  case SIM_STRIBECK_NONE: break;
  }
  return 0;
}

#endif
