/* model.kind: friction, masses with stiffness, damping and dry friction. */
#include "src/force.h"
#include "src/matrix_market.h"

#include <stddef.h>

enum { VECTOR = FORM_NUMBER | FORM_LIST, MATRIX = FORM_NUMBER | FORM_LIST | FORM_ROWS | FORM_FILE };

/* The arrays of a SimProblem that keys fill. */
typedef struct Field {
  const char *key;
  bool stribeck; /* in model.stribeck */
  bool matrix;
  unsigned forms;
  size_t offset; /* of the double * */
} Field;

static const Field fields[] = {
    {"mass", false, true, MATRIX, offsetof(SimProblem, mass)},
    {"stiffness", false, true, MATRIX | FORM_SPRINGS, offsetof(SimProblem, stiffness)},
    {"damping", false, true, MATRIX | FORM_SPRINGS, offsetof(SimProblem, damping)},
    {"friction", false, false, VECTOR, offsetof(SimProblem, friction)},
    {"x0", false, false, VECTOR, offsetof(SimProblem, x0)},
    {"v0", false, false, VECTOR, offsetof(SimProblem, v0)},
    {"beta", true, false, VECTOR, offsetof(SimProblem, stribeck_beta)},
    {"epsilon", true, false, VECTOR, offsetof(SimProblem, stribeck_epsilon)},
};
enum { N_FIELDS = sizeof fields / sizeof *fields };

static const Choice laws[] = {{"sqrt", SIM_STRIBECK_SQRT}, {"ramp", SIM_STRIBECK_RAMP}, {NULL, 0}};

static double *field_array(const SimProblem *problem, const Field *field) {
  return *(double *const *)(const void *)((const char *)problem + field->offset);
}

/* Sets reader->d by the first key that tells it: mass before all others. 0 when the one that should is wrong. */
static void find_size(Reader *reader, const Values *values, const Force *force) {
  int d = 0;
  for (int i = 0; i < N_FIELDS && !d; i++) d = values_size(&values[i]);
  if (!d) d = force_size(force);
  if (!d && values[0].good && values[0].form == FORM_NUMBER) d = 1;
  if (d > MATRIX_SIZE_MAX) {
    document_complain(reader->document, reader->complaints, "model.mass", "%d degrees of freedom (expected at most %d)",
                      d, MATRIX_SIZE_MAX);
    d = 0;
  }
  reader->d = d;
}

/* Sets reader->p: the columns of B, which is d x d by default. */
static void find_controls(Reader *reader, const Values *matrix) {
  bool told = matrix->form == FORM_ROWS, wrong = matrix->node && !matrix->good;
  int p = told ? matrix->columns : wrong ? 0 : reader->d;
  if (reader->problem->has_control && p > CTL_CONTROLS_MAX) {
    document_complain(reader->document, reader->complaints, "control.matrix", "%d controls (expected at most %d)", p,
                      CTL_CONTROLS_MAX);
    p = 0;
  }
  reader->p = p;
}

/* The law, and harmless values of its constants, in case the file's are wrong. */
static void read_law(Reader *reader, Node *stribeck) {
  SimProblem *sim = &reader->problem->sim;
  int law = SIM_STRIBECK_SQRT;
  Node *node = node_get(stribeck, "law", reader->complaints);
  if (node)
    read_choice(reader, stribeck, "law", laws, &law);
  else
    require(reader, stribeck, "model.stribeck.law", "sqrt or ramp");
  sim->stribeck = (SimStribeck)law;
  for (int i = 0; i < sim->d; i++) {
    sim->stribeck_beta[i] = 0.5;
    sim->stribeck_epsilon[i] = 1;
  }
}

static void read_friction(Reader *reader, Node *model, const Values *control_matrix) {
  Problem *problem = reader->problem;
  SimProblem *sim = &problem->sim;
  Values values[N_FIELDS];
  Node *stribeck = read_section(reader, model, "stribeck");
  for (int i = 0; i < N_FIELDS; i++)
    values[i] = values_read(reader, fields[i].stribeck ? stribeck : model, fields[i].key, fields[i].forms);
  if (!values[0].node) require(reader, model, "model.mass", "a list of masses, or a matrix");
  if (stribeck && !values[N_FIELDS - 2].node) require(reader, stribeck, "model.stribeck.beta", "0 < beta < 1");
  if (stribeck && !values[N_FIELDS - 1].node) require(reader, stribeck, "model.stribeck.epsilon", "a speed > 0");
  Node *force = node_get(model, "force", reader->complaints);
  problem->force = force_read(reader, force);
  if (problem->force) {
    find_size(reader, values, problem->force);
    find_controls(reader, control_matrix);
    int n_force = force_size(problem->force);
    if (reader->d && n_force && n_force != reader->d)
      node_complain(force, reader->complaints, "%d entries (expected %d)", n_force, reader->d);
  }
  if (start_problem(reader, SIM_FRICTION)) {
    if (stribeck) read_law(reader, stribeck);
    for (int i = 0; i < N_FIELDS; i++) {
      if (fields[i].matrix)
        values_to_matrix(reader, &values[i], reader->d, reader->d, field_array(sim, &fields[i]));
      else
        values_to_vector(reader, &values[i], reader->d, field_array(sim, &fields[i]));
    }
    values_to_matrix(reader, control_matrix, reader->d, reader->p, sim->control_matrix);
  }
  for (int i = 0; i < N_FIELDS; i++) values_clear(&values[i]);
}

static json_t *echo_friction(const Problem *problem) {
  const SimProblem *sim = &problem->sim;
  json_t *model = json_pack("{s:s, s:o}", "kind", model_friction.name, "force", force_echo(problem->force));
  json_t *stribeck =
      sim->stribeck == SIM_STRIBECK_NONE ? NULL : json_pack("{s:s}", "law", choice_name(laws, (int)sim->stribeck));
  bool good = model != NULL;
  for (int i = 0; i < N_FIELDS && good; i++) {
    const double *array = field_array(sim, &fields[i]);
    if (fields[i].stribeck && !stribeck) continue;
    good = json_object_set_new(fields[i].stribeck ? stribeck : model, fields[i].key,
                               fields[i].matrix ? echo_matrix(sim->d, array) : echo_vector(sim->d, array)) == 0;
  }
  if (stribeck) good = json_object_set_new(model, "stribeck", stribeck) == 0 && good;
  return json_if(good, model);
}

const ModelKind model_friction = {"friction", read_friction, echo_friction, NULL};
