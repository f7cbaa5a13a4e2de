/* model.kind: friction, masses with stiffness, damping and dry friction. */
#include "src/values/force.h"
#include "src/values/matrix_market.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

enum { VECTOR = FORM_NUMBER | FORM_LIST, MATRIX = FORM_NUMBER | FORM_LIST | FORM_ROWS | FORM_FILE };

typedef enum Section { MODEL, STRIBECK, GEARBOX, N_SECTIONS } Section;
static const char *const section_keys[] = {[STRIBECK] = "stribeck", [GEARBOX] = "gearbox"};

/* The arrays of a SimProblem that keys fill. */
typedef struct Field {
  const char *path;
  Section section;
  bool matrix;
  unsigned forms;
  size_t offset;        /* of the double * */
  const char *expected; /* NULL: may be left out */
  double harmless;      /* of a section's constant, while the file's is wrong */
} Field;

static const Field fields[] = {
    {"model.mass", MODEL, true, MATRIX, offsetof(SimProblem, mass), "a list of masses, or a matrix", 0},
    {"model.stiffness", MODEL, true, MATRIX | FORM_SPRINGS, offsetof(SimProblem, stiffness), NULL, 0},
    {"model.damping", MODEL, true, MATRIX | FORM_SPRINGS, offsetof(SimProblem, damping), NULL, 0},
    {"model.friction", MODEL, false, VECTOR, offsetof(SimProblem, friction), NULL, 0},
    {"model.x0", MODEL, false, VECTOR, offsetof(SimProblem, x0), NULL, 0},
    {"model.v0", MODEL, false, VECTOR, offsetof(SimProblem, v0), NULL, 0},
    {"model.stribeck.beta", STRIBECK, false, VECTOR, offsetof(SimProblem, stribeck_beta), "0 < beta < 1", 0.5},
    {"model.stribeck.epsilon", STRIBECK, false, VECTOR, offsetof(SimProblem, stribeck_epsilon), "a speed > 0", 1},
    {"model.gearbox.delta", GEARBOX, false, VECTOR, offsetof(SimProblem, gearbox.delta), "a number", 1},
    {"model.gearbox.a", GEARBOX, false, VECTOR, offsetof(SimProblem, gearbox.a), "0 < a", 1e-300},
    {"model.gearbox.b", GEARBOX, false, VECTOR, offsetof(SimProblem, gearbox.b), "a < b", 2},
    {"model.gearbox.beta", GEARBOX, false, VECTOR, offsetof(SimProblem, gearbox.beta), "0 < beta < 1", 0.5},
    {"model.gearbox.epsilon", GEARBOX, false, VECTOR, offsetof(SimProblem, gearbox.epsilon), "a speed > 0", 1},
};
enum { N_FIELDS = sizeof fields / sizeof *fields };

static const char *field_key(const Field *field) { return strrchr(field->path, '.') + 1; }

#define LAW_CHOICE(law, name, sentence, ...) {name, law, sentence},
static const SimChoice laws[] = {SIM_STRIBECK_LAWS(LAW_CHOICE){0}};

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
    document_error(reader->document, reader->diagnostics, "model.mass", "%d degrees of freedom (expected at most %d)",
                   d, MATRIX_SIZE_MAX);
    d = 0;
  }
  reader->d = d;
}

/* The law of a section, if there is one. */
static SimStribeck read_law(Reader *reader, Node *section, const char *path) {
  int law = section ? laws[0].value : SIM_STRIBECK_NONE;
  if (section && !node_get(section, "law", reader->diagnostics)) require(reader, section, path, "the law of gamma");
  read_choice(reader, section, "law", laws, &law);
  return (SimStribeck)law;
}

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
static void read_gear_k(Reader *reader, Node *gearbox) {
  static const char *const variables[] = {"delta"};
  SimGearbox *gear = &reader->problem->sim.gearbox;
  Node *node = node_get(gearbox, "k", reader->diagnostics);
  if (!node) require(reader, gearbox, "model.gearbox.k", "an expression in delta");
  Expression *k = reader->problem->gear_k = node_expression(reader, node, 1, variables);
  double reach = 0;
  for (int i = 0; i < reader->problem->sim.d; i++) {
    gear->k[i] = k ? expression_evaluate(k, &gear->delta[i]) + 0.0 : gear->delta[i];
    if (isfinite(gear->delta[i])) reach = fmax(reach, fabs(gear->delta[i]));
  }
  if (k && !is_odd_increasing(k, reach > 0 ? reach : 1))
    node_error(node, reader->diagnostics,
               "not odd and increasing up to |delta| = %g (expected k(-delta) = -k(delta), as in 2*delta)",
               reach > 0 ? reach : 1);
}

