/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/run/lower_bound.h"

#include "control/base/clock.h"
#include "src/base/json_values.h"
#include "src/file/sections/with.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* default number of intervals of relaxation R1 (control/bound/README.md) in search.bound */
enum { INTERVALS = 4 };
/* number of operations of the method that take about as long as one unit of sim_problem_work */
static const double UNIT = 5000;
/* number of operations that is always allowed, as they take less time than the start of a program */
static const double ANYWAY = 2e8;
static const double CERTAIN =
    1e-6; /* tolerance, relative to the effort J, by which a motion may contradict a proof because of round-off */

/* To prove that no control within its bounds meets the target, controls with an effort up to a limit are examined.
 * BEYOND: fraction by which this limit is larger than J of the most expensive control. CLOSE: relative gap at which a
 * lower bound is certainly larger than that J. */
static const double BEYOND = 1e-6, CLOSE = 1e-7;
/* a motion is compared with the bound for the exact target only if its distances from the target are at most this */
static const double EXACT = 1e-9;
/* if search.accept is at most this, a proof that the exact target cannot be met also excludes approximate answers */
static const double TIGHT = 1e-6;
/* fraction of the time limit that the bound may use, if the rest can be used for further starts of the search */
static const double SHARE = 0.5;

static const char UNKNOWN[] = "no control is known that meets the target on the motion itself";

/* State of the computation of a bound. */
typedef struct Work {
  Progress *progress;
  const LowerBoundRunner *runner;
  const Problem *problem; /* the problem with the scheme `event` */
  double most;            /* largest number of operations; 0: no limit */
  double until, since;    /* times (ctl_seconds). since: start, moved back by the time that earlier runs took; until:
                           * end; 0: no limit */
  LowerBoundLog now;
  double before; /* value of now.begun before the present relaxation */
  bool goes_on;  /* whether to continue from the state that an earlier run has stored */
  bool refused;  /* whether the stored state was refused */
  long steps;
} Work;

/* Returns the estimated work of the search, in units of sim_problem_work. With the scheme `event` a motion has at least
 * as many segments as its control and its force together. */
static double searched(const Problem *problem, const CtlState *state) {
  const SimProblem *sim = &problem->sim;
  bool event = sim_force_in_pieces(sim);
  double segments =
      event ? fmax(sim_problem_segments(sim), (double)sim->segments + (double)sim->piece_count) : (double)sim->steps;
  int columns = ctl_problem_wants_derivatives(&problem->control) ? problem->control.n : 0;
  return (double)state->ivps * segments * sim_problem_work(sim, columns);
}

static bool tries(void *context, double operations) {
  Work *work = context;
  double now = ctl_seconds(), spent = now - work->since;
  bool ends_late = work->until > 0 && work->now.begun > 0 && now + operations * spent / work->now.begun > work->until;
  if (ends_late || (work->most > 0 && operations > work->most)) return false;
  work->before = work->now.begun;
  work->now.begun += operations;
  return true;
}

/* Returns whether the time limit is exceeded. Always false during the first relaxation, so that some bound is computed
 * in any case. */
static bool late(void *context) {
  const Work *work = context;
  return work->before > 0 && work->until > 0 && ctl_seconds() > work->until;
}

static bool stopped(void *context) {
  Work *work = context;
  progress_draw(work->progress, "a bound for any control: step %ld", ++work->steps);
  return work->runner->stopped(work->runner->context);
}

static void keep(void *context, void *bytes, size_t size) {
  Work *work = context;
  LowerBoundKept *kept = work->runner->kept;
  free(kept->state);
  work->now.seconds = ctl_seconds() - work->since;
  *kept = (LowerBoundKept){work->now, bytes, size};
  work->runner->keep(work->runner->context);
}

static int drive(void *context, const CtlLowerBoundOptions *cases, CtlTasks *tasks, const CtlEvaluator *evaluator) {
  const Work *work = context;
  return work->runner->drive(work->runner->context, work->problem, cases, tasks, evaluator);
}

/* The best known control that meets the target on the exact motion, and its motion. */
typedef struct Known {
  double J;            /* effort of this control; INFINITY: no such control is known */
  double E1, E2;       /* distances of this control's final state from the target */
  const double *x, *v; /* final state of the motion of this control */
} Known;

static Known known(const Problem *problem, const CtlState *state, const Refinement *refinement) {
  Known best = {.J = INFINITY};
  if (sim_force_in_pieces(&problem->sim) && ctl_state_meets(&problem->control, state))
    best = (Known){state->J, state->E1, state->E2, state->x, state->v};
  const CtlRefined *answer = &refinement->answer;
  if (refinement_met(refinement) && refinement->itself && answer->J < best.J)
    best = (Known){answer->J, answer->E1, answer->E2, answer->x, answer->v};
  return best;
}

