/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/figures/report.h"

#include "src/figures/figure_catalog.h"
#include "src/figures/html.h"
#include "src/figures/report_control.h"
#include "src/figures/report_fit.h"
#include "src/figures/report_meanings.h"
#include "src/figures/report_mechanism.h"
#include "src/figures/report_motion.h"
#include "src/figures/report_page.h"
#include "src/figures/report_plan.h"
#include "src/figures/report_problem.h"

#include <stdlib.h>
#include <string.h>

/* minimum number of starts of the search that must lead to the same answer for it to be called reliable */
enum { AGREEING_MIN = 3 };

static bool is_of_program(const RunResults *run) { return strcmp(run->kind, RUN_OF_PROGRAM) == 0; }

static void write_head(FILE *page, const RunResults *run) {
  const char *title = run->title && *run->title ? run->title : run->directory;
  report_page_begin(page, title);
  fputs("<p class=\"dim\">", page);
  html_text(page, run->kind);
  if (is_of_program(run)) {
    fputs("; stiction ", page);
    html_value(page, run_results_member(run, "version"));
    fputs("</p>\n", page);
    return;
  }
  fprintf(page, ", %d degree%s of freedom (dof); scheme ", run->d, run->d == 1 ? "" : "s");
  html_value(page, run_results_member(run, "problem.scheme.name"));
  fputs(", ", page);
  const json_t *steps = run_results_member(run, "problem.time.steps");
  html_value(page, steps);
  fputs(steps ? " steps of " : "steps of at most ", page);
  html_value(page, run_results_member(run, "problem.time.step"));
  fputs(" s; stiction ", page);
  html_value(page, run_results_member(run, "version"));
  fputs("</p>\n", page);
}

/* Writes the end of a sentence about a stopped run: how to resume it. */
static void write_resume(FILE *page, const RunResults *run) {
  fputs("; <code>stiction resume ", page);
  html_text(page, run->directory);
  fputs("</code> goes on.", page);
}

/* Writes a sentence about how a simulation ended. */
static void write_end(FILE *page, const RunResults *run) {
  const Table *trajectory = &run->trajectory;
  if (!run_results_stopped(run)) {
    const json_t *failure = run_results_member(run, "outcome.failure");
    bool failed = run_results_member(run, "outcome.reason");
    fputs(failed ? "The simulation failed and ends early" : "The motion has been simulated to its end", page);
    if (failure) fputs(": ", page);
    html_value(page, failure);
    fputs(".", page);
    return;
  }
  fputs("The simulation was stopped on a signal", page);
  if (trajectory->rows > 0)
    fprintf(page, "; its results end at t = %g s",
            table_at(trajectory, trajectory->rows - 1, table_find(trajectory, "t")));
  write_resume(page, run);
}

/* Writes a sentence with E1 and E2, the distances from the target, of the exact motion, or why they are not known.
 * Writes nothing if the run has neither. */
static void write_exact(FILE *page, const RunResults *run) {
  const json_t *E1 = run_results_member(run, "outcome.exact.E1"), *E2 = run_results_member(run, "outcome.exact.E2"),
               *reason = run_results_member(run, "outcome.exact.reason");
  if (!E1) E1 = run_results_member(run, "verify.exact.E1"), E2 = run_results_member(run, "verify.exact.E2");
  if (E1) {
    fputs(". <strong>The motion itself</strong>: E1 = ", page);
    html_value(page, E1);
    fputs(", E2 = ", page);
    html_value(page, E2);
  } else if (reason) {
    fputs(". <strong>The motion itself</strong> is not known: ", page);
    html_value(page, reason);
  }
}

/* Writes the effort J and the distances E1 and E2 from the target that a member of summary.json has, e.g.
 * "outcome.refined". */
static void write_misses_of(FILE *page, const RunResults *run, const char *member) {
  static const char *const names[] = {"J", "E1", "E2"};
  char path[40];
  for (int k = 0; k < 3; k++) {
    fprintf(page, "%s%s = ", k ? ", " : "", names[k]);
    snprintf(path, sizeof path, "%s.%s", member, names[k]);
    html_value(page, run_results_member(run, path));
  }
}

/* Writes a sentence that gives the reason why there is no refined answer. */
static void write_unrefined(FILE *page, const RunResults *run) {
  const json_t *reason = run_results_member(run, "outcome.refined.reason");
  if (!reason || run_results_member(run, "outcome.refined.u")) return;
  fputs(". <strong>Not refined</strong>: ", page);
  html_value(page, reason);
}

