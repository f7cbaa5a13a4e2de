/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests properties of any motion of a chain by the scheme `event`. */
#include "tests/sim/chain/chain.h"
#include "tests/sim/event/watch.h"

#include <float.h>

enum { N_MAX = 64 };
static double force_terms[N_MAX][4]; /* constant, amplitude, frequency and phase of each force */

static double random_force(int i, double t) {
  const double *term = force_terms[i];
  return term[0] + term[1] * sin(term[2] * t + term[3]);
}

static double decades(uint64_t *seed, double from, double to) {
  return pow(10, from + (to - from) * event_uniform(seed));
}

/* Makes a problem with thresholds over six decades, including zeros, nodes at rest, loads at the threshold, identical
 * nodes, and a control that jumps. */
static void random_problem(uint64_t *seed, SimProblem *p, double *control) {
  int n = 1 + (int)(event_uniform(seed) * 12);
  SimChainCase chain_case = (SimChainCase)(int)(3 * event_uniform(seed));
  bool alike = event_uniform(seed) < 0.2, equal = alike || event_uniform(seed) < 0.4,
       at_threshold = event_uniform(seed) < 0.2;
  chain_init(p, n, chain_case, event_uniform(seed) < 0.5 ? SIM_END_CLAMPED : SIM_END_FREE, "event");
  double spread = event_uniform(seed) < 0.5 ? 0 : 1;
  for (int i = 0; i <= n; i++) p->chain.springs[i] = alike ? 1 : decades(seed, -spread, spread + 0.5);
  double threshold = decades(seed, -3, 3), slow = 10 * event_uniform(seed);
  for (int i = 0; i < n; i++) {
    double *term = force_terms[i], c = equal ? threshold : event_uniform(seed) < 0.15 ? 0 : decades(seed, -3, 3);
    p->friction[i] = c;
    p->chain.node_mass[i] *= alike ? 0.7 : decades(seed, -1, 1);
    bool has_mass = p->chain.node_mass[i] > 0;
    p->x0[i] = alike || at_threshold || !has_mass ? 0 : fixture_random(seed);
    p->v0[i] = at_threshold || !has_mass || event_uniform(seed) < 0.3 ? 0 : alike ? 0.3 : fixture_random(seed);
    term[0] = at_threshold ? (event_uniform(seed) < 0.5 ? -c : c)
              : has_mass   ? fixture_random(seed)
                           : 0.9 * c * fixture_random(seed);
    term[1] = at_threshold && event_uniform(seed) < 0.5 ? 0 : 3 * c * fixture_random(seed) + fixture_random(seed);
    term[2] = alike || event_uniform(seed) < 0.3 ? slow : 10 * event_uniform(seed);
    term[3] = has_mass ? 6 * event_uniform(seed) : 0;
    if (alike && i > 0) memcpy(term, force_terms[0], sizeof force_terms[0]);
  }
  fixture_time(p, 0.5 + 4 * event_uniform(seed), 40);
  bool jumps = event_uniform(seed) < 0.3;
  for (int k = 0; k < 4 * p->n_control; k++) control[k] = jumps ? threshold * 3 * fixture_random(seed) : 0;
  p->signal = !jumps ? SIM_CONSTANT : event_uniform(seed) < 0.5 ? SIM_PIECEWISE_CONSTANT : SIM_PIECEWISE_LINEAR;
  p->segments = jumps ? 4 : 1;
}

static void mirror(SimProblem *p, double *control) {
  for (int i = 0; i < p->d; i++) {
    p->x0[i] = -p->x0[i];
    p->v0[i] = -p->v0[i];
    force_terms[i][0] = -force_terms[i][0];
    force_terms[i][1] = -force_terms[i][1];
  }
  for (int k = 0; k < 4 * p->n_control; k++) control[k] = -control[k];
}

/* Observations of a random motion. */
typedef struct Seen {
  Watch watch;
  const double *springs;
  bool changed[N_MAX], jumps;
  double x[N_MAX], slack[N_MAX];
} Seen;

static void note_change(void *context, double t, int dof, int slip) {
  Seen *seen = context;
  (void)t, (void)slip;
  seen->changed[dof] = true;
}

