/* SPDX-License-Identifier: BSD-2-Clause */
#include "control/bound/cases.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Duality gap, relative to effort, at which the solver ends for one subproblem (case). */
static const double CASE_PRECISION = 1e-4;
/* A subproblem is split into halves at a value of x_i (a cut). The first cuts of x_i lie outside the range from
 * start to target, at a distance of RANGE_MARGIN. x_i is cut only if its mean over the motions that the dual
 * solution mixes is at least CUT_MARGIN away from the limits of x_i. Both margins are relative to the distance from
 * start to target. */
static const double RANGE_MARGIN = 0.02, CUT_MARGIN = 0.02;

/* Functions for a single subproblem of branch and bound ------------------------------------------------------------ */

static double way_of(const BoundMotion *motion, int i) {
  double way = fabs(motion->to[i] - motion->from[i]);
  return way > 0 ? way : 1; /* if x_i has no target (`to` is NAN), 1 is the scale of x_i */
}

static BoundCut limits_of(const BoundCase *one, int interval, int dof) {
  for (int k = 0; k < one->cuts; k++)
    if (one->cut[k].interval == interval && one->cut[k].dof == dof) return one->cut[k];
  return (BoundCut){interval, dof, -1, 1}; /* a position x_i without a cut is limited by the scaling only, |x_i| <= 1 */
}

/* Returns the value at which the range of a position x_i is cut. The first cuts lie just below and just above the range
 * from start to target, because few motions of low effort leave this range. Later cuts are at `mean`, the mean of x_i
 * over the motions that the dual solution mixes. */
static double cut_middle(const BoundMotion *motion, const BoundCut *cut, double mean) {
  double from = motion->from[cut->dof], to = motion->to[cut->dof], beyond = RANGE_MARGIN * way_of(motion, cut->dof);
  double low = fmin(from, to) - beyond, high = fmax(from, to) + beyond;
  if (isnan(to)) return mean;
  if (cut->lower < low && low < cut->upper && low < mean) return low;
  if (cut->lower < high && high < cut->upper && mean < high) return high;
  return mean;
}

/* Chooses the dof i and the time at which the subproblem is split: those for which x_i varies most among the motions
 * that the dual solution mixes, relative to the distance of x_i from start to target. */
static void choose_cut(const BoundSetting *setting, const BoundMoments *moments, BoundCase *one) {
  const BoundMotion *motion = &setting->motion;
  int d = motion->d, each = bound_mesh_places(&setting->mesh), size = bound_moments_size(moments);
  double most = 0;
  one->next = (BoundCut){0};
  if (one->cuts == CASES_CUTS) return;
  for (int k = 1; k < setting->mesh.intervals; k++)
    for (int i = 0; i < d; i++) {
      const double *before = moments->of + (k * each - 1) * size, *behind = before + size;
      BoundCut cut = limits_of(one, k, i);
      double weight = before[0] + behind[0], way = way_of(motion, i), mean = (before[1 + i] + behind[1 + i]) / weight,
             varies = ((before[1 + d + i] + behind[1 + d + i]) / weight - mean * mean) / (way * way);
      double at = cut_middle(motion, &cut, mean);
      if (!(varies > most) || !(fmin(mean - cut.lower, cut.upper - mean) >= CUT_MARGIN * way)) continue;
      most = varies;
      one->next = (BoundCut){k, i, at, at};
    }
}

SimStatus bound_case_solve(const BoundSetting *setting, double enough, const BoundStop *stop, BoundCase *one,
                           BoundSolved *solved) {
  BoundProgram program = {0};
  BoundMoments moments = {.of = NULL};
  SimStatus status = bound_form_program(&setting->form, one->cut, one->cuts, &program);
  if (status == SIM_OK) status = bound_moments_init(&setting->motion, &program, &moments);
  if (status == SIM_OK) status = bound_setting_solve(setting, &program, CASE_PRECISION, enough, stop, &moments, solved);
  if (status == SIM_OK) {
    one->J = solved->J;
    one->known = solved->known;
    choose_cut(setting, &moments, one);
  }
  free(moments.of);
  bound_program_clear(&program);
  return status;
}

/* Subproblems as tasks for other ranks ----------------------------------------------------------------------------- */

/* Layout of the messages of branch and bound. A task consists of the number of cuts of a subproblem, followed by the
 * cuts. A reply consists of the lower bound of J, the lower bound for the known motion, the number of operations and of
 * Newton steps, and then the next cut: its interval, its dof and the value of x_i. */
/* the reply to a task consists of eight values, which are stored as x(T) and v(T) of an outcome with four dofs */
enum { TASK = 1 + 4 * CASES_CUTS, ANSWER = 4 };

