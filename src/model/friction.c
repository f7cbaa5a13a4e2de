/* model.kind: friction, masses with stiffness, damping and dry friction. */
#include "src/model/model.h"
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
  (void)model;
  for (int i = 0; i < 3 && reader->problem->storage; i++)
    values_to_sparse(reader, &keys_find(keys, matrix_keys[i])->values, matrices[i]);
  if (sim->system.gearbox.present) read_gear_k(reader, keys_find(keys, "k")->node);
}

static bool echo_friction(const Problem *problem, json_t *model) {
  json_t *gearbox = json_object_get(model, "gearbox");
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
