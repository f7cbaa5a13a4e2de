/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the target and the section time of a motion plan. Contains the functions that several keys of plans share. */
#include "src/file/sections/motion_plan_read.h"

#include "src/file/model/mechanism.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Forms of values that several keys accept ------------------------------------------------------------------------- */

static bool is_word(const Node *node, const char *word) {
  return node->kind == NODE_SCALAR && strcmp(node->text, word) == 0;
}

/* Reads a number of a band, i.e. of the range of allowed values of an entry. Returns `absent` if the key is absent.
 * Sets *good to false after an error. */
static double part(Reader *reader, Node *node, const char *key, double absent, bool *good) {
  Node *value = key_get(reader, node, key);
  double number = absent;
  if (value && !node_is_null(value) && !node_number(reader, value, &number)) *good = false;
  return number;
}

static bool read_interval(Reader *reader, Node *node, unsigned may, Band *band) {
  bool good = true;
  band->kind = BAND_WITHIN;
  band->lower = part(reader, node, "at_least", -INFINITY, &good);
  band->upper = part(reader, node, "at_most", INFINITY, &good);
  if (may & BAND_MAY_START) band->start = part(reader, node, "start", NAN, &good);
  bool free = (may & BAND_MAY_BE_FREE) && !isnan(band->start);
  if (good && isinf(band->lower) && isinf(band->upper) && !free)
    return value_error(reader, node, "no interval (expected {at_least: NUMBER, at_most: NUMBER}, one or both)");
  if (good && band->lower >= band->upper)
    return value_error(reader, node, "at_least %g, at_most %g (expected at_least < at_most)", band->lower, band->upper);
  if (good && (band->start < band->lower || band->start > band->upper))
    return value_error(reader, node, "start %g (expected a value within the interval)", band->start);
  return good;
}

bool band_read(Reader *reader, Node *node, unsigned may, Band *band) {
  *band = (Band){.lower = -INFINITY, .upper = INFINITY, .start = NAN};
  if (node->kind == NODE_MAPPING) return read_interval(reader, node, may, band);
  if ((may & BAND_MAY_BE_NULL) && node_is_null(node)) return true;
  if ((may & BAND_MAY_BE_FREE) && is_word(node, "free")) {
    band->kind = BAND_FREE;
    return true;
  }
  band->kind = BAND_VALUE;
  if (node->kind == NODE_SCALAR && !node_is_null(node)) return node_number(reader, node, &band->value);
  return value_expected(reader, node, "a number%s%s or {at_least: NUMBER, at_most: NUMBER}",
                        may & BAND_MAY_BE_NULL ? ", null" : "", may & BAND_MAY_BE_FREE ? ", free" : "");
}

/* Reads a mapping from names of degrees of freedom to bands (allowed values). Degrees of freedom that are not named get
 * no band. */
static bool read_named(Reader *reader, Node *node, unsigned may, int n, Band *bands) {
  bool good = true;
  node->ignored = true; /* the keys of this mapping are names, so they must not be reported as unknown */
  for (int i = 0; i < n; i++) bands[i] = (Band){.kind = BAND_NONE};
  for (Node *entry = node->first; entry && n; entry = entry->next) {
    int dof = labels_find(&reader->problem->labels, n, entry->key);
    if (dof >= 1)
      good = band_read(reader, entry, may, &bands[dof - 1]) && good;
    else
      good = value_error(reader, entry, "no degree of freedom %.40s (expected a name of one, or a number from 1 to %d)",
                         entry->key, n);
  }
  return good && n;
}

bool bands_read(Reader *reader, Node *section, const char *key, unsigned may, int n, Band *bands) {
  Node *node = key_get(reader, section, key);
  bool good = true;
  int i = 0;
  if (!node) return false;
  bool interval =
      key_get(reader, node, "at_least") || key_get(reader, node, "at_most") || key_get(reader, node, "start");
  if (node->kind == NODE_MAPPING && node->first && !interval) return read_named(reader, node, may, n, bands);
  if (node->kind != NODE_SEQUENCE) {
    good = band_read(reader, node, may, &bands[0]);
    for (i = 1; i < n; i++) bands[i] = bands[0];
    return good;
  }
  if (n && (int)node->n != n) return value_error(reader, node, "%zu entries (expected %d)", node->n, n);
  for (Node *entry = node->first; entry && i < n; entry = entry->next)
    good = band_read(reader, entry, may, &bands[i++]) && good;
  return good && n;
}

/* Grows an array by one item. Returns the new item; NULL after recording that there is no memory. */
static void *grow(Reader *reader, void **array, size_t count, size_t size) {
  char *grown = realloc(*array, (count + 1) * size);
  if (!grown) {
    reader->diagnostics->no_memory = true;
    return NULL;
  }
  *array = grown;
  memset(grown + count * size, 0, size);
  return grown + count * size;
}

