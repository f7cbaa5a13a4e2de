/* SPDX-License-Identifier: BSD-2-Clause */
#include "control/base/argument.h"
#include "control/base/saved.h"
#include "control/bound.h"
#include "control/bound/mean.h"
#include "control/bound/saved.h"

#include <math.h>
#include <stdlib.h>

/* Duality gap, relative to effort, at which the solver of a program ends. For stiff systems round-off prevents a
 * smaller gap. */
static const double SOLVER_GAP = 5e-5;
enum { STEPS_ESTIMATE = 30 /* approximate number of Newton steps to solve one program */ };

/* A relaxation: the terms that V has in addition to those of relaxation R1 (README.md), and its name. */
typedef struct Relaxation {
  int knots;
  bool patterns, pairs;
} Relaxation;

static const char *const names[] = {"none", "R1", "R2", "R3", "R4", "R5"};
enum { NAMES = sizeof names / sizeof *names };
static const CtlLowerBound nothing = {.relaxation = "none", .known = -INFINITY};

static const char *name_of(const Relaxation *relaxation) {
  return names[relaxation->pairs ? 5 : 1 + relaxation->patterns + 2 * (relaxation->knots > 0)];
}

/* Sequence of relaxations (README.md), from little to much computation. Each gives a higher bound than the one before.
 * Relaxations with cells of x_i also use patterns of signs where possible; with patterns, pairs of dofs are not
 * needed. */
static const struct {
  int intervals, knots;
  bool pairs;
} ladder[] = {{4, 0, false},  {10, 0, false},  {10, 3, false}, {20, 5, false},
              {20, 9, false}, {20, 17, false}, {20, 9, true}};
enum { LADDER = sizeof ladder / sizeof *ladder };

enum {
  INTERVALS = 16 /* number of intervals of time of the relaxation R1 that bounds J in each subproblem */,
  FORMAT = 1 /* version number of the format in which the progress is saved */
};

/* Data of one call of ctl_lower_bound. */
typedef struct Task {
  const CtlProblem *problem;
  const SimProblem *sim;
  const CtlLowerBoundOptions *options;
  double enough;        /* a bound of this size, relative to effort, is sufficient */
  CtlLowerBound *bound; /* best bound so far; the counts of the subproblems are added at the end of the call */
  int next;             /* index of the next relaxation of the sequence */
  /* Options of the relaxation that bounds each subproblem of branch and bound. This field, prover and cases are set
   * before the first subproblem is bounded. */
  CtlLowerBoundOptions of_cases;
  CtlBoundProver *prover;
  BoundCases cases;
} Task;

static bool is_near(const Task *task) { return task->bound->J >= task->enough * task->options->effort; }

/* Solves one semidefinite program and verifies its bound. If the bound is the best so far, stores it and the mean
 * motion. */
static SimStatus solve_program(const Task *task, const BoundSetting *setting, const BoundProgram *program,
                               const char *name) {
  const BoundStop stop = {task->options->stopped, task->options->late, task->options->context};
  CtlLowerBound *bound = task->bound;
  BoundSolved solved = {0};
  BoundMoments moments;
  SimStatus status = bound_moments_init(&setting->motion, program, &moments);
  if (status == SIM_OK)
    status = bound_setting_solve(setting, program, SOLVER_GAP, task->enough, &stop, &moments, &solved);
  if (status == SIM_OK && solved.J > bound->J && task->options->mean)
    bound_mean(task->problem, setting, &moments, task->options->mean);
  free(moments.of);
  bound->operations += solved.operations;
  bound->steps += solved.steps;
  if (status != SIM_OK) return status;
  bound->known = fmax(bound->known, solved.known);
  if (solved.J <= bound->J) return SIM_OK;
  bound->J = solved.J;
  bound->places = program->places;
  bound->raised = solved.raised;
  bound->relaxation = name;
  bound->cases = 1;
  return SIM_OK;
}

/* Creates the prover that computes bounds of subproblems, and an empty list of subproblems. */
static SimStatus prepare_cases(Task *task) {
  const CtlLowerBoundOptions *options = task->options;
  task->of_cases = *options;
  task->of_cases.intervals = INTERVALS;
  task->of_cases.patterns = false;
  task->of_cases.knots = 0;
  task->of_cases.pairs = false;
  SimStatus status = ctl_bound_prover_create(task->problem, task->sim, &task->of_cases, &task->prover);
  return status == SIM_OK ? bound_cases_init(&task->of_cases, &task->cases) : status;
}

/* Saving and loading the progress of a call ------------------------------------------------------------------------ */

/* Writes or reads the progress of the call: options, index of the next relaxation, bound, mean motion and
 * subproblems. */
