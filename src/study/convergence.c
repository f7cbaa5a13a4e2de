/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/study/convergence.h"

#include "src/file/sections/motion_plan.h"
#include "src/file/sections/with.h"
#include "src/run/given_control.h"
#include "src/run/rollout_context.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { GRIDS = 12, STRIDE = 5 };

/* Name of the scheme that computes the exact motion. */
static const char EXACT[] = "event";

#define QUANTITY(name, unit, member)                                                                                   \
  { name, unit, offsetof(MotionDifference, member) }
#define OF_STATE  QUANTITY("x(T)", "m", x_end), QUANTITY("v(T)", "m/s", v_end), QUANTITY("x", "m", x_most)
#define OF_EVENTS QUANTITY("events", "s", event_time)

const ConvergenceQuantity *convergence_quantities(SimKind kind) {
  static const ConvergenceQuantity with_lambda[] = {OF_STATE, QUANTITY("lambda", "s", lambda_l1), OF_EVENTS},
                                   with_force[] = {OF_STATE, QUANTITY("f_d", "N s", lambda_l1), OF_EVENTS};
  return sim_kind_has_multiplier(kind) ? with_lambda : with_force;
}

static double quantity_of(const ConvergenceQuantity *quantity, const MotionDifference *difference) {
  double value;
  memcpy(&value, (const char *)difference + quantity->member, sizeof value);
  return value;
}

/* Makes a copy of the problem with another scheme and another number of steps. */
static int make(const Convergence *c, const char *scheme, long steps, Diagnostics *diagnostics, Problem *problem) {
  const ProblemChanges changes = {.scheme = SCHEME_NAMED, .name = scheme, .steps = steps};
  return problem_with(&c->problem, changes, diagnostics, problem);
}

/* A problem, and its recorded motion. */
typedef struct Run {
  Problem problem;
  RolloutContext rollout;
  Motion motion;
  const double *control; /* [variables] control; borrowed. NULL: 0 */
} Run;

static void run_release(Run *run) {
  motion_clear(&run->motion);
  rollout_context_release(&run->rollout);
  problem_clear(&run->problem);
}

/* Simulates and records the motion. If this fails, the caller has nothing to release. */
static int run_motion(const Convergence *c, const char *scheme, long steps, Run *run) {
  *run = (Run){0};
  int code = make(c, scheme, steps, c->diagnostics, &run->problem);
  if (code) return code;
  code = rollout_context_prepare(&run->rollout, &run->problem.sim, c->diagnostics);
  if (!code) code = rollout_context_examine(&run->rollout, &run->problem, c->diagnostics);
  SimStatus status = code ? SIM_OK : motion_init(&run->motion, &run->problem.sim);
  run->control = c->control;
  if (!code && status == SIM_OK)
    status = motion_record(&run->motion, run->rollout.model, run->rollout.work, run->control);
  if (!code) rollout_context_examine(&run->rollout, NULL, NULL);
  if (status != SIM_OK)
    code = diagnostics_error(c->diagnostics, status == SIM_NO_MEMORY ? EXIT_INTERNAL : EXIT_UNSOLVED,
                             "%s with %ld steps: %s", scheme, steps, stiction_status_text(status));
  if (code) run_release(run);
  return code;
}

/* Returns the processor time of this thread, in s. It is not affected by other processes on the machine. */
static double processor_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Returns the processor time of a run, us. It is the minimum over at least RUNS_MIN runs, and as many more as fit into
 * SECONDS. A first run, which is slower, is not counted. */
static double microseconds(Run *run) {
  enum { RUNS_MIN = 5, RUNS_MAX = 1000 };
  static const double SECONDS = 0.01;
  double best = INFINITY, all = 0;
  for (int k = -1; k < RUNS_MIN || (k < RUNS_MAX && all < SECONDS); k++) {
    double begun = processor_seconds();
    stiction_rollout(run->rollout.model, run->rollout.work, run->control, NULL, &run->rollout.final);
    double seconds = processor_seconds() - begun;
    if (k < 0) continue;
    best = fmin(best, seconds);
    all += seconds;
  }
  return 1e6 * best;
}

