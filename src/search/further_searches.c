/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/search/further_searches.h"

#include "control/base/clock.h"
#include "src/run/refined_motion.h"
#include "src/search/follow_up.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Factors by which T is multiplied. MORE_TIME: for longer times, tried in turn until one search meets the target; if
 * the search with T itself has met it, only the first factor is tried. LESS_TIME: for shorter times. */
static const double MORE_TIME[] = {1.25, 1.5, 2}, LESS_TIME[] = {0.75, 0.625, 0.5};
/* From a longer time the search returns to T in steps. The first step multiplies the time by SHORTER; later ones by
 * factors between SHORTEST and NEARLY. */
static const double SHORTER = 0.95;
static const double SHORTEST = 0.8; /* factor of the longest step */
static const double NEARLY = 0.999; /* factor of the shortest step */
static const double LESS = 1e-6;    /* a control is refined if it decreases the effort J by at least this fraction */
/* if refining raises the effort J by more than this fraction, the refined answer is taken to be near another minimum */
static const double ELSEWHERE = 0.02;
enum {
  STEPS = 100,
  EVALUATIONS = 2000,
  DOFS = 16,
  SIZES = 3, /* ctl_refine_near starts from randomly changed controls; one in SIZES of these changes is as large as the
              * control itself, the others are smaller */
  /* Largest number of degrees of freedom with which a further search may use the scheme `event` in place of time steps.
   * With more, the exact motion takes far longer. */
  EVENT_DOFS = 6,
  EVENT_SEGMENTS = 4 /* number of segments of the exact motion per time step above which the motion counts as stiff */
};

/* Data that all further searches share. */
typedef struct Further {
  SearchRun *run;
  const CtlState *state; /* state in which the search of the run ended */
  double until;
  Refinement *refinement;
  FurtherSearches *found;
  double *control; /* [n] the control found last; owned */
  double J;        /* effort of the control found last */
  bool least;      /* whether the answer is certainly the cheapest minimum: all minima near it have been found, and none
                    * costs less */
  long looked;     /* number of runs from controls that differ from the present answer by as much as its own size; none
                    * of them has led to a smaller effort */
} Further;

static bool is_late(const Further *further) { return further->until > 0 && ctl_seconds() >= further->until; }

/* Opens the problem with another T and another number of segments (0: unchanged), with the scheme `event` if it
 * supports the problem. Returns 0, and the caller closes it; EXIT_USAGE if this is impossible; or EXIT_INTERNAL. */
static int open_related(const Problem *problem, double end, int segments, Related *related) {
  const CtlProblem *given = &problem->control;
  const ProblemChanges as = {
      .scheme = problem_takes_event(problem) ? SCHEME_EVENT : SCHEME_OWN, .finer = 1, .segments = segments, .end = end};
  int code = related_open(problem, as, related);
  if (code) return code;
  CtlProblem *control = &related->problem.control;
  control->method = given->method; /* keeps the method, since the default method may differ for another number of
                                    * segments */
  control->local_starts = given->local_starts;
  if (control->derivatives) return 0;
  related_close(related);
  return EXIT_USAGE;
}

/* Running the further searches ------------------------------------------------------------------------------------- */

/* Runs a search with at most as many evaluations as the first one, and copies the control that it finds to
 * further->control. If this has fewer segments than the problem, segments with u = 0 are put before it. Sets *met to
 * whether the control meets the target. */
static int search(Further *further, double end, int segments, bool *met) {
  const CtlProblem *given = &further->run->problem.control;
  Related related;
  CtlSearch *search;
  CtlState state;
  *met = false;
  int code = open_related(&further->run->problem, end, segments, &related);
  if (code) return code == EXIT_USAGE ? 0 : code;
  CtlProblem *control = &related.problem.control;
  control->max_evaluations = further->state->evaluations;
  code = follow_up_related(further->run, &related, further->until, "a related problem", &search);
  if (!code) {
    stiction_asktell_state(search, &state);
    further->found->evaluations += state.evaluations;
    if (state.no_memory) code = EXIT_INTERNAL;
  }
  if (!code && ctl_state_meets(control, &state)) {
    size_t before = (size_t)(given->n - control->n);
    memset(further->control, 0, before * sizeof(double));
    memcpy(further->control + before, state.control, (size_t)control->n * sizeof(double));
    further->J = state.J;
    *met = true;
  }
  stiction_asktell_destroy(search);
  related_close(&related);
  return code;
}

/* Returns whether the search used time steps while the refinement uses the exact motion (scheme `event`). */
static bool is_on_grid(const Further *further) {
  const Problem *problem = &further->run->problem;
  return !sim_force_in_pieces(&problem->sim) && problem_takes_event(problem) &&
         problem->control.refine == CTL_REFINE_EXACT;
}

