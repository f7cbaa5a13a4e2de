/* SPDX-License-Identifier: BSD-2-Clause */
/* Sets and gets the numbers and words of a problem by the keys of problem files. */
#include "sim/base/argument.h"
#include "sim/base/rows.h"
#include "sim/setup/entries.h"
#include "sim/setup/tables.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STEPS_MAX 1e9

/* Keys of the times T, dt and N: problem->end, step, steps. */
static const SimParameter times[] = {
    {"end", SIM_FORM_NUMBER, "s", "T", SIM_ABOVE(0), SIM_MEMBER(SimProblem, end)},
    {"step", SIM_FORM_NUMBER, "s", "the time step, which must divide T", SIM_ABOVE(0), SIM_MEMBER(SimProblem, step)},
    {"steps", SIM_FORM_INTEGER, NULL, "their number", SIM_FROM_TO(1, STEPS_MAX), SIM_MEMBER(SimProblem, steps)},
    {0}};

static const SimChoice signals[] = {{"constant", SIM_CONSTANT, "u"},
                                    {"piecewise_constant", SIM_PIECEWISE_CONSTANT, "u_k in segment k"},
                                    {"piecewise_linear", SIM_PIECEWISE_LINEAR, "u_k at the end of segment k"},
                                    {0}};
static const SimParameter signal_keys[] = {
    {"kind", SIM_FORM_CHOICE, NULL, "what u(t) is made of", .choices = signals, SIM_MEMBER(SimProblem, signal)},
    {"segments", SIM_FORM_INTEGER, NULL, "S", SIM_FROM_TO(1, INT_MAX), SIM_MEMBER(SimProblem, segments)},
    {"lengths", SIM_FORM_LIST, "s", "of the segments", SIM_ABOVE(0)},
    {0}};
static const SimParameter controls[] = {
    {"matrix", SIM_FORM_ROWS, NULL, "B", SIM_ARRAY(SimProblem, control_matrix, SIM_EACH)},
    {"signal", SIM_FORM_SECTION, NULL, "how u goes in time", .parts = signal_keys},
    {0}};
static const SimParameter scheme_name[] = {{.key = "name", .forms = SIM_FORM_CHOICE, .sentence = "the scheme"}, {0}};

/* A key of a problem that has been found. */
typedef struct Found {
  const SimParameter *row; /* row of the key; NULL: there is no such key */
  const SimParameter *section;
  void *owner; /* struct that contains the value of the key */
} Found;

static Found find(const SimProblem *p, const char *key) {
  const char *dot = strchr(key, '.');
  size_t length = dot ? (size_t)(dot - key) : strlen(key);
  const struct {
    const char *section;
    const SimParameter *rows;
    const void *owner;
  } tables[] = {{"model", p->ops->parameters, p},
                {"time", times, p},
                {"control", controls, p},
                {"scheme", scheme_name, p},
                {"scheme", p->scheme->parameters, p->parameters}};
  for (size_t k = 0; dot && k < sizeof tables / sizeof *tables; k++) {
    if (strlen(tables[k].section) != length || strncmp(tables[k].section, key, length) != 0) continue;
    RowFound found = row_find(tables[k].rows, dot + 1);
    if (found.row) return (Found){found.row, found.section, (void *)tables[k].owner};
  }
  return (Found){0};
}

/* Returns the number of a vector's entries. */
static int length_of(const SimProblem *p, const SimParameter *row) {
  if (row->extent == SIM_AROUND) return p->count + 1;
  return row == controls ? p->count * p->n_control : p->count;
}

/* Reports a key that a problem does not have. */
static SimStatus refuse_unknown(const char *function, const char *key) {
  bool control = strncmp(key, "control.", strlen("control.")) == 0 || strncmp(key, "search.", strlen("search.")) == 0;
  if (control)
    argument_refuse_key(function, key,
                        "not a key of a motion (expected stiction_control_set_.. for keys of a CtlProblem)");
  else
    row_refuse_unknown(function, key);
  return SIM_BAD_ARGUMENT;
}

/* Functions that set the value of a key ---------------------------------------------------------------------------- */

/* Makes a section present when its first key is set. All entries of its other vectors get their defaults, or NAN if
 * there is no default; the check reports these. */
static void begin_section(SimProblem *p, const Found *set) {
  const SimParameter *section = set->section;
  if (!section || section->size != sizeof(bool) || sim_parameter_get(section, p) != 0) return;
  sim_parameter_set(section, p, 1);
  for (const SimParameter *row = section->parts; row->key; row++) {
    bool levels = section->offset == offsetof(SimProblem, system.gearbox.present) && strcmp(row->key, "k") == 0;
    double *vector = levels                                 ? p->system.gearbox.k
                     : row->size && row->extent == SIM_EACH ? sim_parameter_array(row, p)
                                                            : NULL;
    for (int i = 0; i < p->count && vector && row != set->row; i++) vector[i] = row->required ? NAN : row->preset;
  }
}

