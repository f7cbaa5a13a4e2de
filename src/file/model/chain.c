/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads models with model.kind: chain. A chain is a row of nodes and springs that slides on a rough support (Bastien
 * and Lamarque). */
#include "src/file/model/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_one_of(const char *key, const char *one, const char *other) {
  return strcmp(key, one) == 0 || strcmp(key, other) == 0;
}

static bool takes(const SimProblem *problem, const char *key) {
  const SimChain *chain = &problem->chain;
  if (is_one_of(key, "mass", "w0")) return chain->chain_case != SIM_CHAIN_QUASISTATIC;
  if (is_one_of(key, "end_force", "end_rate") && chain->end == SIM_END_FREE) return true;
  if (is_one_of(key, "end_displacement", "end_rate")) return chain->end == SIM_END_DISPLACEMENT;
  return strcmp(key, "end_force") != 0;
}

static void refuse(Reader *reader, Node *node, const SimParameter *row) {
  SimChainEnd end = reader->problem->sim.chain.end;
  const SimParameter *ends = sim_parameter_find(sim_chain_parameters, "end");
  bool mass = is_one_of(row->key, "mass", "w0"), free = strcmp(row->key, "end_force") == 0;
  node->ignored = true;
  if (is_wrong(reader, "model.end") && !mass) return;
  if (mass)
    value_error(reader, node, "a quasistatic chain has no %s",
                *row->key == 'm' ? "masses" : "velocities to start with");
  else if (strcmp(row->key, "end_rate") == 0)
    value_error(reader, node, "nothing at the right end that it were the rate of");
  else
    value_error(reader, node, "the right end is %s (expected end: %s with it)", sim_parameter_word(ends, (int)end),
                sim_parameter_word(ends, free ? SIM_END_FREE : SIM_END_DISPLACEMENT));
}

/* If only the last node has mass, requires that `mass` and `v0` are single numbers. */
static void read_last(Reader *reader, Values *values) {
  if (!values->good || values->form == SIM_FORM_NUMBER) return;
  value_expected(reader, values->node, "a number, the last node's");
  values->good = false;
}

static void read_chain(Reader *reader, Node *model, WrittenKeys *keys) {
  const SimChain *chain = &reader->problem->sim.chain;
  Values *springs = &keys_find(keys, "springs")->values;
  if (springs->good && springs->rows < 2) {
    value_error(reader, springs->node, "one spring (expected k_0, .., k_n, one more than nodes)");
    springs->good = false;
  }
  if (!is_wrong(reader, "model.case")) require_key(reader, model, keys, "mass");
  require_key(reader, model, keys, "end_displacement");
  if (chain->chain_case == SIM_CHAIN_SEMI_DYNAMICAL) {
    read_last(reader, &keys_find(keys, "mass")->values);
    read_last(reader, &keys_find(keys, "w0")->values);
  }
  const WrittenKey *rate = keys_find(keys, "end_rate"), *force = keys_find(keys, "end_force");
  if (rate && rate->node && force && !force->node)
    value_error(reader, rate->node, "nothing at the right end that it were the rate of");
}

/* Fills the values of a chain. In a semi-dynamical chain only the last node has a mass and a velocity. */
static void fill_chain(Reader *reader, Node *model, WrittenKeys *keys) {
  SimProblem *sim = &reader->problem->sim;
  (void)model, (void)keys;
  for (int i = 0; i < sim->d - 1 && sim->chain.chain_case == SIM_CHAIN_SEMI_DYNAMICAL; i++)
    sim->chain.node_mass[i] = sim->v0[i] = 0;
}

double end_share(const SimProblem *sim) {
  if (sim->kind != SIM_CHAIN) return 0;
  return sim->chain.end == SIM_END_FREE ? -1 : sim->chain.springs[sim->d];
}

/* Adds the force at the chain's end to the last node's column of the force table. `end` has the force or displacement
 * at each time; its factor is end_share. */
static void fold(const SimProblem *sim, const double *end, double *table) {
  double share = end_share(sim);
  for (long k = 0; k < sim_force_count(sim); k++) table[(size_t)(k + 1) * (size_t)sim->d - 1] += share * end[k];
}

/* Evaluates the force or displacement at the chain's end at all times of the force table. */
static void tabulate_end(const Problem *problem) {
  const SimProblem *sim = &problem->sim;
  for (long k = 0; k < sim_force_count(sim); k++)
    force_at(problem->end, sim, sim_force_time(sim, k), 0, 1, &sim->chain.end_value[k]);
}

/* Fills the tables of the values at the chain's end and of the rates of forces (SimChain), and adds the force at the
 * end to the force table. */
static void finish_chain(Reader *reader) {
  Problem *problem = reader->problem;
  SimProblem *sim = &problem->sim;
  /* If the section model has errors, the initial state is unknown. The default thresholds then avoid further errors. */
  if (is_wrong(reader, "model"))
    for (int i = 0; i < sim->d; i++) sim->friction[i] = sim_parameter_find(sim_chain_parameters, "thresholds")->preset;
  if (!sim->force) {
    if (sim->chain.end_value) tabulate_end(problem);
    return;
  }
  if (problem->end && force_size(problem->end) == 0)
    force_tabulate_into(problem->end, reader, sim, 1, sim->chain.end_value);
  fold(sim, sim->chain.end_value, sim->force);
  if (!sim->chain.force_rate) return;
  /* number of nodes without mass; only their equations need the rate of the force */
  int massless = sim->chain.chain_case == SIM_CHAIN_SEMI_DYNAMICAL ? sim->d - 1 : sim->d;
  force_tabulate_rate(problem->force, problem->force_rate, reader, sim, sim->d, massless, sim->chain.force_rate);
  if (!problem->end || force_size(problem->end) > 0 || massless < sim->d) return;
  double *rate = diagnostics_calloc(reader->diagnostics, (size_t)sim_force_count(sim), sizeof *rate);
  if (!rate) return;
  force_tabulate_rate(problem->end, problem->end_rate, reader, sim, 1, 1, rate);
  fold(sim, rate, sim->chain.force_rate);
  free(rate);
}

static bool echo_chain(const Problem *problem, json_t *model) {
  const SimProblem *sim = &problem->sim;
  int last = sim->d - 1;
  if (sim->chain.chain_case != SIM_CHAIN_SEMI_DYNAMICAL) return true;
  return json_object_set_new(model, "mass", json_real(sim->chain.node_mass[last])) == 0 &&
         json_object_set_new(model, "w0", json_real(sim->v0[last])) == 0;
}

const ModelKind model_chain = {.name = "chain",
                               .sentence = "nodes between springs on a rough support, with or without mass",
                               .sim = SIM_CHAIN,
                               .most = 1000000,
                               .variable = "i",
                               .rules = {takes, refuse},
                               .read = read_chain,
                               .fill = fill_chain,
                               .echo = echo_chain,
                               .finish = finish_chain};
