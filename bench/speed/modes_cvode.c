/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/speed/modes_motion.h"

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <string.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

static int rates(double t, N_Vector y, N_Vector made, void *modes) {
  modes_rates(modes, t, N_VGetArrayPointer(y), N_VGetArrayPointer(made));
  return 0;
}

/* The velocity of a coordinate that begins to slide is at first of the size of its error, and its sign is not known. */
static int roots(double t, N_Vector state, double *values, void *context) {
  static const double KNOWN = 1e-6; /* rad/s or m/s */
  Modes *modes = context;
  double made[MODES_N], *y = N_VGetArrayPointer(state);
  bool sticks = false;
  for (int i = 0; i < modes->d; i++) sticks = sticks || modes->slip[i] == 0;
  if (sticks) modes_rates(modes, t, y, made);
  for (int i = 0; i < modes->d; i++) {
    values[i] = modes_rubs(modes, i) ? modes_room(modes, i, modes_way(modes, i), y) : 1;
    modes->begins[i] = modes->begins[i] && !(values[i] > KNOWN);
    if (modes->begins[i]) values[i] = 1;
  }
  return 0;
}

/* Changes the mode at the roots that were found. */
static void pass(Modes *modes, void *solver, double t, double *y) {
  int found[MODES_D];
  double made[MODES_N];
  CVodeGetRootInfo(solver, found);
  modes_rates(modes, t, y, made);
  for (int i = 0; i < modes->d; i++)
    if (found[i]) modes_pass(modes, i, modes_way(modes, i), t, y);
}

static bool integrate(Modes *modes, void *solver, N_Vector state) {
  const SimProblem *p = modes->problem;
  double t = 0, *y = N_VGetArrayPointer(state);
  for (int k = 0; k < p->segments; k++) {
    double until = p->end * (k + 1) / p->segments;
    modes_enter(modes, k, t, y);
    for (int status = CV_ROOT_RETURN; status == CV_ROOT_RETURN && t < until;) {
      if (CVodeReInit(solver, t, state) < 0 || CVodeSetStopTime(solver, until) < 0) return false;
      status = CVode(solver, until, state, &t, CV_NORMAL);
      if (status < 0) return false;
      if (status == CV_ROOT_RETURN) pass(modes, solver, t, y);
    }
    t = until;
  }
  return true;
}

bool modes_cvode(Modes *modes, double tolerance, double *y) {
  int n = 2 * modes->d;
  SUNContext context;
  if (SUNContext_Create(NULL, &context)) return false;
  N_Vector state = N_VNew_Serial(n, context);
  modes_begin(modes, N_VGetArrayPointer(state));
  void *solver = CVodeCreate(CV_ADAMS, context);
  SUNNonlinearSolver iteration = SUNNonlinSol_FixedPoint(state, 0, context);
  bool good = CVodeInit(solver, rates, 0, state) == CV_SUCCESS &&
              CVodeSStolerances(solver, tolerance, tolerance) == CV_SUCCESS &&
              CVodeSetUserData(solver, modes) == CV_SUCCESS && CVodeRootInit(solver, modes->d, roots) == CV_SUCCESS &&
              CVodeSetNonlinearSolver(solver, iteration) == CV_SUCCESS &&
              CVodeSetMaxNumSteps(solver, 1000000) == CV_SUCCESS;
  CVodeSetNoInactiveRootWarn(solver);
  good = good && integrate(modes, solver, state);
  memcpy(y, N_VGetArrayPointer(state), (size_t)n * sizeof *y);
  CVodeFree(&solver);
  SUNNonlinSolFree(iteration);
  N_VDestroy(state);
  SUNContext_Free(&context);
  return good;
}
