/* model.kind: dashpot, one mass on a spring with a dash-pot and, if wanted, a support. */
#include "src/values/force.h"

#include <math.h>

static const SimChoice selections[] = {
    {"nearest_velocity", SIM_NEAREST_VELOCITY, "the velocity nearest to the last one"},
    {"max_dissipation", SIM_MAX_DISSIPATION, "the largest f_d v"},
    {0}};

#define LAW_CHOICE(law, name, sentence, ...) {name, law, sentence},
static const SimChoice laws[] = {SIM_DASHPOT_LAWS(LAW_CHOICE){0}};
#undef LAW_CHOICE

static const SimParameter support_keys[] = {
    {.key = "position", .forms = SIM_FORM_NUMBER, .unit = "m", .required = true, .sentence = "L, where the support is"},
    {.key = "stiffness",
     .forms = SIM_FORM_NUMBER,
     SIM_ABOVE(0),
     .unit = "N/m",
     .required = true,
     .sentence = "ks of lambda_contact = -ks max(0, x - L)"},
    {0}};

static const SimParameter keys[] = {
    {.key = "mass", .forms = SIM_FORM_NUMBER, SIM_ABOVE(0), .unit = "kg", .required = true, .sentence = "m"},
    {.key = "stiffness",
     .forms = SIM_FORM_NUMBER,
     SIM_AT_LEAST(0),
     .unit = "N/m",
     .default_text = "0",
     .sentence = "k"},
    {.key = "law",
     .forms = SIM_FORM_CHOICE,
     .choices = laws,
     .required = true,
     .sentence = "which v goes with which force f_d of the dash-pot"},
    {.key = "gamma",
     .forms = SIM_FORM_NUMBER,
     SIM_ABOVE(0),
     .unit = "m/(N s)",
     .default_text = "required by the laws but coulomb",
     .sentence = "of the law; what the law does not take may stand there and does nothing"},
    {.key = "f_crit",
     .forms = SIM_FORM_NUMBER,
     SIM_AT_LEAST(0),
     .unit = "N",
     .default_text = "required by the laws but viscous",
     .sentence = "the force up to which v = 0; bingham_nonmonotone is written for 1"},
    {.key = "selection",
     .forms = SIM_FORM_CHOICE,
     .choices = selections,
     .preset = SIM_NEAREST_VELOCITY,
     .sentence = "which velocity, where bingham_nonmonotone allows several"},
    {.key = "support",
     .forms = SIM_FORM_SECTION,
     .parts = support_keys,
     .default_text = "none",
     .sentence = "a support on a spring, which pushes back"},
    {.key = "force", .forms = SIM_FORM_FORCE, .unit = "N", .default_text = "0", .sentence = "f"},
    {.key = "x0", .forms = SIM_FORM_NUMBER, .unit = "m", .default_text = "0", .sentence = "x at t = 0"},
    {.key = "v0", .forms = SIM_FORM_NUMBER, .unit = "m/s", .default_text = "0", .sentence = "v at t = 0"},
    {0}};

/* A number that the law takes must be there. One that it does not take may be, so that another law is a matter of its
 * name alone; nothing comes of it. */
static void read_constant(Reader *reader, Node *model, const char *key, const char *path, const char *expected,
                          double *value) {
  double unused;
  bool taken = sim_dashpot_law_takes(reader->problem->sim.dashpot.law, key);
  read_number(reader, model, key, taken ? value : &unused);
  if (taken && !node_get(model, key, reader->diagnostics)) require(reader, model, path, expected);
}

static void read_law(Reader *reader, Node *model) {
  SimProblem *sim = &reader->problem->sim;
  int law = SIM_BINGHAM, selection = SIM_NEAREST_VELOCITY;
  bool known = read_choice(reader, model, "law", laws, &law);
  if (!node_get(model, "law", reader->diagnostics)) require(reader, model, "model.law", "the law of the dash-pot");
  sim->dashpot.law = (SimDashpotLaw)law;
  read_choice(reader, model, "selection", selections, &selection);
  if (sim_dashpot_law_takes(sim->dashpot.law, "selection")) sim->dashpot.selection = (SimSelection)selection;
  if (known) {
    read_constant(reader, model, "gamma", "model.gamma", "a number > 0", &sim->dashpot.g);
    read_constant(reader, model, "f_crit", "model.f_crit", "a force >= 0", &sim->friction[0]);
  } else { /* taken or not: who knows */
    read_number(reader, model, "gamma", &sim->dashpot.g);
    read_number(reader, model, "f_crit", &sim->friction[0]);
  }
}

