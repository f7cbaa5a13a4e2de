/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/figures/report_motion.h"

#include "src/figures/html.h"
#include "src/results/slips_file.h"

#include <math.h>
#include <string.h>

enum {
  DOFS_MAX = 64,
  NAMED_MAX = 8
}; /* DOFS_MAX: maximum number of dofs with a row in a table. NAMED_MAX: maximum number of dofs named in a sentence */

static void write_name(FILE *page, const RunResults *run, int dof) {
  char name[LABEL_SIZE];
  html_text(page, labels_name(&run->labels, dof, name));
}

static const char *plural(long n) { return n == 1 ? "" : "s"; }

/* Writes the longest slip of all dofs. */
static void write_longest_slip(FILE *page, const RunResults *run) {
  const Table *events = &run->events;
  int dof = table_find(events, "dof"), from = table_find(events, "from"), to = table_find(events, "to"),
      in = table_find(events, "state");
  double longest = 0;
  long at = 0;
  for (long k = 0; k < events->rows; k++) {
    double state = table_at(events, k, in), length = table_at(events, k, to) - table_at(events, k, from);
    if ((state != STATE_SLIP_BACK && state != STATE_SLIP_ON) || length <= longest) continue;
    longest = length;
    at = k;
  }
  if (longest == 0) return;
  fprintf(page, "<li><strong>Longest slip</strong>: %.6g s from t = %.6g s, dof ", longest, table_at(events, at, from));
  write_name(page, run, (int)table_at(events, at, dof));
  fputs("</li>\n", page);
}

/* Returns the end of the last interval in the table of events, in s. */
static double last_time(const RunResults *run) {
  const Table *events = &run->events;
  double last = 0;
  for (long k = 0; k < events->rows; k++) last = fmax(last, table_at(events, k, table_find(events, "to")));
  return last;
}

/* Writes how often dofs change between stick and slip, how long each dof with friction sticks (only the mean if there
 * are many dofs), and the longest slip. */
static void write_intervals(FILE *page, const RunResults *run) {
  long changes = 0, with_friction = 0, times;
  double total = 0;
  for (int dof = 1; dof <= run->d; dof++) {
    long n = run_results_friction_intervals(run, dof);
    if (n == 0) continue;
    with_friction++;
    changes += n - 1;
    total += run_results_time_in(run, dof, STATE_STICK, &times);
  }
  if (with_friction == 0) return;
  fprintf(page,
          "<li><strong>Changes between stick and slip</strong>: %ld</li>\n<li><strong>Time stuck</strong>, of %.6g s: ",
          changes, last_time(run));
  if (with_friction > NAMED_MAX)
    fprintf(page, "%.6g s on average (each dof: table below)", total / (double)with_friction);
  const char *comma = "";
  for (int dof = 1; dof <= run->d && with_friction <= NAMED_MAX; dof++) {
    if (run_results_friction_intervals(run, dof) == 0) continue;
    double stuck = run_results_time_in(run, dof, STATE_STICK, &times);
    fprintf(page, "%sdof ", comma);
    write_name(page, run, dof);
    fprintf(page, ": %.6g s", stuck);
    if (times > 1) fprintf(page, " (%ld times)", times);
    comma = ", ";
  }
  fputs("</li>\n", page);
  write_longest_slip(page, run);
}

/* Writes the mean fraction of dofs in stick, from counts at each step. */
static void write_counts(FILE *page, const RunResults *run) {
  const Table *events = &run->events;
  int stick = table_find(events, "stick"), on = table_find(events, "slip+"), back = table_find(events, "slip-");
  double stuck = 0, all = 0;
  for (long k = 0; k < events->rows; k++) {
    stuck += table_at(events, k, stick);
    all += table_at(events, k, stick) + table_at(events, k, on) + table_at(events, k, back);
  }
  if (all > 0)
    fprintf(page, "<li><strong>Stuck</strong>: %.3g %% of the dofs with friction, averaged over time</li>\n",
            100 * stuck / all);
}

/* Writes the number of slips of all dofs, and the largest of them. In a chain, simultaneous slips of neighbours form
 * one event. */
