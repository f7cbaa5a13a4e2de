/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads control.minimize and control.limits of a motion plan. */
#include "src/file/sections/motion_plan_read.h"

#include "sim/inverse.h"
#include "src/file/model/mechanism.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const SimParameter *row_of(const SimParameter *rows, const char *key) { return sim_parameter_find(rows, key); }

/* Reads a vector with a number for each degree of freedom, or for each control if `controls`. Missing entries become
 * NAN. Returns NULL if the key is absent or has an error. */
static double *read_numbers(Reader *reader, Node *section, const SimParameter *row, bool controls) {
  int n = controls ? reader->p : reader->d;
  Node *node = key_get(reader, section, row->key);
  char path[NODE_PATH_SIZE];
  if (!node || !n) {
    if (node) node->ignored = true;
    return NULL;
  }
  double *numbers = diagnostics_calloc(reader->diagnostics, (size_t)n, sizeof *numbers);
  if (!numbers) return NULL;
  for (int i = 0; i < n; i++) numbers[i] = NAN;
  if (controls)
    read_controls(reader, section, row, numbers);
  else
    read_vector(reader, section, row, n, numbers);
  bool good = !is_wrong(reader, node_path(node, path)), limited = row->least != 0 || row->most != 0;
  for (int i = 0; i < n && good && limited; i++)
    if (!isnan(numbers[i])) good = parameter_allowed(reader, node, row, numbers[i]);
  if (good) return numbers;
  free(numbers);
  return NULL;
}

/* Reading the cost that is minimised ------------------------------------------------------------------------------- */

/* Returns whether the control u is constant in each segment. If not, reports that the quantity at the node needs such a
 * control. */
static bool u_is_constant(Reader *reader, const Node *node) {
  return reader->problem->sim.signal != SIM_PIECEWISE_LINEAR ||
         value_error(reader, node,
                     "with a u that is piecewise linear (expected control.signal.kind: "
                     "piecewise_constant, where u has one value in each segment)");
}

static void add_objective(Reader *reader, const char *key, double weight) {
  CtlQuantity *q = planned_add(reader, "minimize.%s", key);
  if (!q) return;
  q->role = CTL_ROLE_OBJECTIVE;
  q->weight = weight;
  q->read = strcmp(key, "effort") == 0 ? CTL_READ_EFFORT : strcmp(key, "fuel") == 0 ? CTL_READ_FUEL : CTL_READ_MOTION;
  if (q->read == CTL_READ_MOTION) q->of.way = SIM_END_TIME;
}

/* Returns column j of the control matrix B as a new vector of weights. The power of control j is u_j times the
 * velocities, weighted with this column. */
static const double *drive(Reader *reader, int j) {
  const SimProblem *sim = &reader->problem->sim;
  double *weights = planned_weights(reader);
  for (int i = 0; i < sim->d && weights; i++) weights[i] = sim->control_matrix[i * sim->n_control + j];
  return weights;
}

static void add_energy(Reader *reader, double weight) {
  for (int j = 0; j < reader->p; j++) {
    CtlQuantity *q = planned_add(reader, "minimize.energy[%d]", j + 1);
    if (!q) return;
    q->role = CTL_ROLE_OBJECTIVE;
    q->weight = weight;
    q->of = (SimQuantity){.way = SIM_INTEGRAL, .shape = SIM_SHAPE_POSITIVE, .v = drive(reader, j), .control = j + 1};
  }
}

/* Evaluates a reference function of the time t, which an expression defines. Sets *slope to its derivative, by finite
 * differences of fourth order. */
static double follow(void *context, double t, double *slope) {
  Expression *expression = context;
  const double h = 1e-3 * fmax(1, fabs(t)), at[] = {t - 2 * h, t - h, t + h, t + 2 * h};
  double y[4];
  for (int k = 0; k < 4; k++) y[k] = expression_evaluate(expression, &at[k]);
  *slope = (8 * (y[2] - y[1]) - (y[3] - y[0])) / (12 * h);
  return expression_evaluate(expression, &t);
}

/* Reads the reference function of t for one joint. Returns NULL if the entry of the file is null or has an error. */
static Expression *read_reference(Reader *reader, Node *node) {
  static const char *const variables[] = {"t"};
  MotionPlan *plan = reader->problem->plan;
  Expression *expression = node_is_null(node) ? NULL : node_expression(reader, node, 1, variables);
  if (!expression) return NULL;
  PlanReference *grown = realloc(plan->references, (plan->n_references + 1) * sizeof *grown);
  if (!grown) {
    reader->diagnostics->no_memory = true;
    expression_destroy(expression);
    return NULL;
  }
  plan->references = grown;
  plan->references[plan->n_references++] = (PlanReference){expression, node};
  return expression;
}

