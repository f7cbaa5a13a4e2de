/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests properties of every motion of a chain: |lambda| <= 1, sticking without creep, the energy balance, mirror
 * symmetry. Also hysteresis, chains of one node, and long ones. */
#include "tests/sim/chain/chain.h"

/* Every scheme, with every case of chain that it supports. */
static const struct {
  const char *scheme;
  SimChainCase chain_case;
} ways[] = {{"implicit_euler", SIM_CHAIN_DYNAMICAL},   {"implicit_euler", SIM_CHAIN_SEMI_DYNAMICAL},
            {"implicit_euler", SIM_CHAIN_QUASISTATIC}, {"symplectic", SIM_CHAIN_DYNAMICAL},
            {"symplectic", SIM_CHAIN_SEMI_DYNAMICAL},  {"increment", SIM_CHAIN_QUASISTATIC}};
enum { N_WAYS = sizeof ways / sizeof *ways, N_NODES = 5 };

/* Makes a chain of five different nodes under loads with different phases, for 3000 steps. sign: -1 for the mirrored
 * chain. */
static void five_nodes(SimProblem *p, int way, SimChainEnd end, double sign) {
  static const double springs[] = {3, 1, 20, 0.5, 4, 2}, thresholds[] = {0.2, 0, 0.5, 0.3, 0.4};
  chain_init(p, N_NODES, ways[way].chain_case, end, ways[way].scheme);
  memcpy(p->chain.springs, springs, sizeof springs);
  memcpy(p->friction, thresholds, sizeof thresholds);
  for (int i = 0; i < N_NODES; i++) p->chain.node_mass[i] *= 1 + 0.5 * i;
  if (ways[way].chain_case != SIM_CHAIN_QUASISTATIC) p->v0[N_NODES - 1] = sign * 0.7;
  fixture_time(p, 20, 3000);
  assert_int_equal(sim_problem_alloc_force(p), SIM_OK);
  for (int i = 0; i < N_NODES; i++) chain_add_force(p, i, sign * (1 - 0.3 * i), 0.6 + 0.35 * i);
  chain_add_end(p, sign * 1.5, 0.9);
}

typedef struct Watch {
  SimProblem *p;
  double x[N_NODES]; /* x at the previous step */
  bool lambda_out, moved_stuck, wrong_way;
  double dissipated, least_dissipation, disagreement, closure, scale;
} Watch;

static void see(void *context, const SimStep *step) {
  Watch *w = context;
  const SimEnergy *e = step->energy;
  for (int i = 0; i < N_NODES; i++) {
    if (!(fabs(step->lambda[i]) <= 1)) w->lambda_out = true;
    if (w->p->friction[i] == 0 && step->lambda[i] != 0) w->lambda_out = true;
    if (step->n > 0 && step->v[i] != 0 && w->p->friction[i] > 0 && step->lambda[i] * step->v[i] != fabs(step->v[i]))
      w->wrong_way = true;
    if (step->n > 0 && w->p->friction[i] > 0 && fabs(step->lambda[i]) < 1 && step->slip[i] != 0) w->moved_stuck = true;
    if (step->n > 0 && step->slip[i] == 0 && w->p->friction[i] > 0) {
      if (step->v[i] != 0) w->moved_stuck = true;
      /* By the paper's form of the scheme a node stops a step late, V+ = V + h W, and massless nodes creep. */
      if (strcmp(sim_scheme_name(w->p->scheme), "implicit_euler") && step->x[i] != w->x[i]) w->moved_stuck = true;
    }
  }
  memcpy(w->x, step->x, sizeof w->x);
  double power = 0; /* power of the friction force in the output, with the velocity in the output */
  for (int i = 0; i < N_NODES; i++) power += w->p->friction[i] * step->lambda[i] * step->v[i];
  w->least_dissipation = fmin(w->least_dissipation, power);
  if (step->n > 0) w->disagreement = fmax(w->disagreement, fabs(e->dissipated - w->dissipated - w->p->step * power));
  w->dissipated = e->dissipated;
  w->closure = fmax(w->closure, fabs(e->work - e->stored - e->dissipated - e->numerical));
  w->scale = fmax(w->scale, fabs(e->work) + fabs(e->stored) + e->dissipated);
}