/* Adapts T, dt and N after one of them was set: N or dt is computed from the other two. */
static void settle_times(SimProblem *p, const SimParameter *set) {
  bool by_steps = set == &times[2] || (set == &times[0] && p->steps >= 1);
  if (!(p->end > 0)) return;
  if (by_steps)
    p->step = p->end / (double)p->steps;
  else if (p->step > 0)
    p->steps = (long)fmin(nearbyint(p->end / p->step), STEPS_MAX);
}

/* Sets viscous friction. It is added to D's diagonal, so D must be set first, and each of them only once. Returns
 * false, after reporting the error, if this is impossible; so do the functions below. */
static bool set_viscous(const char *function, const char *key, const SimParameter *row, SimProblem *p, int n,
                        const double *values) {
  double *b = p->drags ? NULL : calloc((size_t)p->count + 1, sizeof *b);
  if (p->drags) return argument_refuse_key(function, key, "is set already (expected once)");
  bool good = b && row_set_vector(function, key, row, b, p->count, n, values);
  if (!b || (good && sim_problem_set_viscous(p, b) != SIM_OK))
    good = argument_refuse_key(function, key, "there is no memory");
  free(b);
  return good;
}

/* Computes the thresholds c and their bias from new thresholds of one direction; those of the other direction do not
 * change. */
static bool set_direction(const char *function, const char *key, const SimParameter *row, SimProblem *p, int n,
                          const double *values) {
  double sign = strcmp(row->key, "forward") == 0 ? 1 : -1;
  double *given = calloc((size_t)p->count + 1, sizeof *given);
  bool good = given && row_set_vector(function, key, row, given, p->count, n, values);
  if (!given) argument_refuse_key(function, key, "there is no memory");
  for (int i = 0; good && i < p->count; i++) {
    double other = p->friction[i] - sign * p->friction_bias[i];
    p->friction[i] = (given[i] + other) / 2;
    p->friction_bias[i] = sign * (given[i] - other) / 2;
  }
  p->by_direction = p->by_direction || good;
  free(given);
  return good;
}

static bool set_lengths(const char *function, const char *key, SimProblem *p, int n, const double *values) {
  int before = p->segments;
  if (n > 0) p->segments = n;
  SimStatus status = sim_problem_set_lengths(p, n > 0 ? values : NULL);
  if (status != SIM_OK) p->segments = before;
  if (status == SIM_NO_MEMORY) return argument_refuse_key(function, key, "there is no memory");
  return status == SIM_OK || argument_refuse_key(function, key, "has an entry that is not above 0 and finite");
}

/* Sets keys with numbers that are not stored by way of their rows. */
static bool set_special(const char *function, const char *key, const SimParameter *row, SimProblem *p, int n,
                        const double *values) {
  if (row == &signal_keys[2]) return set_lengths(function, key, p, n, values);
  if (strcmp(key, "model.viscous") == 0) return set_viscous(function, key, row, p, n, values);
  if (strncmp(key, "model.friction.", strlen("model.friction.")) == 0)
    return set_direction(function, key, row, p, n, values);
  if (strcmp(key, "model.gearbox.k") == 0) {
    const SimParameter any = {.key = "k", .forms = SIM_FORM_VECTOR};
    return row_set_vector(function, key, &any, p->system.gearbox.k, p->count, n, values);
  }
  return argument_refuse_key(function, key, "has no numbers here (expected another function of sim/sim.h)");
}

static bool set_numbers(const char *function, const char *key, const Found *found, SimProblem *p, int n,
                        const double *values) {
  const SimParameter *row = found->row;
  if (!row->size) return set_special(function, key, row, p, n, values);
  if (row->extent == SIM_ONE && n != 1) return argument_refuse_key(function, key, "%d numbers (expected one)", n);
  if (row->extent == SIM_ONE) return row_set_number(function, key, row, found->owner, values[0]);
  double *array = sim_parameter_array(row, found->owner);
  if (!array) return argument_refuse_key(function, key, "is sparse (expected stiction_problem_set_matrix)");
  if (p->drags && array == p->system.damping)
    return argument_refuse_key(function, key, "after model.viscous (expected before it)");
  return row->extent == SIM_SQUARE ? row_set_square(function, key, row, array, p->d, n, values)
                                   : row_set_vector(function, key, row, array, length_of(p, row), n, values);
}

SimStatus stiction_problem_set_values(SimProblem *problem, const char *key, int n, const double *values) {
  ARGUMENT(problem && problem->scheme, "problem", "is NULL, or not initialised");
  ARGUMENT_THERE(key);
  ARGUMENT(values || !n, "values", "is NULL");
  const Found found = find(problem, key);
  if (!found.row) return refuse_unknown(__func__, key);
  if (!set_numbers(__func__, key, &found, problem, n, values)) return SIM_BAD_ARGUMENT;
  begin_section(problem, &found);
  if (found.row >= times && found.row < times + 3) settle_times(problem, found.row);
  return SIM_OK;
}

