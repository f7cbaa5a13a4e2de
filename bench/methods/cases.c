#include "bench/methods/cases.h"

#include "bench/methods/plateau.h"
#include "src/base/exit_code.h"

#include <stdio.h>
#include <stdlib.h>

static const double SPREAD = 20; /* N, of starts */

Case cases[CASES] = {
    {.name = "tp1", .file = "tp1", .budget = 2000},
    {.name = "tp2", .file = "tp2", .budget = 2000},
    {.name = "tp2-springs", .file = "tp2-springs", .budget = 2000},
    {.name = "signal-2x8", .file = "signal-2x8", .budget = 10000},
    {.name = "tp1-x2",
     .file = "tp1",
     .settings = {"control.target.position=[null, 0, null]"},
     .budget = 10000,
     .least = 78.551,
     .one_norm = true},
    {.name = "tp1-x1-v1",
     .file = "tp1",
     .settings = {"control.target={position: [2, null, null], velocity: [0, null, null]}"},
     .budget = 10000,
     .least = 620.279,
     .one_norm = true},
    {.name = "block-20",
     .file = "signal-2x8",
     .settings = {"model={kind: friction, mass: 1, friction: 1}", "time={end: 2, step: 0.005}",
                  "control={target: {position: 1, velocity: 0}, signal: {kind: piecewise_constant, segments: 20}}"},
     .budget = 20000,
     .least = 3.5038,
     .one_norm = true},
    {.name = "plateau", .budget = 10000, .one_norm = true},
};

/* control: as problem_file_read gives it. */
static int prepare(const Case *one, CaseProblem *p, Diagnostics *diagnostics) {
  CtlProblem *control = &p->problem.control;
  int code = rollout_context_prepare(&p->rollout, &p->problem.sim, diagnostics);
  control->penalty = CTL_PENALTY_P;
  control->scheme_size = 3L * control->n;
  control->max_evaluations = one->budget;
  if (one->least > 0)
    control->accept = 1e-7;
  else
    control->stop_at = 1e-7;
  p->simulation = (CtlSimulation){p->rollout.model, p->rollout.work};
  if (!code) p->evaluator = ctl_simulator(&p->simulation);
  return code;
}

static int read_file(const Case *one, Problem *problem, Diagnostics *diagnostics) {
  char file[512], *settings[3];
  int n = 0;
  for (; n < 3 && one->settings[n]; n++) settings[n] = (char *)one->settings[n]; /* which are only read */
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
    if (!code) code = prepare(one, p, diagnostics);
  }
  return code;
}

void case_close(Case *one) {
  for (int k = 0; one->problems && k < (one->file ? 1 : CASE_PLATEAUS); k++) {
    rollout_context_release(&one->problems[k].rollout);
    problem_clear(&one->problems[k].problem);
  }
  free(one->problems);
  one->problems = NULL;
}

int case_runs(const Case *one) { return one->file ? CASE_STARTS : CASE_PLATEAUS; }

CaseProblem *case_run(const Case *one, int run) {
  CaseProblem *p = &one->problems[one->file ? 0 : run];
  uint64_t seed = UINT64_C(0x9E3779B97F4A7C15) * (uint64_t)(run + 1);
  for (int i = 0; i < p->problem.control.n && one->file; i++)
    p->problem.control.start[i] = SPREAD * (2 * plateau_random(&seed) - 1);
  return p;
}
