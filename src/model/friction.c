/* model.kind: friction, masses with stiffness, damping and dry friction. */
#include "src/values/force.h"
#include "src/values/matrix_market.h"

#include <math.h>
#include <stdio.h>

enum {
  VECTOR = SIM_FORM_NUMBER | SIM_FORM_LIST,
  MATRIX = SIM_FORM_NUMBER | SIM_FORM_LIST | SIM_FORM_ROWS | SIM_FORM_FILE
};

typedef enum Section { MODEL, STRIBECK, GEARBOX, N_SECTIONS } Section;

#define LAW_CHOICE(law, name, sentence, ...) {name, law, sentence},
static const SimChoice laws[] = {SIM_STRIBECK_LAWS(LAW_CHOICE){0}};

#define ROW_LAW                                                                                                        \
  { .key = "law", .forms = SIM_FORM_CHOICE, .choices = laws, .required = true, .sentence = "the law of the drop" }

/* The presets are harmless values, while the file's are wrong. */
static const SimParameter stribeck_keys[] = {ROW_LAW,
                                             {.key = "beta",
                                              .forms = VECTOR,
                                              SIM_BETWEEN(0, 1),
                                              .required = true,
                                              .preset = 0.5,
                                              .sentence = "the share of the threshold that is lost at high speed",
                                              SIM_MEMBER(SimProblem, system.stribeck_beta)},
                                             {.key = "epsilon",
                                              .forms = VECTOR,
                                              SIM_ABOVE(0),
                                              .unit = "m/s",
                                              .required = true,
                                              .preset = 1,
                                              .sentence = "the speed at which it is lost",
                                              SIM_MEMBER(SimProblem, system.stribeck_epsilon)},
                                             {0}};

static const SimParameter gearbox_keys[] = {
    ROW_LAW,
    {.key = "delta",
     .forms = VECTOR,
     .required = true,
     .preset = 1,
     .sentence = "transmission: s = delta x'",
     SIM_MEMBER(SimProblem, system.gearbox.delta)},
    {.key = "k",
     .forms = SIM_FORM_FORMULA,
     .variables = "delta",
     .unit = "N",
     .required = true,
     .sentence = "the force, odd and increasing in delta, as 2*delta"},
    {.key = "a",
     .forms = VECTOR,
     SIM_ABOVE(0),
     .required = true,
     .preset = 1e-300,
     .sentence = "a and b are factors of k: their mean is load, half their difference friction",
     SIM_MEMBER(SimProblem, system.gearbox.a)},
    {.key = "b",
     .forms = VECTOR,
     SIM_ABOVE(0),
     .required = true,
     .preset = 2,
     .sentence = "the greater, a < b",
     SIM_MEMBER(SimProblem, system.gearbox.b)},
    {.key = "beta",
     .forms = VECTOR,
     SIM_BETWEEN(0, 1),
     .required = true,
     .preset = 0.5,
     .sentence = "of gamma_gb, as in stribeck",
     SIM_MEMBER(SimProblem, system.gearbox.beta)},
    {.key = "epsilon",
     .forms = VECTOR,
     SIM_ABOVE(0),
     .unit = "m/s",
     .required = true,
     .preset = 1,
     .sentence = "of gamma_gb, as in stribeck",
     SIM_MEMBER(SimProblem, system.gearbox.epsilon)},
    {0}};

static const SimParameter link_keys[] = {{.key = "links",
                                          .forms = VECTOR,
                                          .unit = "N/m",
                                          .required = true,
                                          .sentence = "springs between neighbours, one less than masses"},
                                         {.key = "anchors",
                                          .forms = VECTOR,
                                          .unit = "N/m",
                                          .default_text = "0",
                                          .sentence = "springs from each mass to what holds it"},
                                         {0}};

