/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests model.kind: chain in problem files: every key and default, the end's share of the force, rates, the echo.
 * tests/program/bad has invalid files. */
#include "tests/src/problem_text.h"

static const char quasistatic[] = "model:\n"
                                  "  kind: chain\n"
                                  "  case: quasistatic\n"
                                  "  springs: [2, 1, 3]\n"
                                  "  thresholds: [1/2, 0.4]\n"
                                  "time: {end: 3, steps: 300}\n";

static void defaults(void **state) {
  (void)state;
  Problem p;
  read_good(quasistatic, NULL, &p);
  const SimProblem *s = &p.sim;
  assert_int_equal(s->kind, SIM_CHAIN);
  assert_int_equal(s->d, 2);
  assert_int_equal(s->n_control, 2);
  assert_int_equal(s->chain.chain_case, SIM_CHAIN_QUASISTATIC);
  assert_int_equal(s->chain.end, SIM_END_CLAMPED);
  assert_string_equal(sim_scheme_name(s->scheme), "implicit_euler");
  ASSERT_VECTOR(s->chain.springs, {2, 1, 3});
  ASSERT_VECTOR(s->friction, {0.5, 0.4});
  ASSERT_VECTOR(s->chain.node_mass, {0, 0});
  ASSERT_VECTOR(s->x0, {0, 0});
  ASSERT_VECTOR(s->v0, {0, 0});
  ASSERT_VECTOR(s->force, {0, 0, 0, 0});
  ASSERT_VECTOR(s->chain.force_rate, {0, 0, 0, 0});
  ASSERT_VECTOR(s->chain.end_value, {0, 0});
  problem_clear(&p);
}

static void masses_and_velocities(void **state) {
  (void)state;
  Problem p;
  char *dynamical[] = {"model.case=dynamical", "model.mass=[1, 2]", "model.w0=[0.5, -1]", "model.v0=0.1", NULL};
  read_good(quasistatic, dynamical, &p);
  ASSERT_VECTOR(p.sim.chain.node_mass, {1, 2});
  ASSERT_VECTOR(p.sim.v0, {0.5, -1});
  ASSERT_VECTOR(p.sim.x0, {0.1, 0.1});
  assert_null(p.sim.chain.force_rate); /* this scheme does not use it */
  problem_clear(&p);
  char *semi[] = {"model.case=semi_dynamical", "model.mass=3", "model.w0=2", "scheme.name=symplectic", NULL};
  read_good(quasistatic, semi, &p);
  ASSERT_VECTOR(p.sim.chain.node_mass, {0, 3});
  ASSERT_VECTOR(p.sim.v0, {0, 2});
  assert_true(fabs(p.sim.bounds.frequency_squared - 4. / 3) < 1e-15); /* (k_1 + k_2)/m */
  assert_null(p.sim.chain.force_rate);
  problem_clear(&p);
}

/* The end's share is added to the last node's force and rate. */
static void ends(void **state) {
  (void)state;
  Problem p;
  char *pulled[] = {"model.end=free", "model.end_force=t", "model.force=[1/4, t/2]", NULL};
  read_good(quasistatic, pulled, &p);
  for (long k = 0; k <= 300; k++) {
    double t = sim_force_time(&p.sim, k);
    assert_true(p.sim.force[2 * k] == 0.25 && fabs(p.sim.force[2 * k + 1] + t / 2) < 1e-15);
    assert_true(p.sim.chain.end_value[k] == t);
    assert_true(fabs(p.sim.chain.force_rate[2 * k]) < 1e-12 && fabs(p.sim.chain.force_rate[2 * k + 1] + 0.5) < 1e-12);
  }
  problem_clear(&p);
  char *moved[] = {"model.end=displacement", "model.end_displacement=sin(t)", NULL};
  read_good(quasistatic, moved, &p);
  for (long k = 0; k <= 300; k++) {
    double t = sim_force_time(&p.sim, k);
    assert_true(fabs(p.sim.force[2 * k + 1] - 3 * sin(t)) < 1e-15 && p.sim.chain.end_value[k] == sin(t));
    assert_true(fabs(p.sim.chain.force_rate[2 * k + 1] - 3 * cos(t)) < 1e-9);
  }
  problem_clear(&p);
}

/* Given and computed rates agree to 1e-9, also at the ends of the time, beside kinks, and if the force changes fast. At
 * the end of a piece the rate is that of the next piece. */
