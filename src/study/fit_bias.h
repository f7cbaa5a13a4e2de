/* SPDX-License-Identifier: BSD-2-Clause */
/* Estimates how far errors of time steps move the parameters of an identification. */
#ifndef SRC_STUDY_FIT_BIAS_H
#define SRC_STUDY_FIT_BIAS_H

#include "control/fit.h"
#include "src/file/sections/identification.h"

/* The motion with which the motion by the scheme of the file was compared. */
typedef enum FitReference {
  FIT_NO_STEPS,     /* none: the scheme has no time steps, so there is nothing to compare */
  FIT_BY_EVENT,     /* the motion by the scheme `event`, which has no time steps */
  FIT_BY_HALF_STEP, /* the motion by the same scheme with half the step; for a scheme of first order, the error is twice
                     * the difference */
  FIT_INCOMPARABLE  /* none: neither of these motions could be computed */
} FitReference;

typedef struct FitBias {
  FitReference reference;
  /* [n] part of each value that is caused by the time steps, to first order at the values found; too small if these are
   * far from the values without time steps; 0 if no motions were compared */
  double parameters[FIT_PARAMETERS_MAX];
  int worst;     /* index of the parameter with the largest part, in units of its standard error; -1: none exists */
  double errors; /* that part, in units of the standard error; 0 if there is none */
} FitBias;

/* Compares the motion at the fitted parameters p [n] with a motion without time steps or with half the step, and fills
 * bias. found: the problem at p; id: measured values; r [m], jacobian [m][n]: residuals and their derivatives at p;
 * statistics: statistics of the fit. Returns false if there is no memory. */
bool fit_bias_find(const CtlFit *fit, const Problem *found, const Identification *id, const double *p, const double *r,
                   const double *jacobian, const CtlFitStatistics *statistics, FitBias *bias);

/* Returns whether errors of time steps move a parameter by more than its standard error. */
bool fit_bias_matters(const FitBias *bias);

/* Returns the text for the reference in summary.json; NULL if no motions were compared. */
const char *fit_reference_text(FitReference reference);

#endif
