/* SPDX-License-Identifier: BSD-2-Clause */
/* Simulates by CVODE with roots. This needs a state machine of the user's own: each block sticks, or slides in one
 * direction. The roots are the speeds of sliding blocks and, for sticking blocks, threshold minus |force|. CVODE
 * chooses its steps; relative and absolute tolerance are 1e-10. */
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
  int slip[PEER_DOFS_MAX]; /* -1 or 1: the block slides in that direction; 0: it sticks */
} Blocks;

static int rates(double t, N_Vector state, N_Vector rate, void *user) {
  const Blocks *blocks = user;
  const PeerMotion *motion = blocks->motion;
  int d = motion->d;
  const double *x = N_VGetArrayPointer(state), *v = x + d;
  double *dx = N_VGetArrayPointer(rate), force[PEER_DOFS_MAX];
  motion->load(t, x, v, force);
  for (int i = 0; i < d; i++) {
    bool slides = blocks->slip[i] != 0;
    dx[i] = slides ? v[i] : 0;
    dx[d + i] = slides ? (force[i] - blocks->slip[i] * motion->threshold[i]) / motion->mass[i] : 0;
  }
  return 0;
}

static int roots(double t, N_Vector state, double *values, void *user) {
  const Blocks *blocks = user;
  const PeerMotion *motion = blocks->motion;
  int d = motion->d;
  const double *x = N_VGetArrayPointer(state), *v = x + d;
  double force[PEER_DOFS_MAX];
  motion->load(t, x, v, force);
  for (int i = 0; i < d; i++) values[i] = blocks->slip[i] ? v[i] : motion->threshold[i] - fabs(force[i]);
  return 0;
}

/* Decides for each block at rest whether it sticks, or in which direction it slides. */
static void decide(Blocks *blocks, double t, double *x) {
  const PeerMotion *motion = blocks->motion;
  int d = motion->d;
  double *v = x + d, force[PEER_DOFS_MAX];
  motion->load(t, x, v, force);
  for (int i = 0; i < d; i++) {
    if (v[i] == 0)
      blocks->slip[i] = fabs(force[i]) < motion->threshold[i] ? 0 : force[i] > 0 ? 1 : -1;
    else
      blocks->slip[i] = v[i] > 0 ? 1 : -1;
  }
}

/* Handles roots: the blocks that have one come to rest, or slide in the direction of the force. */
static void change(Blocks *blocks, void *solver, double t, double *x) {
  int d = blocks->motion->d, found[PEER_DOFS_MAX] = {0};
  CVodeGetRootInfo(solver, found);
  double force[PEER_DOFS_MAX];
  for (int i = 0; i < d; i++)
    if (found[i] && blocks->slip[i]) x[d + i] = 0;
  blocks->motion->load(t, x, x + d, force);
  for (int i = 0; i < d; i++) {
    if (!found[i]) continue;
    bool slid = blocks->slip[i] != 0;
    if (!slid || fabs(force[i]) >= blocks->motion->threshold[i])
      blocks->slip[i] = force[i] > 0 ? 1 : -1;
    else
      blocks->slip[i] = 0;
  }
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