/* Computes the errors of all schemes with this number of steps: error [n_schemes][CONVERGENCE_QUANTITIES]. If the step
 * is that of the file or one of its halvings, also fills the corresponding level. */
static int errors(void *context, long steps, double *error) {
  Convergence *c = context;
  const ConvergenceQuantity *quantities = convergence_quantities(c->problem.sim.kind);
  Run exact, run;
  int level = 0;
  while (level < c->n_levels && c->problem.sim.steps << level != steps) level++;
  bool shown = level < c->n_levels;
  int code = run_motion(c, EXACT, steps, &exact);
  if (code) return code;
  if (level == 0) c->microseconds = microseconds(&exact);
  for (int s = 0; s < c->n_schemes; s++, error += CONVERGENCE_QUANTITIES) {
    MotionDifference difference;
    code = run_motion(c, c->schemes[s], steps, &run);
    if (code) break;
    motion_difference(&run.motion, &exact.motion, &difference);
    for (int q = 0; q < CONVERGENCE_QUANTITIES; q++) error[q] = quantity_of(&quantities[q], &difference);
    if (shown) {
      ConvergenceLevel *to = &c->levels[s][level];
      *to = (ConvergenceLevel){
          .steps = steps, .step = c->problem.sim.end / (double)steps, .n_events = difference.n_events};
      memcpy(to->error, error, sizeof to->error);
      to->microseconds = microseconds(&run);
    }
    c->n_events = difference.n_exact;
    run_release(&run);
  }
  run_release(&exact);
  return code;
}

/* Returns whether a scheme can be compared with the exact motion. */
static bool is_offered(const SimScheme *scheme, const SimProblem *problem) {
  return strcmp(sim_scheme_name(scheme), EXACT) != 0 && sim_scheme_serves(scheme, problem);
}

/* Writes the names of the schemes that can be compared into text, as in "a, b, c". */
static void list_offered(const SimProblem *problem, char *text, size_t size) {
  size_t length = 0;
  *text = 0;
  for (int k = 0; sim_scheme_of_kind(problem->kind, k) && length < size; k++) {
    const SimScheme *scheme = sim_scheme_of_kind(problem->kind, k);
    if (is_offered(scheme, problem))
      length += (size_t)snprintf(text + length, size - length, "%s%s", length ? ", " : "", sim_scheme_name(scheme));
  }
}

static int take_scheme(Convergence *c, const SimProblem *problem, const char *name, size_t length) {
  char offered[256];
  for (int k = 0; sim_scheme_of_kind(problem->kind, k); k++) {
    const SimScheme *scheme = sim_scheme_of_kind(problem->kind, k);
    const char *known = sim_scheme_name(scheme);
    if (strlen(known) != length || strncmp(known, name, length) != 0 || !is_offered(scheme, problem)) continue;
    for (int s = 0; s < c->n_schemes; s++)
      if (c->schemes[s] == known) return 0;
    if (c->n_schemes < CONVERGENCE_SCHEMES_MAX) c->schemes[c->n_schemes++] = known;
    return 0;
  }
  list_offered(problem, offered, sizeof offered);
  return diagnostics_error(c->diagnostics, EXIT_USAGE, "--schemes: '%.*s' is none of %s", (int)length, name, offered);
}

/* Returns whether a scheme supports the problem. For example, the scheme symplectic supports no chain without
 * masses. */
static bool takes_file(const Convergence *c, const char *scheme) {
  Diagnostics refused = {0};
  Problem problem;
  int code = make(c, scheme, c->problem.sim.steps, &refused, &problem);
  if (!code) problem_clear(&problem);
  diagnostics_clear(&refused);
  return code == 0;
}