void planned_check_references(Reader *reader) {
  const MotionPlan *plan = reader->problem->plan;
  const double first = 0, last = reader->problem->sim.end;
  for (size_t k = 0; k < plan->n_references && plan->end_known; k++) {
    Expression *function = plan->references[k].function;
    if (!isfinite(expression_evaluate(function, &first)) || !isfinite(expression_evaluate(function, &last)))
      value_error(reader, plan->references[k].node, "not finite at t = 0 or t = %g", last);
  }
}

static void follow_entry(Reader *reader, Node *node, int k, int i, double weight) {
  char dof[LABEL_SIZE];
  Expression *expression = read_reference(reader, node);
  CtlQuantity *q = expression && weight > 0 ? planned_add(reader, "minimize.track.%s[%s]", k ? "velocity" : "position",
                                                          planned_dof(reader, i, dof))
                                            : NULL;
  if (!q) return;
  q->role = CTL_ROLE_OBJECTIVE;
  q->weight = weight;
  q->of = (SimQuantity){.way = SIM_INTEGRAL, .shape = SIM_SHAPE_SQUARE, .reference = follow, .context = expression};
  *(k ? &q->of.v : &q->of.x) = planned_unit(reader, i);
}

/* Reads one reference function for all joints, or a list with one for each joint. */
static void follow_entries(Reader *reader, Node *node, int k, const double *weights) {
  int i = 0;
  const size_t mistakes = reader->diagnostics->count;
  if (node->kind == NODE_MAPPING || (node->kind == NODE_SEQUENCE && (int)node->n != reader->d)) {
    value_expected(reader, node, "an expression in t, or a list of %d", reader->d);
    node->ignored = true;
    return;
  }
  if (node->kind == NODE_SCALAR)
    for (i = 0; i < reader->d && reader->diagnostics->count == mistakes; i++)
      follow_entry(reader, node, k, i, weights ? weights[i] : 1);
  for (Node *entry = node->first; entry; entry = entry->next, i++)
    follow_entry(reader, entry, k, i, weights ? weights[i] : 1);
}

static void read_track(Reader *reader, Node *section) {
  const SimParameter *rows = row_of(planned_minimize_parameters, "track")->parts;
  double *weights = read_numbers(reader, section, row_of(rows, "weight"), false);
  bool any = false;
  for (int k = 0; k < 2; k++) {
    Node *node = key_get(reader, section, rows[k].key);
    any = any || node;
    if (node && reader->d) follow_entries(reader, node, k, weights);
  }
  if (section && !any) value_error(reader, section, "nothing to follow (expected position or velocity)");
  free(weights);
}

static void read_end(Reader *reader, Node *section) {
  const SimParameter *rows = row_of(planned_minimize_parameters, "end")->parts;
  double *weights = read_numbers(reader, section, row_of(rows, "weight"), false);
  char dof[LABEL_SIZE];
  bool any = false;
  for (int k = 0; k < 2; k++) {
    double *at = read_numbers(reader, section, &rows[k], false);
    any = any || (section && key_get(reader, section, rows[k].key));
    for (int i = 0; i < reader->d && at; i++) {
      double weight = weights ? weights[i] : 1;
      CtlQuantity *q = isnan(at[i]) || !(weight > 0)
                           ? NULL
                           : planned_add(reader, "minimize.end.%s[%s]", rows[k].key, planned_dof(reader, i, dof));
      if (!q) continue;
      q->role = CTL_ROLE_RESIDUAL;
      q->target = at[i];
      q->weight = weight;
      q->of.way = SIM_AT_END;
      *(k ? &q->of.v : &q->of.x) = planned_unit(reader, i);
    }
    free(at);
  }
  if (section && !any) value_error(reader, section, "no end (expected position or velocity)");
  free(weights);
}

/* Sets x [d] to the positions at T that the target gives: a number itself, the middle of an interval, or the end of one
 * that has one end. Other entries become NAN. */
static void find_target(const Problem *problem, double *x) {
  const MotionPlan *plan = problem->plan;
  int d = problem->sim.d;
  for (int i = 0; i < d; i++) x[i] = problem->control.position[i];
  for (int k = 0; k < plan->quantities; k++) {
    const CtlQuantity *q = &plan->quantity[k];
    if (q->role < CTL_ROLE_AT_MOST || strncmp(q->name, "target.position[", strlen("target.position[")) != 0) continue;
    for (int i = 0; i < d; i++)
      if (q->of.x[i] != 0) x[i] = isnan(x[i]) ? q->target : 0.5 * (x[i] + q->target);
  }
}

/* Computes the forces [d] that hold a mechanism at rest at its target at T, without friction; coordinates that are free
 * there are at x0. Returns false after reporting that the target gives places of points instead of coordinates, that the
 * forces are not finite, or that there is no memory. */