static const SimParameter model_keys[] = {
    {.key = "mass",
     .forms = MATRIX,
     .unit = "kg",
     .required = true,
     .sentence =
         "M, symmetric positive definite: one for all, the diagonal, or a matrix; of sparse matrices no list of rows",
     SIM_MEMBER(SimProblem, system.mass)},
    {.key = "stiffness",
     .forms = MATRIX | SIM_FORM_SPRINGS | SIM_FORM_SECTION,
     .parts = link_keys,
     .unit = "N/m",
     .default_text = "0",
     .sentence =
         "A, symmetric positive semi-definite; springs: of masses between two walls, one more than masses; links and "
         "anchors: of sparse matrices",
     SIM_MEMBER(SimProblem, system.stiffness)},
    {.key = "damping",
     .forms = MATRIX | SIM_FORM_SPRINGS | SIM_FORM_SECTION,
     .parts = link_keys,
     .unit = "N s/m",
     .default_text = "0",
     .sentence = "D, likewise",
     SIM_MEMBER(SimProblem, system.damping)},
    {.key = "friction",
     .forms = VECTOR,
     SIM_AT_LEAST(0),
     .unit = "N",
     .default_text = "0",
     .sentence =
         "c: the force up to which a degree of freedom sticks; with sparse matrices it may be an expression in i",
     SIM_MEMBER(SimProblem, friction)},
    {.key = "x0",
     .forms = VECTOR,
     .unit = "m",
     .default_text = "0",
     .sentence = "x at t = 0; with sparse matrices it may be an expression in i",
     SIM_MEMBER(SimProblem, x0)},
    {.key = "v0",
     .forms = VECTOR,
     .unit = "m/s",
     .default_text = "0",
     .sentence = "x' at t = 0, likewise",
     SIM_MEMBER(SimProblem, v0)},
    {.key = "stribeck",
     .forms = SIM_FORM_SECTION,
     .parts = stribeck_keys,
     .default_text = "none",
     .sentence = "the drop of friction with speed"},
    {.key = "gearbox",
     .forms = SIM_FORM_SECTION,
     .parts = gearbox_keys,
     .default_text = "none",
     .sentence = "the efficiency of a gear box; schemes lie and strang"},
    {.key = "force",
     .forms = SIM_FORM_FORCE,
     .unit = "N",
     .default_text = "0",
     .sentence = "f, for all degrees of freedom, or one each"},
    {.key = "matrices",
     .forms = SIM_FORM_CHOICE,
     .choices = model_storages,
     .default_text = "dense; sparse for files in coordinate form beyond 4096 degrees of freedom",
     .sentence = "how mass, stiffness and damping are held"},
    {.key = "nodes",
     .forms = SIM_FORM_INTEGER,
     SIM_FROM_TO(1, 2000000000),
     .default_text = "told by the other keys",
     .sentence = "how many masses, of sparse matrices"},
    {0}};

static const SimParameter *const section_keys[N_SECTIONS] = {model_keys, stribeck_keys, gearbox_keys};
static const char *const section_names[] = {[STRIBECK] = "stribeck", [GEARBOX] = "gearbox"};

/* A key that fills an array of the SimProblem. */
typedef struct Field {
  Section section;
  const SimParameter *row;
} Field;
enum { FIELDS_MAX = 16 };

/* All of them, mass first; returns how many. */
static int list_fields(Field fields[FIELDS_MAX]) {
  int n = 0;
  for (int k = MODEL; k < N_SECTIONS; k++)
    for (const SimParameter *row = section_keys[k]; row->key; row++)
      if (row->size) fields[n++] = (Field){(Section)k, row};
  return n;
}

static bool is_matrix(const Field *field) { return field->row->forms & SIM_FORM_ROWS; }

static double *field_array(const SimProblem *problem, const Field *field) {
  return *(double *const *)(const void *)((const char *)problem + field->row->offset);
}