static void laws_and_balance(void **state) {
  (void)state;
  for (int k = 0; k < 3 * N_WAYS; k++) {
    SimProblem p, copy;
    /* the load exceeds the thresholds, so it jumps at t = 0 */
    double x[N_NODES], v[N_NODES], u[N_NODES] = {0.5, 0, -1, 0.2, 3};
    five_nodes(&p, k % N_WAYS, (SimChainEnd)(k / N_WAYS), 1);
    copy = p;
    Watch w = {.p = &copy};
    five_nodes(&copy, k % N_WAYS, (SimChainEnd)(k / N_WAYS), 1);
    assert_int_equal(chain_run(&p, u, &(SimObserver){.context = &w, .step = see}, x, v).status, SIM_OK);
    assert_false(w.lambda_out || w.moved_stuck || w.wrong_way);
    assert_true(w.dissipated > 0.1 && w.least_dissipation >= 0 && w.disagreement < 1e-13 * w.scale);
    if (!(w.closure < 1e-12 * w.scale)) fail_msg("way %d: closure %g of %g", k, w.closure, w.scale);
    sim_problem_clear(&copy);
  }
}

static void mirror_symmetry(void **state) {
  (void)state;
  for (int k = 0; k < 3 * N_WAYS; k++) {
    double x[2][N_NODES], v[2][N_NODES];
    for (int m = 0; m < 2; m++) {
      SimProblem p;
      double sign = m ? -1 : 1, u[N_NODES] = {0, sign * 2, 0, 0, sign};
      five_nodes(&p, k % N_WAYS, (SimChainEnd)(k / N_WAYS), sign);
      chain_run(&p, u, NULL, x[m], v[m]);
    }
    for (int i = 0; i < N_NODES; i++) assert_true(x[0][i] == -x[1][i] && v[0][i] == -v[1][i] && x[0][i] != 0);
  }
}

/* Under a constant load below the thresholds no bit changes in 1e5 steps, whatever the scheme. */
static void held_chain_does_not_drift(void **state) {
  (void)state;
  for (int way = 0; way < N_WAYS; way++) {
    SimProblem p;
    double x[3], v[3], u[3] = {0.3, -0.2, 0.1};
    chain_init(&p, 3, ways[way].chain_case, SIM_END_CLAMPED, ways[way].scheme);
    p.x0[0] = 0.1;
    p.x0[2] = -0.3;
    fixture_time(&p, 1000, 100000);
    assert_int_equal(sim_problem_alloc_force(&p), SIM_OK);
    chain_run(&p, u, NULL, x, v);
    for (int i = 0; i < 3; i++) {
      /* The paper's form of the scheme solves V = K^-1 (G + F) again in each step, so its velocities have round-off. */
      double allowed = strcmp(ways[way].scheme, "implicit_euler") ? 0 : 1e-15;
      assert_true(fabs(x[i] - (i == 0 ? 0.1 : i == 2 ? -0.3 : 0)) <= allowed && v[i] == 0);
    }
  }
}

/* At t = 0 a control loads massless nodes beyond their thresholds. They slide at once to the nearest equilibrium. */
static void control_that_jumps_at_the_start(void **state) {
  (void)state;
  for (int way = 0; way < N_WAYS; way++) {
    SimProblem p;
    double x, v, u = 5;
    if (ways[way].chain_case != SIM_CHAIN_QUASISTATIC) continue;
    chain_init(&p, 1, ways[way].chain_case, SIM_END_CLAMPED, ways[way].scheme);
    fixture_time(&p, 1, 10);
    assert_int_equal(sim_problem_alloc_force(&p), SIM_OK);
    chain_run(&p, &u, NULL, &x, &v);
    assert_true(fabs(x - (5 - 1) / 2.) < 1e-15 && v == 0);
  }
}

/* One node on a spring under a slow load keeps |2 x - f| <= alpha, as a play operator computed by hand. */
static void one_node(void **state) {
  (void)state;
  static const double loads[] = {0, 2, 3, 2.5, 0, -1, 4}, expected[] = {0, 0.5, 1, 1, 0.5, 0, 1.5};
  SimProblem p;
  double x, v;
  for (int k = 1; k < 7; k++) {
    chain_init(&p, 1, SIM_CHAIN_QUASISTATIC, SIM_END_CLAMPED, "increment");
    fixture_time(&p, k, k);
    assert_int_equal(sim_problem_alloc_force(&p), SIM_OK);
    for (int i = 0; i <= k; i++) p.force[i] = loads[i];
    chain_run(&p, NULL, NULL, &x, &v);
    assert_true(x == expected[k]);
  }
  /* A semi-dynamical chain of one node is a dynamical one. */
  double a[2][2];
  for (int k = 0; k < 2; k++) {
    chain_init(&p, 1, k ? SIM_CHAIN_DYNAMICAL : SIM_CHAIN_SEMI_DYNAMICAL, SIM_END_CLAMPED, "symplectic");
    p.v0[0] = 7;
    fixture_time(&p, 2, 100);
    assert_int_equal(sim_problem_alloc_force(&p), SIM_OK);
    assert_true(sim_problem_features(&p) == (SIM_HAS(DENSE) | SIM_HAS(DYNAMICAL)));
    assert_true(sim_scheme_differentiates(p.scheme, &p));
    chain_run(&p, NULL, NULL, &a[k][0], &a[k][1]);
  }
  assert_true(a[0][0] == a[1][0] && a[0][1] == a[1][1] && a[0][0] > 0);
}

