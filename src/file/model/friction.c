/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads models with model.kind: friction, masses with stiffness, damping and dry friction. */
#include "src/file/model/model.h"
#include "src/file/values/matrix_market.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Returns whether the law k(delta) of a gear box is odd and increasing, as required. The law is tested at samples of
 * |delta| up to `reach`. */
static bool is_odd_increasing(Expression *k, double reach) {
  enum { SAMPLES = 64 };
  double before = 0, scale = fabs(expression_evaluate(k, &reach));
  for (int i = 0; i <= SAMPLES; i++) {
    double delta = reach * i / SAMPLES, mirrored = -delta, value = expression_evaluate(k, &delta);
    if (!(fabs(value + expression_evaluate(k, &mirrored)) <= 1e-12 * scale)) return false;
    if (i > 0 && !(value > before)) return false;
    before = value;
  }
  return true;
}

/* Fills the table of the law model.gearbox.k with its values at all tabulated elongations delta. Without the law,
 * k(delta) = delta. Reports a law that is not odd and increasing. */
static void read_gear_k(Reader *reader, Node *node) {
  static const char *const variables[] = {"delta"};
  SimGearbox *gear = &reader->problem->sim.system.gearbox;
  Expression *k = reader->problem->gear_k = node_expression(reader, node, 1, variables);
  double reach = 0;
  for (int i = 0; i < reader->problem->sim.count; i++) {
    gear->k[i] = k ? expression_evaluate(k, &gear->delta[i]) + 0.0 : gear->delta[i];
    if (isfinite(gear->delta[i])) reach = fmax(reach, fabs(gear->delta[i]));
  }
  if (!(reach > 0)) reach = 1;
  if (k && !is_odd_increasing(k, reach))
    value_error(reader, node,
                "not odd and increasing up to |delta| = %g (expected k(-delta) = -k(delta), as in 2*delta)", reach);
}

/* Reads the entries of a vector [count]. Each must lie in the range of its key; after an error, all entries become
 * 0. */
static void read_each(Reader *reader, const WrittenKey *key, double *vector) {
  char expected[SIM_EXPECTED_SIZE], number[SIM_NUMBER_SIZE];
  const SimProblem *sim = &reader->problem->sim;
  int i = 0;
  values_to_vector(reader, &key->values, key->row, reader->d, sim->first, sim->count, vector);
  while (i < sim->count && sim_parameter_allows(key->row, vector[i])) i++;
  if (i == sim->count) return;
  value_error(reader, key->node, "entry %d is %s (expected %s)", sim->first + i + 1, sim_number(vector[i], number),
              sim_parameter_expected(key->row, expected));
  for (i = 0; i < sim->count; i++) vector[i] = 0;
}

void fill_thresholds(Reader *reader, WrittenKeys *keys, double scale) {
  SimProblem *sim = &reader->problem->sim;
  const WrittenKey *forward = keys_find(keys, "forward"), *backward = keys_find(keys, "backward");
  if (!forward || !backward) return;
  double *back = sim->friction_bias;
  sim->by_direction = true;
  if (forward->timed || backward->timed) return;
  read_each(reader, forward, sim->friction);
  read_each(reader, backward, back);
  for (int i = 0; i < sim->count; i++) {
    double ahead = sim->friction[i] * scale, behind = back[i] * scale;
    sim->friction[i] = (ahead + behind) / 2;
    sim->friction_bias[i] = (ahead - behind) / 2;
  }
}

void read_friction(Reader *reader, Node *model, WrittenKeys *keys) {
  const WrittenKey *both = keys_find(keys, "friction"), *forward = keys_find(keys, "forward"),
                   *backward = keys_find(keys, "backward");
  Force **course = reader->problem->course;
  (void)model;
  if (both->timed) course[0] = force_read(reader, both->node);
  if (forward && backward && forward->node && backward->node && (forward->timed || backward->timed)) {
    course[0] = force_read(reader, forward->node);
    course[1] = force_read(reader, backward->node);
  }
}

/* Checks that the thresholds which depend on time are given for all d degrees of freedom; reports an error
 * otherwise. */
static void check_courses(Reader *reader, WrittenKeys *keys) {
  Force **course = reader->problem->course;
  const WrittenKey *key[] = {keys_find(keys, course[1] ? "forward" : "friction"), keys_find(keys, "backward")};
  for (int k = 0; k < 2 && course[k]; k++) {
    int n = force_size(course[k]);
    if (n && reader->d && n != reader->d) value_error(reader, key[k]->node, "%d entries (expected %d)", n, reader->d);
  }
}