/* Sets reader->d by the first key that tells it: mass before all others. 0 when the one that should is wrong. */
static void find_size(Reader *reader, int n, const Values *values, const Force *force) {
  int d = 0;
  for (int i = 0; i < n && !d; i++) d = values_size(&values[i]);
  if (!d) d = force_size(force);
  if (!d && values[0].good && values[0].form == SIM_FORM_NUMBER) d = 1;
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
  SimGearbox *gear = &reader->problem->sim.system.gearbox;
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
static void read_sections(Reader *reader, Node *const *sections, int n, const Field *fields, const Values *values) {
  SimProblem *sim = &reader->problem->sim;
  sim->system.stribeck = read_law(reader, sections[STRIBECK], "model.stribeck.law");
  sim->system.gearbox.present = sections[GEARBOX] != NULL;
  sim->system.gearbox.law = read_law(reader, sections[GEARBOX], "model.gearbox.law");
  for (int i = 0; i < n; i++) {
    double *array = field_array(sim, &fields[i]);
    if (fields[i].section != MODEL && !sections[fields[i].section]) continue;
    for (int k = 0; k < sim->d && fields[i].row->preset != 0; k++) array[k] = fields[i].row->preset;
    if (is_matrix(&fields[i]))
      values_to_matrix(reader, &values[i], reader->d, reader->d, array);
    else
      values_to_vector(reader, &values[i], reader->d, array);
  }
  if (sections[GEARBOX]) read_gear_k(reader, sections[GEARBOX]);
}

static void require_field(Reader *reader, const Node *section, const Field *field) {
  char path[NODE_PATH_SIZE], expected[SIM_EXPECTED_SIZE];
  bool part = field->section != MODEL, any = field->row->least == 0 && field->row->most == 0;
  snprintf(path, sizeof path, "model.%s%s%s", part ? section_names[field->section] : "", part ? "." : "",
           field->row->key);
  require(reader, section, path,
          any ? values_expected(field->row->forms, expected) : sim_parameter_expected(field->row, expected));
}

static void read_friction(Reader *reader, Node *model, const Values *control_matrix) {
  Problem *problem = reader->problem;
  Field fields[FIELDS_MAX];
  Values values[FIELDS_MAX];
  Node *sections[N_SECTIONS] = {[MODEL] = model};
  int n = list_fields(fields);
  for (int i = MODEL + 1; i < N_SECTIONS; i++) sections[i] = read_section(reader, model, section_names[i]);
  for (int i = 0; i < n; i++) {
    Node *section = sections[fields[i].section];
    values[i] = values_read(reader, section, fields[i].row->key, fields[i].row->forms);
    if (fields[i].row->required && !values[i].node) require_field(reader, section, &fields[i]);
  }
  Node *force = node_get(model, "force", reader->diagnostics);
  problem->force = force_read(reader, force);
  if (problem->force) {
    find_size(reader, n, values, problem->force);
    find_controls(reader, control_matrix);
    int n_force = force_size(problem->force);
    if (reader->d && n_force && n_force != reader->d)
      node_error(force, reader->diagnostics, "%d entries (expected %d)", n_force, reader->d);
  }
  if (start_problem(reader, SIM_FRICTION)) {
    read_sections(reader, sections, n, fields, values);
    values_to_matrix(reader, control_matrix, reader->d, reader->p, problem->sim.control_matrix);
  }
  for (int i = 0; i < n; i++) values_clear(&values[i]);
}

static json_t *echo_friction(const Problem *problem) {
  const SimProblem *sim = &problem->sim;
  json_t *sections[N_SECTIONS] = {0};
  sections[MODEL] = json_pack("{s:s, s:o}", "kind", model_friction.name, "force", force_echo(problem->force));
  bool good = sections[MODEL] != NULL;
  if (sim->system.stribeck != SIM_STRIBECK_NONE)
    sections[STRIBECK] = json_pack("{s:s}", "law", sim_choice_name(laws, (int)sim->system.stribeck));
  if (sim->system.gearbox.present)
    sections[GEARBOX] = json_pack("{s:s, s:s}", "law", sim_choice_name(laws, (int)sim->system.gearbox.law), "k",
                                  expression_text(problem->gear_k));
  Field fields[FIELDS_MAX];
  int n = list_fields(fields);
  for (int i = 0; i < n && good; i++) {
    const double *array = field_array(sim, &fields[i]);
    json_t *section = sections[fields[i].section];
    if (!section) continue;
    good = json_object_set_new(section, fields[i].row->key,
                               is_matrix(&fields[i]) ? echo_matrix(sim->d, array) : echo_vector(sim->d, array)) == 0;
  }
  for (int i = MODEL + 1; i < N_SECTIONS; i++)
    if (sections[i]) good = json_object_set_new(sections[MODEL], section_names[i], sections[i]) == 0 && good;
  return json_if(good, sections[MODEL]);
}

const ModelKind model_friction = {.name = "friction",
                                  .sentence = "masses, springs and dampers whose joints rub",
                                  .keys = model_keys,
                                  .read = read_friction,
                                  .echo = echo_friction};