static void read_support(Reader *reader, Node *model) {
  SimDashpot *dashpot = &reader->problem->sim.dashpot;
  Node *support = read_section(reader, model, "support");
  if (!support) return;
  dashpot->has_support = true;
  dashpot->support_stiffness = 1; /* harmless, in case the file's is wrong */
  read_number(reader, support, "position", &dashpot->support_position);
  read_number(reader, support, "stiffness", &dashpot->support_stiffness);
  if (!node_get(support, "position", reader->diagnostics))
    require(reader, support, "model.support.position", "where the support is");
  if (!node_get(support, "stiffness", reader->diagnostics))
    require(reader, support, "model.support.stiffness", "its spring, > 0");
}

static void read_dashpot(Reader *reader, Node *model, const Values *control_matrix) {
  Problem *problem = reader->problem;
  SimProblem *sim = &problem->sim;
  reader->d = 1;
  find_controls(reader, control_matrix);
  Node *force = node_get(model, "force", reader->diagnostics);
  problem->force = force_read(reader, force);
  if (problem->force && force_size(problem->force) > 1)
    node_error(force, reader->diagnostics, "%d entries (expected 1)", force_size(problem->force));
  if (!start_problem(reader, SIM_DASHPOT)) return;
  sim->dashpot.mass = 1; /* harmless, in case the file's is wrong */
  read_number(reader, model, "mass", &sim->dashpot.mass);
  if (!node_get(model, "mass", reader->diagnostics)) require(reader, model, "model.mass", "a number > 0");
  read_number(reader, model, "stiffness", &sim->dashpot.stiffness);
  read_number(reader, model, "x0", &sim->x0[0]);
  read_number(reader, model, "v0", &sim->v0[0]);
  read_law(reader, model);
  read_support(reader, model);
  values_to_matrix(reader, control_matrix, 1, reader->p, sim->control_matrix);
}

/* The keys that the law takes. */
static bool echo_law(const SimProblem *sim, json_t *model) {
  const struct {
    const char *key;
    json_t *value;
  } all[] = {{"gamma", json_real(sim->dashpot.g)},
             {"f_crit", json_real(sim->friction[0])},
             {"selection", json_string(sim_choice_name(selections, (int)sim->dashpot.selection))}};
  bool good = true;
  for (int i = 0; i < 3; i++) {
    bool taken = sim_dashpot_law_takes(sim->dashpot.law, all[i].key);
    if (taken) good = json_object_set(model, all[i].key, all[i].value) == 0 && good;
    json_decref(all[i].value);
  }
  return good;
}

static json_t *echo_dashpot(const Problem *problem) {
  const SimProblem *sim = &problem->sim;
  const SimDashpot *dashpot = &sim->dashpot;
  json_t *model =
      json_pack("{s:s, s:f, s:f, s:s, s:o, s:f, s:f}", "kind", model_dashpot.name, "mass", sim->dashpot.mass,
                "stiffness", sim->dashpot.stiffness, "law", sim_dashpot_law_name((int)dashpot->law), "force",
                force_echo(problem->force), "x0", sim->x0[0], "v0", sim->v0[0]);
  bool good = model && echo_law(sim, model);
  if (dashpot->has_support)
    good = good && json_object_set_new(model, "support",
                                       json_pack("{s:f, s:f}", "position", dashpot->support_position, "stiffness",
                                                 dashpot->support_stiffness)) == 0;
  return json_if(good, model);
}

const ModelKind model_dashpot = {.name = "dashpot",
                                 .sentence = "one mass on a spring, with a dash-pot and, if wanted, a support",
                                 .keys = keys,
                                 .read = read_dashpot,
                                 .echo = echo_dashpot};
