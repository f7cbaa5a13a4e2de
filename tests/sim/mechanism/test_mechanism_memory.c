/* SPDX-License-Identifier: BSD-2-Clause */
/* Lets each allocation of a mechanism's equations, expansion and columns fail once. The failure is reported, and all
 * memory is freed. */
#include "tests/fixture.h"

#include "sim/mechanism/columns.h"
#include "sim/mechanism/expansion.h"
#include "tests/no_memory.h"
#include "tests/sim/mechanism/mechanism.h"

/* Makes all of these objects for a point at (sin q, -cos q). Returns whether memory sufficed. */
static bool make(Graph *graph, Expansion **expansion, ExpansionColumns **columns) {
  const char *why = "";
  int nodes[3], at[2], residual;
  MechanismVariables variables;
  if (!mechanism_variables(graph, 1, nodes, &variables)) return false;
  at[0] = graph_of(graph, GRAPH_SIN, nodes[0]);
  at[1] = graph_affine(graph, -1, graph_of(graph, GRAPH_COS, nodes[0]), 0);
  if (at[0] < 0 || at[1] < 0) return false;
  int kinetic = mechanism_point_energy(graph, &variables, graph_number(graph, 2), 2, at);
  int potential = graph_affine(graph, 2 * 9.81, at[1], 0);
  if (kinetic < 0 || potential < 0 || !mechanism_lagrange(graph, &variables, kinetic, potential, &residual))
    return false;
  const MechanismEquations equations = {.d = 1, .residuals = &residual};
  *expansion = expansion_create(graph, &equations, &why);
  assert_null(why);
  return *expansion && (*columns = expansion_columns_create(*expansion));
}

static void attempt(void *context, long k) {
  (void)context;
  (void)k;
  Graph graph;
  Expansion *expansion = NULL;
  ExpansionColumns *columns = NULL;
  graph_init(&graph, GRAPH_TIDY);
  bool made = make(&graph, &expansion, &columns);
  assert_true(made == !no_memory_failed());
  if (made) {
    const double q = 0.5, v = 0, slip = 1;
    assert_true(expansion_make(expansion, 0, &q, &v, NULL, &slip, 10, true));
    assert_true(fabs(2 * expansion_speed(expansion, 0, 1) + 2 * 9.81 * sin(0.5)) < 1e-14);
    assert_true(fabs(expansion->mass[0] - 2) < 1e-15);
  }
  expansion_columns_destroy(columns);
  expansion_destroy(expansion);
  graph_clear(&graph);
}

/* Makes everything that allocates memory, from a mechanism with stops to a recorded motion. */
static SimStatus record(const SimMechanism *mechanism, const char *scheme) {
  static const SimDependence on[] = {SIM_ON_POSITION, SIM_ON_CONTROL, SIM_ON_PARAMETER};
  SimProblem p = {0};
  SimModel *model = NULL;
  SimWorkspace *work = NULL;
  SimSensitivity *sensitivity = NULL;
  SimAdjoint *adjoint = NULL;
  SimDerivative derivative;
  double q, v, u = 9, stop_time, stop_acceleration, state[6], stop[3];
  SimFinal final = {.x = &q, .v = &v};
  derivative = (SimDerivative){state, stop, &stop_time, &stop_acceleration, false};
  SimStatus status = sim_problem_init(&p, SIM_MECHANISM, 1, 1);
  if (status == SIM_OK) status = sim_problem_set_mechanism(&p, mechanism);
  if (status == SIM_OK) status = sim_problem_set_scheme(&p, scheme);
  if (status == SIM_OK) {
    fixture_time(&p, 1, 10);
    p.x0[0] = 0.3;
    p.stops.present = true;
    p.stops.lower[0] = -0.5;
    p.stops.upper[0] = 0.5;
    p.stops.stiffness[0] = NAN;
    status = stiction_problem_finalize(&p, NULL);
  }
  if (status == SIM_OK) status = stiction_model_create(&p, NULL, &model);
  if (status == SIM_OK) status = stiction_workspace_create(model, &work);
  if (status == SIM_OK) status = stiction_sensitivity_create(model, 3, on, &sensitivity);
  if (status == SIM_OK) status = sim_adjoint_create(model, 3, on, &adjoint);
  if (status == SIM_OK) status = stiction_rollout_sensitivity(model, work, sensitivity, &u, &final, &derivative);
  if (status == SIM_OK) status = sim_rollout_record(model, work, adjoint, &u, &final);
  sim_adjoint_destroy(adjoint);
  stiction_sensitivity_destroy(sensitivity);
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
  sim_problem_clear(&p);
  return status;
}

static void attempt_steps(void *context, long k) {
  SimStatus status = record(context, "moreau");
  if (status != (no_memory_failed() ? SIM_NO_MEMORY : SIM_OK))
    fail_msg("allocation %ld: %s", k, stiction_status_text(status));
}

static void attempt_record(void *context, long k) {
  SimStatus status = record(context, "event");
  if (status != (no_memory_failed() ? SIM_NO_MEMORY : SIM_OK))
    fail_msg("allocation %ld: %s", k, stiction_status_text(status));
}

static void a_motion_without_memory(void **state) {
  static const MechanismText text = {.d = 1,
                                     .coordinates = {"q"},
                                     .kinetic = "m*q'^2/2",
                                     .potential = "-m*9.81*cos(q)",
                                     .applied = {"-3*max(0, q)"},
                                     .friction = {"2"},
                                     .parameters = {"m"},
                                     .values = {2}};
  MechanismOfText m;
  (void)state;
  mechanism_of_text(&text, &m);
  assert_true(no_memory_each(attempt_record, &m.mechanism) > 40);
  assert_true(no_memory_each(attempt_steps, &m.mechanism) > 40);
  graph_clear(&m.mechanism.graph);
}

static void no_memory_is_reported(void **state) {
  (void)state;
  assert_true(no_memory_each(attempt, NULL) > 40);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(no_memory_is_reported),
                                     cmocka_unit_test(a_motion_without_memory)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
