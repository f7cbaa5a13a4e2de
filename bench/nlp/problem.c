/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/nlp/problem.h"

#include "bench/tools/list.h"
#include "bench/tools/random.h"
#include "src/run/evaluated_model.h"

#include <stdio.h>
#include <string.h>

#define EVENT "scheme={name: event}"
enum { TEXT_SIZE = 1024, JOINTS_MAX = 3, SETTINGS = 3 };

/* A file of jobs/problems with settings, or a random problem with this number of joints. */
static const struct {
  const char *name, *file, *settings[SETTINGS]; /* NULL ends the list */
  int joints, number;
} problems[NLP_PROBLEMS] = {
    {.name = "tp1", .file = "tp1", .settings = {EVENT}},
    {.name = "tp2-springs", .file = "tp2-springs", .settings = {EVENT}},
    {.name = "signal-2x8", .file = "signal-2x8", .settings = {EVENT}},
    {.name = "signal-2x32", .file = "signal-2x8", .settings = {EVENT, "control.signal.segments=32"}},
    {.name = "joints-2-a", .joints = 2, .number = 1},
    {.name = "joints-2-b", .joints = 2, .number = 2},
    {.name = "joints-3-a", .joints = 3, .number = 3},
    {.name = "joints-3-b", .joints = 3, .number = 4},
};

const char *nlp_problem_name(int k) { return problems[k].name; }

static double random_between(uint64_t *seed, double low, double high) {
  return low + (high - low) * random_uniform(seed);
}

/* Makes a random problem: joints that move from rest to rest by 0.3..1.2 m in 2 s, with 8 segments, thresholds of 2..6
 * N and the mass matrix M = diag(1..4) + w w'/2, w a random vector. */
static int make_random(int joints, int number, Diagnostics *diagnostics, Problem *problem) {
  /* a template, of which only the scheme is kept */
  static const char file[] = STICTION_ROOT "/jobs/problems/signal-2x8.yaml";
  uint64_t seed = (uint64_t)number;
  double w[JOINTS_MAX] = {0}, row[JOINTS_MAX] = {0}, friction[JOINTS_MAX], target[JOINTS_MAX];
  char model[TEXT_SIZE] = "model={kind: friction, mass: [", time[] = "time={end: 2, step: 0.01}";
  char control[TEXT_SIZE] =
      "control={signal: {kind: piecewise_constant, segments: 8}, target: {velocity: 0, position: ",
       scheme[] = EVENT, *settings[] = {model, time, control, scheme};
  for (int i = 0; i < joints; i++) {
    w[i] = random_between(&seed, -1, 1);
    friction[i] = random_between(&seed, 2, 6);
    target[i] = random_between(&seed, 0.3, 1.2) * (random_uniform(&seed) < 0.5 ? -1 : 1);
  }
  for (int i = 0; i < joints; i++) {
    for (int j = 0; j < joints; j++) row[j] = 0.5 * w[i] * w[j] + (i == j ? random_between(&seed, 1, 4) : 0);
    bench_append(model, TEXT_SIZE, i ? ", " : "", joints, row, "");
  }
  bench_append(model, TEXT_SIZE, "], friction: ", joints, friction, "}");
  bench_append(control, TEXT_SIZE, "", joints, target, "}}");
  return problem_file_read(file, settings, sizeof settings / sizeof *settings, true, diagnostics, problem);
}

static int read_file(int k, Diagnostics *diagnostics, Problem *problem) {
  char file[TEXT_SIZE], *settings[SETTINGS];
  int n = 0;
  /* The cast is safe, as the text is not changed. */
  for (; n < SETTINGS && problems[k].settings[n]; n++) settings[n] = (char *)problems[k].settings[n];
  snprintf(file, sizeof file, "%s/jobs/problems/%s.yaml", STICTION_ROOT, problems[k].file);
  return problem_file_read(file, settings, n, true, diagnostics, problem);
}

int nlp_problem_open(int k, Diagnostics *diagnostics, NlpProblem *p) {
  *p = (NlpProblem){0};
  int code = problems[k].file ? read_file(k, diagnostics, &p->problem)
                              : make_random(problems[k].joints, problems[k].number, diagnostics, &p->problem);
  if (code) return code;
  EvaluatedModel model = {0};
  code = rollout_context_prepare(&p->rollout, &p->problem.sim, diagnostics);
  if (!code) code = evaluated_model_prepare(&p->problem, true, &model);
  if (!code && evaluated_model_simulation(&model, &p->rollout, &p->simulation) != SIM_OK) code = EXIT_INTERNAL;
  evaluated_model_clear(&model);
  p->evaluator = ctl_simulator(&p->simulation);
  return code;
}

void nlp_problem_close(NlpProblem *p) {
  ctl_simulation_clear(&p->simulation);
  rollout_context_release(&p->rollout);
  problem_clear(&p->problem);
}

void nlp_problem_start(const NlpProblem *p, int k, double *u) {
  uint64_t seed = UINT64_C(1000) * (uint64_t)(k + 1);
  for (int i = 0; i < p->problem.control.n; i++) u[i] = random_between(&seed, -NLP_SPREAD, NLP_SPREAD);
}
