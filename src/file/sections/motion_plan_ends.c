/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the keys of a motion plan for via points, combinations, initial states, periodic motions and lengths of
 * segments. */
#include "src/file/sections/motion_plan_read.h"

#include "src/file/model/mechanism.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Returns the largest end time T that is allowed, in s. */
static double latest(const Reader *reader) { return reader->problem->sim.end; }

/* Via points ------------------------------------------------------------------------------------------------------- */

static int count_items(Reader *reader, Node *list, const char *expected) {
  if (!list) return 0;
  if (list->kind == NODE_SEQUENCE && list->n > 0) return (int)list->n;
  value_expected(reader, list, "a list of %s", expected);
  list->ignored = true;
  return 0;
}

/* Returns the number in a node; 0, without a message, if the node is not a number. */
static double plain_number(const Node *node) {
  char message[EXPRESSION_MESSAGE_SIZE];
  double number;
  bool has = node && node->kind == NODE_SCALAR && !node_is_null(node);
  return has && expression_constant(node->text, &number, message) ? number : 0;
}

double planned_latest_via(Reader *reader, Node *target) {
  static const char *const parts[] = {"at_least", "start"};
  Node *list = key_get(reader, target, "via");
  double most = 0;
  for (Node *via = list && list->kind == NODE_SEQUENCE ? list->first : NULL; via; via = via->next) {
    Node *at = via->kind == NODE_MAPPING ? key_get(reader, via, "at") : NULL;
    most = fmax(most, plain_number(at));
    for (int k = 0; k < 2 && at && at->kind == NODE_MAPPING; k++)
      most = fmax(most, plain_number(key_get(reader, at, parts[k])));
  }
  return most;
}

/* Reads the time of via point k, a number or a variable, and stores it in *line. start: start value in s of a variable
 * for which the file gives none. */
static bool read_when(Reader *reader, Node *via, int k, double start, CtlQuantity *line) {
  Node *at = key_get(reader, via, "at");
  Band band;
  if (!at) return value_error(reader, via, "at is missing (expected at: SECONDS, free, or an interval)");
  if (!band_read(reader, at, BAND_MAY_BE_FREE | BAND_MAY_START, &band)) return false;
  if (band.kind == BAND_VALUE) {
    line->of.time = band.value;
    return (band.value >= 0 && band.value <= latest(reader)) || !reader->problem->plan->end_known ||
           value_error(reader, at, "%g s (expected a time from 0 to T = %g s)", band.value, latest(reader));
  }
  CtlVariable *variable = planned_vary(reader, CTL_VARY_TIME, 0, "target.via[%d].at", k);
  if (!variable) return false;
  variable->lower = fmax(0, band.lower);
  variable->upper = fmin(band.upper, latest(reader));
  if (!(variable->lower < variable->upper) && reader->problem->plan->end_known)
    return value_error(reader, at, "no time from 0 to T = %g s within", latest(reader));
  variable->start = fmin(fmax(isnan(band.start) ? start : band.start, variable->lower), variable->upper);
  line->time = reader->problem->plan->variables;
  return true;
}

/* Adds the constraint that the time of via point k is before T, if T varies. A time after T would have no effect, as
 * the state at T would be used for it. */
static void hold_before_end(Reader *reader, int k, const CtlQuantity *line) {
  CtlQuantity *q =
      motion_plan_varies_end(reader->problem->plan) ? planned_add(reader, "target.via[%d].at - T", k) : NULL;
  if (!q) return;
  q->read = CTL_READ_LATE;
  q->role = CTL_ROLE_AT_MOST;
  q->time = line->time;
  q->of.time = line->of.time;
}

/* Returns whether a plan requires a point of a mechanism to be at places that it cannot reach; reports this as an
 * error. A plan that is not for all scenarios may miss its target in some of them, so only the file's own numbers count
 * for it. */
