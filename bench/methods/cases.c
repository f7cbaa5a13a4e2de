/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/methods/cases.h"

#include "bench/methods/plateau.h"
#include "src/run/evaluated_model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static const double SPREAD = 20; /* starts are uniform in -SPREAD..SPREAD, in N */

#define EVENT   "scheme={name: event}"
#define MOREAU  "scheme={name: moreau}"
#define X2      "control.target.position=[null, 0, null]"
#define X1_V1   "control.target={position: [2, null, null], velocity: [0, null, null]}"
#define MET     1e-7
#define EXACTLY 1e-9

Case cases[CASES] = {
    {.name = "tp1", .file = "tp1", .budget = 2000, .stop_at = MET},
    {.name = "tp2", .file = "tp2", .budget = 2000, .stop_at = MET},
    {.name = "tp2-springs", .file = "tp2-springs", .budget = 2000, .stop_at = MET},
    {.name = "signal-2x8", .file = "signal-2x8", .budget = 10000, .stop_at = MET},
    {.name = "tp1-moreau", .file = "tp1", .settings = {MOREAU}, .budget = 2000, .stop_at = MET, .one_norm = true},
    {.name = "tp2-moreau", .file = "tp2", .settings = {MOREAU}, .budget = 2000, .stop_at = MET, .one_norm = true},
    {.name = "springs-moreau",
     .file = "tp2-springs",
     .settings = {MOREAU},
     .budget = 2000,
     .stop_at = MET,
     .one_norm = true},
    {.name = "tp1-event",
     .file = "tp1",
     .settings = {EVENT},
     .budget = 2000,
     .stop_at = EXACTLY,
     .least = 474.0676684,
     .one_norm = true},
    {.name = "tp2-event",
     .file = "tp2",
     .settings = {EVENT},
     .budget = 2000,
     .stop_at = EXACTLY,
     .least = 8781.5695,
     .one_norm = true},
    {.name = "springs-event",
     .file = "tp2-springs",
     .settings = {EVENT},
     .budget = 2000,
     .stop_at = EXACTLY,
     .least = 19385.680,
     .one_norm = true},
    {.name = "tp1-zero", .file = "tp1", .budget = 10000, .least = 468.06685, .one_norm = true, .from_zero = true},
    {.name = "tp2-zero", .file = "tp2", .budget = 10000, .least = 8785.5278, .one_norm = true, .from_zero = true},
    {.name = "springs-zero",
     .file = "tp2-springs",
     .budget = 10000,
     .least = 19364.862,
     .one_norm = true,
     .from_zero = true},
    {.name = "tp1-event-zero",
     .file = "tp1",
     .settings = {EVENT},
     .budget = 10000,
     .least = 474.0676684,
     .one_norm = true,
     .from_zero = true},
    {.name = "tp2-event-zero",
     .file = "tp2",
     .settings = {EVENT},
     .budget = 10000,
     .least = 8781.5695,
     .one_norm = true,
     .from_zero = true},
    {.name = "springs-event-zero",
     .file = "tp2-springs",
     .settings = {EVENT},
     .budget = 10000,
     .least = 19385.680,
     .one_norm = true,
     .from_zero = true},
    {.name = "tp1-x2", .file = "tp1", .settings = {X2}, .budget = 10000, .least = 78.551, .one_norm = true},
    {.name = "tp1-x1-v1", .file = "tp1", .settings = {X1_V1}, .budget = 10000, .least = 620.279, .one_norm = true},
    {.name = "signal-2x8-least", .file = "signal-2x8", .budget = 10000, .least = 64.0604, .one_norm = true},
    {.name = "block-20",
     .file = "signal-2x8",
     .settings = {"model={kind: friction, mass: 1, friction: 1}", "time={end: 2, step: 0.005}",
                  "control={target: {position: 1, velocity: 0}, signal: {kind: piecewise_constant, segments: 20}}"},
     .budget = 20000,
     .least = 3.5038,
     .one_norm = true},
    {.name = "plateau", .budget = 10000, .stop_at = MET, .one_norm = true},
};

