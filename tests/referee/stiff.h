/* SPDX-License-Identifier: BSD-2-Clause */
/* Integrates the motion between two events by CVODE's backward differences and root finding, for draws that are too
 * stiff for explicit steps. */
#ifndef TESTS_REFEREE_STIFF_H
#define TESTS_REFEREE_STIFF_H

#include "tests/referee/walk.h"

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

static inline int stiff_rate(double t, N_Vector state, N_Vector rate, void *context) {
  Walk *k = context;
  double hold[D_MAX], *to = N_VGetArrayPointer(rate);
  const double *y = N_VGetArrayPointer(state);
  int d = k->w->d;
  memcpy(to, y + d, (size_t)d * sizeof *to);
  accelerate(k->w, k->mode, k->inside, t, y, to + d, hold);
  return ++k->work > k->most ? -1 : 0;
}

static inline int stiff_roots(double t, N_Vector state, double *g, void *context) {
  guard_values(context, t, N_VGetArrayPointer(state), g);
  return 0;
}

/* Suppresses CVODE's messages. Failures are recognised by their codes. */
static inline void stiff_silence(int code, const char *module, const char *function, char *text, void *context) {
  (void)code, (void)module, (void)function, (void)text, (void)context;
}

/* Returns whether a dof slides against its mode: it has stopped and moved on within one step. */
static inline bool missed_stop(const Walk *k, const double *y) {
  for (int i = 0; i < k->w->d; i++)
    if (rubs(k->w, i) && k->mode[i] * (y[k->w->d + i] - surface_speed(k, i, k->t)) < -1e-9 * k->fast) return true;
  return false;
}

/* Integrates as step_to does. */
static inline int stiff_to(Walk *k, double until) {
  int n = 2 * k->w->d, met = -1, which[GUARDS_MAX], down[GUARDS_MAX];
  double accuracy = fmax(k->tolerance, 1e-13), t = k->t;
  SUNContext context;
  if (SUNContext_Create(NULL, &context)) return -1;
  N_Vector state = N_VNew_Serial(n, context), allowed = N_VNew_Serial(n, context);
  SUNMatrix matrix = SUNDenseMatrix(n, n, context);
  SUNLinearSolver solver = SUNLinSol_Dense(state, matrix, context);
  void *cvode = CVodeCreate(CV_BDF, context);
  double *y = N_VGetArrayPointer(state);
  memcpy(y, k->y, (size_t)n * sizeof *y);
  for (int i = 0; i < n; i++) N_VGetArrayPointer(allowed)[i] = accuracy * (i < n / 2 ? k->far : k->fast);
  for (int j = 0; j < k->guards; j++) down[j] = -1;
  bool bad = CVodeInit(cvode, stiff_rate, t, state) || CVodeSVtolerances(cvode, accuracy, allowed) ||
             CVodeSetUserData(cvode, k) || CVodeSetLinearSolver(cvode, solver, matrix) ||
             CVodeSetErrHandlerFn(cvode, stiff_silence, NULL) || CVodeSetMaxStep(cvode, k->w->end / 40) ||
             CVodeSetMaxNumSteps(cvode, 100000) || CVodeSetStopTime(cvode, until) ||
             (k->guards > 0 && (CVodeRootInit(cvode, k->guards, stiff_roots) || CVodeSetRootDirection(cvode, down) ||
                                CVodeSetNoInactiveRootWarn(cvode)));
  while (!bad && k->t < until && met < 0) {
    int code = CVode(cvode, until, state, &t, CV_ONE_STEP);
    bad = code < 0;
    if (bad) break;
    k->t = t;
    for (int i = 0; i < n; i++) {
      double *size = i < n / 2 ? &k->far : &k->fast;
      *size = fmax(*size, fabs(y[i]));
    }
    k->doubts += code == CV_SUCCESS && missed_stop(k, y);
    if (code == CV_TSTOP_RETURN) break;
    if (code != CV_ROOT_RETURN || CVodeGetRootInfo(cvode, which)) continue;
    for (int j = 0; j < k->guards && met < 0; j++)
      if (which[j] < 0) met = j;
  }
  memcpy(k->y, y, (size_t)n * sizeof *y);
  for (int i = 0; i < n / 2; i++)
    if (!k->mode[i]) k->y[n / 2 + i] = surface_speed(k, i, k->t);
  k->given_up = k->given_up || bad;
  CVodeFree(&cvode);
  SUNLinSolFree(solver);
  SUNMatDestroy(matrix);
  N_VDestroy(state);
  N_VDestroy(allowed);
  SUNContext_Free(&context);
  return met;
}

#endif
