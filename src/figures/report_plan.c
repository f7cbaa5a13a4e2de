/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/figures/report_plan.h"

#include "src/figures/html.h"

#include <string.h>

bool report_has_plan(const RunResults *run) { return run_results_member(run, "outcome.quantities") != NULL; }

/* Writes the times at which u changes. They are the sums of the lengths of segments. */
static void write_changes(FILE *page, const json_t *lengths) {
  double at = 0;
  size_t n = json_array_size(lengths);
  if (n < 2) return;
  fputs(", u changes at t =", page);
  for (size_t k = 0; k + 1 < n; k++) fprintf(page, " %.10g", at += json_number_value(json_array_get(lengths, k)));
  fputs(" s", page);
}

void report_plan_outcome(FILE *page, const RunResults *run) {
  static const struct {
    const char *name, *path, *unit;
  } shown[] = {{"f", "outcome.f", ""}, {"T", "outcome.end", " s"}, {"J", "outcome.J", ""}};
  fprintf(page, " <strong>Conditions %s</strong>: ",
          json_is_true(run_results_member(run, "outcome.met")) ? "met" : "not met");
  for (size_t k = 0; k < sizeof shown / sizeof *shown; k++) {
    fprintf(page, "%s%s = ", k ? ", " : "", shown[k].name);
    html_value(page, run_results_member(run, shown[k].path));
    fputs(shown[k].unit, page);
  }
  write_changes(page, run_results_member(run, "outcome.lengths"));
  fputs(
      ".</p>\n<p class=\"dim\">f is what is minimised, J the effort of u. Conditions are met to their tolerances, 1e-6 "
      "max(1, |target|).",
      page);
}

static void write_cell(FILE *page, const json_t *value) {
  fputs("<td class=\"n\">", page);
  if (json_is_number(value)) fprintf(page, "%.8g", json_number_value(value));
  fputs("</td>", page);
}

void report_plan_quantities(FILE *page, const RunResults *run) {
  static const char *const roles[][2] = {{"equal", "="}, {"at_most", "&le;"}, {"at_least", "&ge;"}};
  static const char *const columns[] = {"value", "target", "at", "multiplier"};
  const json_t *list = run_results_member(run, "outcome.quantities"), *quantity;
  size_t i;
  if (!list) return;
  fputs("<section><h2>Quantities</h2><div class=\"scroll\"><table>\n<thead><tr><th></th><th></th><th "
        "class=\"n\">value</th>"
        "<th class=\"n\">target</th><th class=\"n\">at, s</th><th "
        "class=\"n\">multiplier</th><th></th></tr></thead>\n<tbody>\n",
        page);
  json_array_foreach(list, i, quantity) {
    const char *role = json_string_value(json_object_get(quantity, "role")), *sign = "";
    for (size_t k = 0; role && k < 3; k++)
      if (strcmp(role, roles[k][0]) == 0) sign = roles[k][1];
    fputs("<tr><th>", page);
    html_text(page, json_string_value(json_object_get(quantity, "name")));
    fprintf(page, "</th><td>%s</td>", sign);
    for (size_t k = 0; k < 4; k++) write_cell(page, json_object_get(quantity, columns[k]));
    fprintf(page, "<td>%s</td></tr>\n", json_is_true(json_object_get(quantity, "active")) ? "holds with equality" : "");
  }
  fputs("</tbody></table></div></section>\n", page);
}