/* Writes a table of the members of an object. section: name of the object in summary.json, by which report_meaning
 * explains the members; "": none is explained. */
static void write_table(FILE *page, const char *heading, const char *section, const json_t *object) {
  if (!object) return;
  fprintf(page, "<section><h2>%s</h2><div class=\"scroll\"><table><tbody>\n", heading);
  html_rows(page, object, "", report_meaning, section);
  fputs("</tbody></table></div></section>\n", page);
}

/* Writes the method of a search, its number of evaluations and its time. */
static void write_spent(FILE *page, const RunResults *run) {
  const json_t *method = run_results_member(run, "outcome.method"),
               *evaluations = run_results_member(run, "counts.evaluations"),
               *wall = run_results_member(run, "seconds.wall");
  fputs(", by the method ", page);
  html_value(page, method);
  fputs(", after ", page);
  html_value(page, evaluations);
  fprintf(page, " evaluations and %.3g s", json_number_value(wall));
}

/* Returns the optimality conditions at the refined control or, without one, at the control that the search itself
 * found. */
static json_t *optimality_of(const RunResults *run) {
  json_t *refined = run_results_member(run, "outcome.refined.optimality");
  return refined ? refined : run_results_member(run, "outcome.optimality");
}

/* Writes the results of the refined control. The control itself and its optimality conditions are left out, as they
 * have tables of their own. */
static void write_refined(FILE *page, const RunResults *run) {
  json_t *refined = json_copy(run_results_member(run, "outcome.refined"));
  json_object_del(refined, "u");
  json_object_del(refined, "optimality");
  write_table(page, "Refined", "refined", refined);
  json_decref(refined);
}

/* Writes how the answer of a search compares with others: with the answers from other starts, with nearby controls, and
 * with a lower bound. */
static void write_confidence(FILE *page, const RunResults *run) {
  const json_t *runs = run_results_member(run, "outcome.starts.runs"),
               *reached = run_results_member(run, "outcome.starts.reached"),
               *minimum = json_object_get(optimality_of(run), "local_minimum"),
               *bound = run_results_member(run, "outcome.bound.lower_bound"),
               *unproven = run_results_member(run, "outcome.unproven"),
               *advice = run_results_member(run, "outcome.advice");
  if (!runs && !minimum && !bound) return;
  fputs("<ul>\n", page);
  if (runs) {
    fprintf(page, "<li><strong>Starts that led to this answer</strong>: %ld of %ld", (long)json_integer_value(reached),
            (long)json_integer_value(runs));
    if (json_integer_value(reached) < AGREEING_MIN && json_integer_value(runs) > 1)
      fputs("; more starts (search.local_starts) may find a better one", page);
    fputs("</li>\n", page);
  }
  if (minimum) {
    fputs("<li><strong>Local minimum</strong>: ", page);
    html_value(page, minimum);
    if (unproven) {
      fputs(": ", page);
      html_value(page, unproven);
    } else if (advice) {
      fputs(": a control beside this one costs less. ", page);
      html_value(page, advice);
    }
    fputs("</li>\n", page);
  }
  if (bound)
    fprintf(page, "<li><strong>Lower bound of J for any control</strong>: %.6g (gap: %.3g %% of J)</li>\n",
            json_number_value(bound), 100 * json_number_value(run_results_member(run, "outcome.bound.gap")));
  fputs("</ul>\n", page);
}

/* Writes how a search ended, as the second part of a sentence. */
static void write_ending(FILE *page, const RunResults *run) {
  if (run_results_stopped(run)) {
    fputs("was stopped on a signal", page);
    write_resume(page, run);
  } else {
    fputs("ended by: ", page);
    html_value(page, run_results_member(run, "outcome.reason"));
    write_spent(page, run);
    fputs(".", page);
  }
}

/* Returns whether the external program has constraints, i.e. values with a target. */
static bool has_constraints(const RunResults *run) {
  const json_t *values = run_results_member(run, "problem.evaluator.values"), *value;
  size_t i;
  json_array_foreach(values, i, value) if (json_object_get(value, "target")) return true;
  return false;
}