/* Returns the smallest effort J of all controls so far that meet the target; INFINITY if none does. If controls are
 * refined on the exact motion, one that meets the target only on the motion with time steps does not count. */
static double effort_of(const Further *further) {
  const CtlState *state = further->state;
  if (refinement_met(further->refinement)) return further->refinement->answer.J;
  return !is_on_grid(further) && ctl_state_meets(&further->run->problem.control, state) ? state->J : INFINITY;
}

/* Refines further->control if its effort J is smaller than that of all controls so far. If the refined control has less
 * effort, too, it becomes the refined answer. kind: search that has found it; end: end time T of that search. */
static int consider(Further *further, FurtherKind kind, double end) {
  SearchRun *run = further->run;
  Refinement *so_far = further->refinement, other = {0};
  double J = effort_of(further);
  if (!(further->J < (1 - LESS) * J)) return 0;
  int code = refinement_run(&run->problem, &run->rollout, further->state, further->control, further->until,
                            &run->progress, run->diagnostics, &other);
  if (!code && refinement_met(&other) && other.answer.J < (1 - LESS) * J) {
    refinement_replace(so_far, &other);
    further->looked = 0;
    further->found->taken = kind;
    further->found->shorter = kind == FURTHER_SHORTER ? end : 0;
  }
  refinement_clear(&other);
  return code;
}

/* Running SQP (sequential quadratic programming) at other end times T ---------------------------------------------- */

static void close_motion(Related *related, RefinedMotion *motion) {
  refined_motion_release(motion);
  related_close(related);
}

/* Opens the motion of the problem with another end time for SQP. Returns the same codes as open_related. */
static int open_motion(const Further *further, double end, const char *purpose, Related *related,
                       RefinedMotion *motion) {
  int code = open_related(&further->run->problem, end, 0, related);
  if (code) return code;
  SimStatus status =
      refined_motion_prepare(motion, &related->problem, &related->rollout, purpose, &further->run->progress);
  motion->until = further->until;
  if (status == SIM_OK) return 0;
  close_motion(related, motion);
  return EXIT_INTERNAL;
}

/* Counts the evaluations of a run of SQP, and clears its result. wanted: whether to copy the control to
 * further->control first. Returns 0, EXIT_STOPPED or EXIT_INTERNAL. */
static int take(Further *further, const RefinedMotion *motion, SimStatus status, CtlRefined *refined, bool wanted) {
  further->found->evaluations += refined->evaluations;
  if (wanted) {
    memcpy(further->control, refined->control, (size_t)motion->problem->control.n * sizeof(double));
    further->J = refined->J;
  }
  ctl_refined_clear(refined);
  return motion->stopped ? EXIT_STOPPED : status == SIM_NO_MEMORY ? EXIT_INTERNAL : 0;
}

/* Searching with a longer end time T ------------------------------------------------------------------------------- */

/* Runs SQP at the end time `end` from further->control, which was found with a longer time. Sets *met to whether the
 * result meets the target. */
static int step_to(Further *further, double end, bool *met) {
  Related related;
  RefinedMotion motion;
  CtlRefined refined;
  *met = false;
  int code = open_motion(further, end, "back from more time", &related, &motion);
  if (code) return code == EXIT_USAGE ? 0 : code;
  SimStatus status = ctl_refine(&related.problem.control, &motion.evaluator, further->control, refined_motion_stopped,
                                &motion, &refined);
  *met = status == SIM_OK;
  if (*met) {
    further->found->end = end;
    further->found->steps++;
  }
  code = take(further, &motion, status, &refined, *met);
  close_motion(&related, &motion);
  return code;
}

/* Shortens the end time in steps, from the longer one back to T. Steps become longer after a success and shorter after
 * a failure. The number of evaluations is limited to that of the first search, or to EVALUATIONS. */
static int go_back(Further *further) {
  const double end = further->run->problem.sim.end;
  FurtherSearches *found = further->found;
  long searched = further->state->evaluations;
  long most = found->evaluations + (searched > EVALUATIONS ? searched : EVALUATIONS);
  double ratio = SHORTER;
  int code = 0;
  for (int k = 0; k < STEPS && !code && found->end > end && ratio < NEARLY && found->evaluations < most; k++) {
    bool met;
    if (is_late(further)) break;
    code = step_to(further, fmax(end, found->end * ratio), &met);
    ratio = met ? fmax(SHORTEST, pow(ratio, 1.5)) : sqrt(ratio);
  }
  return code;
}