CtlQuantity *planned_add(Reader *reader, const char *format, ...) {
  MotionPlan *plan = reader->problem->plan;
  CtlQuantity *quantity = grow(reader, (void **)&plan->quantity, (size_t)plan->quantities, sizeof *plan->quantity);
  va_list arguments;
  if (!quantity) return NULL;
  va_start(arguments, format);
  vsnprintf(quantity->name, sizeof quantity->name, format, arguments);
  va_end(arguments);
  plan->quantities++;
  return quantity;
}

CtlVariable *planned_vary(Reader *reader, CtlVary what, int entry, const char *format, ...) {
  MotionPlan *plan = reader->problem->plan;
  CtlVariable *variable = grow(reader, (void **)&plan->variable, (size_t)plan->variables, sizeof *plan->variable);
  va_list arguments;
  if (!variable) return NULL;
  variable->what = what;
  variable->entry = entry;
  va_start(arguments, format);
  vsnprintf(variable->name, sizeof variable->name, format, arguments);
  va_end(arguments);
  plan->variables++;
  return variable;
}

double *planned_weights(Reader *reader) {
  static const size_t MOST = (size_t)1 << 25; /* numbers; a plan has copies of them */
  MotionPlan *plan = reader->problem->plan;
  size_t d = (size_t)reader->problem->sim.d;
  if ((plan->n_weights + 1) * d > MOST) {
    if (!is_wrong(reader, "control"))
      key_error(reader, "control",
                "more than %zu conditions and costs on %zu degrees of freedom (expected fewer of both)",
                plan->n_weights, d);
    return NULL;
  }
  double *weights = diagnostics_calloc(reader->diagnostics, d, sizeof *weights);
  double **kept = weights ? grow(reader, (void **)&plan->weights, plan->n_weights, sizeof *kept) : NULL;
  if (!kept) {
    free(weights);
    return NULL;
  }
  plan->n_weights++;
  return *kept = weights;
}

const double *planned_unit(Reader *reader, int entry) {
  double *weights = planned_weights(reader);
  if (weights) weights[entry] = 1;
  return weights;
}

const char *planned_dof(const Reader *reader, int dof, char name[LABEL_SIZE]) {
  return labels_name(&reader->problem->labels, dof + 1, name);
}

void planned_hold(Reader *reader, const CtlQuantity *like, const Band *band, const char *name) {
  const bool sides[] = {band->kind == BAND_VALUE, band->kind == BAND_WITHIN && isfinite(band->lower),
                        band->kind == BAND_WITHIN && isfinite(band->upper)};
  const CtlRole roles[] = {CTL_ROLE_EQUAL, CTL_ROLE_AT_LEAST, CTL_ROLE_AT_MOST};
  const double targets[] = {band->value, band->lower, band->upper};
  for (int k = 0; k < 3; k++) {
    CtlQuantity *quantity = sides[k] ? planned_add(reader, "%s", name) : NULL;
    if (!quantity) continue;
    char own[CTL_NAME_SIZE];
    memcpy(own, quantity->name, sizeof own);
    *quantity = *like;
    memcpy(quantity->name, own, sizeof own);
    quantity->role = roles[k];
    quantity->target = targets[k];
  }
}

void planned_hold_point(Reader *reader, const CtlQuantity *like, int point, int entry, const Band *band,
                        const char *key) {
  MotionPlan *plan = reader->problem->plan;
  const Mechanism *mechanism = reader->problem->mechanism;
  CtlQuantity line = *like;
  char name[CTL_NAME_SIZE];
  if (band->kind == BAND_NONE) return;
  struct MechanismPlaces *place = mechanism_place_create(mechanism, mechanism->points[point].at[entry]);
  struct MechanismPlaces **kept = place ? grow(reader, (void **)&plan->places, plan->n_places, sizeof *kept) : NULL;
  if (!kept) {
    reader->diagnostics->no_memory = true;
    mechanism_places_destroy(place);
    return;
  }
  plan->n_places++;
  *kept = place;
  line.of.place = mechanism_place;
  line.of.context = place;
  snprintf(name, sizeof name, "%s.%s", key, mechanism->points[point].columns[entry]);
  planned_hold(reader, &line, band, name);
}

/* Returns a JSON value in which each text that is a number is replaced by this number. */
static json_t *with_numbers(json_t *value) {
  char message[EXPRESSION_MESSAGE_SIZE];
  double number;
  void *next;
  const char *key;
  json_t *part;
  size_t i;
  if (json_is_string(value) && expression_constant(json_string_value(value), &number, message)) {
    json_decref(value);
    return json_real(number);
  }
  json_object_foreach_safe(value, next, key, part) json_object_set_new(value, key, with_numbers(json_incref(part)));
  json_array_foreach(value, i, part) json_array_set_new(value, i, with_numbers(json_incref(part)));
  return value;
}