double lower_bound_known(const Problem *problem, const CtlState *state, const Refinement *refinement) {
  return known(problem, state, refinement).J;
}

static bool is_near(const LowerBound *bound, const CtlProblem *control) {
  return control->bound != CTL_BOUND_GIVEN || bound->bound.J >= (1 - control->bound_gap) * bound->J;
}

/* Returns the largest possible |u_k| within the bounds of u; INFINITY if u_k has no bounds. */
static double most_of(const CtlProblem *control, int k) {
  double most = 0;
  for (int i = k; i < control->n; i += control->p)
    most = fmax(most, fmax(fabs(control->lower[i]), fabs(control->upper[i])));
  return most;
}

/* Returns the effort J of the most expensive control within the bounds of u. It is T sum |N_kl| m_k m_l, where T is the
 * end time, N the weight matrix and m_k the largest |u_k|. Returns INFINITY if some u_k has no bounds. */
static double dearest(const Problem *problem) {
  const CtlProblem *control = &problem->control;
  int p = control->p;
  double sum = 0;
  for (int k = 0; k < p; k++) {
    if (isinf(most_of(control, k))) return INFINITY;
    for (int l = 0; l < p; l++) sum += fabs(control->weight[k * p + l]) * most_of(control, k) * most_of(control, l);
  }
  return problem->sim.end * sum;
}

/* Computes a lower bound of the effort J for the problem with the scheme `event`, over all controls with J <= effort.
 * Stops as soon as the relative gap between bound and effort is at most `gap`. */
static SimStatus find(const Problem *problem, double effort, double gap, const Known *best, Work *work,
                      CtlBoundMean *mean, CtlLowerBound *bound) {
  const CtlProblem *control = &problem->control;
  const LowerBoundRunner *runner = work->runner;
  const CtlLowerBoundOptions options = {.effort = effort,
                                        .x = best->x,
                                        .v = best->v,
                                        .gap = gap,
                                        .intervals = control->bound == CTL_BOUND_GIVEN ? 0 : INTERVALS,
                                        .tries = tries,
                                        .stopped = stopped,
                                        .late = late,
                                        .mean = mean,
                                        .drive = drive,
                                        .keep = keep,
                                        .saved = work->goes_on ? runner->kept->state : NULL,
                                        .saved_size = runner->kept->size,
                                        .report = &runner->report,
                                        .context = work};
  work->problem = problem;
  SimStatus status = ctl_lower_bound(control, &problem->sim, &options, bound);
  /* the problem itself is valid, so this status means that the stored state is invalid */
  work->refused = work->goes_on && status == SIM_BAD_PROBLEM;
  work->goes_on = false;
  return status;
}

static SimStatus find_below(const Problem *problem, const Known *best, Work *work, LowerBound *bound) {
  const CtlProblem *control = &problem->control;
  double gap = control->bound == CTL_BOUND_GIVEN ? control->bound_gap : 0;
  SimStatus status =
      find(problem, best->J, gap, best, work, bound->start.control ? &bound->start : NULL, &bound->bound);
  bound->near = is_near(bound, control);
  return status;
}

/* Checks whether the target is out of reach even for the most expensive control within the bounds of u. If the bounds
 * are far too small, the numbers in a proof are well scaled only for larger efforts, so multiples of the effort are
 * tried, too. */
static SimStatus find_beyond(const Problem *problem, const Known *none, Work *work, LowerBound *bound) {
  static const double TIMES[] = {1, 1e2, 1e4, 1e6};
  enum { COUNT = sizeof TIMES / sizeof *TIMES };
  SimStatus status = SIM_OK;
  bound->near = true;
  for (int64_t k = work->now.beyond; k < COUNT && status == SIM_OK && !bound->beyond; k++) {
    double enough = bound->most * (1 + BEYOND), effort = TIMES[k] * enough;
    work->now.beyond = k;
    status = find(problem, effort, k ? 1 - enough / effort : CLOSE, none, work, NULL, &bound->bound);
    bound->beyond = problem->control.accept <= TIGHT && bound->bound.J > bound->most;
  }
  return status;
}

/* If a motion is known that costs less than the proven lower bound, records this contradiction. */
static void distrust(LowerBound *bound, double proven) {
  if (!(proven > bound->J * (1 + CERTAIN))) return;
  bound->reason = bound->distrust;
  snprintf(bound->distrust, sizeof bound->distrust,
           "proven: to end there takes J >= %.10g, but its motion has %.10g (one of them is wrong: a bug)", proven,
           bound->J);
}

