/* SPDX-License-Identifier: BSD-2-Clause */
/* A problem file prepared for a search or refinement in this process. */
#ifndef TESTS_SQP_CASE_H
#define TESTS_SQP_CASE_H

#include "src/run/evaluated_model.h"
#include "tests/fixture.h"

enum { GIVEN_MAX = 4 };

typedef struct Case {
  Problem problem;
  EvaluatedModel evaluated;
  RolloutContext rollout;
  CtlSimulation simulation;
  CtlEvaluator evaluator;
} Case;

/* Opens the problem file at a path, with settings [n]. */
static inline void open_case_at(Case *c, const char *path, int n, const char *const *settings) {
  Diagnostics diagnostics = {0};
  char *given[GIVEN_MAX];
  for (int i = 0; i < n; i++) given[i] = (char *)settings[i]; /* the cast is safe, as the texts are only read */
  *c = (Case){.evaluator = {0}};
  assert_int_equal(problem_file_read(path, given, n, true, &diagnostics, &c->problem), 0);
  assert_int_equal(evaluated_model_prepare(&c->problem, true, &c->evaluated), 0);
  assert_int_equal(rollout_context_prepare(&c->rollout, c->evaluated.problem, NULL), 0);
  assert_int_equal(evaluated_model_simulation(&c->evaluated, &c->rollout, &c->simulation), SIM_OK);
  c->evaluator = ctl_simulator(&c->simulation);
}

/* Reads a file of jobs/problems, with settings [n]. */
static inline void open_case(Case *c, const char *file, int n, const char *const *settings) {
  char path[512];
  snprintf(path, sizeof path, STICTION_ROOT "/jobs/problems/%s.yaml", file);
  open_case_at(c, path, n, settings);
}

static inline void close_case(Case *c) {
  ctl_simulation_clear(&c->simulation);
  rollout_context_release(&c->rollout);
  evaluated_model_clear(&c->evaluated);
  problem_clear(&c->problem);
}

#endif