/* With almost no friction, velocity-first schemes keep the energy, while the paper's explicit springs add more and
 * more. */
static void energy_without_friction(void **state) {
  (void)state;
  static const char *const schemes[] = {"symplectic", "implicit_euler"};
  double energy[2];
  for (int s = 0; s < 2; s++) {
    SimProblem p;
    double x[3], v[3];
    chain_init(&p, 3, SIM_CHAIN_DYNAMICAL, SIM_END_CLAMPED, schemes[s]);
    for (int i = 0; i < 3; i++) p.friction[i] = 1e-5;
    p.v0[0] = 1;
    fixture_time(&p, 300, 15000);
    assert_int_equal(sim_problem_alloc_force(&p), SIM_OK);
    chain_run(&p, NULL, NULL, x, v);
    energy[s] = x[0] * x[0] + x[2] * x[2];
    for (int i = 0; i < 3; i++) energy[s] += v[i] * v[i];
    for (int i = 0; i < 2; i++) energy[s] += (x[i + 1] - x[i]) * (x[i + 1] - x[i]);
  }
  assert_true(energy[0] < 1.02 && energy[0] > 0.95);
  assert_true(energy[1] > 100);
}

enum { CYCLE = 8192, CYCLES = 3 };

typedef struct Loop {
  double x[CYCLES * CYCLE + 1], pull[CYCLES * CYCLE + 1], dissipated[CYCLES * CYCLE + 1], at_peak[2];
} Loop;

static void follow(void *context, const SimStep *step) {
  Loop *loop = context;
  loop->x[step->n] = step->extra[2];
  loop->pull[step->n] = -step->extra[1];
  loop->dissipated[step->n] = step->energy->dissipated;
  if (step->n == CYCLE / 4) memcpy(loop->at_peak, step->x, sizeof loop->at_peak);
}

/* The end of a quasistatic chain oscillates. The loop of its force is closed from the first quarter on, and the area is
 * the friction work. */
static void hysteresis(void **state) {
  (void)state;
  static Loop loop;
  double x[2], v[2];
  SimProblem p;
  ChainReference r = chain_reference[5];
  assert_true(r.end == SIM_END_DISPLACEMENT);
  r.time = CYCLES * 4 * FIXTURE_PI;
  chain_reference_problem(&p, &r, "increment", CYCLES * CYCLE);
  assert_int_equal(chain_run(&p, NULL, &(SimObserver){.context = &loop, .step = follow}, x, v).status, SIM_OK);

  assert_true(fabs(loop.pull[CYCLE / 4] - chain_pull_peak) < 1e-6);
  for (int i = 0; i < 2; i++) assert_true(fabs(loop.at_peak[i] - chain_at_peak[i]) < 1e-6);
  for (int n = CYCLE / 4; n <= CYCLES * CYCLE - CYCLE; n++)
    assert_true(fabs(loop.pull[n + CYCLE] - loop.pull[n]) < 1e-6);
  for (int from = CYCLE / 4; from + CYCLE <= CYCLES * CYCLE; from += CYCLE) {
    double area = 0, friction = loop.dissipated[from + CYCLE] - loop.dissipated[from];
    for (int n = from; n < from + CYCLE; n++)
      area += (loop.pull[n] + loop.pull[n + 1]) / 2 * (loop.x[n + 1] - loop.x[n]);
    assert_true(fabs(area - friction) < 1e-6);
    assert_true(fabs(friction - chain_cycle_work) < 1e-6);
  }
}

/* Tests Masing's rule on a triangular wave with equal steps, so that half an unloading corresponds to a loading on the
 * grid: pull(peak) - pull(2 n steps later) = 2 pull(n steps from rest), in both directions. */
static void masing(void **state) {
  (void)state;
  static Loop loop;
  enum { QUARTER = 1000 };
  double x[2], v[2];
  SimProblem p;
  chain_reference_problem(&p, &chain_reference[5], "increment", 5 * QUARTER);
  for (long k = 0; k <= p.steps; k++) {
    long phase = k % (4 * QUARTER);
    double height = (double)(phase < QUARTER ? phase : phase < 3 * QUARTER ? 2 * QUARTER - phase : phase - 4 * QUARTER);
    p.chain.end_value[k] = 2.5 * height / QUARTER;
    p.force[2 * k + 1] = p.chain.springs[2] * p.chain.end_value[k];
  }
  assert_int_equal(chain_run(&p, NULL, &(SimObserver){.context = &loop, .step = follow}, x, v).status, SIM_OK);
  for (int n = 0; n <= QUARTER; n++) {
    assert_true(fabs(loop.pull[QUARTER] - loop.pull[QUARTER + 2 * n] - 2 * loop.pull[n]) < 1e-11);
    assert_true(fabs(loop.pull[3 * QUARTER + 2 * n] - loop.pull[3 * QUARTER] - 2 * loop.pull[n]) < 1e-11);
  }
}