static void rates(void **state) {
  (void)state;
  static const char *const forces[][2] = {
      {"model.force=0.3*sin(15*t)", "model.force_rate=4.5*cos(15*t)"},
      {"model.force=0.1*exp(-2*t)", "model.force_rate=-0.2*exp(-2*t)"},
      {"model.force=0.1*t^3", "model.force_rate=0.3*t^2"},
      {"model.force=0.1*sqrt(1+t)", "model.force_rate=0.05/sqrt(1+t)"},
      {"model.force=\"t < 1.005 ? t/10 : 0.1005\"", "model.force_rate=\"t < 1.005 ? 0.1 : 0\""},
      {"model.force=[{until: 1, value: 0.1*t}, {until: 1.5, value: 0.1*t^2}, {value: 0.225*cos(t-1.5)}]",
       "model.force_rate=[{until: 0.9999, value: 0.1}, {until: 1.4999, value: 0.2*t}, {value: "
       "-0.225*sin(t-1.5)}]"},
  };
  for (size_t i = 0; i < sizeof forces / sizeof *forces; i++) {
    Problem given, found;
    char *both[] = {(char *)(uintptr_t)forces[i][0], (char *)(uintptr_t)forces[i][1], NULL};
    char *one[] = {(char *)(uintptr_t)forces[i][0], NULL};
    read_good(quasistatic, both, &given);
    read_good(quasistatic, one, &found);
    for (long k = 0; k <= 2 * 300 + 1; k++)
      if (!(fabs(given.sim.chain.force_rate[k] - found.sim.chain.force_rate[k]) < 1e-9))
        fail_msg("%s: row %ld: %.12g (expected %.12g)", one[0], k / 2, found.sim.chain.force_rate[k],
                 given.sim.chain.force_rate[k]);
    problem_clear(&given);
    problem_clear(&found);
  }
}

/* Forces are accepted if they are the integral of their rates: smooth ones, and ones with kinks, on and off the grid. A
 * rate may be given in pieces, like the force. */
static void rates_accepted(void **state) {
  (void)state;
  static const char *const good[] = {"t^5-t",
                                     "exp(-15*t)/2",
                                     "0.1*t^1.5",
                                     "sqrt(t+1e-3)/2",
                                     "tanh(20*(t-0.503))/4",
                                     "(1e6+sin(t)-1e6)/2",
                                     "(1+1e-14*sin(t))/3",
                                     "min(t,0.5)",
                                     "min(t,0.503)",
                                     "abs(t-0.5)/2",
                                     "abs(sin(5*t))/2",
                                     "asin(sin(5*t))/4",
                                     "\"t < 0.5 ? 0 : t-0.5\"",
                                     "[{until: 0.5, value: t}, {value: 0.5}]"};
  for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
    Problem p;
    char setting[80], *settings[] = {setting, "model.thresholds=1", NULL};
    snprintf(setting, sizeof setting, "model.force=%s", good[i]);
    read_good(quasistatic, settings, &p);
    problem_clear(&p);
  }
  Problem p;
  char *pieces[] = {"model.force=[{until: 0.5, value: t}, {value: 0.5}]",
                    "model.force_rate=[{until: 0.5, value: 1}, {value: 0}]", NULL};
  read_good(quasistatic, pieces, &p);
  /* the rate is the right-hand derivative */
  for (long k = 0; k <= 300; k++) assert_true(p.sim.chain.force_rate[2 * k] == (k < 50));
  problem_clear(&p);
}

/* The force on a node with mass may jump, as no scheme uses its rate. */
static void jumps_on_masses(void **state) {
  (void)state;
  Problem p;
  char *semi[] = {"model.case=semi_dynamical",    "model.mass=3",
                  "model.force=[t/4, sign(t-1)]", "model.end=free",
                  "model.end_force=sqrt(t)",      NULL};
  read_good(quasistatic, semi, &p);
  assert_true(p.sim.force[2 * 99 + 1] < 0 && p.sim.chain.force_rate[2 * 99 + 1] == 0);
  problem_clear(&p);
}

