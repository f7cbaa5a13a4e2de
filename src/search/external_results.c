/* SPDX-License-Identifier: BSD-2-Clause */
#define _DEFAULT_SOURCE /* declares gethostname */
#include "src/search/search_ranks.h"

#include "control/base/clock.h"
#include "sim/version.h"
#include "src/base/formats.h"
#include "src/base/json_values.h"
#include "src/external/point.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

static bool is_met(const SearchRun *run, const CtlState *state) {
  return isfinite(state->best) && state->E1 <= run->problem.control.accept;
}

static bool has_constraints(const SearchRun *run) { return ctl_targets_alone(&run->problem.control) > 0; }

/* Returns the JSON object {name: number, ..}. */
static json_t *named(int n, char (*names)[LABEL_SIZE], const double *numbers) {
  json_t *object = json_object();
  for (int i = 0; i < n && object; i++) json_object_set_new(object, names[i], json_finite(numbers[i]));
  return object;
}

static json_t *outcome_json(const SearchRun *run, const CtlState *s) {
  const External *external = run->problem.external;
  return json_pack("{s:s, s:s, s:o, s:o, s:o, s:b, s:o, s:o}", "method",
                   stiction_method_name(ctl_problem_method(&run->problem.control)), "reason",
                   stiction_reason_text(s->reason), "f", json_finite(s->J), "P", json_finite(s->best), "E1",
                   json_finite(isfinite(s->best) ? s->E1 : NAN), "met", is_met(run, s), "variables",
                   named(external->n, external->variables, s->control), "values",
                   named(external->m, external->values, s->x));
}

/* Returns the numbers of failed points by the kind of failure, counted in the folders that were kept. The numbers are
 * left out if no folders are kept. */
static json_t *counts_json(const SearchRun *run, const CtlState *s, const char *points) {
  PointFailures f;
  point_failures_find(points, &f);
  bool keeps = run->problem.external->keep != EXTERNAL_KEEP_NONE;
  json_t *kept =
      !keeps ? NULL
             : json_pack("{s:I, s:I, s:I, s:I}", "exit_code", (json_int_t)f.exits, "signal", (json_int_t)f.signals,
                         "timeout", (json_int_t)f.timeouts, "output", (json_int_t)f.outputs);
  return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:o*}", "rounds", (json_int_t)s->rounds, "evaluations",
                   (json_int_t)s->evaluations, "ivps", (json_int_t)s->ivps, "cache_hits", (json_int_t)s->cache_hits,
                   "non_finite", (json_int_t)s->non_finite, "timed_out", (json_int_t)s->timed_out, "restarts",
                   (json_int_t)s->restarts, "failures_kept", kept);
}

int external_results_write(const SearchRun *run, const CtlState *state, const char *points) {
  const CtlTimes *t = &run->times;
  char host[256] = "";
  gethostname(host, sizeof host - 1);
  json_t *seconds = json_pack("{s:f, s:f, s:f, s:f, s:f}", "wall", ctl_seconds() - run->start, "ivps", t->ivps,
                              "evaluating", t->evaluating, "waiting", t->waiting, "coordinating", t->coordinating);
  json_t *root =
      json_pack("{s:i, s:o, s:s, s:s, s:i, s:o, s:o, s:o}", "format", FORMAT_SUMMARY, "problem",
                problem_echo(&run->problem), "version", STICTION_VERSION, "host", host, "ranks", run->ranks, "outcome",
                outcome_json(run, state), "counts", counts_json(run, state, points), "seconds", seconds);
  int failed = results_write_json(&run->results, "summary.json", root, 17);
  json_decref(root);
  return failed ? -1 : 0;
}

static void print_point(const SearchRun *run, const CtlState *s) {
  const External *external = run->problem.external;
  for (int i = 0; i < external->n; i++) printf("%s%s = %.10g", i ? "   " : "", external->variables[i], s->control[i]);
  printf("\n");
  for (int i = 0; i < external->m; i++) printf("%s%s: %.10g", i ? "   " : "", external->values[i], s->x[i]);
  printf("\n");
}

static void print(const SearchRun *run, const CtlState *s) {
  const char *outcome = !isfinite(s->best)      ? "no point could be evaluated"
                        : !has_constraints(run) ? "ended"
                        : is_met(run, s)        ? "constraints met"
                                                : "constraints not met";
  printf("%s (%s) after %ld %s: %ld evaluation%s, %ld run%s of the program, %ld restart%s\n", outcome,
         stiction_reason_text(s->reason), s->rounds,
         ctl_method_round(ctl_problem_method(&run->problem.control), s->rounds != 1), s->evaluations,
         s->evaluations == 1 ? "" : "s", s->ivps, s->ivps == 1 ? "" : "s", s->restarts, s->restarts == 1 ? "" : "s");
  if (isfinite(s->best)) {
    printf("f = %.10g", s->J);
    if (has_constraints(run)) printf("   E1 = %.2e (largest miss in its tolerance)", s->E1);
    printf("\n");
    print_point(run, s);
  }
  printf("%.2f s on %d rank%s\nresults in %s\n", run->times.wall, run->ranks, run->ranks == 1 ? "" : "s",
         run->results.directory);
}

/* Reports failed points. Their values count as infinite, so the search still ends normally if other points
 * succeeded. */
static int report_failures(const SearchRun *run, const CtlState *s, const char *points) {
  PointFailures first;
  point_failures_find(points, &first);
  if (*first.first)
    diagnostics_warn(run->diagnostics, "the first that failed: %s: %s%s%s", first.first, first.reason,
                     *first.errors ? "; its standard error ends: " : "", first.errors);
  const char *ending = s->non_finite == 1 ? "" : "s";
  if (!isfinite(s->best) || s->reason == CTL_REASON_FAILED)
    return diagnostics_error(run->diagnostics, EXIT_UNSOLVED,
                             "%ld run%s of the program failed, %ld of them for their time", s->non_finite, ending,
                             s->timed_out);
  diagnostics_warn(run->diagnostics, "%ld run%s of the program failed, %ld of them for their time", s->non_finite,
                   ending, s->timed_out);
  return is_met(run, s) ? EXIT_DONE : EXIT_NOT_MET;
}

int external_results_report(const SearchRun *run, const CtlState *s, const char *points) {
  if (s->no_memory)
    return diagnostics_error(run->diagnostics, EXIT_INTERNAL,
                             "out of memory or processes, or %s cannot be written; `stiction resume %s` goes on where "
                             "there are more",
                             points, run->results.directory);
  if (!run->options->quiet) print(run, s);
  if (s->method_errors)
    diagnostics_warn(run->diagnostics, "%ld run%s of local methods failed in NLopt or PETSc, or did not end there",
                     s->method_errors, s->method_errors == 1 ? "" : "s");
  if (s->non_finite) return report_failures(run, s, points);
  return is_met(run, s) ? EXIT_DONE : EXIT_NOT_MET;
}
