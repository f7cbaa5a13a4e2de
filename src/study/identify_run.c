/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/study/study.h"

#include "control/base/clock.h"
#include "sim/group.h"
#include "src/base/progress.h"
#include "src/file/model/model.h"
#include "src/process/interruption.h"
#include "src/process/process.h"
#include "src/run/rollout_context.h"
#include "src/study/evaluation.h"
#include "src/study/fit_outcome.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct IdentifyRun {
  const Options *options;
  Diagnostics *diagnostics; /* receives errors; on all ranks but the first they are dropped */
  Problem problem;          /* the problem in the file */
  Evaluation evaluation;
  Results results;
  double *points, *sums; /* points: [starts][n] starting points, and later the end points; sums: [starts] sums of
                          * squares; both in one block of memory */
  double begun;
} IdentifyRun;

enum { STEPS_FINER = 10 }; /* factor by which a warning advises to shorten the step */

/* Numbers of motions, summed over all ranks. */
typedef struct MotionCounts {
  long simulations, too_long;
} MotionCounts;

/* Reports that the section identify is missing, at the place in the file where it should be. */
static int refuse_without_section(const IdentifyRun *run) {
  const Options *options = run->options;
  Document *document = document_open(options->argument, options->settings, options->n_settings, run->diagnostics);
  if (document)
    document_error(document, run->diagnostics, "identify",
                   "missing (expected what to identify, and a section measured)");
  document_destroy(document);
  return EXIT_USAGE;
}

static int read_file(IdentifyRun *run) {
  const ModelRanks alone = {.copies = 1, .limits = run->options->limits};
  int code = problem_read(run->options, false, &alone, run->diagnostics, &run->problem);
  if (!code) code = identification_check(run->problem.identification, run->diagnostics);
  if (code) return code;
  return run->problem.identification ? evaluation_open_identification(&run->evaluation, &run->problem, run->diagnostics)
                                     : refuse_without_section(run);
}

/* Reads the file on all ranks and starts PETSc if it is needed. Rank 0 reports errors, creates the results directory,
 * and checks the free space of the disk. */
static int prepare(IdentifyRun *run) {
  const Options *options = run->options;
  const SimGroup *all = process_group();
  int code = read_file(run);
  int worst = sim_group_agree(all, code);
  if (worst && !code && process_rank() == 0)
    diagnostics_error(run->diagnostics, worst, "another rank cannot read %s, or what it measured", options->argument);
  if (worst) return worst;
  code = process_start_petsc(NULL, run->diagnostics);
  if (!code && process_rank() == 0)
    code = results_create(&run->results, options->output, options->argument, options->force);
  if (!code && process_rank() == 0) code = trajectory_check_room(&run->results, &run->problem);
  code = sim_group_agree(all, code);
  const Identification *id = run->evaluation.id;
  run->points = calloc((size_t)id->starts * ((size_t)id->n + 1), sizeof *run->points);
  if (run->points) run->sums = run->points + id->starts * id->n;
  if (!code && sim_group_agree(all, !run->points)) code = diagnostics_no_memory(run->diagnostics);
  return code;
}

/* Solves the least-squares problem from all starts, each of them on one rank. All ranks receive the end points and the
 * sums of squares. */
static int solve_all(IdentifyRun *run) {
  const Identification *id = run->evaluation.id;
  Progress progress = {.stream = process_rank() == 0 ? run->options->progress_line : NULL};
  int ranks = process_ranks(), code = 0;
  for (long k = 0; k < id->starts; k++) {
    const CtlFit fit = evaluation_fit(&run->evaluation);
    double *p = run->points + k * id->n;
    CtlFitEnd end = {.sum = 0};
    SimStatus status = k % ranks == process_rank() ? ctl_fit_solve(&fit, p, &end) : SIM_OK;
    /* end points of other ranks must be 0 here, since the arrays of all ranks are added */
    if (k % ranks != process_rank()) memset(p, 0, (size_t)id->n * sizeof *p);
    run->sums[k] = end.sum;
    if (status == SIM_NO_MEMORY || run->evaluation.no_memory) code = EXIT_INTERNAL;
    progress_draw(&progress, "start %ld of %ld", k + 1, id->starts);
  }
  progress_clear(&progress);
  if (sim_group_agree(process_group(), code)) return diagnostics_no_memory(run->diagnostics);
  sim_group_sum(process_group(), run->points, (int)(id->starts * (id->n + 1)));
  return 0;
}