static bool is_beyond_reach(Reader *reader, const Node *entry, const MechanismPoint *point, const Band *bands) {
  double lower[3], upper[3];
  char text[MECHANISM_REACH_SIZE];
  bool varied = reader->problem->readings; /* whether these are the numbers of a scenario */
  if (varied && reader->problem->plan->statistic == CTL_NOMINAL) return false;
  for (int i = 0; i < point->n; i++) {
    bool value = bands[i].kind == BAND_VALUE, within = bands[i].kind == BAND_WITHIN;
    lower[i] = value ? bands[i].value : within ? bands[i].lower : -INFINITY;
    upper[i] = value ? bands[i].value : within ? bands[i].upper : INFINITY;
  }
  if (!mechanism_point_reach(reader->problem->mechanism, point, lower, upper, text))
    reader->diagnostics->no_memory = true;
  return *text && !value_error(reader, entry, "%s (expected a place within reach)", text);
}

/* Reads the allowed values (bands) of the coordinates of point number `at`, and adds them to the plan. If they hold at
 * all times, they must be intervals, since a number would forbid the point to move. */
static void read_point(Reader *reader, Node *points, Node *entry, int at, const CtlQuantity *like, const char *key) {
  Band bands[3];
  int n = reader->problem->mechanism->points[at].n;
  bool limits = like->of.way == SIM_LARGEST;
  if (entry->kind != NODE_SEQUENCE) {
    value_expected(reader, entry, "a list of %d", n);
    return;
  }
  if (!bands_read(reader, points, entry->key, BAND_MAY_BE_NULL, n, bands)) return;
  if (is_beyond_reach(reader, entry, &reader->problem->mechanism->points[at], bands)) return;
  for (int i = 0; i < n; i++)
    if (limits && bands[i].kind == BAND_VALUE)
      value_error(reader, entry, "entry %d is a number (expected {at_least: NUMBER, at_most: NUMBER} or null)", i + 1);
    else
      planned_hold_point(reader, like, at, i, &bands[i], key);
}

void planned_read_points(Reader *reader, Node *section, const CtlQuantity *like, const char *key) {
  const Mechanism *mechanism = reader->problem->mechanism;
  Node *points = key_get(reader, section, "points");
  if (!points) return;
  points->ignored = true; /* the keys are names of points, so they must not be reported as unknown */
  if (points->kind != NODE_MAPPING || !points->first) {
    value_expected(reader, points, "{NAME: [NUMBER, ..]}, by names of model.points");
    return;
  }
  for (Node *entry = points->first; entry; entry = entry->next) {
    int at = mechanism_find_point(mechanism, entry->key);
    if (at < 0 && !is_wrong(reader, "model"))
      value_error(reader, entry, "no point %.40s (expected a name of model.points, of a mechanism)", entry->key);
    else if (at >= 0)
      read_point(reader, points, entry, at, like, key);
  }
}

static void read_via(Reader *reader, Node *via, int k, double start) {
  static const char *const keys[] = {"position", "velocity"};
  CtlQuantity line = {.of.way = SIM_AT_TIME};
  char name[CTL_NAME_SIZE], dof[LABEL_SIZE];
  if (via->kind != NODE_MAPPING) {
    value_expected(reader, via, "{at: SECONDS, position: .., velocity: ..}");
    return;
  }
  bool good = read_when(reader, via, k, start, &line), any = false;
  Band *bands = diagnostics_calloc(reader->diagnostics, (size_t)reader->d + 1, sizeof *bands);
  for (int way = 0; way < 2 && bands; way++) {
    any = any || key_get(reader, via, keys[way]);
    if (!bands_read(reader, via, keys[way], BAND_MAY_BE_NULL, reader->d, bands) || !good) continue;
    for (int i = 0; i < reader->d; i++) {
      if (bands[i].kind == BAND_NONE) continue;
      const double *unit = planned_unit(reader, i);
      line.of.x = way ? NULL : unit;
      line.of.v = way ? unit : NULL;
      line.part = way;
      snprintf(name, sizeof name, "target.via[%d].%s[%s]", k, keys[way], planned_dof(reader, i, dof));
      planned_hold(reader, &line, &bands[i], name);
    }
  }
  any = any || key_get(reader, via, "points");
  line.of.x = line.of.v = NULL;
  line.part = 0;
  snprintf(name, sizeof name, "target.via[%d].points", k);
  if (good) planned_read_points(reader, via, &line, name);
  if (good && any) hold_before_end(reader, k, &line);
  if (!any) value_error(reader, via, "nothing to pass (expected position, velocity or points)");
  free(bands);
}

