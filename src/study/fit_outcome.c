/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/study/fit_outcome.h"

#include "src/base/json_values.h"
#include "src/file/sections/keys.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* a fit has converged if its values are at most this far from the minimum, in units of their standard errors */
static const double NEAR = 0.01;
/* residuals above this, in units of their deviations, cannot be explained by noise if there are more than a few
 * measured values */
static const double FAR = 2;

int fit_outcome_find(Evaluation *e, const Problem *found, FitOutcome *o, Diagnostics *diagnostics) {
  const CtlFit fit = evaluation_fit(e);
  size_t m = (size_t)fit.m, n = (size_t)fit.n;
  o->evaluation = e;
  o->r = calloc(m * (n + 1), sizeof *o->r);
  if (!o->r) return diagnostics_no_memory(diagnostics);
  double *jacobian = o->r + m;
  o->statistics = (CtlFitStatistics){
      .bound = o->bound, .error = o->error, .correlation = o->correlation, .combination = o->combination};
  bool good = fit.evaluate(e, o->p, o->r, jacobian);
  /* a lack of memory is also reported if it occurred in a simulation for a finite difference */
  if (e->no_memory) return diagnostics_no_memory(diagnostics);
  if (!good) return diagnostics_error(diagnostics, EXIT_UNSOLVED, "no motion with derivatives at the best point");
  SimStatus status = ctl_fit_statistics(&fit, o->p, o->r, jacobian, (int)e->id->data, &o->statistics);
  if (status == SIM_OK && !fit_bias_find(&fit, found, e->id, o->p, o->r, jacobian, &o->statistics, &o->bias))
    status = SIM_NO_MEMORY;
  if (status == SIM_NO_MEMORY) return diagnostics_no_memory(diagnostics);
  if (status == SIM_OK) return 0;
  return diagnostics_error(diagnostics, EXIT_UNSOLVED, "no singular values of the derivatives: they are not finite");
}

void fit_outcome_clear(FitOutcome *o) { free(o->r); }

bool fit_outcome_converged(const FitOutcome *o) { return o->statistics.offset <= NEAR; }

bool fit_outcome_fits(const FitOutcome *o) { return !(o->statistics.deviation > FAR); }

static double sum_of(const FitOutcome *o) { return o->sums[o->best_start]; }

/* Prints a combination of changes of the parameters that the data do not determine, e.g. "model.mass +1 %,
 * model.friction +1 %". For a parameter that is 0, prints the change itself instead of a percentage. */
static void print_combination(const FitOutcome *o, const double *changes, FILE *out) {
  const char *comma = "";
  for (int k = 0; k < o->evaluation->id->n; k++) {
    const char *path = o->evaluation->id->parameters[k].path;
    if (changes[k] == 0) continue;
    if (o->p[k] != 0)
      fprintf(out, "%s%s %+.3g %%", comma, path, changes[k] / fabs(o->p[k]));
    else
      fprintf(out, "%s%s %+.3g", comma, path, changes[k]);
    comma = ", ";
  }
}

void fit_outcome_print(const FitOutcome *o, FILE *out) {
  const Identification *id = o->evaluation->id;
  const CtlFitStatistics *s = &o->statistics;
  for (int k = 0; k < id->n; k++) {
    const FitParameter *parameter = &id->parameters[k];
    fprintf(out, "%s = %.7g", parameter->path, o->p[k]);
    if (s->bound[k])
      fprintf(out, ", at its %s bound\n", o->p[k] - parameter->lower < parameter->upper - o->p[k] ? "lower" : "upper");
    else if (isfinite(s->error[k]))
      fprintf(out, " +- %.2g%s\n", s->error[k], fit_outcome_fits(o) ? "" : " (not reliable: the model does not fit)");
    else
      fprintf(out, ", which the data do not tell\n");
  }
  for (int k = 0; k < s->undetermined; k++) {
    fprintf(out, "makes no difference: ");
    print_combination(o, s->combination + (size_t)k * (size_t)id->n, out);
    fputc('\n', out);
  }
  fprintf(out, "%ld numbers measured; residuals are %.4g times the deviations given\n", id->data, s->deviation);
}

/* Returns the unit of a parameter as JSON. Returns null if it has no unit, or if the user has defined units of the
 * model. */
static json_t *unit_json(const FitOutcome *o, const char *path) {
  bool own = strcmp(o->labels->position, "m") != 0 || strcmp(o->labels->force, "N") != 0;
  const char *unit = own ? NULL : keys_unit(path, o->kind);
  return unit ? json_string(unit) : json_null();
}