/* Writes the result of an external program's search: a sentence and two tables. */
static void write_found(FILE *page, const RunResults *run) {
  bool met = json_is_true(run_results_member(run, "outcome.met"));
  const char *outcome = !has_constraints(run) ? "Ended" : met ? "Constraints met" : "Constraints not met";
  fprintf(page, "<h2>Outcome</h2>\n<p><strong>%s</strong>; the search ", outcome);
  write_ending(page, run);
  fputs(" f = ", page);
  html_value(page, run_results_member(run, "outcome.f"));
  fputs("</p>\n<div class=\"tables\">\n", page);
  write_table(page, "Variables", "", run_results_member(run, "outcome.variables"));
  write_table(page, "Values", "", run_results_member(run, "outcome.values"));
  fputs("</div>\n", page);
}

/* Writes whether the search met its target. If the objective is a statistic of scenarios, writes whether the search
 * converged. */
static void write_verdict(FILE *page, const RunResults *run) {
  double accept = json_number_value(run_results_member(run, "problem.search.accept"));
  const json_t *E1 = run_results_member(run, "outcome.E1"), *E2 = run_results_member(run, "outcome.E2"),
               *reason = run_results_member(run, "outcome.reason");
  bool met =
      json_is_number(E1) && json_is_number(E2) && json_number_value(E1) <= accept && json_number_value(E2) <= accept;
  const char *ended = json_is_string(reason) ? json_string_value(reason) : "";
  if (run_results_member(run, "outcome.objective")) {
    bool converged = strcmp(ended, "tolerance") == 0 || strcmp(ended, "stop_at") == 0;
    fprintf(page, "<strong>%s</strong>", converged ? "Converged" : "Not converged");
  } else if (!met && run_results_member(run, "outcome.refined.J"))
    fprintf(page, "<strong>Target met</strong> to %.3g by the refined answer, not by the search's own", accept);
  else
    fprintf(page, "<strong>Target %s</strong> to %.3g", met ? "met" : "not met", accept);
}

/* Writes the outcome as a sentence, and then how reliable it is. */
static void write_outcome(FILE *page, const RunResults *run) {
  if (is_of_program(run)) {
    write_found(page, run);
    return;
  }
  json_t *cost = run_results_member(run, "outcome.J"), *objective = run_results_member(run, "outcome.objective");
  fputs("<h2>Outcome</h2>\n<p>", page);
  if (run_results_member(run, "counts.rounds")) {
    if (!report_has_plan(run)) write_verdict(page, run);
    fputs(report_has_plan(run) ? "The search " : "; the search ", page);
    write_ending(page, run);
  } else {
    write_end(page, run);
  }
  if (report_has_plan(run)) {
    report_plan_outcome(page, run);
  } else if (cost) {
    bool refined = run_results_member(run, "outcome.refined.u");
    if (refined) {
      fputs(" <strong>Refined</strong> by ", page);
      html_value(page, run_results_member(run, "outcome.refined.motion"));
      fputs(": ", page);
      write_misses_of(page, run, "outcome.refined");
      fputs(".</p>\n<p>Before, the search's own answer on its grid:", page);
    }
    fputs(" ", page);
    write_misses_of(page, run, "outcome");
    if (objective) fputs(" over the scenarios: ", page);
    html_value(page, objective);
    write_exact(page, run);
    write_unrefined(page, run);
    fputs(".</p>\n<p class=\"dim\">J is the effort, the integral of N u.u over time. E1 is the largest error of a "
          "position at T, E2 of a velocity. Each is divided by the "
          "largest entry of its target, if that is above 1, or by control.target.scale; along a string norms take the "
          "place of largest entries.",
          page);
  }
  fputs("</p>\n", page);
  report_fit_verdict(page, run);
  write_confidence(page, run);
  report_motion_facts(page, run);
}

static void write_row(FILE *page, const char *name, const json_t *value) {
  fprintf(page, "<tr><th>%s</th>", name);
  html_cell(page, value);
  fputs("</tr>\n", page);
}

/* Writes the distribution of the misses, i.e. of the distances from the target in the scenarios. */
static void write_misses(FILE *page, const RunResults *run) {
  const json_t *quantiles = run_results_member(run, "outcome.scenarios.miss.quantiles");
  if (!quantiles) return;
  fprintf(page, "<section><h2>Scenarios, %s</h2><div class=\"scroll\"><table><tbody>\n",
          report_has_plan(run) ? "largest miss of a condition over max(1, |target|)" : "E1 + E2");
  write_row(page, "scenarios", run_results_member(run, "outcome.scenarios.count"));
  write_row(page, "without an end", run_results_member(run, "outcome.scenarios.failed"));
  write_row(page, "half are below", json_object_get(quantiles, "0.5"));
  write_row(page, "95 % are below", json_object_get(quantiles, "0.95"));
  write_row(page, "the worst", run_results_member(run, "outcome.scenarios.miss.worst.miss"));
  write_row(page, "its row in scenarios.csv", run_results_member(run, "outcome.scenarios.miss.worst.scenario"));
  write_row(page, "the file's own numbers", run_results_member(run, "outcome.scenarios.miss.nominal"));
  fputs("</tbody></table></div></section>\n", page);
}

