/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/core/scheme.h"
#include "sim/base/argument.h"
#include "sim/core/scheme_rows.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

const char *sim_scheme_name(const SimScheme *scheme) { return scheme ? scheme->name : NULL; }

bool sim_scheme_serves(const SimScheme *scheme, const SimProblem *problem) {
  SimFeatures storage = problem && problem->system.storage == SIM_DENSE ? SIM_HAS(DENSE) : SIM_HAS(SPARSE);
  return scheme && problem && scheme->kind == problem->kind && !features_lacking(scheme, storage);
}

const char *sim_scheme_sentence(const SimScheme *scheme) { return scheme ? scheme->sentence : NULL; }

const SimParameter *sim_scheme_parameters(const SimScheme *scheme) { return scheme ? scheme->parameters : NULL; }

bool sim_scheme_by_events(const SimScheme *scheme) { return scheme && scheme->by_events; }

bool sim_scheme_moves_end(const SimScheme *scheme) { return scheme && scheme->moves_end; }

bool sim_scheme_takes(const SimScheme *scheme, const char *key) {
  return scheme && key && sim_parameter_find(scheme->parameters, key) != NULL;
}

static const SimParameter *find(const SimProblem *problem, const char *key) {
  return problem && problem->scheme && key ? sim_parameter_find(problem->scheme->parameters, key) : NULL;
}

double sim_problem_get(const SimProblem *problem, const char *key) {
  const SimParameter *row = find(problem, key);
  return row ? sim_parameter_get(row, problem->parameters) : NAN;
}

const char *sim_problem_word(const SimProblem *problem, const char *key) {
  const SimParameter *row = find(problem, key);
  bool choice = row && row->forms & SIM_FORM_CHOICE;
  return choice ? sim_parameter_word(row, (int)sim_parameter_get(row, problem->parameters)) : NULL;
}

SimStatus sim_problem_set(SimProblem *problem, const char *key, double value) {
  ARGUMENT(problem && problem->scheme, "problem", "is NULL, or not initialised");
  ARGUMENT_THERE(key);
  const SimParameter *row = find(problem, key);
  bool whole = row && row->forms & (SIM_FORM_INTEGER | SIM_FORM_CHOICE);
  if (!row || (whole && !(fabs(value) <= INT_MAX && value == floor(value)))) return SIM_BAD_PROBLEM;
  sim_parameter_set(row, problem->parameters, value);
  return SIM_OK;
}

SimStatus sim_problem_choose(SimProblem *problem, const char *key, const char *word) {
  ARGUMENT(problem && problem->scheme, "problem", "is NULL, or not initialised");
  ARGUMENT_THERE(key);
  ARGUMENT_THERE(word);
  const SimParameter *row = find(problem, key);
  int value;
  bool offered = row && row->forms & SIM_FORM_CHOICE && sim_parameter_choose(row, word, &value);
  return offered ? sim_problem_set(problem, key, value) : SIM_BAD_PROBLEM;
}

double sim_problem_segments(const SimProblem *problem) {
  bool known = problem && problem->scheme && problem->scheme->segments;
  return known ? problem->scheme->segments(problem) : 0;
}

/* Returns the default of the relaxation parameter r, factor/(delta step). It is at most RELAXATION_MAX, so that
 * products with r do not overflow if masses are huge. */
static double relaxation(double factor, const SimProblem *problem, const SimBounds *bounds) {
  static const double RELAXATION_MAX = 1e150;
  return bounds->delta > 0 ? fmin(factor / (bounds->delta * problem->step), RELAXATION_MAX) : 1;
}

double scheme_r_half(const SimProblem *problem, const SimBounds *bounds) { return relaxation(2, problem, bounds); }

double scheme_r_three_quarters(const SimProblem *problem, const SimBounds *bounds) {
  return relaxation(3, problem, bounds);
}

const SimChoice scheme_solvers[] = {{"exact", SIM_EXACT, "to round-off, by going through the sets of dofs that stick"},
                                    {"fixed_point", SIM_FIXED_POINT, "the papers' iteration, to `tolerance`"},
                                    {0}};

bool sim_force_in_pieces(const SimProblem *problem) { return problem->scheme->force_in_pieces; }

long sim_force_count(const SimProblem *problem) {
  return problem->scheme->force_count ? problem->scheme->force_count(problem) : problem->steps + 1;
}

double sim_force_time(const SimProblem *problem, long k) {
  return problem->scheme->force_time ? problem->scheme->force_time(problem, k) : (double)k * problem->step;
}

/* Reports a choice that the scheme does not offer, or a number out of its range. A default that is not yet computed is
 * 0, which is valid here. Returns the number of errors. */
static int check_row(const SimProblem *problem, const SimParameter *row, const SimReport *report) {
  char key[64], expected[SIM_EXPECTED_SIZE], number[SIM_NUMBER_SIZE];
  double value = sim_parameter_get(row, problem->parameters);
  if (row->derive && value == 0) return 0;
  bool choice = row->forms & SIM_FORM_CHOICE;
  if (choice ? sim_parameter_word(row, (int)value) != NULL : sim_parameter_allows(row, value)) return 0;
  snprintf(key, sizeof key, "scheme.%s", row->key);
  sim_parameter_expected(row, expected);
  if (choice)
    return sim_complain(report, key, "not offered by the scheme %s (expected %s)", problem->scheme->name, expected);
  return sim_complain(report, key, "%s (expected %s)", sim_number(value, number), expected);
}

int scheme_check(const SimProblem *problem, const SimReport *report) {
  int mistakes = 0;
  for (const SimParameter *row = problem->scheme->parameters; row && row->key; row++)
    mistakes += check_row(problem, row, report);
  return mistakes + (problem->scheme->check ? problem->scheme->check(problem, report) : 0);
}

double scheme_step_limit(const SimProblem *problem, double frequency_squared) {
  return problem->scheme->step_limit ? problem->scheme->step_limit(problem, frequency_squared) : INFINITY;
}

int scheme_check_ends(const SimProblem *p, double mass_min, const SimReport *report) {
  double stiffest = 0;
  for (int i = 0; i < p->count && p->stops.present; i++) stiffest = fmax(stiffest, p->stops.stiffness[i]);
  if (!p->scheme->end_limit || !(stiffest > 0)) return 0;
  double limit = p->scheme->end_limit(p, sqrt(stiffest / mass_min));
  if (p->step < limit) return 0;
  return sim_complain(report, "time.step", "%g is too large for stops of %g N/m (expected below %.6g%s)", p->step,
                      stiffest, limit, sim_scheme_takes(p->scheme, "theta") ? ", or scheme.theta from 0.71 on" : "");
}