/* Returns the processor time of this thread, s. */
static double thread_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Returns the time per evaluation, s, for a fixed sequence of random controls. */
static double time_evaluations(const CtlEvaluator *evaluator, CtlWant want, double *u, SimFinal *final, double *rows) {
  enum { POINTS = 20 };
  uint64_t seed = 1;
  double begin = thread_seconds();
  for (int k = 0; k < POINTS; k++) {
    for (int i = 0; i < evaluator->n; i++) u[i] = SPREAD * (2 * plateau_random(&seed) - 1);
    evaluator->evaluate(evaluator->context, want, 1, u, final, want.derivatives ? rows : NULL);
  }
  return thread_seconds() - begin;
}

static int measure_dearer(CaseProblem *p) {
  enum { ROUNDS = 12 }; /* the first round is not counted, as it allocates what is allocated when first needed */
  const CtlEvaluator *evaluator = &p->evaluator;
  size_t n = (size_t)evaluator->n, d = (size_t)evaluator->d;
  double *u = malloc((n + 2 * d + (size_t)evaluator->m * ctl_row_size(evaluator->n)) * sizeof *u);
  if (!u) return EXIT_INTERNAL;
  SimFinal final = {.x = u + n, .v = u + n + d};
  double least[2] = {INFINITY, INFINITY};
  for (int round = 0; round < ROUNDS; round++)
    for (int with = 0; with < 2; with++) {
      double seconds = time_evaluations(evaluator, (CtlWant){.derivatives = with}, u, &final, u + n + 2 * d);
      if (round > 0) least[with] = fmin(least[with], seconds);
    }
  p->dearer = least[1] / least[0];
  free(u);
  return 0;
}

/* Prepares a case from a problem. control: as problem_file_read gives it. */
static int prepare_case(const Case *one, CaseProblem *p, Diagnostics *diagnostics) {
  CtlProblem *control = &p->problem.control;
  EvaluatedModel model = {0};
  int code = rollout_context_prepare(&p->rollout, &p->problem.sim, diagnostics);
  control->penalty = CTL_PENALTY_P;
  control->scheme_size = 3L * control->n;
  control->max_evaluations = one->budget;
  control->stop_at = one->stop_at;
  control->accept = one->stop_at > 0 ? control->accept : MET;
  if (!code) code = evaluated_model_prepare(&p->problem, true, &model);
  if (!code && evaluated_model_simulation(&model, &p->rollout, &p->simulation) != SIM_OK) code = EXIT_INTERNAL;
  evaluated_model_clear(&model);
  if (code) return code;
  p->evaluator = ctl_simulator(&p->simulation);
  return measure_dearer(p);
}

static int read_file(const Case *one, Problem *problem, Diagnostics *diagnostics) {
  char file[512], *settings[3];
  int n = 0;
  /* the cast is safe, as the text is not changed */
  for (; n < 3 && one->settings[n]; n++) settings[n] = (char *)one->settings[n];
  snprintf(file, sizeof file, "%s/jobs/problems/%s.yaml", STICTION_ROOT, one->file);
  return problem_file_read(file, settings, n, true, diagnostics, problem);
}

int case_open(Case *one, Diagnostics *diagnostics) {
  int n = one->file ? 1 : CASE_PLATEAUS, code = 0;
  one->problems = calloc((size_t)n, sizeof *one->problems);
  if (!one->problems) return EXIT_INTERNAL;
  for (int k = 0; k < n && !code; k++) {
    double planted[PLATEAU_VARIABLES_MAX];
    CaseProblem *p = &one->problems[k];
    code = one->file ? read_file(one, &p->problem, diagnostics) : plateau_make(k, diagnostics, &p->problem, planted);
    if (!code) code = prepare_case(one, p, diagnostics);
  }
  return code;
}

void case_close(Case *one) {
  for (int k = 0; one->problems && k < (one->file ? 1 : CASE_PLATEAUS); k++) {
    ctl_simulation_clear(&one->problems[k].simulation);
    rollout_context_release(&one->problems[k].rollout);
    problem_clear(&one->problems[k].problem);
  }
  free(one->problems);
  one->problems = NULL;
}

int case_runs(const Case *one) { return one->from_zero ? 1 : one->file ? CASE_STARTS : CASE_PLATEAUS; }

CaseProblem *case_run(const Case *one, int run) {
  CaseProblem *p = &one->problems[one->file ? 0 : run];
  uint64_t seed = UINT64_C(0x9E3779B97F4A7C15) * (uint64_t)(run + 1);
  for (int i = 0; i < p->problem.control.n && one->file; i++)
    p->problem.control.start[i] = one->from_zero ? 0 : SPREAD * (2 * plateau_random(&seed) - 1);
  return p;
}
