/* SPDX-License-Identifier: BSD-2-Clause */
/* Simulates by CVODE with roots. This needs a state machine of the user's own: each block or joint sticks, or slides in
 * one direction. The roots are the speeds of sliding ones and, for sticking ones, threshold minus |force that holds|.
 * CVODE chooses its steps; relative and absolute tolerance are 1e-10. */
#include "bench/peers/peers.h"

#include <cvode/cvode.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <string.h>
#include <sundials/sundials_version.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

static const char *version(void) {
  static char text[32];
  return SUNDIALSGetVersion(text, sizeof text) ? "?" : text;
}

typedef struct Blocks {
  const PeerMotion *motion;
  int slip[PEER_DOFS_MAX]; /* -1 or 1: it slides in that direction; 0: it sticks */
} Blocks;

/* Computes the accelerations, and the forces without friction that hold what sticks. Gauss's elimination: the rows of
 * what sticks say that its acceleration is 0, and the others are positive definite. */
static void accelerate(const Blocks *blocks, double t, const double *x, double *acceleration, double *held) {
  const PeerMotion *motion = blocks->motion;
  int d = motion->d;
  double mass[PEER_DOFS_MAX][PEER_DOFS_MAX], a[PEER_DOFS_MAX][PEER_DOFS_MAX], force[PEER_DOFS_MAX];
  peer_mechanics(motion, t, x, x + d, mass, force);
  for (int i = 0; i < d; i++) {
    bool slides = blocks->slip[i] != 0;
    for (int j = 0; j < d; j++) a[i][j] = slides && blocks->slip[j] ? mass[i][j] : i == j;
    acceleration[i] = slides ? force[i] - blocks->slip[i] * motion->threshold[i] : 0;
  }
  for (int k = 0; k < d; k++)
    for (int i = k + 1; i < d; i++) {
      double factor = a[i][k] / a[k][k];
      for (int j = k; j < d; j++) a[i][j] -= factor * a[k][j];
      acceleration[i] -= factor * acceleration[k];
    }
  for (int i = d - 1; i >= 0; i--) {
    for (int j = i + 1; j < d; j++) acceleration[i] -= a[i][j] * acceleration[j];
    acceleration[i] /= a[i][i];
  }
  for (int i = 0; i < d; i++) {
    held[i] = force[i];
    for (int j = 0; j < d; j++) held[i] -= mass[i][j] * acceleration[j];
  }
}

static int rates(double t, N_Vector state, N_Vector rate, void *user) {
  const Blocks *blocks = user;
  int d = blocks->motion->d;
  const double *x = N_VGetArrayPointer(state);
  double *dx = N_VGetArrayPointer(rate), held[PEER_DOFS_MAX];
  for (int i = 0; i < d; i++) dx[i] = blocks->slip[i] ? x[d + i] : 0;
  accelerate(blocks, t, x, dx + d, held);
  return 0;
}

static int roots(double t, N_Vector state, double *values, void *user) {
  const Blocks *blocks = user;
  int d = blocks->motion->d;
  const double *x = N_VGetArrayPointer(state);
  double acceleration[PEER_DOFS_MAX], held[PEER_DOFS_MAX];
  accelerate(blocks, t, x, acceleration, held);
  for (int i = 0; i < d; i++) values[i] = blocks->slip[i] ? x[d + i] : blocks->motion->threshold[i] - fabs(held[i]);
  return 0;
}

/* Lets slide what sticks and has at least its threshold to hold. found [d]: whether a root says so of this one, at
 * which round-off hides it; NULL: none does. */
static void let_go(Blocks *blocks, double t, const double *x, const int *found) {
  double acceleration[PEER_DOFS_MAX], held[PEER_DOFS_MAX];
  accelerate(blocks, t, x, acceleration, held);
  for (int i = 0; i < blocks->motion->d; i++)
    if (!blocks->slip[i] && ((found && found[i]) || fabs(held[i]) >= blocks->motion->threshold[i]))
      blocks->slip[i] = held[i] > 0 ? 1 : -1;
}

/* Decides for each one at rest whether it sticks, or in which direction it slides. */
static void decide(Blocks *blocks, double t, double *x) {
  int d = blocks->motion->d;
  for (int i = 0; i < d; i++) blocks->slip[i] = (x[d + i] > 0) - (x[d + i] < 0);
  let_go(blocks, t, x, NULL);
}

/* Handles roots: what slid comes to rest, and what held slides in the direction of the force. What has come to rest, or
 * the stop of another one, may be too much to hold. */
static void change(Blocks *blocks, void *solver, double t, double *x) {
  int d = blocks->motion->d, found[PEER_DOFS_MAX] = {0};
  CVodeGetRootInfo(solver, found);
  let_go(blocks, t, x, found);
  for (int i = 0; i < d; i++)
    if (found[i] && x[d + i] != 0) x[d + i] = blocks->slip[i] = 0;
  let_go(blocks, t, x, NULL);
}

static bool integrate(Blocks *blocks, void *solver, N_Vector state, PeerStates *states) {
  const PeerMotion *motion = blocks->motion;
  int d = motion->d;
  double t = 0, *x = N_VGetArrayPointer(state);
  memcpy(states->x[0], x, (size_t)d * sizeof *x);
  for (int k = 1; k <= PEER_SAMPLES; k++) {
    double until = motion->end * k / PEER_SAMPLES;
    while (t < until) {
      CVodeSetStopTime(solver, until);
      int status = CVode(solver, until, state, &t, CV_NORMAL);
      if (status < 0) return false;
      if (status != CV_ROOT_RETURN) break;
      change(blocks, solver, t, x);
      if (CVodeReInit(solver, t, state) < 0) return false;
    }
    t = until;
    memcpy(states->x[k], x, (size_t)d * sizeof *x);
  }
  return true;
}

static bool run(const PeerMotion *motion, long steps, PeerStates *states) {
  (void)steps;
  int d = motion->d;
  SUNContext context;
  if (SUNContext_Create(NULL, &context)) return false;
  Blocks blocks = {.motion = motion};
  N_Vector state = N_VNew_Serial(2 * d, context);
  double *x = N_VGetArrayPointer(state);
  memcpy(x, motion->x0, (size_t)d * sizeof *x);
  memcpy(x + d, motion->v0, (size_t)d * sizeof *x);
  decide(&blocks, 0, x);
  void *solver = CVodeCreate(CV_ADAMS, context);
  SUNMatrix matrix = SUNDenseMatrix(2 * d, 2 * d, context);
  SUNLinearSolver linear = SUNLinSol_Dense(state, matrix, context);
  bool good =
      CVodeInit(solver, rates, 0, state) == CV_SUCCESS && CVodeSStolerances(solver, 1e-10, 1e-10) == CV_SUCCESS &&
      CVodeSetUserData(solver, &blocks) == CV_SUCCESS && CVodeRootInit(solver, d, roots) == CV_SUCCESS &&
      CVodeSetLinearSolver(solver, linear, matrix) == CV_SUCCESS && CVodeSetMaxNumSteps(solver, 100000) == CV_SUCCESS;
  CVodeSetNoInactiveRootWarn(solver);
  double from = peer_seconds();
  good = good && integrate(&blocks, solver, state, states);
  states->seconds = peer_seconds() - from;
  CVodeFree(&solver);
  SUNLinSolFree(linear);
  SUNMatDestroy(matrix);
  N_VDestroy(state);
  SUNContext_Free(&context);
  return good;
}

const Peer peer_cvode = {"CVODE with roots", version, run};