/* Writes a table with one row per varied number. It shows how much the width of the number's interval changes E1 + E2,
 * the sum of the distances of position and velocity from the target. */
static void write_influences(FILE *page, const RunResults *run) {
  const json_t *keys = run_results_member(run, "outcome.scenarios.keys"), *key;
  size_t i;
  if (!keys || !run_results_member(run, "outcome.scenarios.miss")) return;
  fputs("<section><h2>What moves the end, E1 + E2</h2><div class=\"scroll\"><table>\n<thead><tr><th>key</th>"
        "<th class=\"n\">width</th><th class=\"n\">by derivatives</th><th class=\"n\">by the scenarios</th></tr>"
        "</thead>\n<tbody>\n",
        page);
  json_array_foreach(keys, i, key) {
    fputs("<tr><th>", page);
    html_value(page, json_object_get(key, "key"));
    fputs("</th>", page);
    html_cell(page, json_object_get(key, "width"));
    html_cell(page, json_object_get(json_object_get(key, "derivative"), "miss"));
    html_cell(page, json_object_get(json_object_get(key, "sampled"), "miss"));
    fputs("</tr>\n", page);
  }
  fputs("</tbody></table></div></section>\n", page);
}

/* Writes on the page which figures are missing, and reports them as warnings. */
static void write_gaps(FILE *page, const RunResults *run) {
  FigureGap gaps[FIGURE_GAPS_MAX];
  int n = figures_missing(run, gaps);
  for (int k = 0; k < n; k++) {
    diagnostics_warn(run->diagnostics, "%s has no %s: not drawn: %s", run->directory, gaps[k].file, gaps[k].lost);
    fprintf(page, "<p><strong>There is no %s</strong>: not drawn: %s.</p>\n", gaps[k].file, gaps[k].lost);
  }
}

static int write_figures(FILE *page, const RunResults *run) {
  Figure figures[FIGURES_MAX];
  int n = figure_catalog(run, 1, NULL, figures);
  if (n < 0) return EXIT_USAGE;
  fputs("<h2>Figures</h2>\n", page);
  write_gaps(page, run);
  fputs("<div class=\"figures\">\n", page);
  report_mechanism(page, run);
  int code = report_page_figures(page, figures, n, run->diagnostics);
  fputs("</div>\n", page);
  return code;
}

int report_write(FILE *page, const RunResults *run) {
  write_head(page, run);
  write_outcome(page, run);
  report_fit_tables(page, run);
  int code = write_figures(page, run);
  fputs("<div class=\"tables\">\n", page);
  report_control(page, run);
  report_plan_quantities(page, run);
  report_motion_state(page, run);
  report_motion_range(page, run);
  write_misses(page, run);
  write_influences(page, run);
  char energy[sizeof run->labels.energy + 24];
  snprintf(energy, sizeof energy, "Energy%s, %s", run->refined ? " on the grid" : "", run->labels.energy);
  write_refined(page, run);
  write_table(page, energy, "energy", run_results_member(run, "energy"));
  write_table(page,
              run_results_member(run, "outcome.refined.u") ? "The motion itself, by the grid's u" : "The motion itself",
              "exact", run_results_member(run, "outcome.exact"));
  write_table(page, "How near to a least effort", "optimality", optimality_of(run));
  write_table(page, "Lower bound of J for any control", "bound", run_results_member(run, "outcome.bound"));
  write_table(page, "Proof of the least effort", "", run_results_member(run, "outcome.certificate"));
  write_table(page, "Off the motion itself", "", run_results_member(run, "verify"));
  write_table(page, "Counts", "counts", run_results_member(run, "counts"));
  write_table(page, "Seconds", "seconds", run_results_member(run, "seconds"));
  fputs("</div>\n", page);
  report_problem(page, "Problem", run_results_member(run, "problem"));
  report_page_end(page);
  return code;
}