/* Writes the motion for the values found, and the summary. Sets *solved to whether the motion has succeeded; a failure
 * is reported. */
static int write_motion(IdentifyRun *run, const FitOutcome *outcome, Problem *found, bool *solved) {
  Summary summary = {.problem = found, .ranks = process_ranks(), .identification = fit_outcome_json(outcome)};
  char why[MOTION_FAILURE_SIZE];
  int code = rollout_context_write(&run->results, &summary, run->begun, why);
  *solved = !*why;
  if (*why) diagnostics_error(run->diagnostics, EXIT_UNSOLVED, "the motion with the values found: %s", why);
  json_decref(summary.identification);
  return code;
}

/* Computes the statistics of the values found, and writes all files. */
static int write_results(IdentifyRun *run, FitOutcome *outcome, bool *solved) {
  Problem found;
  if (!evaluation_problem(&run->evaluation, outcome->p, &found, NULL)) return diagnostics_no_memory(run->diagnostics);
  int code = fit_outcome_find(&run->evaluation, &found, outcome, run->diagnostics);
  if (!code) code = write_motion(run, outcome, &found, solved);
  if (!code) code = fit_outcome_write(outcome, &run->results);
  if (!code) code = identified_file_write(run->options, outcome, &found, &run->results);
  problem_clear(&found);
  return code;
}

/* Warns about motions that exceeded the limit of work. */
static void warn_of_too_long(const IdentifyRun *run, const MotionCounts *counts) {
  long n = counts->too_long;
  if (n)
    diagnostics_warn(run->diagnostics,
                     "%ld motion%s of %ld took more work than --max-segments %.6g, and count%s as failed (a larger "
                     "--max-segments allows more)",
                     n, n == 1 ? "" : "s", counts->simulations, interruption_limited_to(), n == 1 ? "s" : "");
}

/* Reports that the motion of no start could be compared with the measured one. */
static int tell_none(const IdentifyRun *run, const MotionCounts *counts) {
  static const char none[] = "no start has a motion that could be compared";
  if (!counts->too_long) return diagnostics_error(run->diagnostics, EXIT_UNSOLVED, "%s", none);
  return diagnostics_error(
      run->diagnostics, EXIT_UNSOLVED,
      "%s: %ld of %ld took more work than --max-segments %.6g (what is stiff by `event` is for a scheme "
      "with steps, as moreau; a larger --max-segments allows more)",
      none, counts->too_long, counts->simulations, interruption_limited_to());
}

/* Warns that the model does not fit the data, with possible causes. */
static void warn_of_fit(const IdentifyRun *run, const FitOutcome *outcome) {
  const SimProblem *sim = &run->problem.sim;
  char steps[160] = "";
  if (!sim_scheme_by_events(sim->scheme))
    snprintf(steps, sizeof steps, ", the steps of %g s by %s are too long (see whether %s fits)", sim->step,
             sim_scheme_name(sim->scheme),
             outcome->bias.reference == FIT_BY_EVENT ? "--set 'scheme={name: event}'" : "a smaller time.step");
  diagnostics_warn(run->diagnostics,
                   "THE MODEL DOES NOT FIT: it stays %.3g times as far from what was measured as the deviations given "
                   "allow. It lacks something (a term of friction, damping, a spring)%s, or the deviations are too "
                   "small. Until that is found, do not rely on the values, and the errors behind +- are too small",
                   outcome->statistics.deviation, steps);
}