/* Records the reason for a status other than success. Returns the same codes as lower_bound_run. */
static int conclude(SimStatus status, LowerBound *bound) {
  if (status == SIM_NO_MEMORY) return EXIT_INTERNAL;
  if (status != SIM_OK && status != SIM_NOT_FINISHED)
    bound->reason = "its masses or its weight are too ill-conditioned, or its force is in no pieces";
  else if (bound->bound.J == 0)
    bound->reason = status == SIM_NOT_FINISHED ? "stopped on a signal"
                    : bound->bound.left_out
                        ? "it takes more work than the search did; search.bound: yes tries it"
                        : "nothing above 0 could be proven; search.bound: {gap: .., max_seconds: ..} tries more";
  distrust(bound, bound->bound.known);
  return status == SIM_NOT_FINISHED ? EXIT_STOPPED : 0;
}

/* Continues from the stored state of an earlier run, if it was computed for the same answer. J: effort of the
 * answer. */
static void go_on(Work *work, double J) {
  LowerBoundKept *kept = work->runner->kept;
  work->since = ctl_seconds() - kept->log.seconds;
  if (kept->log.J != J) {
    lower_bound_kept_clear(kept);
    kept->log.J = J;
  }
  work->goes_on = kept->state;
  work->now = kept->log;
  work->now.stuck = 0;
}

int lower_bound_run(const Problem *problem, const CtlState *state, const Refinement *refinement, bool asked_only,
                    const LowerBoundRunner *runner, Progress *progress, Diagnostics *diagnostics, LowerBound *bound) {
  const CtlProblem *control = &problem->control;
  bool asked = control->bound == CTL_BOUND_GIVEN || control->bound == CTL_BOUND_YES,
       free = control->bound == CTL_BOUND_AUTO && !asked_only && !problem->scenarios &&
              !ctl_lower_bound_check(control, &problem->sim, NULL);
  const Known best = known(problem, state, refinement);
  *bound = (LowerBound){.J = best.J};
  bool none = isinf(bound->J);
  bound->most = none ? dearest(problem) : INFINITY;
  if (!asked && (!free || bound->J == 0 || (none && isinf(bound->most)))) return 0;
  bound->sought = true;
  bound->refined = refinement_met(refinement) && bound->J == refinement->answer.J;
  for (int i = 0; i < control->n; i++)
    bound->bounded = bound->bounded || isfinite(control->lower[i]) || isfinite(control->upper[i]);
  if (none && !(bound->most > 0 && bound->most < INFINITY)) bound->reason = UNKNOWN;
  if (bound->J == 0) bound->reason = "no control costs less than J = 0";
  if (bound->reason) return 0;
  if (control->bound == CTL_BOUND_GIVEN && !none) {
    size_t n = (size_t)control->n, ways = (size_t)(control->segments * control->d);
    bound->start = (CtlBoundMean){malloc(n * sizeof(double)), calloc(ways, sizeof(signed char))};
    if (!bound->start.control || !bound->start.ways) return diagnostics_no_memory(diagnostics);
    memcpy(bound->start.control, control->start, n * sizeof(double));
  }
  Work work = {.progress = progress, .runner = runner};
  go_on(&work, best.J);
  if (control->bound == CTL_BOUND_GIVEN && control->bound_seconds > 0) {
    double part = refinement_more_starts(control, state) ? SHARE : 1;
    bound->until = work.since + control->bound_seconds;
    work.until = work.since + part * control->bound_seconds;
  }
  if (!asked) work.most = fmax(ANYWAY, searched(problem, state) * UNIT);
  const ProblemChanges as = {.scheme = SCHEME_EVENT, .finer = 1};
  Diagnostics refused = {0};
  Problem own;
  int code = problem_with(problem, as, &refused, &own);
  diagnostics_clear(&refused);
  if (!code) {
    SimStatus status = (none ? find_beyond : find_below)(&own, &best, &work, bound);
    code = work.refused ? EXIT_USAGE : conclude(status, bound);
    problem_clear(&own);
  } else if (code == EXIT_USAGE) {
    bound->reason = "the scheme event does not take the model";
    code = 0;
  }
  progress_clear(progress);
  bound->seconds = runner->kept->log.seconds = ctl_seconds() - work.since;
  if (none && !bound->beyond) bound->reason = UNKNOWN;
  bound->sought = asked || !bound->reason || *bound->distrust;
  return code == EXIT_INTERNAL ? diagnostics_no_memory(diagnostics) : code;
}