/* Tells what is missing; fills the arrays. */
static void read_sections(Reader *reader, Node *const *sections, const Values *values) {
  SimProblem *sim = &reader->problem->sim;
  sim->stribeck = read_law(reader, sections[STRIBECK], "model.stribeck.law");
  sim->gearbox.present = sections[GEARBOX] != NULL;
  sim->gearbox.law = read_law(reader, sections[GEARBOX], "model.gearbox.law");
  for (int i = 0; i < N_FIELDS; i++) {
    double *array = field_array(sim, &fields[i]);
    if (fields[i].section != MODEL && !sections[fields[i].section]) continue;
    for (int k = 0; k < sim->d && fields[i].harmless != 0; k++) array[k] = fields[i].harmless;
    if (fields[i].matrix)
      values_to_matrix(reader, &values[i], reader->d, reader->d, array);
    else
      values_to_vector(reader, &values[i], reader->d, array);
  }
  if (sections[GEARBOX]) read_gear_k(reader, sections[GEARBOX]);
}

static void read_friction(Reader *reader, Node *model, const Values *control_matrix) {
  Problem *problem = reader->problem;
  Values values[N_FIELDS];
  Node *sections[N_SECTIONS] = {[MODEL] = model};
  for (int i = MODEL + 1; i < N_SECTIONS; i++) sections[i] = read_section(reader, model, section_keys[i]);
  for (int i = 0; i < N_FIELDS; i++) {
    Node *section = sections[fields[i].section];
    values[i] = values_read(reader, section, field_key(&fields[i]), fields[i].forms);
    if (fields[i].expected && !values[i].node) require(reader, section, fields[i].path, fields[i].expected);
  }
  Node *force = node_get(model, "force", reader->diagnostics);
  problem->force = force_read(reader, force);
  if (problem->force) {
    find_size(reader, values, problem->force);
    find_controls(reader, control_matrix);
    int n_force = force_size(problem->force);
    if (reader->d && n_force && n_force != reader->d)
      node_error(force, reader->diagnostics, "%d entries (expected %d)", n_force, reader->d);
  }
  if (start_problem(reader, SIM_FRICTION)) {
    read_sections(reader, sections, values);
    values_to_matrix(reader, control_matrix, reader->d, reader->p, problem->sim.control_matrix);
  }
  for (int i = 0; i < N_FIELDS; i++) values_clear(&values[i]);
}

static json_t *echo_friction(const Problem *problem) {
  const SimProblem *sim = &problem->sim;
  json_t *sections[N_SECTIONS] = {0};
  sections[MODEL] = json_pack("{s:s, s:o}", "kind", model_friction.name, "force", force_echo(problem->force));
  bool good = sections[MODEL] != NULL;
  if (sim->stribeck != SIM_STRIBECK_NONE)
    sections[STRIBECK] = json_pack("{s:s}", "law", sim_choice_name(laws, (int)sim->stribeck));
  if (sim->gearbox.present)
    sections[GEARBOX] = json_pack("{s:s, s:s}", "law", sim_choice_name(laws, (int)sim->gearbox.law), "k",
                                  expression_text(problem->gear_k));
  for (int i = 0; i < N_FIELDS && good; i++) {
    const double *array = field_array(sim, &fields[i]);
    json_t *section = sections[fields[i].section];
    if (!section) continue;
    good = json_object_set_new(section, field_key(&fields[i]),
                               fields[i].matrix ? echo_matrix(sim->d, array) : echo_vector(sim->d, array)) == 0;
  }
  for (int i = MODEL + 1; i < N_SECTIONS; i++)
    if (sections[i]) good = json_object_set_new(sections[MODEL], section_keys[i], sections[i]) == 0 && good;
  return json_if(good, sections[MODEL]);
}

const ModelKind model_friction = {.name = "friction", .read = read_friction, .echo = echo_friction};