static int take_more_time(Further *further) {
  const double end = further->run->problem.sim.end;
  FurtherSearches *found = further->found;
  int code = 0, times = isfinite(effort_of(further)) ? 1 : (int)(sizeof MORE_TIME / sizeof *MORE_TIME);
  for (int k = 0; k < times && !code && found->from == 0 && !is_late(further); k++) {
    bool met;
    code = search(further, MORE_TIME[k] * end, 0, &met);
    if (!met) continue;
    found->from = found->end = MORE_TIME[k] * end;
    found->itself = is_on_grid(further);
  }
  if (!code && found->from > 0) code = go_back(further);
  return code || found->from == 0 || found->end > end ? code : consider(further, FURTHER_LONGER, end);
}

/* Searching with a shorter end time T ------------------------------------------------------------------------------ */

static int take_less_time(Further *further) {
  enum { FEWEST = 2, TIMES = sizeof LESS_TIME / sizeof *LESS_TIME };
  const SimProblem *sim = &further->run->problem.sim;
  int code = 0;
  if (sim->signal != SIM_PIECEWISE_CONSTANT) return 0;
  for (int k = 0; k < TIMES && !code && !is_late(further); k++) {
    int segments = (int)(LESS_TIME[k] * sim->segments);
    double end = sim->end * segments / sim->segments;
    bool met = false;
    if (segments >= FEWEST) code = search(further, end, segments, &met);
    if (!code && met) code = consider(further, FURTHER_SHORTER, end);
  }
  return code;
}

/* Searching near the answer ---------------------------------------------------------------------------------------- */

/* Sets further->least to whether the answer is the cheapest of a few minima, all of which are found. SQP runs from
 * random controls that differ from the answer by as much as its own size. After N runs that have ended at W different
 * values of J, the number of minima is about W (N - 1)/(N - W - 2) (Boender and Rinnooy Kan 1987). All are taken to be
 * found if this is less than W + 1/2. All runs that miss the target count as one further value. Stops at a run with a
 * smaller J, of which the control is taken, or after as many evaluations as the first search. */
static int count_minima(Further *further, RefinedMotion *motion) {
  /* maximum number of different values of J that are counted */
  enum { FEW = 3 };
  const FurtherSearches *found = further->found;
  const double least = further->J;
  long most = found->evaluations + further->state->evaluations;
  double J[FEW] = {least};
  int W = 1, code = 0;
  for (long N = 1; !code && W <= FEW && !further->least && found->evaluations < most && !is_late(further); N++) {
    CtlRefined again;
    SimStatus status = ctl_refine_near(&motion->problem->control, &motion->evaluator, further->control, SIZES * (N - 1),
                                       refined_motion_stopped, motion, &again);
    bool met = status == SIM_OK, less = met && again.J < (1 - LESS) * least;
    int w = 0;
    while (w < W && !(met && fabs(again.J - J[w]) <= LESS * least)) w++;
    if (w == W && W < FEW) J[w] = met ? again.J : NAN;
    if (w == W) W++;
    code = take(further, motion, status, &again, less);
    if (code || less) break;
    further->looked = N;
    further->least = W <= FEW && N > W + 2 && (double)W * (double)(N - 1) < (W + 0.5) * (double)(N - W - 2);
  }
  return code;
}

/* Runs SQP from random controls near the best control so far. Each better result becomes the best control. Stops after
 * IN_VAIN failures in a row, or after as many evaluations as the first search. Runs that count_minima has made already
 * are skipped. The function helps if no force acts on some joints, which are then moved only by waves: there are many
 * minima close to each other. */
static int descend(Further *further, RefinedMotion *motion) {
  enum { IN_VAIN = 24 };
  const FurtherSearches *found = further->found;
  long most = found->evaluations + further->state->evaluations;
  int vain = 0, code = 0;
  for (long k = 0; !code && vain < IN_VAIN && found->evaluations < most && !is_late(further); k++) {
    CtlRefined next;
    vain++;
    if (k % SIZES == 0 && k / SIZES < further->looked) continue;
    SimStatus status = ctl_refine_near(&motion->problem->control, &motion->evaluator, further->control, k,
                                       refined_motion_stopped, motion, &next);
    bool better = status == SIM_OK && next.J < (1 - LESS) * further->J;
    if (better) {
      vain = 0;
      further->looked = 0;
    }
    code = take(further, motion, status, &next, better);
  }
  return code;
}

/* Calls `runs`, which runs SQP near the best control that meets the target. If this finds a cheaper control, considers
 * it as answer. */
static int look_near(Further *further, const char *purpose, int (*runs)(Further *further, RefinedMotion *motion)) {
  const CtlRefined *answer = &further->refinement->answer;
  Related related;
  RefinedMotion motion;
  further->J = effort_of(further);
  if (!isfinite(further->J) || is_late(further)) return 0;
  int code = open_motion(further, 0, purpose, &related, &motion);
  if (code) return code == EXIT_USAGE ? 0 : code;
  memcpy(further->control, answer->control ? answer->control : further->state->control,
         (size_t)related.problem.control.n * sizeof(double));
  code = runs(further, &motion);
  close_motion(&related, &motion);
  return code ? code : consider(further, FURTHER_BESIDE, 0);
}