/* Returns the value of T at the start of the search, in s. Times of via points that are variables start evenly spaced
 * between 0 and T. */
static double first_end(const Problem *problem) {
  const MotionPlan *plan = problem->plan;
  int k = motion_plan_first(plan, CTL_VARY_END), at = motion_plan_first(plan, CTL_VARY_LENGTH);
  double sum = 0;
  if (k >= 0) return plan->variable[k].start;
  for (int i = at; i >= 0 && i < plan->variables && plan->variable[i].what == CTL_VARY_LENGTH; i++)
    sum += plan->variable[i].start;
  return at >= 0 ? sum : problem->sim.end;
}

static void read_vias(Reader *reader, Node *target) {
  Node *list = key_get(reader, target, "via");
  int n = count_items(reader, list, "{at: SECONDS, position: .., velocity: ..}"), k = 1;
  double end = first_end(reader->problem);
  for (Node *via = n ? list->first : NULL; via; via = via->next, k++) read_via(reader, via, k, end * k / (n + 1));
  if (n) planned_keep(reader, "target", list);
}

/* Combinations of degrees of freedom ------------------------------------------------------------------------------- */

/* Reads weights {NAME: NUMBER, ..} of joints. Returns NULL if the key is absent or has an error. */
static const double *read_weighted(Reader *reader, Node *item, const char *key) {
  Node *node = key_get(reader, item, key);
  double *weights = node && reader->d ? planned_weights(reader) : NULL;
  if (!node) return NULL;
  node->ignored = true; /* the keys are names of joints, so they must not be reported as unknown */
  if (node->kind != NODE_MAPPING || !node->first) {
    value_expected(reader, node, "{NAME: WEIGHT, ..}, joints by name or number");
    return NULL;
  }
  for (Node *entry = node->first; entry; entry = entry->next) {
    int dof = labels_find(&reader->problem->labels, reader->d, entry->key);
    double weight;
    if (dof < 1 && reader->d)
      value_error(reader, entry, "no joint %.40s (expected a name of model.names, or a number from 1 to %d)",
                  entry->key, reader->d);
    else if (node_number(reader, entry, &weight) && weights)
      weights[dof - 1] = weight;
  }
  return weights;
}

static void read_combination(Reader *reader, Node *item, int k) {
  static const char *const keys[] = {"equal", "at_least", "at_most"};
  CtlQuantity line = {.of.way = SIM_AT_END};
  Band band = {.kind = BAND_WITHIN, .lower = -INFINITY, .upper = INFINITY};
  char name[CTL_NAME_SIZE];
  if (item->kind != NODE_MAPPING) {
    value_expected(reader, item, "{of: {NAME: WEIGHT}, equal: NUMBER}");
    return;
  }
  size_t mistakes = reader->diagnostics->count;
  line.of.x = read_weighted(reader, item, "of");
  line.of.v = read_weighted(reader, item, "of_velocity");
  Node *given[3];
  double numbers[3] = {0, -INFINITY, INFINITY};
  for (int i = 0; i < 3; i++) {
    given[i] = key_get(reader, item, keys[i]);
    if (given[i]) node_number(reader, given[i], &numbers[i]);
  }
  if (reader->diagnostics->count > mistakes || !reader->d) return;
  if (given[0]) band.kind = BAND_VALUE;
  band.value = numbers[0];
  band.lower = numbers[1];
  band.upper = numbers[2];
  if (!line.of.x && !line.of.v)
    value_error(reader, item, "nothing to combine (expected of or of_velocity: {NAME: WEIGHT, ..})");
  else if (given[0] ? given[1] || given[2] : !given[1] && !given[2])
    value_error(reader, item, "expected equal, or at_least, at_most or both");
  else if (!given[0] && band.lower >= band.upper)
    value_error(reader, item, "at_least %g, at_most %g (expected at_least < at_most)", band.lower, band.upper);
  snprintf(name, sizeof name, "target.combinations[%d]", k);
  planned_hold(reader, &line, &band, name);
}

