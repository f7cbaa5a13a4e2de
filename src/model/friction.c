/* model.kind: friction, masses with stiffness, damping and dry friction. */
#include "src/model/model.h"
#include "src/model/springs.h"
#include "src/values/matrix_market.h"

#include <math.h>
#include <string.h>

/* Whether k is odd and increases, as the gear box needs it: seen at samples as far out as the largest |delta|. */
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

/* model.gearbox.k at each delta. */
static void read_gear_k(Reader *reader, Node *node) {
  static const char *const variables[] = {"delta"};
  SimGearbox *gear = &reader->problem->sim.system.gearbox;
  Expression *k = reader->problem->gear_k = node_expression(reader, node, 1, variables);
  double reach = 0;
  for (int i = 0; i < reader->problem->sim.d; i++) {
    gear->k[i] = k ? expression_evaluate(k, &gear->delta[i]) + 0.0 : gear->delta[i];
    if (isfinite(gear->delta[i])) reach = fmax(reach, fabs(gear->delta[i]));
  }
  if (!(reach > 0)) reach = 1;
  if (k && !is_odd_increasing(k, reach))
    node_error(node, reader->diagnostics,
               "not odd and increasing up to |delta| = %g (expected k(-delta) = -k(delta), as in 2*delta)", reach);
}

/* A direction's thresholds into vector [count]. */
static void read_thresholds(Reader *reader, const WrittenKey *key, double *vector) {
  char expected[SIM_EXPECTED_SIZE];
  const SimProblem *sim = &reader->problem->sim;
  int i = 0;
  values_to_vector(reader, &key->values, key->row, reader->d, sim->first, sim->count, vector);
  while (i < sim->count && sim_parameter_allows(key->row, vector[i])) i++;
  if (i == sim->count) return;
  node_error(key->node, reader->diagnostics, "entry %d is %g (expected %s)", sim->first + i + 1, vector[i],
             sim_parameter_expected(key->row, expected));
  for (i = 0; i < sim->count; i++) vector[i] = 0;
}

void fill_thresholds(Reader *reader, WrittenKeys *keys, double scale) {
  SimProblem *sim = &reader->problem->sim;
  const WrittenKey *friction = keys_find(keys, "friction"), *forward = keys_find(keys, "forward"),
                   *backward = keys_find(keys, "backward");
  if (!forward || !backward) return;
  double *back = sim->friction_bias;
  sim->by_direction = true;
  read_thresholds(reader, forward, sim->friction);
  read_thresholds(reader, backward, back);
  for (int i = 0; i < sim->count; i++) {
    double ahead = sim->friction[i] * scale, behind = back[i] * scale;
    sim->friction[i] = (ahead + behind) / 2;
    sim->friction_bias[i] = (ahead - behind) / 2;
  }
  reader->problem->thresholds = node_echo(reader, friction->node);
  if (!reader->problem->thresholds) reader->diagnostics->no_memory = true;
}

static bool takes(const SimProblem *problem, const char *key) {
  return problem->system.storage == SIM_DENSE || (strcmp(key, "gearbox") != 0 && strcmp(key, "stops") != 0);
}

static void refuse(Reader *reader, Node *node, const SimParameter *row) {
  (void)row;
  node->ignored = true;
  node_error(node, reader->diagnostics, "not with sparse matrices (matrices: dense has it)");
}

static void fill_friction(Reader *reader, Node *model, WrittenKeys *keys) {
  static const char *const matrix_keys[] = {"mass", "stiffness", "damping"};
  SimProblem *sim = &reader->problem->sim;
  SimMatrix *const matrices[] = {&sim->system.sparse.mass, &sim->system.sparse.stiffness, &sim->system.sparse.damping};
  read_springs(reader, model);
  for (int i = 0; i < 3 && reader->problem->storage; i++)
    values_to_sparse(reader, &keys_find(keys, matrix_keys[i])->values, matrices[i]);
  fill_thresholds(reader, keys, 1);
  if (sim->system.gearbox.present) read_gear_k(reader, keys_find(keys, "k")->node);
}

static bool echo_friction(const Problem *problem, json_t *model) {
  json_t *gearbox = json_object_get(model, "gearbox");
  if (problem->thresholds && json_object_set(model, "friction", problem->thresholds) != 0) return false;
  if (!echo_springs(problem, model)) return false;
  return !gearbox || json_object_set_new(gearbox, "k", json_string(expression_text(problem->gear_k))) == 0;
}

const ModelKind model_friction = {.name = "friction",
                                  .sentence = "masses, springs and dampers whose joints rub",
                                  .keys = sim_friction_parameters,
                                  .sim = SIM_FRICTION,
                                  .most = MATRIX_SIZE_MAX,
                                  .entries = 8,
                                  .variable = "i",
                                  .rules = {takes, refuse},
                                  .fill = fill_friction,
                                  .echo = echo_friction};