/* Searching on the exact motion ------------------------------------------------------------------------------------ */

/* Returns whether a search on the exact motion takes about as long as the first search. It does if the first search
 * used the exact motion, or the problem is small and not stiff. */
static bool is_cheap(const SimProblem *sim) {
  return sim_force_in_pieces(sim) ||
         (sim->d <= EVENT_DOFS && sim_problem_segments(sim) <= EVENT_SEGMENTS * (double)sim->steps);
}

/* Returns whether refining on the exact motion (scheme `event`) has found no answer, or one far from the answer of the
 * search. */
static bool strays(const Further *further) {
  const Refinement *refinement = further->refinement;
  return is_on_grid(further) &&
         (!refinement_met(refinement) || refinement->answer.J > (1 + ELSEWHERE) * further->state->J);
}

static int take_event(Further *further) {
  bool met;
  int code = search(further, 0, 0, &met);
  return code || !met ? code : consider(further, FURTHER_EVENT, 0);
}

/* Returns whether further searches are made. This is only the case for small dense problems, after a search by the
 * method `auto` that ended because of its tolerance or because it made no progress. */
static bool is_wanted(const SearchRun *run, const CtlState *state) {
  const CtlProblem *control = &run->problem.control;
  bool ended = state->reason == CTL_REASON_TOLERANCE || state->reason == CTL_REASON_STALL;
  return ended && state->starts && !state->no_memory && !search_run_is_robust(run) &&
         ctl_problem_needs_derivatives(control) && control->refine != CTL_REFINE_NONE &&
         run->problem.storage == MODEL_DENSE && run->problem.sim.d <= DOFS && is_cheap(&run->problem.sim) &&
         run->problem.ranks_per_evaluation == 1;
}

int further_searches_run(SearchRun *run, const CtlState *state, double until, Refinement *refinement,
                         FurtherSearches *found) {
  const CtlProblem *control = &run->problem.control;
  Further further = {run, state, until, refinement, found, NULL, INFINITY, false, 0};
  bool waves = ctl_problem_is_underactuated(control);
  *found = (FurtherSearches){0};
  if (!is_wanted(run, state) || !(waves || strays(&further))) return 0;
  further.control = malloc((size_t)control->n * sizeof(double));
  if (!further.control) return diagnostics_no_memory(run->diagnostics);
  found->tried = true;
  int code = strays(&further) ? take_event(&further) : 0;
  if (!code && waves) code = look_near(&further, "around the answer", count_minima);
  if (further.least) waves = false;
  if (!code && waves) code = take_more_time(&further);
  if (!code && waves) code = take_less_time(&further);
  if (!code && waves) code = look_near(&further, "beside the answer", descend);
  progress_clear(&run->progress);
  free(further.control);
  return code == EXIT_INTERNAL ? diagnostics_no_memory(run->diagnostics) : code;
}

json_t *further_searches_json(const FurtherSearches *found) {
  static const char *const names[FURTHER_KINDS] = {"none", "event", "longer", "shorter", "beside", "nominal"};
  if (!found->tried) return NULL;
  json_t *json = json_pack("{s:s, s:I}", "taken", names[found->taken], "evaluations", (json_int_t)found->evaluations);
  if (found->from > 0) {
    json_object_set_new(json, "from", json_real(found->from));
    json_object_set_new(json, "end", json_real(found->end));
    json_object_set_new(json, "steps", json_integer(found->steps));
  }
  if (found->shorter > 0) json_object_set_new(json, "shorter", json_real(found->shorter));
  if (found->stopped) json_object_set_new(json, "reason", json_string("stopped on a signal twice"));
  return json;
}

void further_searches_print(const FurtherSearches *found) {
  if (found->taken == FURTHER_EVENT)
    printf("searched again on the motion itself, where the answer by steps leads to a dearer one\n");
  else if (found->taken == FURTHER_LONGER)
    printf("found with more time, time.end = %.6g, and from there back in %d steps\n", found->from, found->steps);
  else if (found->taken == FURTHER_SHORTER)
    printf("found with less time, time.end = %.6g: it waits first\n", found->shorter);
  else if (found->taken == FURTHER_BESIDE)
    printf("found beside another answer, from random changes of it\n");
  else if (found->taken == FURTHER_NOMINAL)
    printf(
        "found from the control for the file's own numbers, where the search had ended at one that misses by more\n");
}