json_t *as_written(Problem *problem) {
  if (!problem->as_written) problem->as_written = json_object();
  return problem->as_written;
}

/* Marks a dense matrix, so that the resolved problem (the echo) lists its present numbers. */
static void keep_numbers(Reader *reader, const WrittenKey *key) {
  Problem *problem = reader->problem;
  const SimParameter rows[] = {*key->row, {0}};
  if (!keys_echo(rows, NULL, &problem->sim, as_written(problem))) reader->diagnostics->no_memory = true;
}

/* Marks a key, so that the resolved problem (the echo) repeats its value as written in the file. */
static void keep_written(Reader *reader, const WrittenKey *key) {
  json_t *echo = key->node ? node_echo(reader, key->node) : json_string(key->row->default_text);
  keep_json(reader, as_written(reader->problem), key->row->key, echo);
}

void fill_viscous(Reader *reader, WrittenKeys *keys, double scale) {
  Problem *problem = reader->problem;
  SimProblem *sim = &problem->sim;
  const WrittenKey *key = keys_find(keys, "viscous");
  double *b = key->node ? diagnostics_calloc(reader->diagnostics, (size_t)sim->count, sizeof *b) : NULL;
  bool any = false;
  if (!b) return;
  read_each(reader, key, b);
  for (int i = 0; i < sim->count; i++) {
    any = any || b[i] != 0;
    b[i] *= scale;
  }
  any = sim_group_agree(reader->ranks.group, any) != 0;
  if (any && !problem->storage) {
    /* The resolved problem gets the damping D before viscous friction b is added, since b is added again when the
     * resolved problem is read. */
    keep_numbers(reader, keys_find(keys, "damping"));
    keep_written(reader, key);
  }
  if (any && sim_problem_set_viscous(sim, b) != SIM_OK) reader->diagnostics->no_memory = true;
  free(b);
}

static bool takes(const SimProblem *problem, const char *key) {
  if (problem->system.stribeck == SIM_STRIBECK_TABLE && strcmp(key, "stribeck") == 0)
    return false; /* the error in the table has been reported already */
  return true;
}

static void refuse(Reader *reader, Node *node, const SimParameter *row) {
  (void)row;
  node->ignored = true;
  value_error(reader, node, "not with sparse matrices (matrices: dense has it)");
}

static void fill_friction(Reader *reader, Node *model, WrittenKeys *keys) {
  static const char *const matrix_keys[] = {"mass", "stiffness", "damping"};
  SimProblem *sim = &reader->problem->sim;
  SimMatrix *const matrices[] = {&sim->system.sparse.mass, &sim->system.sparse.stiffness, &sim->system.sparse.damping};
  read_springs(reader, model);
  for (int i = 0; i < 3 && reader->problem->storage; i++)
    values_to_sparse(reader, &keys_find(keys, matrix_keys[i])->values, matrices[i]);
  const WrittenKey *friction = keys_find(keys, "friction");
  fill_thresholds(reader, keys, 1);
  check_courses(reader, keys);
  if (friction->timed || keys_find(keys, "forward")) keep_written(reader, friction);
  fill_friction_table(reader, model, keys, 1);
  fill_viscous(reader, keys, 1);
  read_friction_rise(reader, model);
  if (reader->problem->rise.law && !reader->problem->storage && !friction->timed && !keys_find(keys, "forward"))
    keep_numbers(reader, friction); /* the resolved problem gets the thresholds before their position-dependent part is
                                     * added */
  if (sim->system.gearbox.present) read_gear_k(reader, keys_find(keys, "k")->node);
}

static bool echo_friction(const Problem *problem, json_t *model) {
  json_t *gearbox = json_object_get(model, "gearbox");
  if (problem->as_written && json_object_update(model, problem->as_written) != 0) return false;
  if (!echo_springs(problem, model) || !echo_friction_rise(problem, model)) return false;
  return !gearbox || json_object_set_new(gearbox, "k", json_string(expression_text(problem->gear_k))) == 0;
}

const ModelKind model_friction = {.name = "friction",
                                  .sentence = "masses, springs and dampers with friction in their joints",
                                  .sim = SIM_FRICTION,
                                  .most = MATRIX_SIZE_MAX,
                                  .entries = 8,
                                  .variable = "i",
                                  .rules = {takes, refuse},
                                  .read = read_friction,
                                  .fill = fill_friction,
                                  .echo = echo_friction};
