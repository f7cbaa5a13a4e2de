/* model.kind: chain, nodes and springs that slide on a rough support (Bastien-Lamarque). */
#include "src/values/force.h"

#include <math.h>

#include <stdlib.h>

enum { VECTOR = SIM_FORM_NUMBER | SIM_FORM_LIST, NODES_MAX = 1000000 };

/* A threshold that nothing passes, for what could not be read. */
#define OUT_OF_REACH 1e300

static const SimChoice cases[] = {{"dynamical", SIM_CHAIN_DYNAMICAL, "all nodes have mass"},
                                  {"semi_dynamical", SIM_CHAIN_SEMI_DYNAMICAL, "the last node has"},
                                  {"quasistatic", SIM_CHAIN_QUASISTATIC, "none has"},
                                  {0}};
static const SimChoice ends[] = {{"clamped", SIM_END_CLAMPED, "both ends are held"},
                                 {"free", SIM_END_FREE, "the right end is free, pushed by end_force"},
                                 {"displacement", SIM_END_DISPLACEMENT, "the right end goes as end_displacement says"},
                                 {0}};

static const SimParameter chain_keys[] = {
    {.key = "case", .forms = SIM_FORM_CHOICE, .choices = cases, .required = true, .sentence = "which nodes have mass"},
    {.key = "springs",
     .forms = SIM_FORM_LIST,
     SIM_AT_LEAST(0),
     .unit = "N/m",
     .required = true,
     .sentence = "k_0..k_n, one more than nodes; > 0 between nodes"},
    {.key = "thresholds",
     .forms = VECTOR,
     SIM_AT_LEAST(0),
     .unit = "N",
     .required = true,
     .sentence = "alpha: the force up to which a node sticks"},
    {.key = "mass",
     .forms = VECTOR,
     SIM_ABOVE(0),
     .unit = "kg",
     .default_text = "required where nodes have mass",
     .sentence = "of each node; semi_dynamical: the last node's"},
    {.key = "force", .forms = SIM_FORM_FORCE, .unit = "N", .default_text = "0", .sentence = "F"},
    {.key = "v0", .forms = VECTOR, .unit = "m", .default_text = "0", .sentence = "the displacements V at t = 0"},
    {.key = "w0",
     .forms = VECTOR,
     .unit = "m/s",
     .default_text = "0",
     .sentence = "the velocities V' at t = 0; semi_dynamical: the last node's"},
    {.key = "end", .forms = SIM_FORM_CHOICE, .choices = ends, .preset = SIM_END_CLAMPED, .sentence = "the right end"},
    {.key = "end_force",
     .forms = SIM_FORM_FORCE,
     .unit = "N",
     .default_text = "0",
     .sentence = "of a free end: F_{n+1}, which pushes inward"},
    {.key = "end_displacement",
     .forms = SIM_FORM_FORCE,
     .unit = "m",
     .default_text = "required by end: displacement",
     .sentence = "where the end is"},
    {.key = "force_rate",
     .forms = SIM_FORM_FORCE,
     .unit = "N/s",
     .default_text = "by differences",
     .sentence = "F' in t, for implicit_euler and nodes without mass"},
    {.key = "end_rate",
     .forms = SIM_FORM_FORCE,
     .unit = "N/s or m/s",
     .default_text = "by differences",
     .sentence = "likewise, of end_force or end_displacement"},
    {0}};

/* The model's vectors as they were written. */
typedef struct Vectors {
  Values springs, thresholds, mass, v0, w0;
} Vectors;

static const char *end_key(SimChainEnd end) { return end == SIM_END_FREE ? "end_force" : "end_displacement"; }

/* What the end does, and its rate; each NULL where there is none. */
static void read_end(Reader *reader, Node *model, SimChainEnd end) {
  static const SimChainEnd both[] = {SIM_END_FREE, SIM_END_DISPLACEMENT};
  Problem *problem = reader->problem;
  Node *nodes[2] = {NULL, node_get(model, "end_rate", reader->diagnostics)};
  for (int i = 0; i < 2; i++) {
    Node *node = node_get(model, end_key(both[i]), reader->diagnostics);
    if (both[i] == end)
      nodes[0] = node;
    else if (node && !is_wrong(reader, "model.end"))
      node_error(node, reader->diagnostics, "the right end is %s (expected end: %s with it)",
                 sim_choice_name(ends, (int)end), sim_choice_name(ends, (int)both[i]));
  }
  if (end == SIM_END_DISPLACEMENT && !nodes[0])
    require(reader, model, "model.end_displacement", "the end's displacement, an expression in t");
  if (nodes[1] && !nodes[0] && !is_wrong(reader, "model.end") && !is_wrong(reader, "model.end_displacement"))
    node_error(nodes[1], reader->diagnostics, "nothing at the right end that it were the rate of");
  Force **forces[2] = {&problem->end, &problem->end_rate};
  for (int i = 0; i < 2; i++) {
    if (!nodes[i]) continue;
    *forces[i] = force_read(reader, nodes[i]);
    if (*forces[i] && force_size(*forces[i]) > 0)
      node_error(nodes[i], reader->diagnostics, "a list (expected one expression, or pieces of time)");
  }
}