void planned_keep(Reader *reader, const char *section, const Node *node) {
  json_t *written = reader->problem->plan->written, *within = written;
  if (section) {
    within = json_object_get(written, section);
    if (!within && json_object_set_new(written, section, json_object()) == 0)
      within = json_object_get(written, section);
  }
  if (!within || json_object_set_new(within, node->key, with_numbers(node_echo(reader, node))))
    reader->diagnostics->no_memory = true;
}

/* Reading sections ------------------------------------------------------------------------------------------------- */

bool planned_open(Reader *reader) {
  const char *key = motion_plan_key(reader->document);
  if (!key) return true;
  MotionPlan *plan = reader->problem->plan = diagnostics_calloc(reader->diagnostics, 1, sizeof *plan);
  if (plan) plan->written = json_object();
  if (!plan || !plan->written) reader->diagnostics->no_memory = true;
  return plan && plan->written;
}

/* If T varies, sets the number of steps so that the time between two rows of the trajectory is at most the given
 * step. */
static void set_steps(Reader *reader, double most, double step, long steps) {
  static const double ROUNDED = 1e-9;
  SimProblem *sim = &reader->problem->sim;
  if (step > 0) steps = (long)fmax(1, ceil(most / step - ROUNDED));
  sim->end = most;
  sim->steps = steps;
  sim->step = most / (double)steps;
  reader->problem->plan->step = step > 0 ? step : sim->step;
}

/* Reads the end time T and its bounds. Values that the file does not give are provisional until the control has been
 * read (planned_find_end). */
static bool find_interval(Reader *reader, Node *node, double step, Band *band) {
  double *asked = reader->problem->plan->asked;
  if (!band_read(reader, node, BAND_MAY_BE_FREE | BAND_MAY_START, band)) return false;
  if (!(step > 0) && isinf(band->upper))
    return value_error(reader, node, "free with steps (expected step: SECONDS, or {at_most: SECONDS})");
  asked[0] = isinf(band->lower) ? NAN : band->lower;
  asked[1] = isinf(band->upper) ? NAN : band->upper;
  asked[2] = band->start;
  if (isinf(band->upper)) band->upper = 4 * fmax(1, fmax(band->lower, isnan(band->start) ? 0 : band->start));
  if (isinf(band->lower)) band->lower = fmin(1, isnan(band->start) ? band->upper : band->start) / 4;
  if (isnan(band->start)) band->start = (band->lower + band->upper) / 2;
  band->kind = BAND_WITHIN;
  if (band->lower > 0 && band->lower < band->upper) return true;
  return value_error(reader, node, "at_least %g s, at_most %g s (expected 0 < at_least < at_most)", band->lower,
                     band->upper);
}

/* Reports that the largest T to try, `most` in s, would need too many steps. limit: the speed limit that makes T so
 * large; NULL: there is none. */
static void report_steps(Reader *reader, double most, const CtlQuantity *limit) {
  const MotionPlan *plan = reader->problem->plan;
  char text[CTL_NAME_SIZE + 240];
  if (!limit) {
    key_error(reader, "time.step", "%g steps (expected at most 1e9)", most / plan->step);
    return;
  }
  snprintf(
      text, sizeof text,
      "a speed of at most %g m/s makes T so long that up to %g s would be tried, %g steps (expected a higher limit, "
      "or time.end: {at_most: SECONDS})",
      fabs(limit->target), most, most / plan->step);
  planned_error(reader, limit->name, text);
}

void planned_find_end(Reader *reader, Node *control) {
  /* largest and smallest T to try, in units of the model's time scale */
  static const double MOST = 20, LEAST = 1.0 / 500;
  MotionPlan *plan = reader->problem->plan;
  int end = motion_plan_first(plan, CTL_VARY_END);
  plan->end_known = !is_wrong(reader, "time") && (end < 0 || !reader->diagnostics->errors);
  if (end < 0 || !plan->end_known) return;
  CtlVariable *v = &plan->variable[end];
  const CtlQuantity *limit;
  double own = planned_time_scale(reader->problem, &limit), least = plan->asked[0], most = plan->asked[1],
         start = plan->asked[2];
  double via = planned_latest_via(reader, key_get(reader, control, "target"));
  double known = fmax(via, fmax(isnan(least) ? 0 : least, isnan(start) ? 0 : start));
  if (isnan(most) && reader->problem->storage)
    key_error(reader, "time.end", "free with sparse matrices (expected {at_most: SECONDS}, and start: SECONDS)");
  if (isnan(most)) set_steps(reader, most = MOST * fmax(own, known), plan->step, 0);
  if (isnan(least)) least = fmin(LEAST * own, (isnan(start) ? most : start) / 2);
  if (isnan(start)) start = fmin(fmax(fmax(own, via), least), (least + most) / 2);
  v->lower = least;
  v->upper = most;
  v->start = start;
  reader->problem->control.end = most;
  if (most / plan->step > 1e9) report_steps(reader, most, isnan(plan->asked[1]) && own >= known ? limit : NULL);
}

