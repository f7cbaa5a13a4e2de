/* SPDX-License-Identifier: BSD-2-Clause */
/* A motion that is paused so that a test can change it, and the result of examining it. */
#ifndef TESTS_RESIDUAL_H
#define TESTS_RESIDUAL_H

#include "sim/core/model.h"
#include "sim/event/residual.h"
#include "tests/sim/event/event.h"

/* A motion paused within a segment. A test can then change it. */
typedef struct Paused {
  SimProblem problem;
  SimModel *model;
  SimWorkspace *work;
  const EventSystem *system;
  EventMotion *motion;
} Paused;

static const SimOriginals polynomials; /* the polynomials replace all functions */

/* Runs a problem to step n of its rollout. */
static inline void pause_at(Paused *p, FixtureForce *force, long n) {
  p->model = fixture_model(&p->problem, force, &p->work);
  p->system = p->model->plan;
  p->motion = p->work->own;
  assert_int_equal(sim_workspace_examine(p->work, &polynomials), SIM_OK);
  assert_int_equal(sim_rollout_begin(p->model, p->work, NULL, NULL), SIM_OK);
  assert_int_equal(sim_rollout_run_to(p->model, p->work, NULL, n), SIM_OK);
}

static inline void release(Paused *p) {
  stiction_workspace_destroy(p->work);
  stiction_model_destroy(p->model);
  sim_problem_clear(&p->problem);
}

/* Examines the current segment. */
static inline SimResidual examine(Paused *p) {
  p->motion->at.residual = (SimResidual){0};
  residual_examine(p->system, p->motion);
  return p->motion->at.residual;
}

static inline void assert_found(SimResidual found, double size, double within, SimResidualOf of) {
  if (!(fabs(found.largest / size - 1) <= within)) fail_msg("%g where %g was to be found", found.largest, size);
  assert_int_equal(found.of, of);
}

#endif