static void read_end_points(Reader *reader, Node *target) {
  const CtlQuantity line = {.of.way = SIM_AT_END};
  Node *points = key_get(reader, target, "points");
  planned_read_points(reader, target, &line, "target.points");
  if (points) planned_keep(reader, "target", points);
}

static void read_combinations(Reader *reader, Node *target) {
  Node *list = key_get(reader, target, "combinations");
  int n = count_items(reader, list, "{of: {NAME: WEIGHT}, equal: NUMBER}"), k = 1;
  for (Node *item = n ? list->first : NULL; item; item = item->next) read_combination(reader, item, k++);
  if (n) planned_keep(reader, "target", list);
}

/* Initial states and periodic motions ------------------------------------------------------------------------------ */

/* Applies control.initial. Given entries replace entries of the initial state in the section model; free entries become
 * variables. velocity: 0 for x(0), 1 for v(0). */
static void start_from(Reader *reader, int velocity, const Band *bands) {
  SimProblem *sim = &reader->problem->sim;
  double *state = velocity ? sim->v0 : sim->x0;
  char dof[LABEL_SIZE];
  for (int i = 0; i < reader->d; i++) {
    const Band *band = &bands[i];
    reader->problem->plan->initial[velocity * reader->d + i] = band->kind != BAND_NONE;
    if (band->kind == BAND_VALUE) state[i] = band->value;
    if (band->kind != BAND_FREE && band->kind != BAND_WITHIN) continue;
    CtlVariable *variable = planned_vary(reader, velocity ? CTL_VARY_VELOCITY : CTL_VARY_POSITION, i, "initial.%s[%s]",
                                         velocity ? "velocity" : "position", planned_dof(reader, i, dof));
    if (!variable) return;
    variable->lower = band->lower;
    variable->upper = band->upper;
    variable->start = fmin(fmax(isnan(band->start) ? state[i] : band->start, band->lower), band->upper);
  }
}

static void read_initial(Reader *reader, Node *section) {
  Node *initial = read_section(reader, section, "initial");
  Band *bands = initial ? diagnostics_calloc(reader->diagnostics, (size_t)reader->d + 1, sizeof *bands) : NULL;
  bool *has = bands ? diagnostics_calloc(reader->diagnostics, 2 * (size_t)reader->d + 1, sizeof *has) : NULL;
  reader->problem->plan->initial = has;
  for (int k = 0; k < 2 && has; k++)
    if (bands_read(reader, initial, planned_initial_parameters[k].key,
                   BAND_MAY_BE_NULL | BAND_MAY_BE_FREE | BAND_MAY_START, reader->d, bands))
      start_from(reader, k, bands);
  if (has && !initial->first) value_error(reader, initial, "empty (expected position or velocity)");
  free(bands);
}

/* Adds the constraints of a periodic motion: x_i(T) - x_i(0) = advance_i, v_i(T) - v_i(0) = 0. */
static void close_period(Reader *reader, const double *advance) {
  char name[CTL_NAME_SIZE], dof[LABEL_SIZE];
  for (int i = 0; i < reader->d; i++) {
    const double *unit = planned_unit(reader, i);
    if (!unit) return;
    for (int k = 0; k < 2; k++) {
      const Band band = {.kind = BAND_VALUE, .value = k ? 0 : advance[i]};
      CtlQuantity line = {.of.way = SIM_AT_END, .part = k};
      if (k)
        line.of.v = line.of.from_v = unit;
      else
        line.of.x = line.of.from_x = unit;
      snprintf(name, sizeof name, "periodic.%s[%s]", k ? "velocity" : "position", planned_dof(reader, i, dof));
      if (k || !isnan(advance[i])) planned_hold(reader, &line, &band, name);
    }
  }
}

