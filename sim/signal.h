/* SPDX-License-Identifier: BSD-2-Clause */
/* Time courses of controls. Included by sim/internal.h. */
#ifndef SIM_SIGNAL_H
#define SIM_SIGNAL_H

#include "sim/sim.h"

/* Time course of u in S = SimProblem.segments segments of length h = T/S, or of unequal lengths
 * (sim_problem_set_lengths). A control has p S variables u_1, .., u_S with p entries each, one after another: u_k is
 * the value of u in segment k, or at its end. A step uses the mean of u over the step, with two exceptions. The scheme
 * centered, which uses f(t_n), uses the mean from t_n - dt/2 to t_n + dt/2. A chain's scheme that uses f(t_n) uses
 * u(t_n). */
typedef enum SimSignal {
  SIM_CONSTANT,           /* S = 1 */
  SIM_PIECEWISE_CONSTANT, /* u(t) = u_k for (k-1) h <= t < k h */
  SIM_PIECEWISE_LINEAR    /* continuous: u(k h) = u_k, u(0) = 0 */
} SimSignal;

/* Represents the same u(t) with `times` as many segments: computes fine [p segments times] from coarse [p segments].
 * All segments have the same length. The result is exact, for linear segments up to rounding. A constant control counts
 * as SIM_PIECEWISE_CONSTANT with one segment. */
void sim_signal_refine(SimSignal signal, int p, int segments, int times, const double *coarse, double *fine);

#endif
