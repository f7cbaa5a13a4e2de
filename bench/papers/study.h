/* SPDX-License-Identifier: BSD-2-Clause */
/* Schemes compared in the study of the regularization.
 *
 * Why epsilon/dt matters: take one sticking mass m with threshold c and r = 2/(delta dt), delta = c^2/m. With k =
 * epsilon/dt, (1.1) and (1.18) give for the deviation e^n of lambda^n from its static value
 *
 *     (1 + k) e^{n+1} + (1 - 2k) e^n + k e^{n-1} = 0
 *
 * With k = 0 it oscillates from step to step for ever. A small k damps the oscillation by the factor 1 - 4k per
 * step, so within a time of dt^2/(4 epsilon). k = 1/8 damps most, by a factor of 3 per step; a larger k damps by
 * sqrt((1 + k)/k). */
#ifndef BENCH_PAPERS_STUDY_H
#define BENCH_PAPERS_STUDY_H

#include <math.h>

/* Indices of the schemes that are compared: without regularization; with epsilon = dt^q, where PAPERS_OWN is the
 * paper's q; with epsilon = dt/8 (EIGHTH); and Moreau-Jean. */
enum { VARIANTS = 11, UNREGULARIZED = 0, PAPERS_OWN = 3, EIGHTH = 6, MOREAU = VARIANTS - 1 };
typedef struct Variant {
  const char *name;
  double q, k; /* epsilon = k dt^q; k = 0: no regularization */
  const char *exact, *fixed_point;
} Variant;

#define STUDY_SCHEME(text)                                                                                             \
  "scheme={name: centered, multiplier: regularized, epsilon: " text "}",                                               \
      "scheme={name: centered, multiplier: regularized, epsilon: " text ", solver: fixed_point}"
static const Variant variants[VARIANTS] = {
    {"none", 1, 0, "scheme={name: centered, multiplier: unregularized}",
     "scheme={name: centered, multiplier: unregularized, solver: fixed_point}"},
    {"dt^1.05", 1.05, 1, STUDY_SCHEME("step^1.05")},
    {"dt^1.1", 1.1, 1, STUDY_SCHEME("step^1.1")},
    {"dt^1.2", 1.2, 1, STUDY_SCHEME("step^1.2")},
    {"dt^1.35", 1.35, 1, STUDY_SCHEME("step^1.35")},
    {"dt^1.5", 1.5, 1, STUDY_SCHEME("step^1.5")},
    {"dt/8", 1, 0.125, STUDY_SCHEME("step/8")},
    {"dt^2", 2, 1, STUDY_SCHEME("step^2")},
    {"dt^2.5", 2.5, 1, STUDY_SCHEME("step^2.5")},
    {"dt^3", 3, 1, STUDY_SCHEME("step^3")},
    {"moreau", 1, 0, "scheme={name: moreau}", "scheme={name: moreau, solver: fixed_point}"}};

/* Returns epsilon; NaN if there is none. */
static inline double variant_epsilon(const Variant *v, double dt) { return v->k > 0 ? v->k * pow(dt, v->q) : NAN; }

#endif
