/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/figures/report_fit.h"

#include "src/figures/html.h"

#include <math.h>
#include <string.h>

/* With more than MATRIX_MAX parameters, the largest correlations (PAIRS_MAX at most) are listed instead of the
 * matrix. */
enum { MATRIX_MAX = 12, PAIRS_MAX = 20 };

/* A correlation above this value is reported in a sentence: the data hardly determine both parameters separately. */
static const double STRONG = 0.95;

static double number_of(const json_t *object, const char *key) {
  return json_number_value(json_object_get(object, key));
}

/* Returns the entry (i, j) of the correlations. */
static double correlation_at(const json_t *matrix, size_t i, size_t j) {
  return json_number_value(json_array_get(json_array_get(matrix, i), j));
}

/* Returns the path of parameter i, such as "model.mass". */
static const char *path_at(json_t *parameters, size_t i) {
  void *at = json_object_iter(parameters);
  for (size_t k = 0; at && k < i; k++) at = json_object_iter_next(parameters, at);
  return at ? json_object_iter_key(at) : "";
}

static void write_combinations(FILE *page, const json_t *combinations) {
  const json_t *combination, *change;
  const char *path;
  size_t i;
  json_array_foreach(combinations, i, combination) {
    const char *comma = "";
    fputs("<p><strong>Not determined by the data</strong>: these changes together make no difference: ", page);
    json_object_foreach((json_t *)combination, path, change) {
      fputs(comma, page);
      html_text(page, path);
      fprintf(page, " %+.3g", json_number_value(change));
      comma = ", ";
    }
    fputs(".</p>\n", page);
  }
}

/* Writes a sentence for each pair of parameters with a correlation above STRONG. */
static void write_strong_pairs(FILE *page, json_t *parameters, const json_t *matrix) {
  size_t n = json_array_size(matrix);
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < i; j++) {
      double c = correlation_at(matrix, i, j);
      if (!(fabs(c) > STRONG)) continue;
      fputs("<p><strong>Hardly separated by the data</strong>: ", page);
      html_text(page, path_at(parameters, j));
      fputs(" and ", page);
      html_text(page, path_at(parameters, i));
      fprintf(page, ", correlation %.4g.</p>\n", c);
    }
}

void report_fit_verdict(FILE *page, const RunResults *run) {
  json_t *parameters = run_results_member(run, "identification.parameters");
  if (!parameters) return;
  double deviation = json_number_value(run_results_member(run, "identification.deviation"));
  const json_t *bias = run_results_member(run, "identification.step_bias");
  bool fits = json_is_true(run_results_member(run, "identification.fits"));
  fprintf(page, "<p><strong>%s</strong>: the residuals are %.4g times the deviations given%s.</p>\n",
          fits ? "The model fits" : "The model does not fit", deviation,
          fits ? "" : "; it lacks something, and the errors below are too small");
  if (number_of(bias, "errors") > 1) {
    fputs("<p><strong>The time steps move the values</strong>: ", page);
    html_value(page, json_object_get(bias, "parameter"));
    fprintf(page, " by %.3g times its standard error. Identify again by the scheme event, or with smaller steps.</p>\n",
            number_of(bias, "errors"));
  }
  write_combinations(page, run_results_member(run, "identification.undetermined"));
  write_strong_pairs(page, parameters, run_results_member(run, "identification.correlation"));
}

/* Writes the table cell of a parameter's standard error, or the reason why there is none. */
static void write_error(FILE *page, const json_t *parameter) {
  const json_t *error = json_object_get(parameter, "error");
  fputs("<td class=\"n\">", page);
  if (json_is_number(error))
    fprintf(page, "&plusmn; %.2g", json_number_value(error));
  else
    fputs(json_is_true(json_object_get(parameter, "at_bound")) ? "at its bound" : "not determined", page);
  fputs("</td>", page);
}