static void write_slips(FILE *page, const RunResults *run) {
  const Table *slips = &run->slips, *sizes = &run->sizes;
  if (slips->columns == 0) return;
  bool events = slips->columns > SLIP_EVENT;
  long n = slips->rows + slips->left_out;
  fprintf(page, "<li><strong>Slips</strong>: %ld", n);
  if (sizes->rows > 0) {
    double largest = table_at(sizes, sizes->rows - 1, 0);
    if (events) fprintf(page, " in %ld event%s", (long)table_at(sizes, 0, 1), plural((long)table_at(sizes, 0, 1)));
    fprintf(page, events ? "; largest event: %.6g %s, summed over its slips" : "; largest: %.6g %s", largest,
            run->labels.position);
  }
  fputs("</li>\n", page);
}

/* Writes the number of impacts on stops, and the largest energy that impacts dissipated between two rows of
 * energy.csv. */
static void write_impacts(FILE *page, const RunResults *run) {
  const json_t *impacts = run_results_member(run, "counts.impacts"),
               *settled = run_results_member(run, "counts.settled");
  const Table *energy = &run->energy;
  int taken = table_find(energy, "impacts"), t = table_find(energy, "t");
  if (!impacts || run->refined)
    return; /* the impacts were counted on the search's motion, not on the refined one that the report describes */
  fputs("<li><strong>Impacts on stops</strong>: ", page);
  html_value(page, impacts);
  if (json_integer_value(settled) > 0)
    fprintf(page, " (sequences of bounces that came to rest: %ld)", (long)json_integer_value(settled));
  double most = 0;
  long at = 0;
  for (long k = 1; taken >= 0 && k < energy->rows; k++) {
    double loss = table_at(energy, k, taken) - table_at(energy, k - 1, taken);
    if (loss > most) most = loss, at = k;
  }
  if (most > 0)
    fprintf(page, "; largest loss from one row of energy.csv to the next: %.6g %s at t = %.6g s", most,
            run->labels.energy, table_at(energy, at, t));
  fputs("</li>\n", page);
}

/* Writes the energy balance at the last time. The work of moving surfaces and the loss by impacts are included if they
 * are not 0. */
static void write_energy(FILE *page, const RunResults *run) {
  static const struct {
    const char *name, *sign;
    bool always;
  } terms[] = {{"work", "", true},          {"surface", " + ", false}, {"stored", " = ", true},
               {"dissipated", " + ", true}, {"impacts", " + ", false}, {"numerical", " + ", true}};
  const Table *energy = &run->energy;
  long last = energy->rows - 1;
  if (last < 0 || !isfinite(table_at(energy, last, table_find(energy, "work")))) return;
  fprintf(page, "<li><strong>Energy balance</strong>, %s: ", run->labels.energy);
  for (size_t k = 0; k < sizeof terms / sizeof *terms; k++) {
    int column = table_find(energy, terms[k].name);
    double value = column >= 0 ? table_at(energy, last, column) : 0;
    if (terms[k].always || value != 0) fprintf(page, "%s%s %.6g", terms[k].sign, terms[k].name, value);
  }
  fprintf(page, "; closing error %.2g", table_at(energy, last, table_find(energy, "closure")));
  bool open = !run->refined && json_is_false(run_results_member(run, "energy.closes"));
  fputs(open ? " <strong>The balance does not close.</strong></li>\n" : "</li>\n", page);
}

void report_motion_facts(FILE *page, const RunResults *run) {
  fputs("<ul>\n", page);
  if (run->events.columns) (run->intervals ? write_intervals : write_counts)(page, run);
  write_slips(page, run);
  write_impacts(page, run);
  write_energy(page, run);
  fputs("</ul>\n", page);
}

static void write_entry(FILE *page, const json_t *column, int dof) {
  html_cell(page, json_array_get(column, (size_t)dof - 1));
}

/* Writes entry dof of x(T) or v(T) of the motion that the figures show. column: the list in summary.json. */
static void write_end_of(FILE *page, const RunResults *run, const json_t *column, const char *symbol, int dof) {
  const Table *motion = &run->trajectory;
  char name[TABLE_NAME_SIZE];
  snprintf(name, sizeof name, "%s%d", symbol, dof);
  int at = run->refined ? table_find(motion, name) : -1;
  json_t *shown = at >= 0 && motion->rows > 0 ? json_real(table_at(motion, motion->rows - 1, at)) : NULL;
  if (shown)
    html_cell(page, shown);
  else
    write_entry(page, column, dof);
  json_decref(shown);
}