void lower_bound_kept_clear(LowerBoundKept *kept) {
  free(kept->state);
  *kept = (LowerBoundKept){0};
}

void lower_bound_clear(LowerBound *bound) {
  free(bound->start.control);
  free(bound->start.ways);
  bound->start = (CtlBoundMean){0};
}

void lower_bound_give_up(LowerBound *bound) {
  bound->stopped = true;
  bound->bound.left_out++;
  if (bound->bound.J == 0) bound->reason = "stopped on a signal twice, before anything was proven";
}

bool lower_bound_wants_more(const LowerBound *bound) {
  return bound->sought && !bound->reason && !bound->near && (bound->until == 0 || ctl_seconds() < bound->until);
}

void lower_bound_compare(LowerBound *bound, const Problem *problem, const CtlState *state,
                         const Refinement *refinement) {
  const Known best = known(problem, state, refinement);
  bound->J = best.J;
  if (isinf(bound->J)) bound->reason = UNKNOWN;
  bound->refined = refinement_met(refinement) && bound->J == refinement->answer.J;
  bound->near = is_near(bound, &problem->control);
  if (best.E1 <= EXACT && best.E2 <= EXACT) distrust(bound, bound->bound.J);
}

/* Printing the bound ----------------------------------------------------------------------------------------------- */

/* Stores the first error message, and ignores later ones. */
static void take_first(void *context, const char *key, const char *text) {
  char *first = context;
  if (!*first) snprintf(first, MOTION_FAILURE_SIZE, "%s: %s", key, text);
}

void lower_bound_print_prospect(const Problem *problem) {
  char why[MOTION_FAILURE_SIZE] = "";
  const SimReport report = {why, take_first};
  const CtlBoundChoice choice = problem->control.bound;
  int mistakes = choice == CTL_BOUND_NO ? 0 : ctl_lower_bound_check(&problem->control, &problem->sim, &report);
  if (choice == CTL_BOUND_NO)
    printf("bound      not wanted (search.bound: no)\n");
  else if (mistakes)
    printf("bound      none that holds for any control: %s\n", why);
  else if (choice == CTL_BOUND_AUTO)
    printf("bound      for any control, where it takes less than the search (search.bound: auto)\n");
  else
    printf("bound      for any control\n");
}

json_t *lower_bound_json(const LowerBound *bound) {
  if (!bound->sought) return NULL;
  if (bound->reason) return json_pack("{s:s}", "reason", bound->reason);
  if (bound->beyond)
    return json_pack("{s:b, s:o, s:s}", "out_of_reach", true, "most", json_finite(bound->most), "relaxation",
                     bound->bound.relaxation);
  return json_pack("{s:o, s:o, s:o, s:s, s:i, s:b, s:i, s:i}", "J", json_finite(bound->J), "lower_bound",
                   json_finite(bound->bound.J), "gap", json_finite(1 - bound->bound.J / bound->J), "relaxation",
                   bound->bound.relaxation, "cases", bound->bound.cases, "verified", true, "places",
                   bound->bound.places, "left_out", bound->bound.left_out);
}

/* Returns a positive number rounded down to this number of significant digits. */
static double below(double number, int digits) {
  double unit = pow(10, floor(log10(number)) + 1 - digits);
  return floor(number / unit) * unit;
}

void lower_bound_print(const LowerBound *bound) {
  if (!bound->sought) return;
  if (bound->reason) {
    printf("no bound for any control: %s\n", bound->reason);
    return;
  }
  if (bound->beyond) {
    printf("out of reach: within the bounds of u J is at most %.6g, and the target takes more (proven by %s, %.2f s)\n",
           bound->most, bound->bound.relaxation, bound->seconds);
    return;
  }
  if (!bound->near)
    printf("not as near as wanted%s: ", bound->stopped          ? ", stopped on a signal twice"
                                        : bound->bound.left_out ? ", for want of time"
                                                                : "");
  char cases[32] = "";
  if (bound->bound.cases > 1) snprintf(cases, sizeof cases, " in %d cases", bound->bound.cases);
  printf("no control%s, of any number of segments, brings the motion itself to the target for less than %.6g (%.3g of "
         "%sJ; %s%s, %.2f s)\n",
         bound->bounded ? " within the bounds of u" : "", below(bound->bound.J, 6), below(bound->bound.J / bound->J, 3),
         bound->refined ? "the refined " : "", bound->bound.relaxation, cases, bound->seconds);
}