static SimStatus serialize_progress(Task *task, CtlBytes *bytes) {
  const CtlLowerBoundOptions *options = task->options;
  CtlLowerBound *bound = task->bound;
  SimStatus status = SIM_OK;
  int kind = NAMES - 1, d = task->sim->d;
  while (kind > 0 && strcmp(names[kind], bound->relaxation) != 0) kind--;
  bound_saved_question(bytes, options, d, task->problem->n);
  bound_saved_proven(bytes, options->effort, bound);
  if (options->mean) bound_saved_mean(bytes, task->problem, options->mean);
  bound->relaxation = names[ctl_bytes_integer(bytes, kind, 0, NAMES - 1)];
  task->next = (int)ctl_bytes_integer(bytes, task->next, 0, LADDER);
  bool split = ctl_bytes_integer(bytes, task->prover != NULL, 0, options->gap > 0);
  if (bytes->bad || !split) return SIM_OK;
  if (!task->prover) status = prepare_cases(task);
  if (status == SIM_OK) bound_saved_cases(bytes, d, task->prover->setting.mesh.intervals, &task->cases);
  return status;
}

/* Passes the progress to the function `keep` of the options. If memory is lacking, `keep` is not called, and the
 * progress that it received earlier stays valid. */
static void hand_out(Task *task) {
  CtlBytes bytes = {0};
  if (!task->options->keep) return;
  ctl_saved_header(&bytes, FORMAT, "bound", NULL);
  /* the first call counts the bytes, the second one writes them; neither changes the task */
  serialize_progress(task, &bytes);
  bytes = (CtlBytes){.to = malloc(bytes.done)};
  if (!bytes.to) return;
  ctl_saved_header(&bytes, FORMAT, "bound", NULL);
  serialize_progress(task, &bytes);
  task->options->keep(task->options->context, bytes.to, bytes.done);
}

static SimStatus go_on(Task *task) {
  const CtlLowerBoundOptions *options = task->options;
  CtlBytes bytes = {.from = options->saved, .left = options->saved_size};
  ctl_saved_header(&bytes, FORMAT, "bound", options->report);
  if (bytes.bad) return SIM_BAD_PROBLEM;
  SimStatus status = serialize_progress(task, &bytes);
  if (status != SIM_OK || !(bytes.bad || bytes.left)) return status;
  if (options->report) options->report->complain(options->report->context, "bound", "not a saved bound of this answer");
  *task->bound = nothing;
  return SIM_BAD_PROBLEM;
}

/* Branch and bound over subproblems -------------------------------------------------------------------------------- */

static int drive_cases(const Task *task, CtlTasks *tasks, const CtlEvaluator *evaluator) {
  const CtlLowerBoundOptions *options = task->options;
  const CtlListener listener = {.context = options->context, .stopped = options->stopped};
  CtlTimes times;
  return options->drive ? options->drive(options->context, &task->of_cases, tasks, evaluator)
                        : ctl_drive_tasks(tasks, evaluator, &listener, &times);
}

/* Takes over the bound that the list of subproblems proves. This function is called after each round. */
static void take_cases(void *context) {
  Task *task = context;
  const BoundCases *cases = &task->cases;
  CtlLowerBound *bound = task->bound;
  double known, J = bound_cases_least(cases, &known);
  bound->known = fmax(bound->known, known);
  if (J > bound->J) {
    bound->J = J;
    bound->places = task->prover->setting.mesh.intervals * bound_mesh_places(&task->prover->setting.mesh);
    bound->raised = 0;
    bound->relaxation = "R1";
    bound->cases = cases->count;
  }
  hand_out(task);
}

static SimStatus begin_cases(Task *task) {
  SimStatus status = prepare_cases(task);
  if (status == SIM_OK) status = bound_cases_first(&task->cases, task->prover);
  if (status == SIM_OK && task->cases.count) take_cases(task);
  return status;
}

/* Splits subproblems until `most` operations have been used or the bound is within the required gap of effort. */
static SimStatus split_cases(Task *task, double most) {
  BoundCases *cases = &task->cases;
  SimStatus status = task->prover ? SIM_OK : begin_cases(task);
  int over = 0;
  if (status != SIM_OK || !cases->count) return status;
  cases->taken = take_cases;
  cases->context = task;
  if (bound_cases_begin(cases, most)) {
    const CtlEvaluator evaluator = ctl_bound_prover_evaluator(task->prover);
    over = drive_cases(task, &cases->tasks, &evaluator);
  }
  if (over == CTL_DRIVE_STOPPED || over == CTL_DRIVE_ABANDONED) return SIM_NOT_FINISHED;
  return over ? SIM_NO_MEMORY : SIM_OK;
}

/* Relaxations of all motions at once ------------------------------------------------------------------------------- */