SimStatus ctl_bound_prover_create(const CtlProblem *problem, const SimProblem *sim, const CtlLowerBoundOptions *options,
                                  CtlBoundProver **prover) {
  CtlBoundProver *made = calloc(1, sizeof *made);
  *prover = NULL;
  if (!made) return SIM_NO_MEMORY;
  made->enough = 1 - options->gap;
  made->stop = (BoundStop){.stopped = options->stopped, .context = options->context};
  SimStatus status = bound_setting_create(problem, sim, options, &made->setting);
  if (status == SIM_OK)
    *prover = made;
  else
    ctl_bound_prover_destroy(made);
  return status;
}

void ctl_bound_prover_destroy(CtlBoundProver *prover) {
  if (prover) bound_setting_clear(&prover->setting);
  free(prover);
}

static void carry_out(const CtlBoundProver *prover, const double *task, SimFinal *final) {
  BoundCase one = {.cuts = (int)task[0]};
  BoundSolved solved = {0};
  for (int k = 0; k < one.cuts; k++) {
    const double *cut = task + 1 + 4 * k;
    one.cut[k] = (BoundCut){(int)cut[0], (int)cut[1], cut[2], cut[3]};
  }
  SimStatus status = bound_case_solve(&prover->setting, prover->enough, &prover->stop, &one, &solved);
  final->status = status == SIM_NOT_FINISHED ? SIM_CANCELLED : status;
  final->iterations = 0;
  if (status != SIM_OK) return;
  const double x[ANSWER] = {one.J, one.known, solved.operations, solved.steps},
               v[ANSWER] = {one.next.interval, one.next.dof, one.next.lower, 0};
  memcpy(final->x, x, sizeof x);
  memcpy(final->v, v, sizeof v);
}

static void evaluate_task(void *context, CtlWant want, int count, const double *controls, SimFinal *final,
                          double *rows) {
  (void)want, (void)rows;
  for (int i = 0; i < count; i++) carry_out(context, controls + (size_t)i * TASK, &final[i]);
}

CtlEvaluator ctl_bound_prover_evaluator(CtlBoundProver *prover) {
  return (CtlEvaluator){.n = TASK, .d = ANSWER, .block = 1, .context = prover, .evaluate = evaluate_task};
}

/* The tree of subproblems ------------------------------------------------------------------------------------------ */

static void write_task(void *context, long task, double *numbers) {
  const BoundCases *cases = context;
  const BoundCase *one = &cases->half[task];
  memset(numbers, 0, TASK * sizeof *numbers);
  numbers[0] = one->cuts;
  for (int k = 0; k < one->cuts; k++) {
    const BoundCut *cut = &one->cut[k];
    const double four[4] = {cut->interval, cut->dof, cut->lower, cut->upper};
    memcpy(numbers + 1 + 4 * k, four, sizeof four);
  }
}

/* Stores the result of a task: the bound of one half of a subproblem. This bound is at least the bound of the whole
 * subproblem. */
static int accept_answer(void *context, long task, const CtlOutcome *outcome) {
  BoundCases *cases = context;
  BoundCase *one = &cases->half[task];
  if (outcome->status == SIM_NO_MEMORY) return CTL_DRIVE_NO_MEMORY;
  one->next = (BoundCut){0};
  if (outcome->status != SIM_OK) return 1; /* if the task failed, the half keeps the bound of the whole subproblem */
  const double *x = outcome->x, *v = outcome->v;
  one->J = fmax(one->J, x[0]);
  one->known = fmax(one->known, x[1]);
  one->next = (BoundCut){(int)v[0], (int)v[1], v[2], v[2]};
  /* the counts are integers, so their sum and maximum do not depend on the order in which results arrive */
  double operations = floor(x[2]);
  cases->task = fmax(cases->task, operations);
  cases->spent += operations;
  cases->steps += (long)x[3];
  return 1;
}

/* Returns one half of a subproblem: an existing cut is narrowed, or a new cut is inserted in the order of time. */
static BoundCase half_of(const BoundCase *whole, bool upper) {
  BoundCase half = *whole;
  const BoundCut *at = &whole->next;
  BoundCut cut = limits_of(whole, at->interval, at->dof);
  int k = 0;
  while (k < half.cuts &&
         (half.cut[k].interval < at->interval || (half.cut[k].interval == at->interval && half.cut[k].dof < at->dof)))
    k++;
  if (k == half.cuts || half.cut[k].interval != at->interval || half.cut[k].dof != at->dof) {
    memmove(half.cut + k + 1, half.cut + k, (size_t)(half.cuts - k) * sizeof *half.cut);
    half.cuts++;
  }
  *(upper ? &cut.lower : &cut.upper) = at->lower;
  half.cut[k] = cut;
  return half;
}