static json_t *parameter_json(const FitOutcome *o, int k) {
  const FitParameter *parameter = &o->evaluation->id->parameters[k];
  bool compared = fit_reference_text(o->bias.reference) && !o->bound[k] && isfinite(o->error[k]);
  return json_pack("{s:f, s:o, s:o, s:o, s:b, s:f, s:f, s:f, s:s}", "value", o->p[k], "unit",
                   unit_json(o, parameter->path), "error", o->bound[k] ? json_null() : json_finite(o->error[k]),
                   "step_bias", compared ? json_finite(o->bias.parameters[k]) : json_null(), "at_bound", o->bound[k],
                   "start", parameter->start, "lower", parameter->lower, "upper", parameter->upper, "derivatives",
                   o->evaluation->differences[k] || o->evaluation->rough ? "differences" : "motion");
}

static json_t *combination_json(const FitOutcome *o, const double *changes) {
  json_t *object = json_object();
  for (int k = 0; k < o->evaluation->id->n && object; k++)
    if (changes[k] != 0) json_object_set_new(object, o->evaluation->id->parameters[k].path, json_real(changes[k]));
  return object;
}

/* Returns the estimate of errors by time steps as JSON; null if the scheme has no time steps. */
static json_t *bias_json(const FitOutcome *o) {
  const FitBias *bias = &o->bias;
  if (bias->reference == FIT_NO_STEPS) return json_null();
  return json_pack("{s:s?, s:s?, s:o}", "compared_with", fit_reference_text(bias->reference), "parameter",
                   bias->worst < 0 ? NULL : o->evaluation->id->parameters[bias->worst].path, "errors",
                   fit_reference_text(bias->reference) ? json_finite(bias->errors) : json_null());
}

json_t *fit_outcome_json(const FitOutcome *o) {
  const Identification *id = o->evaluation->id;
  const CtlFitStatistics *s = &o->statistics;
  json_t *parameters = json_object(), *undetermined = json_array(), *object = json_object();
  for (int k = 0; k < id->n && parameters; k++)
    json_object_set_new(parameters, id->parameters[k].path, parameter_json(o, k));
  for (int k = 0; k < s->undetermined && undetermined; k++)
    json_array_append_new(undetermined, combination_json(o, s->combination + (size_t)k * (size_t)id->n));
  bool good = object && identification_echo(id, object) && json_object_set_new(object, "parameters", parameters) == 0 &&
              json_object_set_new(object, "correlation", echo_rows(id->n, id->n, s->correlation)) == 0 &&
              json_object_set_new(object, "undetermined", undetermined) == 0 &&
              json_object_set_new(object, "step_bias", bias_json(o)) == 0 &&
              json_object_set_new(object, "deviation", json_finite(s->deviation)) == 0 &&
              json_object_set_new(object, "fits", json_boolean(fit_outcome_fits(o))) == 0 &&
              json_object_set_new(object, "sum", json_finite(sum_of(o))) == 0 &&
              json_object_set_new(object, "offset", json_finite(s->offset)) == 0 &&
              json_object_set_new(object, "sums", echo_vector((int)o->starts, o->sums)) == 0 &&
              json_object_set_new(object, "simulations", json_integer(o->simulations)) == 0;
  return json_if(good, object);
}

/* Writes measured values and residuals into arrays [rows][columns] like the measured file. A cell without a measured
 * value gets NAN. */
static void spread_cells(const FitOutcome *o, double *measured, double *residual) {
  const Identification *id = o->evaluation->id;
  for (long k = 0; k < id->rows * id->columns; k++) measured[k] = residual[k] = NAN;
  for (long k = 0; k < id->m; k++) {
    const Measured *m = &id->measured[k];
    if (m->cell < 0) continue;
    measured[m->cell] = m->value;
    residual[m->cell] = o->r[k] * m->deviation;
  }
}

int fit_outcome_write(const FitOutcome *o, const Results *results) {
  const Identification *id = o->evaluation->id;
  size_t cells = (size_t)id->rows * (size_t)id->columns;
  double *measured = calloc(2 * cells + 1, sizeof *measured);
  FILE *file = measured ? results_open(results, "fit.csv") : NULL;
  if (!measured) return diagnostics_no_memory(results->diagnostics);
  if (file) {
    char name[LABEL_COLUMN_SIZE];
    double *residual = measured + cells;
    spread_cells(o, measured, residual);
    fputc('t', file);
    for (int c = 0; c < id->columns; c++) {
      labels_column(o->labels, id->column[c].velocity ? "v" : "x", id->column[c].dof + 1, name);
      fprintf(file, ",%s,simulated:%s,residual:%s", name, name, name);
    }
    for (long row = 0; row < id->rows; row++) {
      fprintf(file, "\n%.17g", id->times[row]);
      for (int c = 0; c < id->columns; c++) {
        size_t k = (size_t)row * (size_t)id->columns + (size_t)c;
        fprintf(file, ",%.17g,%.17g,%.17g", measured[k], measured[k] + residual[k], residual[k]);
      }
    }
    fputc('\n', file);
  }
  free(measured);
  return !file || results_close(results, "fit.csv", file) ? EXIT_INTERNAL : 0;
}