static bool find_load(Reader *reader, const Node *node, double *forces) {
  const SimProblem *sim = &reader->problem->sim;
  bool by_points = document_find(reader->document, "control.target.points"), unknown = false;
  double *state = diagnostics_calloc(reader->diagnostics, 3 * (size_t)sim->d + 1, sizeof *state);
  if (!state) return false;
  find_target(reader->problem, state);
  for (int i = 0; i < sim->d; i++) {
    unknown = unknown || isnan(state[i]);
    if (isnan(state[i])) state[i] = sim->x0[i];
  }
  if (unknown && by_points) {
    free(state);
    return value_error(reader, node,
                       "hold, but the target gives places of points (expected control.target.position of all "
                       "coordinates, or around: NUMBERS)");
  }
  state[3 * sim->d] = sim->end;
  SimStatus status = sim_inverse_dynamics(sim, 1, state, forces);
  free(state);
  if (status == SIM_NO_MEMORY) reader->diagnostics->no_memory = true;
  if (status == SIM_NON_FINITE) value_error(reader, node, "hold, but the forces at the target are not finite");
  return status == SIM_OK;
}

/* Returns the u [p] that holds a mechanism at its target; NULL after reporting why there is none. */
static double *find_hold(Reader *reader, const Node *node) {
  const SimProblem *sim = &reader->problem->sim;
  const Mechanism *mechanism = reader->problem->mechanism;
  if (!mechanism && !is_wrong(reader, "model"))
    value_error(reader, node, "hold without a mechanism (expected numbers; hold is for model.kind: mechanism)");
  if (!mechanism || !reader->p || mechanism->start.d != sim->d || is_wrong(reader, "control.target")) return NULL;
  double *forces = diagnostics_calloc(reader->diagnostics, (size_t)sim->d, sizeof *forces),
         *u = diagnostics_calloc(reader->diagnostics, (size_t)reader->p, sizeof *u);
  bool good = forces && u && find_load(reader, node, forces);
  for (int j = 0; j < reader->p && good; j++) {
    int i = mechanism_control_acts_on(sim, j);
    if (i < 0)
      good = value_error(reader, node, "hold, but a control acts on several coordinates (expected numbers)");
    else if (mechanism_control_of(sim, i) == j)
      u[j] = forces[i] / sim->control_matrix[i * reader->p + j];
  }
  free(forces);
  if (good) return u;
  free(u);
  return NULL;
}

static void read_around(Reader *reader, Node *section) {
  Node *node = key_get(reader, section, "around");
  if (!node) return;
  if (!key_get(reader, section, "effort")) {
    node->ignored = true;
    value_error(reader, node, "around without effort (expected effort: WEIGHT beside it)");
    return;
  }
  bool hold = node->kind == NODE_SCALAR && strcmp(node->text, "hold") == 0;
  double *around = hold ? find_hold(reader, node)
                        : read_numbers(reader, section, row_of(planned_minimize_parameters, "around"), true);
  for (int j = 0; j < reader->p && around; j++)
    if (isnan(around[j])) around[j] = 0;
  reader->problem->plan->around = around;
}

static void read_weights(Reader *reader, Node *node) {
  int before = reader->problem->plan->quantities;
  size_t mistakes = reader->diagnostics->count;
  for (const SimParameter *row = planned_minimize_parameters; row->key; row++) {
    Node *value = key_get(reader, node, row->key);
    double weight;
    if (!value || row->forms != SIM_FORM_NUMBER || !parameter_value(reader, value, row, &weight)) continue;
    bool energy = strcmp(row->key, "energy") == 0;
    if ((energy || strcmp(row->key, "fuel") == 0) && !u_is_constant(reader, value)) continue;
    if (energy)
      add_energy(reader, weight);
    else
      add_objective(reader, row->key, weight);
  }
  read_around(reader, node);
  read_track(reader, read_section(reader, node, "track"));
  read_end(reader, read_section(reader, node, "end"));
  if (reader->problem->plan->quantities == before && reader->diagnostics->count == mistakes && reader->d && reader->p &&
      !node->first)
    value_error(reader, node, "empty (expected effort, time or fuel, or {effort: WEIGHT, ..})");
}