/* A node that has stuck since the previous row has not moved by one bit, unless the load has jumped. */
static void check_row(void *context, const SimStep *step) {
  Seen *seen = context;
  int d = seen->watch.d;
  for (int i = 0; i < d; i++) {
    double left = seen->springs[i] * (fabs(step->x[i]) + (i ? fabs(step->x[i - 1]) : 0));
    double right = seen->springs[i + 1] * (fabs(step->x[i]) + (i + 1 < d ? fabs(step->x[i + 1]) : 0));
    seen->slack[i] = 64 * DBL_EPSILON * (left + right) / seen->watch.friction[i];
  }
  check_step(&seen->watch, step);
  for (int i = 0; i < d; i++) {
    bool stuck = seen->watch.friction[i] > 0 && !seen->changed[i] && step->slip[i] == 0 && step->n > 0;
    if (stuck && !seen->jumps) assert_true(step->x[i] == seen->x[i]);
    seen->x[i] = step->x[i];
    seen->changed[i] = false;
  }
}

typedef struct Outcome {
  SimStatus status;
  long events;
  double x[N_MAX], v[N_MAX];
} Outcome;

static Outcome run_random(uint64_t seed, bool mirrored, int *d) {
  SimProblem p;
  SimWorkspace *work;
  Outcome outcome;
  double control[4 * 5];
  random_problem(&seed, &p, control);
  sim_problem_set(&p, "max_events", 3000);
  if (mirrored) mirror(&p, control);
  *d = p.d;
  SimModel *model = fixture_model(&p, random_force, &work);
  Seen seen = {.springs = p.chain.springs, .jumps = p.signal == SIM_PIECEWISE_CONSTANT};
  seen.watch = (Watch){.d = p.d, .friction = p.friction, .slack = seen.slack};
  const SimObserver observer = {&seen, check_row, note_change};
  SimFinal final = {.x = outcome.x, .v = outcome.v};
  outcome.status = stiction_rollout(model, work, control, &observer, &final);
  outcome.events = final.iterations;
  for (int i = 0; i < p.d; i++) assert_true(isfinite(final.x[i]) && isfinite(final.v[i]));
  if (outcome.status == SIM_OK && !(seen.watch.closing <= 1e-9 * fmax(seen.watch.scale, 1e-3)))
    fail_msg("energy closes to %g of %g", seen.watch.closing, seen.watch.scale);
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
  sim_problem_clear(&p);
  return outcome;
}

/* Energies close, |lambda| <= 1, nodes that stick do not move, and the mirrored motion has the same bits. The variable
 * STICTION_MOTIONS sets the number of problems. */
static void random_motions(void **state) {
  const char *wanted = getenv("STICTION_MOTIONS");
  long problems = wanted ? atol(wanted) : 300, given_up = 0, events = 0, moved = 0;
  (void)state;
  for (long k = 1; k <= problems; k++) {
    int d;
    const Outcome one = run_random((uint64_t)k * 7919, false, &d), other = run_random((uint64_t)k * 7919, true, &d);
    if (one.status != SIM_OK && one.status != SIM_EVENTS_ACCUMULATE)
      fail_msg("problem %ld: %s", k, stiction_status_text(one.status));
    assert_int_equal(one.status, other.status);
    assert_int_equal(one.events, other.events);
    given_up += one.status != SIM_OK;
    events += one.events;
    moved += one.events > 0;
    for (int i = 0; i < d && one.status == SIM_OK; i++) {
      assert_true(one.x[i] == -other.x[i]);
      assert_true(one.v[i] == -other.v[i]);
    }
  }
  print_message("%ld problems, %ld with events, %ld events, %ld accumulate\n", problems, moved, events, given_up);
  assert_true(moved > problems / 2);
  assert_true(given_up <= problems / 100);
}