/* Masses and velocities, of the nodes that have them: all, the last one, none. */
static void read_masses(Reader *reader, Node *model, SimChainCase chain_case, Vectors *vectors) {
  static const char *const keys[] = {"mass", "w0"};
  Values *const values[] = {&vectors->mass, &vectors->w0};
  for (int i = 0; i < 2; i++) {
    if (chain_case != SIM_CHAIN_QUASISTATIC || is_wrong(reader, "model.case")) {
      *values[i] =
          values_read(reader, model, keys[i], chain_case == SIM_CHAIN_SEMI_DYNAMICAL ? SIM_FORM_NUMBER : VECTOR);
      continue;
    }
    Node *node = node_get(model, keys[i], reader->diagnostics);
    if (!node) continue;
    node_error(node, reader->diagnostics, "a quasistatic chain has no %s", i ? "velocities to start with" : "masses");
    node->ignored = true;
  }
  if (chain_case != SIM_CHAIN_QUASISTATIC && !vectors->mass.node && !is_wrong(reader, "model.case"))
    require(reader, model, "model.mass",
            chain_case == SIM_CHAIN_DYNAMICAL ? "a list of masses" : "the last node's mass");
}

/* Sets reader->d by the first key that tells it: springs before all others. */
static void find_size(Reader *reader, Vectors *vectors) {
  int d = vectors->springs.rows - 1;
  if (vectors->springs.good && d < 1) {
    node_error(vectors->springs.node, reader->diagnostics, "one spring (expected k_0, .., k_n, one more than nodes)");
    d = 0;
  }
  const Values *others[] = {&vectors->thresholds, &vectors->mass, &vectors->v0, &vectors->w0};
  for (int i = 0; i < 4 && !vectors->springs.node && d < 1; i++) d = values_size(others[i]);
  if (d > NODES_MAX) {
    document_error(reader->document, reader->diagnostics, "model.springs", "%d nodes (expected at most %d)", d,
                   NODES_MAX);
    d = 0;
  }
  reader->d = d > 0 ? d : 0;
}

static void read_forces(Reader *reader, Node *model) {
  static const char *const keys[] = {"force", "force_rate"};
  Force **const forces[] = {&reader->problem->force, &reader->problem->force_rate};
  for (int i = 0; i < 2; i++) {
    Node *node = node_get(model, keys[i], reader->diagnostics);
    if (i && !node) continue; /* to be found by differences */
    *forces[i] = force_read(reader, node);
    int n = *forces[i] ? force_size(*forces[i]) : 0;
    if (reader->d && n && n != reader->d)
      node_error(node, reader->diagnostics, "%d entries (expected %d)", n, reader->d);
  }
}

/* The vectors into problem->sim; harmless values where they could not be read. */
static void fill(Reader *reader, const Vectors *vectors, SimChainCase chain_case, SimChainEnd end) {
  SimProblem *sim = &reader->problem->sim;
  int d = sim->d, last = d - 1;
  sim->chain.chain_case = chain_case;
  sim->chain.end = end;
  for (int i = 0; i <= d; i++) sim->chain.springs[i] = 1;
  for (int i = 0; i < d; i++) sim->friction[i] = OUT_OF_REACH;
  if (chain_case != SIM_CHAIN_QUASISTATIC) sim->chain.node_mass[last] = 1;
  if (chain_case == SIM_CHAIN_DYNAMICAL)
    for (int i = 0; i < d; i++) sim->chain.node_mass[i] = 1;
  values_to_vector(reader, &vectors->springs, reader->d ? d + 1 : 0, sim->chain.springs);
  values_to_vector(reader, &vectors->thresholds, reader->d, sim->friction);
  values_to_vector(reader, &vectors->v0, reader->d, sim->x0);
  if (chain_case == SIM_CHAIN_DYNAMICAL) {
    values_to_vector(reader, &vectors->mass, reader->d, sim->chain.node_mass);
    values_to_vector(reader, &vectors->w0, reader->d, sim->v0);
  } else if (chain_case == SIM_CHAIN_SEMI_DYNAMICAL) {
    values_to_vector(reader, &vectors->mass, 1, &sim->chain.node_mass[last]);
    values_to_vector(reader, &vectors->w0, 1, &sim->v0[last]);
  }
}

