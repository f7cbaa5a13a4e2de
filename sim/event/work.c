/* SPDX-License-Identifier: BSD-2-Clause */
/* Estimates the number of segments of a motion if stiff springs or dampers make them short. */
#include "sim/event/scheme.h"
#include "sim/operator/dense.h"

#include <math.h>

/* Returns the norm of M^-1 D, in 1/s; for a symmetric D its largest eigenvalue. 0: there is no damping, or the norm
 * could not be computed. */
static double damping_rate(const SimProblem *p) {
  double rate = 0;
  bool damped = p->kind == SIM_FRICTION && p->system.damping && p->system.mass;
  if (damped && dense_generalised_norm(p->d, p->system.damping, p->system.mass, &rate) != SIM_OK) rate = 0;
  return fmax(rate, 0);
}

/* The width of a segment is limited by the convergence of its series of at most POLYNOMIAL_ORDER terms. The limit is
 * about DECAY/delta for the fastest decay and OSCILLATION/omega for the fastest oscillation, with delta the norm of
 * M^-1 D and omega^2 the largest eigenvalue of M^-1 A. It holds even long after the fast part has decayed, since the
 * recursion for the series still contains it. Both constants are measured at a tolerance of 1e-10
 * (tests/sim/event/test_event_work.c). */
double event_segments(const SimProblem *p) {
  static const double DECAY = 10, OSCILLATION = 2.3, MEASURED_AT = 1e-10;
  const EventParameters *own = p->parameters;
  double rates = damping_rate(p) / DECAY + sqrt(fmax(p->bounds.frequency_squared, 0)) / OSCILLATION,
         wider = pow(own->tolerance / MEASURED_AT, 1.0 / POLYNOMIAL_ORDER);
  return isfinite(rates) ? p->end * rates / wider : 0;
}