void planned_read_minimize(Reader *reader, Node *section) {
  static const SimParameter word = {"minimize", SIM_FORM_CHOICE, .choices = planned_minimize_words};
  Node *node = key_get(reader, section, "minimize");
  double which = 0;
  if (node && node->kind == NODE_SCALAR && strcmp(node->text, "energy") == 0) {
    value_error(reader, node, "energy as a word (expected {energy: 1}, its weight, with effort beside it if wanted)");
    return;
  }
  if (node && node->kind == NODE_SCALAR && strcmp(node->text, "fuel") == 0 && !u_is_constant(reader, node)) return;
  if (!node || node->kind != NODE_MAPPING) {
    if (!node || parameter_value(reader, node, &word, &which))
      add_objective(reader, planned_minimize_words[(int)which].name, 1);
  } else {
    read_weights(reader, node);
  }
  if (node) planned_keep(reader, NULL, node);
}

/* Reading control.limits ------------------------------------------------------------------------------------------- */

/* Adds constraints that keep the position (k = 0) or the velocity (k = 1) of joint i between lower and upper at all
 * times. */
static void limit(Reader *reader, int k, int i, double lower, double upper, const char *key) {
  char name[CTL_NAME_SIZE], dof[LABEL_SIZE];
  CtlQuantity line = {.of.way = SIM_LARGEST, .part = k};
  const Band band = {.kind = BAND_WITHIN, .lower = lower, .upper = upper};
  if (isinf(lower) && isinf(upper)) return;
  *(k ? &line.of.v : &line.of.x) = planned_unit(reader, i);
  snprintf(name, sizeof name, "limits.%s[%s]", key, planned_dof(reader, i, dof));
  planned_hold(reader, &line, &band, name);
}

static void read_range(Reader *reader, Node *limits, int k) {
  const SimParameter *row = &planned_limits_parameters[k];
  Node *section = read_section(reader, limits, row->key);
  double *lower = read_numbers(reader, section, &row->parts[0], false),
         *upper = read_numbers(reader, section, &row->parts[1], false);
  for (int i = 0; i < reader->d && section; i++) {
    double least = lower && !isnan(lower[i]) ? lower[i] : -INFINITY,
           most = upper && !isnan(upper[i]) ? upper[i] : INFINITY;
    if (least < most) {
      limit(reader, k, i, least, most, row->key);
      continue;
    }
    value_error(reader, section, "entry %d: lower %g, upper %g (expected lower < upper)", i + 1, least, most);
    break;
  }
  free(lower);
  free(upper);
}

/* Returns the speed limits [d] in a robot's file, NAN where there is none. Returns NULL after reporting that the model
 * has no such file, or after recording that there is no memory. */
static double *speeds_of_urdf(Reader *reader, Node *node) {
  const MechanismJoint *joints = reader->problem->mechanism ? reader->problem->mechanism->joints : NULL;
  if (!joints && !is_wrong(reader, "model"))
    value_error(reader, node, "urdf without a robot's file (expected numbers, or model.urdf)");
  double *most = joints ? diagnostics_calloc(reader->diagnostics, (size_t)reader->d, sizeof *most) : NULL;
  for (int i = 0; i < reader->d && most; i++) most[i] = isfinite(joints[i].speed) ? joints[i].speed : NAN;
  return most;
}

static void read_speed(Reader *reader, Node *limits) {
  Node *node = key_get(reader, limits, "speed");
  bool urdf = node && node->kind == NODE_SCALAR && strcmp(node->text, "urdf") == 0;
  double *most = urdf ? speeds_of_urdf(reader, node)
                      : read_numbers(reader, limits, row_of(planned_limits_parameters, "speed"), false);
  for (int i = 0; i < reader->d && most; i++)
    if (!isnan(most[i])) limit(reader, 1, i, -most[i], most[i], "speed");
  free(most);
}

static void read_power(Reader *reader, Node *limits) {
  double *most = read_numbers(reader, limits, row_of(planned_limits_parameters, "power"), true);
  char name[CTL_NAME_SIZE];
  bool possible = most && u_is_constant(reader, key_get(reader, limits, "power"));
  for (int j = 0; j < reader->p && possible; j++) {
    if (isnan(most[j])) continue;
    const CtlQuantity line = {.of = {.way = SIM_LARGEST, .v = drive(reader, j), .control = j + 1}, .part = 1};
    const Band band = {.kind = BAND_WITHIN, .lower = -most[j], .upper = most[j]};
    snprintf(name, sizeof name, "limits.power[%d]", j + 1);
    planned_hold(reader, &line, &band, name);
  }
  free(most);
}

void planned_read_limits(Reader *reader, Node *section) {
  Node *limits = read_section(reader, section, "limits");
  if (!limits) return;
  read_range(reader, limits, 0);
  read_range(reader, limits, 1);
  read_speed(reader, limits);
  read_power(reader, limits);
  const CtlQuantity place = {.of.way = SIM_LARGEST};
  planned_read_points(reader, limits, &place, "limits.points");
  if (!limits->first) value_error(reader, limits, "empty (expected position, velocity, speed, power or points)");
  planned_keep(reader, NULL, limits);
}