static void read_chain(Reader *reader, Node *model, const Values *control_matrix) {
  int chain_case = SIM_CHAIN_DYNAMICAL, end = SIM_END_CLAMPED;
  if (!read_choice(reader, model, "case", cases, &chain_case) && !is_wrong(reader, "model.case"))
    require(reader, model, "model.case", "dynamical or semi_dynamical or quasistatic");
  read_choice(reader, model, "end", ends, &end);
  Vectors vectors = {.springs = values_read(reader, model, "springs", SIM_FORM_LIST),
                     .thresholds = values_read(reader, model, "thresholds", VECTOR),
                     .v0 = values_read(reader, model, "v0", VECTOR)};
  if (!vectors.springs.node) require(reader, model, "model.springs", "a list k_0, .., k_n, one more than nodes");
  if (!vectors.thresholds.node) require(reader, model, "model.thresholds", "a list of friction forces");
  read_masses(reader, model, (SimChainCase)chain_case, &vectors);
  find_size(reader, &vectors);
  find_controls(reader, control_matrix);
  /* a chain may have 1e5 nodes: no B of that size unless it is asked for */
  if (!control_matrix->node && reader->p > CTL_CONTROLS_MAX) reader->p = CTL_CONTROLS_MAX;
  read_forces(reader, model);
  read_end(reader, model, (SimChainEnd)end);
  if (start_problem(reader, SIM_CHAIN)) {
    fill(reader, &vectors, (SimChainCase)chain_case, (SimChainEnd)end);
    values_to_matrix(reader, control_matrix, reader->d, reader->p, reader->problem->sim.control_matrix);
  }
  Values *all[] = {&vectors.springs, &vectors.thresholds, &vectors.mass, &vectors.v0, &vectors.w0};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) values_clear(all[i]);
}

/* Adds factor times the end's values to the last node's column. */
static void fold(const SimProblem *sim, const double *end, double *table) {
  double share = sim->chain.end == SIM_END_FREE ? -1 : sim->chain.springs[sim->d];
  for (long k = 0; k < sim_force_count(sim); k++) table[(size_t)(k + 1) * (size_t)sim->d - 1] += share * end[k];
}

/* End values and rates into their tables, and the end's share into F: see SimChain. */
static void finish_chain(Reader *reader) {
  Problem *problem = reader->problem;
  SimProblem *sim = &problem->sim;
  if (is_wrong(reader, "model")) /* then what it starts from is not known */
    for (int i = 0; i < sim->d; i++) sim->friction[i] = OUT_OF_REACH;
  if (problem->end && force_size(problem->end) == 0)
    force_tabulate_into(problem->end, reader, sim, 1, sim->chain.end_value);
  fold(sim, sim->chain.end_value, sim->force);
  if (!sim->chain.force_rate) return;
  int massless = sim->chain.chain_case == SIM_CHAIN_SEMI_DYNAMICAL ? sim->d - 1 : sim->d; /* the others have no rate */
  force_tabulate_rate(problem->force, problem->force_rate, reader, sim, sim->d, massless, sim->chain.force_rate);
  if (!problem->end || force_size(problem->end) > 0 || massless < sim->d) return;
  double *rate = diagnostics_calloc(reader->diagnostics, (size_t)sim_force_count(sim), sizeof *rate);
  if (!rate) return;
  force_tabulate_rate(problem->end, problem->end_rate, reader, sim, 1, 1, rate);
  fold(sim, rate, sim->chain.force_rate);
  free(rate);
}

static json_t *echo_chain(const Problem *problem) {
  const SimProblem *sim = &problem->sim;
  const SimChain *chain = &sim->chain;
  bool semi = chain->chain_case == SIM_CHAIN_SEMI_DYNAMICAL, dynamical = chain->chain_case == SIM_CHAIN_DYNAMICAL;
  int last = sim->d - 1;
  json_t *model =
      json_pack("{s:s, s:s, s:s, s:o, s:o, s:o, s:o}", "kind", model_chain.name, "case",
                sim_choice_name(cases, (int)chain->chain_case), "end", sim_choice_name(ends, (int)chain->end),
                "springs", echo_vector(sim->d + 1, chain->springs), "thresholds", echo_vector(sim->d, sim->friction),
                "v0", echo_vector(sim->d, sim->x0), "force", force_echo(problem->force));
  bool good = model != NULL;
  if (good && semi)
    good = json_object_set_new(model, "mass", json_real(chain->node_mass[last])) == 0 &&
           json_object_set_new(model, "w0", json_real(sim->v0[last])) == 0;
  if (good && dynamical)
    good = json_object_set_new(model, "mass", echo_vector(sim->d, chain->node_mass)) == 0 &&
           json_object_set_new(model, "w0", echo_vector(sim->d, sim->v0)) == 0;
  if (good && problem->end) good = json_object_set_new(model, end_key(chain->end), force_echo(problem->end)) == 0;
  if (good && problem->force_rate)
    good = json_object_set_new(model, "force_rate", force_echo(problem->force_rate)) == 0;
  if (good && problem->end_rate) good = json_object_set_new(model, "end_rate", force_echo(problem->end_rate)) == 0;
  return json_if(good, model);
}

const ModelKind model_chain = {.name = "chain",
                               .sentence = "nodes between springs on a rough support, with or without mass",
                               .keys = chain_keys,
                               .read = read_chain,
                               .echo = echo_chain,
                               .finish = finish_chain};
