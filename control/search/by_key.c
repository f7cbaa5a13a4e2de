/* SPDX-License-Identifier: BSD-2-Clause */
/* Sets and gets the numbers and words of a control problem by the keys of problem files. */
#include "control/base/argument.h"
#include "sim/base/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const SimParameter keys[] = {
    {.key = "weight", .forms = SIM_FORM_MATRIX, SIM_ARRAY(CtlProblem, weight, SIM_SQUARE)},
    {.key = "start", .forms = SIM_FORM_VECTOR, SIM_ARRAY(CtlProblem, start, SIM_EACH)},
    {.key = "size", .forms = SIM_FORM_VECTOR, SIM_ABOVE(0), SIM_ARRAY(CtlProblem, size, SIM_EACH)},
    {.key = "bounds", .parts = ctl_limit_parameters},
    {.key = "target", .parts = ctl_target_parameters},
    {0}};
static const SimParameter edges = {
    .key = "simplex", .forms = SIM_FORM_MATRIX, SIM_ARRAY(CtlProblem, edges, SIM_SQUARE)};

/* Returns the table row of a key; NULL if the key is unknown or in a section that stiction_solve does not use. */
static const SimParameter *find(const CtlProblem *p, const char *key) {
  static const char control[] = "control.", search[] = "search.";
  if (strncmp(key, control, strlen(control)) == 0) return row_find(keys, key + strlen(control)).row;
  if (strncmp(key, search, strlen(search)) != 0) return NULL;
  const SimParameter *rows = p->roles ? ctl_values_search_parameters : ctl_search_parameters;
  const SimParameter *row = sim_parameter_find(rows, key + strlen(search));
  return row && row->parts ? NULL : row;
}

/* Returns the number of entries of a vector of the problem. */
static int length_of(const CtlProblem *p, const double *vector) {
  if (vector == p->rate) return p->p;
  return vector == p->start || vector == p->lower || vector == p->upper || vector == p->size ? p->n : p->d;
}

static bool begins(const char *key, const char *with) { return strncmp(key, with, strlen(with)) == 0; }

/* Reports a key that is in none of the tables of keys of control problems. Always returns false. */
static bool refuse_unknown(const char *function, const char *key) {
  if (begins(key, "model.") || begins(key, "time.") || begins(key, "scheme.") || begins(key, "control.signal.") ||
      strcmp(key, "control.matrix") == 0)
    return argument_refuse_key(function, key,
                               "a key of the motion (expected stiction_problem_set_.. before stiction_control_create)");
  return row_refuse_unknown(function, key);
}

/* Sets a vector. If only p numbers are given for a vector over all segments, they apply to each segment. Returns false,
 * after reporting the error, if the numbers are invalid. */
static bool set_vector(const char *function, const char *key, const SimParameter *row, CtlProblem *p, int n,
                       const double *values) {
  double *vector = sim_parameter_array(row, p);
  int length = length_of(p, vector), set = length == p->n && n == p->p ? p->p : length;
  if (!row_set_vector(function, key, row, vector, set, n, values)) return false;
  for (int k = set; k < length; k++) vector[k] = vector[k - set];
  for (int k = 0; k < length; k++)
    if (isnan(vector[k])) vector[k] = row->preset; /* NAN stands for no value */
  return true;
}

static bool set_edges(const char *function, const char *key, CtlProblem *p, int n, const double *values) {
  if (!p->edges) return argument_refuse_key(function, key, "%d variables are too many for a simplex", p->n);
  if (!row_set_square(function, key, &edges, p->edges, p->n, n, values)) return false;
  p->simplex = CTL_SIMPLEX_USER;
  return true;
}

CtlStatus stiction_control_set_values(CtlProblem *problem, const char *key, int n, const double *values) {
  CONTROL_ARGUMENT(problem && problem->start, "problem", "is NULL");
  CONTROL_ARGUMENT(key != NULL, "key", "is NULL");
  CONTROL_ARGUMENT(values || !n, "values", "is NULL");
  const SimParameter *row = find(problem, key);
  bool good;
  if (!row || (row->extent != SIM_ONE && !row->size))
    good = refuse_unknown(__func__, key);
  else if (strcmp(row->key, edges.key) == 0)
    good = set_edges(__func__, key, problem, n, values);
  else if (problem->roles && begins(key, "control.target."))
    good = argument_refuse_key(__func__, key, "a key of motions (expected stiction_control_set_role of a function)");
  else if (row->extent == SIM_SQUARE && problem->roles)
    good = argument_refuse_key(__func__, key, "a key of motions, not of a function");
  else if (row->extent == SIM_SQUARE)
    good = row_set_square(__func__, key, row, problem->weight, problem->p, n, values);
  else if (row->extent == SIM_EACH)
    good = set_vector(__func__, key, row, problem, n, values);
  else if (n != 1)
    good = argument_refuse_key(__func__, key, "%d numbers (expected one)", n);
  else
    good = row_set_number(__func__, key, row, problem, values[0]);
  return good ? CTL_OK : CTL_BAD_ARGUMENT;
}