/* A chain with masses is equivalent to a friction model. */
static void masses_are_friction(void **state) {
  double x[2][3], v[2][3];
  (void)state;
  for (int as_chain = 0; as_chain < 2; as_chain++) {
    SimProblem p;
    const double springs[4] = {2, 1, 3, 1.5}, start[3] = {0.3, -0.2, 0.1};
    if (as_chain)
      chain_init(&p, 3, SIM_CHAIN_DYNAMICAL, SIM_END_CLAMPED, "event");
    else
      assert_int_equal(sim_problem_init(&p, SIM_FRICTION, 3, 3), SIM_OK);
    for (int i = 0; i < 3; i++) {
      p.friction[i] = 0.4 + 0.1 * i;
      p.x0[i] = start[i];
      p.v0[i] = -start[i];
      double *term = force_terms[i], mass = 1 + 0.5 * i;
      term[0] = 0.1;
      term[1] = 1.2;
      term[2] = 1 + 0.3 * i;
      term[3] = 0;
      if (as_chain) {
        p.chain.springs[i] = springs[i];
        p.chain.node_mass[i] = mass;
        continue;
      }
      p.system.mass[4 * i] = mass;
      p.system.stiffness[4 * i] = springs[i] + springs[i + 1];
      if (i < 2) p.system.stiffness[3 * i + i + 1] = p.system.stiffness[3 * i + 3 + i] = -springs[i + 1];
    }
    if (as_chain) p.chain.springs[3] = springs[3];
    fixture_time(&p, 20, 10);
    fixture_scheme(&p, "event");
    SimFinal final = fixture_run(&p, random_force, NULL, NULL, x[as_chain], v[as_chain]);
    assert_true(final.iterations > 10);
  }
  assert_memory_equal(x[0], x[1], sizeof x[0]);
  assert_memory_equal(v[0], v[1], sizeof v[0]);
}

/* Under a load that jumps, neither observing nor a pause changes a bit of the motion. */
static void rows_do_not_matter(void **state) {
  double x[3][4], v[3][4];
  static const double control[16] = {0.5, -2, 1, 0, 3, 0, 0, -1, -3, 2, 1, 1, 0, 0, 2, -2};
  (void)state;
  for (int c = SIM_CHAIN_SEMI_DYNAMICAL; c <= SIM_CHAIN_QUASISTATIC; c++) {
    for (int k = 0; k < 3; k++) {
      SimProblem p;
      SimWorkspace *work, *other;
      SimFinal final = {.x = x[k], .v = v[k]};
      chain_init(&p, 4, (SimChainCase)c, SIM_END_CLAMPED, "event");
      for (int i = 0; i < 4; i++) {
        const double term[4] = {0, 2, 3 + i, 0};
        memcpy(force_terms[i], term, sizeof term);
        p.friction[i] = 0.5;
      }
      p.signal = SIM_PIECEWISE_CONSTANT;
      p.segments = 4;
      fixture_time(&p, 5, k == 0 ? 4 : 377);
      const SimObserver observer = {NULL, see_step, NULL};
      SimModel *model = fixture_model(&p, random_force, &work);
      assert_int_equal(stiction_workspace_create(model, &other), SIM_OK);
      if (k < 2) {
        assert_int_equal(stiction_rollout(model, work, control, k ? &observer : NULL, &final), SIM_OK);
      } else {
        size_t size = sim_workspace_saved_size(model);
        void *bytes = malloc(size);
        sim_rollout_begin(model, work, control, &observer);
        sim_rollout_run_to(model, work, &observer, 155);
        sim_workspace_save(model, work, bytes);
        assert_int_equal(sim_workspace_load(model, other, bytes, size), SIM_OK);
        sim_rollout_run_to(model, other, &observer, 377);
        assert_int_equal(sim_rollout_end(model, other, &final), SIM_OK);
        free(bytes);
      }
      stiction_workspace_destroy(work);
      stiction_workspace_destroy(other);
      stiction_model_destroy(model);
      sim_problem_clear(&p);
    }
    for (int k = 1; k < 3; k++) {
      assert_memory_equal(x[0], x[k], sizeof x[0]);
      assert_memory_equal(v[0], v[k], sizeof v[0]);
    }
  }
}

static void keep_energy(void *context, const SimStep *step) { *(SimEnergy *)context = *step->energy; }

/* One node has K = 2, alpha = 0.5, u = 0, 2, 1, -1. Of the work of a jump d, V' K V/2 is stored, friction takes its
 * part, and d'K d/2 is numerical. */