static void read_periodic(Reader *reader, Node *section) {
  static const SimParameter word = {"periodic", SIM_FORM_CHOICE, .choices = planned_periodic_words};
  Node *node = key_get(reader, section, "periodic");
  double *advance = node ? diagnostics_calloc(reader->diagnostics, (size_t)reader->d + 1, sizeof *advance) : NULL;
  double yes = 1;
  if (!advance) return;
  bool good = node->kind == NODE_MAPPING || parameter_value(reader, node, &word, &yes);
  char path[NODE_PATH_SIZE];
  if (node->kind == NODE_MAPPING) {
    read_vector(reader, node, planned_periodic_parameters, reader->d, advance);
    good = !is_wrong(reader, node_path(node, path));
    if (!node->first) good = value_error(reader, node, "empty (expected yes, no or {advance: METRES})");
  }
  if (good && yes > 0) close_period(reader, advance);
  if (good) planned_keep(reader, NULL, node);
  free(advance);
}

/* Lengths of segments ---------------------------------------------------------------------------------------------- */

/* Adds the constraint that T equals its given value or stays within its interval. This constraint is needed if the
 * lengths of all segments are variables. */
static void hold_end(Reader *reader, const Band *band) {
  const CtlQuantity line = {.of.way = SIM_END_TIME};
  planned_hold(reader, &line, band, "time.end");
}

/* Makes the lengths of all S segments variables in place of T. starts: [S] start values in s; NULL: equal lengths. */
static void vary_lengths(Reader *reader, const double *starts) {
  const SimProblem *sim = &reader->problem->sim;
  MotionPlan *plan = reader->problem->plan;
  Band band = {.kind = BAND_VALUE, .value = sim->end};
  double start = sim->end;
  if (plan->variables == 1 && plan->variable[0].what == CTL_VARY_END) {
    band = (Band){.kind = BAND_WITHIN, .lower = plan->variable[0].lower, .upper = plan->variable[0].upper};
    start = plan->variable[0].start;
    plan->variables = 0;
  }
  for (int k = 0; k < sim->segments; k++) {
    CtlVariable *variable = planned_vary(reader, CTL_VARY_LENGTH, k, "signal.lengths[%d]", k + 1);
    if (!variable) return;
    variable->lower = 0;
    variable->upper = sim->end;
    variable->start = starts ? starts[k] : start / sim->segments;
  }
  hold_end(reader, &band);
}

/* Reads control.signal.lengths, which is `free`, `equal`, or a list of start values. */
static void read_lengths(Reader *reader, Node *control) {
  const SimParameter *word = sim_parameter_find(signal_parameters, "lengths");
  Node *signal = read_section(reader, control, "signal"), *node = key_get(reader, signal, "lengths");
  int segments = reader->problem->sim.segments;
  double free_ones = 0;
  if (!node || is_wrong(reader, "time") || is_wrong(reader, "control.signal")) return;
  if (reader->problem->sim.signal == SIM_CONSTANT) {
    value_error(reader, node, "of a constant (expected control.signal.kind: piecewise_constant)");
    return;
  }
  if (node->kind != NODE_SEQUENCE) {
    if (parameter_value(reader, node, word, &free_ones) && free_ones > 0) vary_lengths(reader, NULL);
    return;
  }
  Values values = values_read(reader, signal, "lengths", SIM_FORM_LIST);
  bool good = values.good && values.rows == segments;
  if (values.good && !good) value_error(reader, node, "%d lengths (expected %d, one a segment)", values.rows, segments);
  for (int k = 0; k < segments && good; k++)
    if (!(values.data[k] >= 0)) good = value_error(reader, node, "a length of %g s (expected >= 0)", values.data[k]);
  static const double LEAST = 1e-9; /* smallest start value of a segment's length, relative to T */
  for (int k = 0; k < segments && good; k++) values.data[k] = fmax(values.data[k], LEAST * latest(reader));
  if (good) vary_lengths(reader, values.data);
  values_clear(&values);
}

void planned_read_ends(Reader *reader, Node *section) {
  Node *target = read_section(reader, section, "target");
  read_lengths(reader, section);
  read_initial(reader, section);
  read_periodic(reader, section);
  read_vias(reader, target);
  read_end_points(reader, target);
  read_combinations(reader, target);
}
