/* SPDX-License-Identifier: BSD-2-Clause */
/* How far errors of time steps move the parameters of an identification. */
#ifndef SRC_STUDY_FIT_BIAS_H
#define SRC_STUDY_FIT_BIAS_H

#include "control/fit.h"
#include "src/file/sections/identification.h"

/* What the motion by the scheme of the file was compared with. */
typedef enum FitReference {
  FIT_NO_STEPS,     /* nothing: the scheme has no time steps */
  FIT_BY_EVENT,     /* the motion by `event` */
  FIT_BY_HALF_STEP, /* the motion by the same scheme at half the step; twice the difference is the error of a scheme of
                     * first order */
  FIT_INCOMPARABLE  /* nothing: neither motion could be computed */
} FitReference;

typedef struct FitBias {
  FitReference reference;
  double parameters[FIT_PARAMETERS_MAX]; /* [n] part of each value that is due to the time steps, to first order at the
                                          * values found; it is too small if these are far from the values without
                                          * time steps; 0 where nothing was compared */
  int worst;                             /* the parameter with the largest part, in its standard errors; -1: none */
  double errors;                         /* this part, in standard errors; 0 if there is none */
} FitBias;

/* Compares the motion at the fitted parameters p [n] with a motion without time steps, or with half of them, and fills
 * bias. found: the problem at p; id: what was measured; r [m], jacobian [m][n]: residuals and derivatives at p;
 * statistics: those of the fit. Returns false if there is no memory. */
bool fit_bias_find(const CtlFit *fit, const Problem *found, const Identification *id, const double *p, const double *r,
                   const double *jacobian, const CtlFitStatistics *statistics, FitBias *bias);

/* Returns whether the time steps move a parameter by more than its standard error. */
bool fit_bias_matters(const FitBias *bias);

/* Returns the words for the reference, as in summary.json; NULL if nothing was compared. */
const char *fit_reference_text(FitReference reference);

#endif