static void write_parameters(FILE *page, const RunResults *run, json_t *parameters) {
  bool steps = json_is_object(run_results_member(run, "identification.step_bias"));
  const char *path;
  json_t *parameter;
  fprintf(page,
          "<section><h2>Parameters found</h2><div class=\"scroll\"><table>\n<thead><tr><th>parameter</th><th>unit</th>"
          "<th class=\"n\">value</th><th class=\"n\">standard error</th>%s<th class=\"n\">in the file</th>"
          "<th class=\"n\">lower</th><th class=\"n\">upper</th></tr></thead>\n<tbody>\n",
          steps ? "<th class=\"n\">due to time steps</th>" : "");
  json_object_foreach(parameters, path, parameter) {
    const json_t *unit = json_object_get(parameter, "unit");
    fputs("<tr><th>", page);
    html_text(page, path);
    fputs("</th><td>", page);
    if (json_is_string(unit)) html_value(page, unit);
    fprintf(page, "</td><td class=\"n\">%.7g</td>", number_of(parameter, "value"));
    write_error(page, parameter);
    if (steps) html_cell(page, json_object_get(parameter, "step_bias"));
    html_cell(page, json_object_get(parameter, "start"));
    html_cell(page, json_object_get(parameter, "lower"));
    html_cell(page, json_object_get(parameter, "upper"));
    fputs("</tr>\n", page);
  }
  fputs("</tbody></table></div></section>\n", page);
}

static void write_matrix(FILE *page, json_t *parameters, const json_t *matrix) {
  size_t n = json_array_size(matrix);
  fputs("<section><h2>Correlations</h2><div class=\"scroll\"><table>\n<thead><tr><th></th>", page);
  for (size_t j = 0; j < n; j++) fprintf(page, "<th class=\"n\">%zu</th>", j + 1);
  fputs("</tr></thead>\n<tbody>\n", page);
  for (size_t i = 0; i < n; i++) {
    fprintf(page, "<tr><th>%zu ", i + 1);
    html_text(page, path_at(parameters, i));
    fputs("</th>", page);
    for (size_t j = 0; j < n; j++) fprintf(page, "<td class=\"n\">%.2f</td>", correlation_at(matrix, i, j));
    fputs("</tr>\n", page);
  }
  fputs("</tbody></table></div></section>\n", page);
}

/* Writes the largest correlations, the largest first. */
static void write_pairs(FILE *page, json_t *parameters, const json_t *matrix) {
  size_t n = json_array_size(matrix);
  double last = INFINITY;
  fputs("<section><h2>Largest correlations</h2><div class=\"scroll\"><table><tbody>\n", page);
  for (int row = 0; row < PAIRS_MAX && last > 0;) {
    double next = 0;
    for (size_t i = 0; i < n; i++)
      for (size_t j = 0; j < i; j++) {
        double size = fabs(correlation_at(matrix, i, j));
        if (size < last) next = fmax(next, size);
      }
    for (size_t i = 0; i < n && next > 0; i++)
      for (size_t j = 0; j < i && row < PAIRS_MAX; j++) {
        if (fabs(correlation_at(matrix, i, j)) != next) continue;
        fputs("<tr><th>", page);
        html_text(page, path_at(parameters, j));
        fputs("</th><th>", page);
        html_text(page, path_at(parameters, i));
        fprintf(page, "</th><td class=\"n\">%.2f</td></tr>\n", correlation_at(matrix, i, j));
        row++;
      }
    last = next;
  }
  fputs("</tbody></table></div></section>\n", page);
}

/* Writes the root mean square of the residuals of each measured column. */
static void write_residuals(FILE *page, const RunResults *run) {
  const Table *fit = &run->fit;
  const Labels *labels = &run->labels;
  if (fit->columns < 4) return;
  fputs("<section><h2>Residuals</h2><div class=\"scroll\"><table>\n<thead><tr><th>measured</th><th>unit</th>"
        "<th class=\"n\">values</th><th class=\"n\">root mean square</th></tr></thead>\n<tbody>\n",
        page);
  for (int c = 1; c + 2 < fit->columns; c += 3) {
    double sum = 0;
    long n = 0;
    for (long row = 0; row < fit->rows; row++) {
      double residual = table_at(fit, row, c + 2);
      if (isfinite(residual)) sum += residual * residual, n++;
    }
    fputs("<tr><th>", page);
    html_text(page, fit->names[c]);
    fputs("</th><td>", page);
    html_text(page, *fit->names[c] == 'x' ? labels->position : labels->velocity);
    fprintf(page, "</td><td class=\"n\">%ld</td><td class=\"n\">%.4g</td></tr>\n", n, n ? sqrt(sum / (double)n) : 0);
  }
  fputs("</tbody></table></div></section>\n", page);
}

void report_fit_tables(FILE *page, const RunResults *run) {
  json_t *parameters = run_results_member(run, "identification.parameters");
  const json_t *matrix = run_results_member(run, "identification.correlation");
  size_t n = json_array_size(matrix);
  if (!parameters) return;
  write_parameters(page, run, parameters);
  if (n > MATRIX_MAX)
    write_pairs(page, parameters, matrix);
  else if (n > 1)
    write_matrix(page, parameters, matrix);
  write_residuals(page, run);
}