CtlStatus stiction_control_set_value(CtlProblem *problem, const char *key, double value) {
  return stiction_control_set_values(problem, key, 1, &value);
}

CtlStatus stiction_control_set_word(CtlProblem *problem, const char *key, const char *word) {
  CONTROL_ARGUMENT(problem && problem->start, "problem", "is NULL");
  CONTROL_ARGUMENT(key && word, "key, word", "is NULL");
  const SimParameter *row = find(problem, key);
  bool good = row ? row_set_word(__func__, key, row, problem, word) : refuse_unknown(__func__, key);
  return good ? CTL_OK : CTL_BAD_ARGUMENT;
}

const double *stiction_control_get_values(const CtlProblem *problem, const char *key, int *n) {
  const SimParameter *row = problem && problem->start && key ? find(problem, key) : NULL;
  const double *array = NULL;
  int length = 0;
  if (row && strcmp(row->key, edges.key) == 0) {
    array = problem->simplex == CTL_SIMPLEX_USER ? problem->edges : NULL;
    length = problem->n * problem->n;
  } else if (row && row->size && row->extent != SIM_ONE) {
    array = sim_parameter_array(row, problem);
    length = row->extent == SIM_SQUARE ? problem->p * problem->p : length_of(problem, array);
  }
  if (n) *n = array ? length : 0;
  return array;
}

double stiction_control_get_value(const CtlProblem *problem, const char *key) {
  int n;
  const double *array = stiction_control_get_values(problem, key, &n);
  if (array) return n ? array[0] : NAN;
  const SimParameter *row = problem && problem->start && key ? find(problem, key) : NULL;
  return row && row->size && row->extent == SIM_ONE ? sim_parameter_get(row, problem) : NAN;
}

const char *stiction_control_get_word(const CtlProblem *problem, const char *key) {
  const SimParameter *row = problem && problem->start && key ? find(problem, key) : NULL;
  if (!row || !row->size || !(row->forms & SIM_FORM_CHOICE)) return NULL;
  return sim_parameter_word(row, (int)sim_parameter_get(row, problem));
}

/* Creating a control problem --------------------------------------------------------------------------------------- */

static CtlStatus finish(SimStatus status, CtlProblem *created, CtlProblem **problem) {
  if (status != SIM_OK) free(created);
  *problem = status == SIM_OK ? created : NULL;
  return argument_status(status);
}

CtlStatus stiction_control_create(const SimProblem *motion, CtlProblem **problem) {
  CONTROL_ARGUMENT(problem != NULL, "problem", "is NULL");
  *problem = NULL;
  CONTROL_ARGUMENT(motion && motion->scheme, "motion", "is NULL");
  CONTROL_ARGUMENT(motion->n_control >= 1, "motion", "has no control");
  CONTROL_ARGUMENT(motion->end > 0, "motion", "has no time.end");
  CONTROL_ARGUMENT(!motion->group && motion->count == motion->d, "motion", "has rows on other ranks");
  CtlProblem *created = malloc(sizeof *created);
  int segments = motion->signal == SIM_CONSTANT ? 1 : motion->segments;
  SimStatus status = created ? ctl_problem_init_signal(created, motion->n_control, motion->signal, segments, motion->d)
                             : SIM_NO_MEMORY;
  if (status == SIM_OK) {
    created->end = motion->end;
    created->motion = motion;
  }
  return finish(status, created, problem);
}

CtlStatus stiction_control_create_values(const CtlFunction *function, CtlProblem **problem) {
  CONTROL_ARGUMENT(problem != NULL, "problem", "is NULL");
  *problem = NULL;
  CONTROL_ARGUMENT(function && function->values, "function", "is NULL, or its values is");
  CONTROL_ARGUMENT(function->n >= 1 && function->n <= CTL_CONTROLS_MAX, "function", "has an n that is not in 1..4096");
  CONTROL_ARGUMENT(function->m >= 1 && function->m <= CTL_CONTROLS_MAX, "function", "has an m that is not in 1..4096");
  CtlProblem *created = malloc(sizeof *created);
  SimStatus status = created ? ctl_problem_init_values(created, function->n, function->m) : SIM_NO_MEMORY;
  if (status == SIM_OK) {
    created->function = *function;
    created->derivatives = function->rows != NULL;
  }
  return finish(status, created, problem);
}

void stiction_control_destroy(CtlProblem *problem) {
  ctl_problem_clear(problem);
  free(problem);
}

int stiction_control_size(const CtlProblem *problem) { return problem ? problem->n : 0; }
