/* SPDX-License-Identifier: BSD-2-Clause */
/* Makes mechanisms from texts, for tests. */
#ifndef TESTS_MECHANISM_H
#define TESTS_MECHANISM_H

#include "tests/fixture.h"

#include "sim/graph/derivative.h"
#include "sim/graph/reader.h"
#include "sim/mechanism/equations.h"

enum { TEXT_D = 6, TEXT_PARAMETERS = 8, TEXT_NAMES = 3 * TEXT_D + 1 + TEXT_PARAMETERS };

/* A mechanism as texts in the coordinates q1, q1', .. and t, with the names of its parameters. NULL: 0, or the end of a
 * list. */
typedef struct MechanismText {
  int d;
  const char *coordinates[TEXT_D];
  const char *kinetic, *potential;
  const char *applied[TEXT_D], *friction[TEXT_D];
  const char *parameters[TEXT_PARAMETERS];
  double values[TEXT_PARAMETERS];
} MechanismText;

/* A mechanism that was made from texts, with its storage. */
typedef struct MechanismOfText {
  SimMechanism mechanism;
  int nodes[3 * TEXT_D], parameters[TEXT_PARAMETERS], residuals[TEXT_D], applied[TEXT_D], thresholds[TEXT_D];
  double values[TEXT_PARAMETERS];
  char names[TEXT_NAMES][24];
  const char *name[TEXT_NAMES];
  int named[TEXT_NAMES], n;
} MechanismOfText;

static inline int mechanism_node(MechanismOfText *m, const char *text) {
  char message[GRAPH_MESSAGE_SIZE];
  const GraphNames names = {m->n, m->name, m->named};
  int node = text ? graph_read(&m->mechanism.graph, text, &names, message) : graph_number(&m->mechanism.graph, 0);
  if (node < 0) fail_msg("%s: %s", text ? text : "0", message);
  return node;
}

static inline void mechanism_add_name(MechanismOfText *m, const char *name, const char *ending, int node) {
  snprintf(m->names[m->n], sizeof m->names[m->n], "%s%s", name, ending);
  m->name[m->n] = m->names[m->n];
  m->named[m->n++] = node;
}

/* Makes the variables and the parameters, with their names. */
static inline void mechanism_begin(const MechanismText *text, MechanismOfText *m) {
  SimMechanism *of = &m->mechanism;
  int d = text->d;
  *m = (MechanismOfText){.mechanism = {.d = d,
                                       .nodes = m->nodes,
                                       .parameters = m->parameters,
                                       .values = m->values,
                                       .residuals = m->residuals,
                                       .applied = m->applied,
                                       .thresholds = m->thresholds}};
  graph_init(&of->graph, GRAPH_TIDY);
  assert_true(mechanism_variables(&of->graph, d, of->nodes, &of->variables));
  for (int i = 0; i < d; i++) {
    mechanism_add_name(m, text->coordinates[i], "", of->variables.q[i]);
    mechanism_add_name(m, text->coordinates[i], "'", of->variables.v[i]);
  }
  mechanism_add_name(m, "t", "", of->variables.t);
  for (int k = 0; k < TEXT_PARAMETERS && text->parameters[k]; k++, of->n_parameters++) {
    of->parameters[k] = graph_variable(&of->graph, 3 * d + 1 + k);
    of->values[k] = text->values[k];
    mechanism_add_name(m, text->parameters[k], "", of->parameters[k]);
  }
}

/* Adds the energy E = q'.dT/dq' - T + V and its power -dL/dt (L = T - V), from the nodes of T and V. */
static inline void mechanism_energy(SimMechanism *of, int kinetic, int potential) {
  Graph *graph = &of->graph;
  int d = of->d, momenta[TEXT_D], energy = graph_subtract(graph, potential, kinetic), rate;
  int lagrangian = graph_subtract(graph, kinetic, potential), one = graph_number(graph, 1);
  assert_true(graph_gradient(graph, kinetic, d, of->variables.v, momenta));
  for (int i = 0; i < d; i++) energy = graph_add(graph, energy, graph_multiply(graph, momenta[i], of->variables.v[i]));
  assert_true(graph_tangent(graph, 1, &lagrangian, 1, &of->variables.t, &one, &rate));
  of->energy = energy;
  of->power = graph_of(graph, GRAPH_NEGATE, rate);
}

static inline void mechanism_of_text(const MechanismText *text, MechanismOfText *m) {
  SimMechanism *of = &m->mechanism;
  mechanism_begin(text, m);
  int kinetic = mechanism_node(m, text->kinetic), potential = mechanism_node(m, text->potential);
  assert_true(mechanism_lagrange(&of->graph, &of->variables, kinetic, potential, of->residuals));
  mechanism_energy(of, kinetic, potential);
  for (int i = 0; i < text->d; i++) {
    of->applied[i] = mechanism_node(m, text->applied[i]);
    of->thresholds[i] = mechanism_node(m, text->friction[i]);
  }
}

/* Makes a problem with this mechanism, at rest at x = 0, and n_control entries of u that act on its first
 * coordinates. */
static inline void mechanism_problem(const MechanismText *text, int n_control, double end, SimProblem *p) {
  MechanismOfText m;
  mechanism_of_text(text, &m);
  assert_int_equal(sim_problem_init(p, SIM_MECHANISM, text->d, n_control), SIM_OK);
  assert_int_equal(sim_problem_set_mechanism(p, &m.mechanism), SIM_OK);
  graph_clear(&m.mechanism.graph);
  fixture_time(p, end, 100);
}

/* Simulates the motion to its end; q, v: [d] final state. Returns the final status. */
static inline SimFinal mechanism_move(SimProblem *p, const double *u, const SimObserver *observer, double *q,
                                      double *v) {
  const SimReport report = {.complain = fixture_complain};
  SimModel *model;
  SimWorkspace *work;
  SimFinal final = {.x = q, .v = v};
  assert_int_equal(stiction_problem_finalize(p, &report), SIM_OK);
  assert_int_equal(stiction_model_create(p, &report, &model), SIM_OK);
  assert_int_equal(stiction_workspace_create(model, &work), SIM_OK);
  stiction_rollout(model, work, u, observer, &final);
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
  return final;
}

#endif