SimStatus stiction_problem_set_value(SimProblem *problem, const char *key, double value) {
  return stiction_problem_set_values(problem, key, 1, &value);
}

static SimStatus set_scheme(const char *function, SimProblem *problem, const char *word) {
  SimStatus status = sim_problem_set_scheme(problem, word);
  if (status != SIM_BAD_PROBLEM) return status;
  argument_refuse_key(function, "scheme.name", "%.100s: no such scheme of this kind of model", word);
  return SIM_BAD_ARGUMENT;
}

SimStatus stiction_problem_set_word(SimProblem *problem, const char *key, const char *word) {
  ARGUMENT(problem && problem->scheme, "problem", "is NULL, or not initialised");
  ARGUMENT_THERE(key);
  ARGUMENT_THERE(word);
  const Found found = find(problem, key);
  if (!found.row) return refuse_unknown(__func__, key);
  if (found.row == scheme_name) return set_scheme(__func__, problem, word);
  if (!row_set_word(__func__, key, found.row, found.owner, word)) return SIM_BAD_ARGUMENT;
  begin_section(problem, &found);
  return SIM_OK;
}

/* Whether this rank's rows of a sparse matrix have ascending columns in range and finite values. */
static bool is_matrix(const SimProblem *p, const int *start, const int *column, const double *value) {
  if (start[0] != 0) return false;
  for (int i = 0; i < p->count; i++) {
    if (start[i + 1] < start[i]) return false;
    for (int k = start[i]; k < start[i + 1]; k++)
      if (column[k] < 0 || column[k] >= p->d || (k > start[i] && column[k] <= column[k - 1]) || !isfinite(value[k]))
        return false;
  }
  return true;
}

SimStatus stiction_problem_set_matrix(SimProblem *problem, const char *key, const int *start, const int *column,
                                      const double *value) {
  ARGUMENT(problem && problem->kind == SIM_FRICTION && problem->system.storage == SIM_SPARSE, "problem",
           "is NULL, or not one of sparse matrices");
  ARGUMENT_THERE(key);
  ARGUMENT(start && ((column && value) || !start[problem->count]), "start, column, value", "are NULL");
  SimSparse *own = &problem->system.sparse;
  SimMatrix *to = strcmp(key, "model.mass") == 0        ? &own->mass
                  : strcmp(key, "model.stiffness") == 0 ? &own->stiffness
                  : strcmp(key, "model.damping") == 0   ? &own->damping
                                                        : NULL;
  ARGUMENT(to != NULL, "key", "is none of model.mass, model.stiffness, model.damping");
  ARGUMENT(!problem->drags || to != &own->damping, "key", "is model.damping after model.viscous (expected before it)");
  ARGUMENT(is_matrix(problem, start, column, value), "start, column, value", "are no rows with ascending columns");
  const SimMatrix given = {(int *)start, (int *)column, (double *)value};
  SimMatrix copy;
  SimStatus status = entries_copy(&given, problem->count, &copy);
  if (status != SIM_OK) return status;
  sim_matrix_clear(to);
  *to = copy;
  return SIM_OK;
}

/* Functions that return the value of a key ------------------------------------------------------------------------- */

const double *stiction_problem_get_values(const SimProblem *problem, const char *key, int *n) {
  Found found = {0};
  const double *array = NULL;
  int length = 0;
  if (problem && problem->scheme && key) found = find(problem, key);
  if (found.row && found.row->size && found.row->extent != SIM_ONE) {
    array = sim_parameter_array(found.row, found.owner);
    length = found.row->extent == SIM_SQUARE ? problem->d * problem->d : length_of(problem, found.row);
  }
  if (n) *n = array ? length : 0;
  return array;
}

double stiction_problem_get_value(const SimProblem *problem, const char *key) {
  int n;
  const double *array = stiction_problem_get_values(problem, key, &n);
  if (array) return n ? array[0] : NAN;
  const Found found = problem && problem->scheme && key ? find(problem, key) : (Found){0};
  return found.row && found.row->size ? sim_parameter_get(found.row, found.owner) : NAN;
}

const char *stiction_problem_get_word(const SimProblem *problem, const char *key) {
  const Found found = problem && problem->scheme && key ? find(problem, key) : (Found){0};
  if (found.row == scheme_name) return problem->scheme->name;
  if (!found.row || !found.row->size || !(found.row->forms & SIM_FORM_CHOICE)) return NULL;
  return sim_parameter_word(found.row, (int)sim_parameter_get(found.row, found.owner));
}