/* Solves one relaxation, a semidefinite program; its value is a lower bound of J for all motions. splits: whether
 * the list of subproblems is refined first, by splitting some of them, with at most as many floating-point operations
 * as the relaxation is expected to need; the relaxation is then omitted if this makes the bound good enough. */
static SimStatus run_relaxation(Task *task, int intervals, const Relaxation *relaxation, bool splits) {
  CtlLowerBoundOptions options = *task->options;
  BoundSetting setting;
  BoundProgram program = {0};
  options.intervals = intervals;
  options.patterns = relaxation->patterns;
  options.knots = relaxation->knots;
  options.pairs = relaxation->pairs;
  SimStatus status = bound_setting_create(task->problem, task->sim, &options, &setting);
  if (status == SIM_OK) status = bound_form_program(&setting.form, NULL, 0, &program);
  double operations = status == SIM_OK ? STEPS_ESTIMATE * bound_step_operations(&program) : 0;
  if (status == SIM_OK && splits) status = split_cases(task, operations);
  if (status == SIM_OK && !(splits && is_near(task))) {
    if (options.tries && !options.tries(options.context, operations))
      task->bound->left_out++;
    else
      status = solve_program(task, &setting, &program, name_of(relaxation));
  }
  bound_program_clear(&program);
  bound_setting_clear(&setting);
  return status;
}

/* Whether patterns of signs of v can be used. Patterns need few dof, with friction that does not depend on speed. */
static bool has_patterns(const SimProblem *sim) {
  int count = 0;
  for (int i = 0; i < sim->d; i++) count += sim->friction[i] > 0;
  return count <= BOUND_PATTERN_DOFS && sim->system.stribeck == SIM_STRIBECK_NONE;
}

/* Solves the relaxations of the sequence one after the other until the bound is within the required gap of effort.
 * Splits subproblems before each relaxation with cells, and at the end, as far as the limits permit. */
static SimStatus run_sequence(Task *task) {
  bool patterns = has_patterns(task->sim), splits = task->options->gap > 0,
       drifts = bound_drift_degree(task->sim) > 0; /* if v' has a part that depends on time (drift.h), only the
                                                    * relaxation R1 is possible */
  const BoundCases *cases = &task->cases;
  SimStatus status = task->options->saved ? go_on(task) : SIM_OK;
  while (task->next < LADDER && status == SIM_OK && !is_near(task)) {
    int knots = ladder[task->next].knots, intervals = ladder[task->next].intervals;
    const Relaxation next = {knots, patterns && knots, ladder[task->next].pairs};
    if (!(patterns && next.pairs) && !(drifts && knots))
      status = run_relaxation(task, intervals, &next, splits && knots);
    if (status != SIM_OK) break;
    task->next++;
    hand_out(task);
  }
  if (status == SIM_OK && splits && !is_near(task)) status = split_cases(task, INFINITY);
  task->bound->operations += cases->spent;
  task->bound->steps += cases->steps;
  task->bound->left_out += cases->refused && !is_near(task);
  bound_cases_clear(&task->cases);
  ctl_bound_prover_destroy(task->prover);
  return status;
}

SimStatus ctl_lower_bound(const CtlProblem *problem, const SimProblem *sim, const CtlLowerBoundOptions *options,
                          CtlLowerBound *bound) {
  ARGUMENT_PROBLEM(problem);
  ARGUMENT_THERE(sim);
  ARGUMENT_THERE(options);
  ARGUMENT_THERE(bound);
  ARGUMENT(options->effort > 0 && options->effort < INFINITY, "effort", "is not above 0");
  ARGUMENT(options->gap >= 0 && options->gap < 1, "gap", "is not in 0..1");
  ARGUMENT(options->intervals >= 0 && options->intervals <= CTL_BOUND_INTERVALS, "intervals", "is out of its range");
  ARGUMENT(options->degree >= 0 && options->degree <= CTL_BOUND_DEGREE, "degree", "is out of its range");
  ARGUMENT(!(options->pairs && options->patterns), "pairs", "cannot be combined with patterns");
  ARGUMENT(options->knots >= 0 && options->knots <= BOUND_KNOTS, "knots", "is out of its range");
  *bound = nothing;
  if (ctl_lower_bound_check(problem, sim, NULL) || !sim_force_in_pieces(sim)) return SIM_BAD_PROBLEM;
  if (options->patterns && !has_patterns(sim)) return SIM_BAD_PROBLEM;
  Task task = {.problem = problem, .sim = sim, .options = options, .bound = bound};
  task.enough = options->gap == 0 ? 2 : 1 - options->gap;
  const Relaxation given = {options->knots, options->patterns, options->pairs};
  return options->intervals ? run_relaxation(&task, options->intervals, &given, false) : run_sequence(&task);
}