/* Returns whether time.end is a word that is neither a number nor `free` nor null. */
static bool is_other_word(const Node *node) {
  double number;
  char message[EXPRESSION_MESSAGE_SIZE];
  if (!node || node->kind != NODE_SCALAR || node_is_null(node) || is_word(node, "free")) return false;
  return node->text[strspn(node->text, "abcdefghijklmnopqrstuvwxyz")] == 0 && node->text[0] &&
         !expression_constant(node->text, &number, message);
}

bool planned_read_time(Reader *reader, Node *time) {
  double step = 0, steps = 0;
  Band band;
  Node *end = key_get(reader, time, "end");
  if (is_other_word(end)) {
    for (int k = 1; k < 3; k++) key_get(reader, time, time_parameters[k].key);
    value_error(reader, end, "\"%.40s\" (expected a number of seconds, free, or {at_least: , at_most: })", end->text);
    set_steps(reader, 1, 1, 1);
    return true;
  }
  if (!end || (end->kind != NODE_MAPPING && !is_word(end, "free"))) return false;
  Node *by[] = {key_get(reader, time, "step"), key_get(reader, time, "steps")};
  double *into[] = {&step, &steps};
  bool good = true;
  for (int k = 0; k < 2; k++) {
    const SimParameter *row = &time_parameters[k + 1];
    if (by[k]) good = parameter_value(reader, by[k], row, into[k]) && good;
  }
  if (by[0] && by[1])
    good = value_error(reader, by[1], "besides step (expected one of them: with T free, step is the longest)");
  if (!by[0] && !by[1]) require(reader, time, "time.step", "the longest time step");
  good = good && (by[0] || by[1]) && find_interval(reader, end, step, &band);
  set_steps(reader, good ? band.upper : 1, good ? step : 1, (long)steps);
  CtlVariable *variable = good ? planned_vary(reader, CTL_VARY_END, 0, "time.end") : NULL;
  if (!variable) return true;
  variable->lower = band.lower;
  variable->upper = band.upper;
  variable->start = band.start;
  return true;
}

/* Converts a vector of numbers to bands, i.e. allowed values of the entries. An entry NAN means that all values are
 * allowed. */
static void bands_of(const double *vector, int d, Band *bands) {
  for (int i = 0; i < d; i++) bands[i] = (Band){.kind = isnan(vector[i]) ? BAND_NONE : BAND_VALUE, .value = vector[i]};
}

static void hold_ends(Reader *reader, int k, const Band *bands) {
  static const char *const keys[] = {"position", "velocity"};
  const CtlProblem *control = &reader->problem->control;
  char name[CTL_NAME_SIZE], dof[LABEL_SIZE];
  for (int i = 0; i < reader->d; i++) {
    CtlQuantity line = {.of.way = SIM_AT_END, .part = k};
    double scale = (k ? control->velocity_scale : control->position_scale)[i];
    if (bands[i].kind == BAND_NONE) continue;
    *(k ? &line.of.v : &line.of.x) = planned_unit(reader, i);
    if (scale > 0) line.tolerance = 1e-6 * scale;
    snprintf(name, sizeof name, "target.%s[%s]", keys[k], planned_dof(reader, i, dof));
    planned_hold(reader, &line, &bands[i], name);
  }
}

void planned_read_target(Reader *reader, Node *target, int k, const SimParameter *row) {
  double *vector = sim_parameter_array(row, &reader->problem->control);
  Node *node = key_get(reader, target, row->key);
  int d = reader->d;
  Band *bands = node && d ? diagnostics_calloc(reader->diagnostics, (size_t)d, sizeof *bands) : NULL;
  char path[NODE_PATH_SIZE];
  if (bands && planned_has_intervals(node)) {
    if (bands_read(reader, target, row->key, BAND_MAY_BE_NULL, d, bands)) planned_keep(reader, "target", node);
    for (int i = 0; i < d; i++) vector[i] = bands[i].kind == BAND_VALUE ? bands[i].value : NAN;
  } else if (bands)
    bands_of(vector, d, bands);
  if (bands && !is_wrong(reader, node_path(node, path))) hold_ends(reader, k, bands);
  free(bands);
}