/* Chooses the schemes that the option names; without the option, all schemes that support the problem. */
static int choose_schemes(Convergence *c, const SimProblem *problem) {
  const char *from = c->options->schemes;
  for (int k = 0; !from && sim_scheme_of_kind(problem->kind, k); k++) {
    const char *name = sim_scheme_name(sim_scheme_of_kind(problem->kind, k));
    if (is_offered(sim_scheme_of_kind(problem->kind, k), problem) && takes_file(c, name))
      take_scheme(c, problem, name, strlen(name));
  }
  while (from) {
    size_t length = strcspn(from, ",");
    int code = take_scheme(c, problem, from, length);
    if (code) return code;
    from = from[length] ? from + length + 1 : NULL;
  }
  return 0;
}

/* Checks that the exact motion can be computed. */
static int check_exact(const Convergence *c, const Problem *problem) {
  const SimScheme *exact = sim_scheme_for(problem->sim.kind, EXACT);
  if (exact && sim_scheme_serves(exact, &problem->sim)) return 0;
  return diagnostics_error(
      c->diagnostics, EXIT_USAGE,
      "%s: there is no event-exact motion to compare with: the scheme event does not take its model "
      "(kind %s)",
      c->options->argument, problem_kind_name(problem));
}

/* Finds the control for all schemes. It is the control of the option --control, in the form in which the scheme of the
 * file would use it. */
static int take_control(Convergence *c, const Problem *problem) {
  if (!c->options->control) {
    if (problem->has_control)
      diagnostics_warn(c->diagnostics, "of the motion without control, u = 0 (--control U takes another)");
    return 0;
  }
  c->control = calloc((size_t)stiction_problem_variables(&problem->sim) + 1, sizeof *c->control);
  if (!c->control) return diagnostics_no_memory(c->diagnostics);
  return given_control(c->options, problem, sim_problem_rows(&problem->sim).group, c->control, c->diagnostics);
}

/* Reports a motion plan as an error, since its control and its T are found by a search and not given. */
static int refuse_plan(const Problem *problem, Diagnostics *diagnostics) {
  return diagnostics_error(diagnostics, EXIT_USAGE,
                           "the file is of %s (expected a motion with a given control, as of --set control=null "
                           "--set time.end=SECONDS)",
                           problem->plan->sentence);
}

void convergence_clear(Convergence *convergence) {
  free(convergence->control);
  convergence->control = NULL;
  if (convergence->problem.kind) problem_clear(&convergence->problem);
}

int convergence_prepare(Convergence *convergence, const Options *options, Diagnostics *diagnostics) {
  Problem exact, *problem = &convergence->problem;
  *convergence = (Convergence){.options = options,
                               .diagnostics = diagnostics,
                               .n_levels = options->levels ? options->levels : CONVERGENCE_DEFAULT_LEVELS};
  const ModelRanks alone = {.copies = 1, .limits = options->limits};
  int code = problem_read(options, false, &alone, diagnostics, problem);
  if (!code && problem->plan) code = refuse_plan(problem, diagnostics);
  if (!code) code = check_exact(convergence, problem);
  if (!code) code = choose_schemes(convergence, &problem->sim);
  if (!code) code = take_control(convergence, problem);
  if (code) return code;
  /* reports any other reason for which the exact motion cannot be computed */
  code = make(convergence, EXACT, problem->sim.steps, diagnostics, &exact);
  if (!code) problem_clear(&exact);
  return code;
}

int convergence_measure(Convergence *convergence) {
  OrderResult result;
  const OrderStudy study = {.errors = errors,
                            .context = convergence,
                            .quantities = convergence->n_schemes * CONVERGENCE_QUANTITIES,
                            .steps = convergence->problem.sim.steps,
                            .levels = convergence->n_levels,
                            .grids = GRIDS,
                            .stride = STRIDE};
  int code = order_measure(&study, &result);
  if (!code) memcpy(convergence->order, result.order, sizeof convergence->order);
  return code;
}