double bound_cases_least(const BoundCases *cases, double *known) {
  double J = INFINITY, least = INFINITY;
  for (int k = 0; k < cases->count; k++) {
    J = fmin(J, cases->list[k].J);
    least = fmin(least, cases->list[k].known);
  }
  *known = least;
  return J;
}

/* Returns the number of subproblems that a round splits: half of all subproblems, so that many ranks have work, but at
 * least 8. */
static int round_size(const BoundCases *cases) {
  enum { ROUND_MIN = 8 };
  int half = cases->count / 2;
  return half < ROUND_MIN ? ROUND_MIN : half < CASES_ROUND ? half : CASES_ROUND;
}

/* Chooses the subproblems that the next round splits, those with the lowest bounds. */
static void choose_round(BoundCases *cases) {
  double cap = (1 - cases->options->gap) * cases->options->effort, known;
  bool taken[CASES_MOST] = {false};
  cases->halved = 0;
  double least = bound_cases_least(cases, &known);
  while (cases->halved < round_size(cases) && cases->count + cases->halved < CASES_MOST) {
    int best = -1;
    for (int k = 0; k < cases->count; k++) {
      const BoundCase *one = &cases->list[k];
      if (one->next.interval && !taken[k] && one->J < cap && (best < 0 || one->J < cases->list[best].J)) best = k;
    }
    if (best < 0) return;
    taken[best] = true;
    cases->which[cases->halved++] = best;
  }
  /* splitting other subproblems cannot raise the lowest bound if the subproblem that has it cannot be split */
  if (cases->halved && cases->list[cases->which[0]].J > least) cases->halved = 0;
}

/* Whether the limit on operations allows one more round that splits the chosen number of subproblems. */
static bool may_take(BoundCases *cases) {
  const CtlLowerBoundOptions *options = cases->options;
  double operations = 2 * cases->halved * cases->task;
  if (cases->spent + operations > cases->most) return false;
  cases->refused = options->tries && !options->tries(options->context, operations);
  return !cases->refused;
}

static void lay_out(BoundCases *cases) {
  cases->tasks.first += cases->tasks.count;
  cases->tasks.count = 0;
  choose_round(cases);
  while (cases->halved && !may_take(cases)) cases->halved /= 2;
  for (int k = 0; k < cases->halved; k++)
    for (int upper = 0; upper < 2; upper++) {
      cases->half[2 * k + upper] = half_of(&cases->list[cases->which[k]], upper);
      cases->done[2 * k + upper] = false;
      cases->tasks.count++;
    }
  ctl_tasks_init(&cases->tasks);
}

static void end_round(void *context) {
  BoundCases *cases = context;
  for (int k = 0; k < cases->halved; k++) {
    cases->list[cases->which[k]] = cases->half[2 * k];
    cases->list[cases->count++] = cases->half[2 * k + 1];
  }
  if (cases->taken) cases->taken(cases->context);
  lay_out(cases);
}

/* Checks whether the limit on operations allows the first subproblem; if not, sets cases->refused. Returns SIM_OK or
 * the status of an error. */
static SimStatus afford_first(const BoundSetting *setting, BoundCases *cases) {
  enum { STEPS_ESTIMATE = 25 /* approximate number of Newton steps to solve one program */ };
  const CtlLowerBoundOptions *options = cases->options;
  BoundProgram program = {0};
  SimStatus status = bound_form_program(&setting->form, NULL, 0, &program);
  if (status == SIM_OK && options->tries)
    cases->refused = !options->tries(options->context, STEPS_ESTIMATE * bound_step_operations(&program));
  bound_program_clear(&program);
  return status;
}

SimStatus bound_cases_init(const CtlLowerBoundOptions *options, BoundCases *cases) {
  *cases = (BoundCases){.options = options};
  cases->list = calloc(CASES_MOST, sizeof *cases->list);
  cases->tasks =
      (CtlTasks){.done = cases->done, .context = cases, .ask = write_task, .tell = accept_answer, .ended = end_round};
  return cases->list ? SIM_OK : SIM_NO_MEMORY;
}

SimStatus bound_cases_first(BoundCases *cases, const CtlBoundProver *prover) {
  BoundSolved solved = {0};
  SimStatus status = afford_first(&prover->setting, cases);
  if (status != SIM_OK || cases->refused) return status;
  cases->count = 1;
  status = bound_case_solve(&prover->setting, prover->enough, &prover->stop, cases->list, &solved);
  cases->spent = cases->task = floor(solved.operations);
  cases->steps = solved.steps;
  return status;
}

void bound_cases_clear(BoundCases *cases) {
  free(cases->list);
  *cases = (BoundCases){0};
}

bool bound_cases_begin(BoundCases *cases, double most) {
  cases->most = most;
  lay_out(cases);
  return cases->tasks.count > 0;
}