/* Ends a table with one row per dof. */
static void write_table_end(FILE *page, const RunResults *run) {
  fputs("</tbody></table></div>", page);
  if (run->d > DOFS_MAX) fprintf(page, "<p class=\"dim\">and %d more in summary.json</p>", run->d - DOFS_MAX);
  fputs("</section>\n", page);
}

void report_motion_state(FILE *page, const RunResults *run) {
  if (!run_results_member(run, "outcome.x_T")) return; /* if there are too many dofs the summary has no x(T) */
  json_t *columns[] = {
      run_results_member(run, "outcome.x_T"), run_results_member(run, "problem.control.target.position"),
      run_results_member(run, "outcome.v_T"), run_results_member(run, "problem.control.target.velocity")};
  const Labels *labels = &run->labels;
  const char *const names[] = {"x(T)", "target", "x'(T)", "target"}, *const units[] = {labels->position,
                                                                                       labels->velocity};
  fputs("<section><h2>At the end</h2><div class=\"scroll\"><table>\n<thead><tr><th>dof</th>", page);
  for (int c = 0; c < 4; c++)
    if (columns[c])
      fprintf(page, "<th class=\"n\">%s%s%s</th>", names[c], c % 2 ? "" : ", ", c % 2 ? "" : units[c / 2]);
  fputs(run->intervals ? "<th class=\"n\">stuck, s</th><th class=\"n\">times</th></tr></thead>\n<tbody>\n"
                       : "</tr></thead>\n<tbody>\n",
        page);
  for (int dof = 1; dof <= run->d && dof <= DOFS_MAX; dof++) {
    long times = 0;
    double stuck = run->intervals ? run_results_time_in(run, dof, STATE_STICK, &times) : 0;
    fputs("<tr><th>", page);
    write_name(page, run, dof);
    fputs("</th>", page);
    for (int c = 0; c < 4; c++)
      if (columns[c])
        (c % 2) ? write_entry(page, columns[c], dof) : write_end_of(page, run, columns[c], c ? "v" : "x", dof);
    if (run->intervals) fprintf(page, "<td class=\"n\">%.6g</td><td class=\"n\">%ld</td>", stuck, times);
    fputs("</tr>\n", page);
  }
  write_table_end(page, run);
}

void report_motion_range(FILE *page, const RunResults *run) {
  const json_t *const columns[] = {
      run_results_member(run, "motion.x.least"), run_results_member(run, "motion.x.greatest"),
      run_results_member(run, "motion.v.least"), run_results_member(run, "motion.v.greatest"),
      run_results_member(run, "motion.sticks.frequency")};
  enum { COLUMNS = sizeof columns / sizeof *columns };
  if (!columns[0]) return;
  const Labels *labels = &run->labels;
  fprintf(page,
          "<section><h2>Range of the motion%s</h2><p class=\"dim\">From t = %g s on, at the ends of steps.</p>"
          "<div class=\"scroll\"><table>\n<thead><tr><th>dof</th><th class=\"n\">x from, %s</th>"
          "<th class=\"n\">to</th><th class=\"n\">v from, %s</th><th class=\"n\">to</th>"
          "<th class=\"n\">sticks, 1/s</th></tr></thead>\n<tbody>\n",
          run->refined ? " on the grid" : "", json_number_value(run_results_member(run, "motion.from")),
          labels->position, labels->velocity);
  for (int dof = 1; dof <= run->d && dof <= DOFS_MAX; dof++) {
    fputs("<tr><th>", page);
    write_name(page, run, dof);
    fputs("</th>", page);
    for (int c = 0; c < COLUMNS; c++) {
      const json_t *value = json_array_get(columns[c], (size_t)dof - 1);
      fputs("<td class=\"n\">", page);
      if (json_is_number(value)) fprintf(page, "%.3g", json_number_value(value));
      fputs("</td>", page);
    }
    fputs("</tr>\n", page);
  }
  write_table_end(page, run);
}
