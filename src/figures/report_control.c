/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/figures/report_control.h"

#include "src/figures/figure_catalog.h"
#include "src/figures/html.h"

#include <math.h>
#include <string.h>

enum { UNFOLDED_MAX = 64 }; /* tables with more rows are collapsed */

/* Returns the largest |u_i| in a row of u, or in all rows. */
static double largest(const json_t *u) {
  double most = fabs(json_number_value(u));
  const json_t *entry;
  size_t k;
  json_array_foreach(u, k, entry) most = fmax(most, largest(entry));
  return most;
}

/* Writes the cells of one value of u. Entries that are only round-off compared with `most`, the largest entry of all,
 * are written as 0. */
static void write_values(FILE *page, const json_t *row, double most) {
  static const double NOTHING = 1e-14;
  for (size_t i = 0; i < json_array_size(row); i++) {
    double value = json_number_value(json_array_get(row, i));
    fprintf(page, "<td class=\"n\">%.10g</td>", fabs(value) > NOTHING * most ? value : 0);
  }
}

static void write_time(FILE *page, double t) { fprintf(page, "<td class=\"n\">%.6g</td>", t); }

/* Writes a table row for each segment: its start, its end, and its u. If u is piecewise linear, the row has the value
 * of u at the segment's end. */
static void write_segments(FILE *page, const RunResults *run, const json_t *u, bool linear) {
  const json_t *lengths = run_results_member(run, "outcome.lengths"), *end = run_results_member(run, "outcome.end");
  size_t n = json_array_size(u);
  double T = json_number_value(end ? end : run_results_member(run, "problem.time.end")), t = 0, most = largest(u);
  for (size_t k = 0; k < n; k++) {
    double after = lengths ? t + json_number_value(json_array_get(lengths, k)) : T * (double)(k + 1) / (double)n;
    fputs("<tr>", page);
    if (!linear) write_time(page, t);
    write_time(page, after);
    write_values(page, json_array_get(u, k), most);
    fputs("</tr>\n", page);
    t = after;
  }
}

static void write_head(FILE *page, const RunResults *run, size_t p, bool varies, bool linear) {
  fputs("<thead><tr>", page);
  if (varies && !linear) fputs("<th class=\"n\">from t, s</th><th class=\"n\">to</th>", page);
  if (linear) fputs("<th class=\"n\">at t, s</th>", page);
  for (size_t i = 0; i < p; i++) {
    const char *column = p > 1 ? figure_control_column(&run->trajectory, (int)i) : NULL;
    fputs("<th class=\"n\">", page);
    if (column)
      html_text(page, figure_control_name(column));
    else
      p > 1 ? fprintf(page, "u%zu", i + 1) : fputs("u", page);
    fputs("</th>", page);
  }
  fputs("</tr></thead>\n<tbody>\n", page);
}

static void write_control(FILE *page, const RunResults *run, const char *heading, const char *path) {
  const json_t *u = run_results_member(run, path), *kind = run_results_member(run, "problem.control.signal.kind");
  if (!json_array_size(u)) return;
  bool varies = json_is_array(json_array_get(u, 0));
  bool linear = varies && json_is_string(kind) && strcmp(json_string_value(kind), "piecewise_linear") == 0;
  bool folded = varies && json_array_size(u) > UNFOLDED_MAX;
  size_t p = json_array_size(varies ? json_array_get(u, 0) : u);
  fprintf(page, "<section><h2>%s, %s</h2>", heading, run->labels.force);
  if (linear) fputs("<p class=\"dim\">Linear between these times, from 0 at t = 0.</p>", page);
  if (folded) fprintf(page, "<details><summary>%zu segments</summary>", json_array_size(u));
  fputs("<div class=\"scroll\"><table>\n", page);
  write_head(page, run, p, varies, linear);
  if (varies) {
    write_segments(page, run, u, linear);
  } else {
    fputs("<tr>", page);
    write_values(page, u, largest(u));
    fputs("</tr>\n", page);
  }
  fprintf(page, "</tbody></table></div>%s</section>\n", folded ? "</details>" : "");
}

void report_control(FILE *page, const RunResults *run) {
  bool refined = run_results_member(run, "outcome.refined.u");
  if (refined) write_control(page, run, "Control", "outcome.refined.u");
  write_control(page, run, refined ? "Control on the grid" : "Control", "outcome.u");
}