/* Returns the number of sweeps of O(n) in 100 steps with n nodes, while slip fronts move. */
static long sweeps(int way, int n) {
  SimProblem p;
  double *state = calloc(2 * (size_t)n, sizeof *state);
  assert_non_null(state);
  chain_init(&p, n, ways[way].chain_case, SIM_END_DISPLACEMENT, ways[way].scheme);
  for (int i = 0; i < n; i++) p.friction[i] = 0.01 * (1.1 + sin(5. * i));
  fixture_time(&p, 3, 100);
  assert_int_equal(sim_problem_alloc_force(&p), SIM_OK);
  for (int i = 0; i < n; i += 10) chain_add_force(&p, i, 0.1 * cos(i), 2);
  chain_add_end(&p, 0.05, 3);
  long count = chain_run(&p, NULL, NULL, state, state + n).iterations;
  free(state);
  return count;
}

static void sweeps_do_not_grow_with_n(void **state) {
  (void)state;
  for (int way = 0; way < N_WAYS; way++) {
    long few = sweeps(way, 300), many = sweeps(way, 30000);
    if (ways[way].chain_case == SIM_CHAIN_DYNAMICAL)
      assert_true(few == 100 && many == 100); /* one sweep for each step */
    else if (!(few >= 100 && many <= 2 * few))
      fail_msg("%s, case %d: %ld sweeps with 300 nodes, %ld with 30000", ways[way].scheme, (int)ways[way].chain_case,
               few, many);
  }
}

/* A quasistatic chain by `increment` moves like rows without mass of a friction model by `moreau`, as both have one
 * StepForm. The model also has a mass at rest, since it needs one. */
static void increment_is_moreau_without_mass(void **state) {
  enum { D = N_NODES + 1 };
  const SimReport report = {NULL, fixture_complain};
  SimProblem problem[2], *p = &problem[0], *q = &problem[1];
  double x[2][D], v[2][D];
  (void)state;
  five_nodes(p, N_WAYS - 1, SIM_END_CLAMPED, 1);
  assert_int_equal(sim_problem_init(q, SIM_FRICTION, D, 1), SIM_OK);
  fixture_scheme(q, "moreau");
  fixture_time(q, p->end, p->steps);
  assert_int_equal(sim_problem_alloc_force(q), SIM_OK);
  q->system.mass[D * D - 1] = 1;
  for (int i = 0; i < N_NODES; i++) {
    const double *k = p->chain.springs;
    q->system.stiffness[i * (D + 1)] = k[i] + k[i + 1];
    if (i > 0) q->system.stiffness[i * D + i - 1] = q->system.stiffness[(i - 1) * D + i] = -k[i];
    q->friction[i] = p->friction[i];
    for (long n = 0; n <= p->steps; n++) q->force[n * D + i] = p->force[n * N_NODES + i];
  }
  for (int k = 0; k < 2; k++) {
    SimModel *model;
    SimWorkspace *work;
    SimFinal final = {.x = x[k], .v = v[k]};
    assert_int_equal(stiction_problem_finalize(&problem[k], &report), SIM_OK);
    assert_int_equal(stiction_model_create(&problem[k], &report, &model), SIM_OK);
    assert_int_equal(stiction_workspace_create(model, &work), SIM_OK);
    assert_int_equal(stiction_rollout(model, work, NULL, NULL, &final), SIM_OK);
    stiction_workspace_destroy(work);
    stiction_model_destroy(model);
  }
  assert_true(x[0][0] != 0);
  for (int i = 0; i < N_NODES; i++) assert_true(fabs(x[0][i] - x[1][i]) <= 1e-13);
  for (int i = 0; i < N_NODES; i++) assert_true(fabs(v[0][i] - v[1][i]) <= 1e-11);
  for (int k = 0; k < 2; k++) sim_problem_clear(&problem[k]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(laws_and_balance),
      cmocka_unit_test(mirror_symmetry),
      cmocka_unit_test(held_chain_does_not_drift),
      cmocka_unit_test(control_that_jumps_at_the_start),
      cmocka_unit_test(one_node),
      cmocka_unit_test(energy_without_friction),
      cmocka_unit_test(hysteresis),
      cmocka_unit_test(masing),
      cmocka_unit_test(sweeps_do_not_grow_with_n),
      cmocka_unit_test(increment_is_moreau_without_mass),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