/* Warns that errors of time steps move a parameter by more than its standard error, with advice on what to do. */
static void warn_of_steps(const IdentifyRun *run, const FitOutcome *outcome) {
  const FitBias *bias = &outcome->bias;
  const SimProblem *sim = &run->problem.sim;
  int k = bias->worst;
  bool event = bias->reference == FIT_BY_EVENT;
  diagnostics_warn(
      run->diagnostics,
      "THE TIME STEPS MOVE THE VALUES: of %s about %.2g, %.3g times its standard error, is due to the steps of %g s by "
      "%s (a first-order estimate by a motion %s at these values: if they are far from those without errors of the "
      "steps, the difference can be many times as large). Identify again by %ssmaller steps, --set time.step=%g, and "
      "compare the values",
      run->evaluation.id->parameters[k].path, bias->parameters[k], bias->errors, sim->step,
      sim_scheme_name(sim->scheme), event ? "without steps, by event" : "with half the step",
      event ? "--set 'scheme={name: event}', or with " : "", sim->step / STEPS_FINER);
}

static int print_answer(const IdentifyRun *run, const FitOutcome *outcome) {
  if (!run->options->quiet) {
    fit_outcome_print(outcome, stdout);
    printf("%ld simulation%s, %.2f s on %d rank%s\nresults in %s\n", outcome->simulations,
           outcome->simulations == 1 ? "" : "s", ctl_seconds() - run->begun, process_ranks(),
           process_ranks() == 1 ? "" : "s", run->results.directory);
  }
  if (outcome->statistics.undetermined)
    diagnostics_warn(run->diagnostics, "%d combination%s of the parameters cannot be determined from the data",
                     outcome->statistics.undetermined, outcome->statistics.undetermined == 1 ? "" : "s");
  if (!fit_outcome_fits(outcome)) warn_of_fit(run, outcome);
  if (fit_bias_matters(&outcome->bias)) warn_of_steps(run, outcome);
  if (fit_outcome_converged(outcome)) return 0;
  return diagnostics_error(run->diagnostics, EXIT_NOT_MET,
                           "least squares ended %.2g standard errors from where derivatives have the least sum",
                           outcome->statistics.offset);
}

/* Writes and prints the result of the best start, on rank 0. */
static int conclude(IdentifyRun *run, const MotionCounts *counts) {
  static FitOutcome outcome;
  const Identification *id = run->evaluation.id;
  outcome = (FitOutcome){.labels = &run->problem.labels,
                         .kind = run->problem.kind->name,
                         .starts = id->starts,
                         .sums = run->sums,
                         .simulations = counts->simulations};
  for (long k = 1; k < id->starts; k++)
    if (run->sums[k] < run->sums[outcome.best_start]) outcome.best_start = k;
  if (!isfinite(run->sums[outcome.best_start])) return tell_none(run, counts);
  warn_of_too_long(run, counts);
  memcpy(outcome.p, run->points + outcome.best_start * id->n, (size_t)id->n * sizeof *outcome.p);
  bool solved = false;
  int code = write_results(run, &outcome, &solved);
  if (!code) code = print_answer(run, &outcome);
  if ((!code || code == EXIT_NOT_MET) && !solved) code = EXIT_UNSOLVED;
  fit_outcome_clear(&outcome);
  return code;
}

int identify_run(const Options *options, Diagnostics *diagnostics) {
  Diagnostics unheard = {0};
  bool first = process_rank() == 0;
  IdentifyRun run = {.options = options, .diagnostics = first ? diagnostics : &unheard, .begun = ctl_seconds()};
  run.results.diagnostics = run.diagnostics;
  int code = prepare(&run);
  if (!code) code = fit_starts_find(&run.evaluation, run.points, run.diagnostics);
  if (!code) code = solve_all(&run);
  double counted[] = {(double)run.evaluation.simulations, (double)run.evaluation.too_long};
  if (!code) sim_group_sum(process_group(), counted, 2);
  const MotionCounts counts = {(long)counted[0], (long)counted[1]};
  if (!code && first) code = conclude(&run, &counts);
  sim_group_share(process_group(), &code, sizeof code);
  free(run.points);
  evaluation_close(&run.evaluation);
  if (run.problem.kind) problem_clear(&run.problem);
  diagnostics_clear(&unheard);
  return code;
}