static void settings_refused(void **state) {
  (void)state;
  static const char *const bad[][2] = {
      {"model.force=[{until: 1, value: 0}, {value: 1/4}]", "model.force[2].value: a jump from 0 to 0.25 at t = 1"},
      {"model.force=\"t < 0.5 ? 0 : 1\"", "model.force: a jump from 0 to 1 at t = 0.5"},
      {"model.force=sign(t-0.505)/4", "model.force: a jump from -0.25 to "},
      {"model.force=0.3*sin(20*t)-1e-3*sign(t-0.503)", "model.force: a jump from "},
      {"model.force=0.1*sin(3000*t)+(t>0.4444)", "model.force: a jump from "},
      {"model.force=rint(t)", "model.force: a jump from 0 to 1 at t = 0.5"},
      {"model.force=sqrt(t)", "model.force: no finite derivative at t = "},
      {"model.force=t^0.8", "model.force: no finite derivative at t = 0, "},
      {"model.force=sqrt(3-t)/9", "model.force: no finite derivative at t = 3"},
      {"model.force=sqrt(abs(t-0.5077))/4", "model.force: no finite derivative at t = 0.5077"},
      {"model.force=tanh(1e4*(t-0.503))/4", "from t = 0.5 to 0.51 it changes by 0.5, by the rates at the steps by "},
      {"model.force=0.4*min(1,max(0,(t-2.001)*1e3))",
       "from t = 2 to 2.01 it changes by 0.4, by the rates at the steps by 0 "},
      {"model.force=sin(t)+0.02*tanh(1e4*(t-0.503))", "model.force: the step does not resolve the force, and "},
      {"model.force=exp(-1000*t)/3", "model.force: the step does not resolve the force, and "},
      {"model.force=sin(2000*t)/2", "model.force: the step does not resolve the force, and "},
      {"model.force=asin(sin(100*t))/4", "model.force: the step does not resolve the force, and "},
      {"model.force=sin(30*t)/9", "model.force: the step does not resolve the force, and "},
      {"model.force_rate=1", "model.force_rate: 1 at t = 0, where the force has the rate 0 "},
      {"scheme.name=symplectic",
       "scheme.name: the scheme symplectic takes no quasistatic chain (expected implicit_euler or increment or event)"},
      {"scheme.name=moreau", "scheme.name: unknown scheme \"moreau\" for this model"},
      {"scheme.theta=1", "scheme.theta: the scheme implicit_euler has no theta"},
      {"model.mass=1", "model.mass: a quasistatic chain has no masses"},
      {"model.w0=[1, 1]", "model.w0: a quasistatic chain has no velocities"},
      {"model.v0=[1, 0]", "model.v0: the chain cannot start so: node 1, which has no mass, bears 3 at t = 0"},
      {"model.springs=[0, 1, 0]", "model.springs: nothing holds the chain"},
      {"model.springs=[1, 0, 1]", "model.springs: entry 2, k_1, is 0"},
      {"model.end=displacement", "model.end_displacement: missing"},
      {"model.end_force=t", "model.end_force: the right end is clamped (expected end: free with it)"},
      {"model.end_rate=t", "model.end_rate: nothing at the right end"},
      {"model.force_rate=[0, 0, 0]", "model.force_rate: 3 entries (expected 2)"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    char *setting[] = {(char *)(uintptr_t)bad[i][0], "control.target.velocity=0", NULL};
    read_bad(quasistatic, setting, bad[i][1]);
  }
}

static void echo_reads_back(void **state) {
  (void)state;
  static char *variants[][8] = {
      {NULL},
      {"model.case=dynamical", "model.mass=2", "model.w0=[1/3, 0]", "model.end=free", "model.end_force=sin(t)",
       "scheme.name=symplectic", NULL},
      {"model.case=semi_dynamical", "model.mass=2", "model.w0=1/3",
       "model.force=[0.1*t, [{until: 1, value: 0}, {value: t-1}]]", NULL},
      {"model.end=displacement", "model.end_displacement=[{until: 1, value: t}, {value: 2-t}]",
       "model.end_rate=[{until: 0.999, value: 1}, {value: -1}]", "model.force_rate=0", "model.v0=0.01", NULL}};
  for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
    Problem p, q;
    read_good(quasistatic, variants[i], &p);
    json_t *echo = problem_echo(&p);
    char *text = json_dumps(echo, JSON_INDENT(2) | JSON_REAL_PRECISION(17));
    assert_non_null(text);
    read_good(text, NULL, &q);
    json_t *again = problem_echo(&q);
    assert_true(json_equal(echo, again));
    size_t size = sim_problem_packed_size(&p.sim), head = sizeof p.sim;
    assert_int_equal(size, sim_problem_packed_size(&q.sim));
    char *a = calloc(2, size), *b = a + size;
    assert_non_null(a);
    sim_problem_pack(&p.sim, a);
    sim_problem_pack(&q.sim, b);
    /* compares all arrays and tables of the packed problems, after their heads */
    assert_memory_equal(a + head, b + head, size - head);
    assert_true(p.sim.chain.chain_case == q.sim.chain.chain_case && p.sim.chain.end == q.sim.chain.end);
    free(a);
    json_decref(echo);
    json_decref(again);
    free(text);
    problem_clear(&p);
    problem_clear(&q);
  }
}

/* The work of a step must grow as n, not as n^2. */
static void long_chain(void **state) {
  (void)state;
  enum { N = 100000 };
  static const char text[] = "model: {kind: chain, case: quasistatic, end: free, end_force: -t, thresholds: 0.01}\n"
                             "time: {end: 1, steps: 4}\n"
                             "scheme: {name: increment}\n";
  Problem p;
  char *springs = malloc(2 * N + 40), *to = springs;
  assert_non_null(springs);
  to += sprintf(to, "model.springs=[1");
  for (int i = 0; i < N; i++) to += sprintf(to, ",1");
  sprintf(to, "]");
  char *settings[] = {springs, NULL};
  read_good(text, settings, &p);
  assert_int_equal(p.sim.d, N);
  assert_int_equal(p.sim.n_control, 64);
  assert_true(fabs(p.sim.bounds.stiffness_max - 4) < 1e-8);
  problem_clear(&p);
  free(springs);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(defaults),   cmocka_unit_test(masses_and_velocities), cmocka_unit_test(ends),
      cmocka_unit_test(rates),      cmocka_unit_test(settings_refused),      cmocka_unit_test(echo_reads_back),
      cmocka_unit_test(long_chain), cmocka_unit_test(rates_accepted),        cmocka_unit_test(jumps_on_masses),
  };
  return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