static void a_load_that_jumps(void **state) {
  static const double control[4] = {0, 2, 1, -1}, expected[4] = {0, 0.75, 0.75, -0.25};
  double before = 0, work = 0, dissipated = 0, lost = 0;
  (void)state;
  for (int k = 0; k < 4; k++) {
    double x, v, move = expected[k] - before;
    SimProblem p;
    SimEnergy energy;
    const SimObserver observer = {&energy, keep_energy, NULL};
    chain_init(&p, 1, SIM_CHAIN_QUASISTATIC, SIM_END_CLAMPED, "event");
    p.friction[0] = 0.5;
    p.signal = SIM_PIECEWISE_CONSTANT;
    p.segments = k + 1;
    fixture_time(&p, k + 1, 2 * (k + 1));
    fixture_run(&p, fixture_no_force, control, &observer, &x, &v);
    assert_near(x, expected[k], 1e-15);
    before = expected[k];
    work += move * control[k];
    dissipated += 0.5 * fabs(move);
    lost += move * move;
    assert_near(energy.work, work, 1e-14);
    assert_near(energy.dissipated, dissipated, 1e-14);
    assert_near(energy.numerical, lost, 1e-14);
    assert_near(energy.stored, x * x, 1e-14);
  }
}

static double ramp(int i, double t) { return i ? 0 : t; }

/* A load grows with t, and jumps by -1 N at 1.5 s, twice the threshold of the dof that slides. This dof then is exactly
 * at its other threshold and does not move until the load has returned. At 3 s, K x = (2 - c_1, -c_2). */
static void a_load_that_jumps_by_twice_a_threshold(void **state) {
  static const double control[2] = {0, -1};
  (void)state;
  for (int as_chain = 0; as_chain < 2; as_chain++) {
    SimProblem p;
    SimEnergy energy;
    double x[2], v[2], expected[2] = {0.5, 0};
    const SimObserver observer = {&energy, keep_energy, NULL};
    if (as_chain) {
      const double springs[3] = {2, 1.5, 1};
      chain_init(&p, 2, SIM_CHAIN_QUASISTATIC, SIM_END_CLAMPED, "event");
      memcpy(p.chain.springs, springs, sizeof springs);
      p.friction[1] = 0.4;
      expected[0] = (2.5 * 1.5 - 1.5 * 0.4) / 6.5;
      expected[1] = (1.5 * 1.5 - 3.5 * 0.4) / 6.5;
    } else {
      const double stiffness[4] = {3, -1, -1, 2};
      assert_int_equal(sim_problem_init(&p, SIM_FRICTION, 2, 2), SIM_OK);
      fixture_scheme(&p, "event");
      memcpy(p.system.stiffness, stiffness, sizeof stiffness);
      p.system.mass[3] = 1; /* the first dof has no mass */
      p.friction[1] = 0.6;
    }
    p.friction[0] = 0.5;
    p.signal = SIM_PIECEWISE_CONSTANT;
    p.segments = 2;
    fixture_time(&p, 3, 12);
    double wide[4] = {0};
    for (int k = 0; k < 2; k++) wide[k * p.n_control] = control[k];
    fixture_run(&p, ramp, wide, &observer, x, v);
    for (int i = 0; i < 2; i++) assert_near(x[i], expected[i], 1e-13);
    assert_near(energy.dissipated, 0.5 * x[0] + (as_chain ? 0.4 : 0.6) * x[1], 1e-13);
    assert_near(energy.numerical, 0, 1e-13);
  }
}

/* The longest chain has equal loads on all nodes. They begin to slide from the middle, and `increment` converges to
 * this motion. */
static void many_nodes(void **state) {
  double x[2][N_MAX], v[N_MAX], error = 0;
  (void)state;
  for (int k = 0; k < 2; k++) {
    SimProblem p;
    chain_init(&p, N_MAX, SIM_CHAIN_QUASISTATIC, SIM_END_CLAMPED, k ? "increment" : "event");
    for (int i = 0; i < N_MAX; i++) {
      const double term[4] = {0, 1.5 + 0.01 * i, 1, 0};
      memcpy(force_terms[i], term, sizeof term);
    }
    fixture_time(&p, 8, 8000);
    SimFinal final = fixture_run(&p, random_force, NULL, NULL, x[k], v);
    if (k == 0) assert_true(final.iterations > 2);
  }
  for (int i = 0; i < N_MAX; i++) error = fmax(error, fabs(x[0][i] - x[1][i]));
  if (!(error < 1e-3)) fail_msg("%g from increment", error);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_motions),
      cmocka_unit_test(masses_are_friction),
      cmocka_unit_test(rows_do_not_matter),
      cmocka_unit_test(a_load_that_jumps),
      cmocka_unit_test(a_load_that_jumps_by_twice_a_threshold),
      cmocka_unit_test(many_nodes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
