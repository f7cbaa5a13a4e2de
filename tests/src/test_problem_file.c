/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests problem files: every key and default, the forms of matrices and forces, settings, and the echo. Invalid files
 * are in tests/program/bad. */
#include "src/file/sections/keys.h"
#include "tests/src/problem_text.h"

static void defaults(void **state) {
  (void)state;
  Problem p;
  read_good(smallest, NULL, &p);
  const SimProblem *s = &p.sim;
  assert_null(p.title);
  assert_false(p.has_control);
  assert_int_equal(p.output_every, 1);
  assert_int_equal(s->d, 1);
  assert_int_equal(s->n_control, 1);
  ASSERT_VECTOR(s->system.mass, {2});
  ASSERT_VECTOR(s->system.stiffness, {0});
  ASSERT_VECTOR(s->system.damping, {0});
  ASSERT_VECTOR(s->friction, {0});
  ASSERT_VECTOR(s->x0, {0});
  ASSERT_VECTOR(s->v0, {0});
  ASSERT_VECTOR(s->control_matrix, {1});
  ASSERT_VECTOR(s->force, {0, 0, 0, 0, 0});
  assert_int_equal(s->system.stribeck, SIM_STRIBECK_NONE);
  assert_int_equal(s->steps, 4);
  assert_string_equal(sim_scheme_name(s->scheme), "moreau");
  /* r has a default, although it does not matter without friction */
  assert_true(sim_problem_get(s, "theta") == 0.5 && sim_problem_get(s, "r") == 1);
  assert_string_equal(sim_problem_word(s, "multiplier"), "unregularized");
  assert_string_equal(sim_problem_word(s, "solver"), "exact");
  problem_clear(&p);
}

static void every_model_key(void **state) {
  (void)state;
  Problem p;
  read_good(full, NULL, &p);
  const SimProblem *s = &p.sim;
  assert_string_equal(p.title, "All keys");
  assert_int_equal(p.output_every, 5);
  assert_int_equal(s->d, 2);
  ASSERT_VECTOR(s->system.mass, {4, 1, 1, 5});
  ASSERT_VECTOR(s->system.stiffness, {3, -2, -2, 2});
  ASSERT_VECTOR(s->system.damping, {0.1, 0, 0, 3.14159265358979323846});
  ASSERT_VECTOR(s->friction, {10, 10});
  ASSERT_VECTOR(s->x0, {1, 2});
  ASSERT_VECTOR(s->v0, {-0.5, -0.5});
  assert_int_equal(s->system.stribeck, SIM_STRIBECK_RAMP);
  ASSERT_VECTOR(s->system.stribeck_beta, {1. / 3, 0.25});
  ASSERT_VECTOR(s->system.stribeck_epsilon, {0.1, 0.1});
  assert_true(s->end == 2 && s->step == 0.25);
  assert_int_equal(s->steps, 8);
  for (long k = 0; k < sim_force_count(s); k++)
    ASSERT_VECTOR(s->force + 2 * k, {-100 * exp(-10 * sim_force_time(s, k)), 7});
  assert_string_equal(sim_scheme_name(s->scheme), "centered");
  assert_string_equal(sim_problem_word(s, "start"), "paper");
  assert_string_equal(sim_problem_word(s, "multiplier"), "regularized");
  assert_string_equal(sim_problem_word(s, "solver"), "fixed_point");
  assert_true(sim_problem_get(s, "alpha") == 1. / 3 && sim_problem_get(s, "epsilon") == 0.125);
  assert_true(sim_problem_get(s, "tolerance") == 1e-9);
  assert_true(sim_problem_get(s, "r") == 1 / (p.sim.bounds.delta * 0.25));
  problem_clear(&p);
}

static void every_control_key(void **state) {
  (void)state;
  Problem p;
  read_good(full, NULL, &p);
  const CtlProblem *c = &p.control;
  assert_true(p.has_control);
  assert_int_equal(p.sim.n_control, 3);
  ASSERT_VECTOR(p.sim.control_matrix, {1, 2, 3, 4, 5, 6});
  assert_int_equal(c->n, 3);
  assert_int_equal(c->d, 2);
  assert_true(c->end == 2);
  ASSERT_VECTOR(c->weight, {2, 1, 0, 1, 2, 0, 0, 0, 1});
  ASSERT_VECTOR(c->start, {1, 0, -1});
  ASSERT_VECTOR(c->lower, {-10, -10, -10});
  ASSERT_VECTOR(c->upper, {INFINITY, 5, 6});
  ASSERT_VECTOR(c->position, {NAN, 3});
  ASSERT_VECTOR(c->velocity, {0, 0});
  ASSERT_VECTOR(c->position_scale, {NAN, 0.5});
  ASSERT_VECTOR(c->velocity_scale, {0.1, 0.1});
  assert_int_equal(c->penalty, CTL_PENALTY_PI);
  assert_int_equal(c->norm, CTL_NORM_INF);
  assert_int_equal(c->rho_update, CTL_RHO_DYNAMIC);
  assert_int_equal(c->scheme_size, CTL_SCHEME_PAPER);
  assert_int_equal(c->simplex, CTL_SIMPLEX_USER);
  ASSERT_VECTOR(c->edges, {1, 0, 0, 0, 2, 0, 0, 1, 3});
  assert_true(c->rho == 1000 && c->step == 0.5 && c->tolerance == 1e-8 && c->relative_tolerance == 1e-7);
  assert_true(c->accept == 1e-5 && c->stop_at == 1e-4 && c->max_seconds == 120);
  assert_int_equal(c->max_evaluations, 100000);
  assert_int_equal(c->max_simplexes, 30);
  assert_int_equal(c->restarts, 0);
  problem_clear(&p);
}

static void control_defaults(void **state) {
  (void)state;
  Problem p;
  char *settings[] = {"control.target.velocity=0", "search.rho_update=dynamic", "model.friction=3", NULL};
  read_good(smallest, settings, &p);
  const CtlProblem *c = &p.control;
  ASSERT_VECTOR(c->weight, {1});
  ASSERT_VECTOR(c->start, {0});
  ASSERT_VECTOR(c->lower, {-INFINITY});
  ASSERT_VECTOR(c->upper, {INFINITY});
  ASSERT_VECTOR(c->position, {NAN});
  ASSERT_VECTOR(c->velocity, {0});
  ASSERT_VECTOR(c->velocity_scale, {NAN});
  assert_true(c->rho == 1e5 && c->step == 1 && c->tolerance == 1e-10 && c->accept == 1e-6);
  assert_true(c->relative_tolerance == 0 && c->stop_at == 0 && c->max_seconds == 0);
  assert_true(c->max_evaluations == 0 && c->max_simplexes == 0 && c->restarts == 2 && c->scheme_size == 64);
  assert_true(c->penalty == CTL_PENALTY_P && c->norm == CTL_NORM_2 && c->simplex == CTL_SIMPLEX_RIGHT);
  assert_true(sim_problem_get(&p.sim, "r") == 2 / (p.sim.bounds.delta * p.sim.step));
  problem_clear(&p);
  char *centered[] = {"scheme.name=centered", NULL};
  read_good(smallest, centered, &p);
  assert_true(sim_problem_get(&p.sim, "alpha") == 0.25);
  assert_string_equal(sim_problem_word(&p.sim, "start"), "consistent");
  assert_string_equal(sim_problem_word(&p.sim, "multiplier"), "regularized");
  assert_true(sim_problem_get(&p.sim, "epsilon") == pow(0.25, 1.2));
  problem_clear(&p);
}

static void splitting_keys(void **state) {
  (void)state;
  Problem p;
  char *lie[] = {"scheme={name: lie}", NULL}, *strang[] = {"scheme={name: strang}", "model.friction=1", NULL};
  read_good(smallest, lie, &p);
  assert_true(sim_problem_get(&p.sim, "friction_substeps") == 10 && sim_problem_get(&p.sim, "elastic_substeps") == 2);
  assert_string_equal(sim_problem_word(&p.sim, "elastic"), "difference");
  assert_string_equal(sim_problem_word(&p.sim, "multiplier"), "unregularized");
  assert_int_equal(sim_force_count(&p.sim), 41);
  assert_true(sim_force_time(&p.sim, 10) == 0.25);
  assert_false(p.sim.system.gearbox.present);
  problem_clear(&p);
  read_good(smallest, strang, &p);
  assert_true(sim_problem_get(&p.sim, "friction_substeps") == 5);
  assert_int_equal(sim_force_count(&p.sim), 41);
  assert_true(sim_problem_get(&p.sim, "r") == 3 / (p.sim.bounds.delta * 0.25));
  problem_clear(&p);
  char *gear[] = {
      "scheme={name: lie, multiplier: smooth, eta: 1e-3, elastic_substeps: 4, elastic: exact}", "model.damping=0",
      "model.gearbox={delta: [0.5, -1], k: 2*delta, a: 0.6, b: [1, 2], law: ramp, beta: 0.2, epsilon: 1/4}", NULL};
  read_good(full, gear, &p);
  const SimGearbox *g = &p.sim.system.gearbox;
  assert_true(g->present && g->law == SIM_STRIBECK_RAMP);
  ASSERT_VECTOR(g->delta, {0.5, -1});
  ASSERT_VECTOR(g->k, {1, -2});
  ASSERT_VECTOR(g->a, {0.6, 0.6});
  ASSERT_VECTOR(g->b, {1, 2});
  ASSERT_VECTOR(g->beta, {0.2, 0.2});
  ASSERT_VECTOR(g->epsilon, {0.25, 0.25});
  assert_true(sim_problem_get(&p.sim, "eta") == 1e-3 && sim_problem_get(&p.sim, "elastic_substeps") == 4);
  assert_string_equal(sim_problem_word(&p.sim, "elastic"), "exact");
  assert_true(sim_problem_threshold(&p.sim, 0) == 10 + 0.4 / 2 && sim_problem_threshold(&p.sim, 1) == 10 + 2 * 1.4 / 2);
  problem_clear(&p);
}

static void forces(void **state) {
  (void)state;
  Problem p;
  char *pieces[] = {"model.force=[{until: 0.5, value: 1}, {until: 0.75, value: t}, {value: -1}]", NULL};
  read_good(smallest, pieces, &p);
  ASSERT_VECTOR(p.sim.force, {1, 1, 1, 0.75, -1}); /* the first value of a piece also holds at the piece's end */
  problem_clear(&p);
  char *rounded[] = {"model.force=[{until: 0.3, value: 1}, {value: 2}]", "time={end: 1, step: 0.1}", NULL};
  read_good(smallest, rounded, &p); /* 3*0.1 > 0.3 in floating point, so that rounding matters here */
  assert_true(p.sim.force[3] == 1 && p.sim.force[4] == 2);
  problem_clear(&p);
  char *each[] = {"model.mass=[1, 1]", "model.force=[t, [{until: 0.5, value: 0}, {value: 3}]]", NULL};
  read_good(smallest, each, &p);
  ASSERT_VECTOR(p.sim.force, {0, 0, 0.25, 0, 0.5, 0, 0.75, 3, 1, 3});
  problem_clear(&p);
  char *common[] = {"model.mass=[1, 1]", "model.force=\"t < 0.5 ? e : 2^t\"", NULL};
  read_good(smallest, common, &p);
  assert_true(p.sim.force[0] == exp(1) && p.sim.force[1] == exp(1) && p.sim.force[9] == 2);
  problem_clear(&p);
  char *in_pieces[] = {"model.force=y*t", "scheme={name: event}", "control.target={position: 1}", NULL};
  char *thresholds[] = {"model.friction=y*t", "control.target={position: 1}", NULL};
  read_bad(smallest, in_pieces, "model.force: unknown name \"y\"");
  read_bad(smallest, thresholds, "model.friction: unknown name \"y\"");
}

static void settings_override(void **state) {
  (void)state;
  Problem p;
  char *good[] = {"model.mass[2][2]=6",
                  "control.target.position=[1, null]",
                  "title=other",
                  "model.force=t",
                  "model.friction[2]=3",
                  NULL}; /* this setting changes one entry, while the file gives one number
                                                 * for all */
  read_good(full, good, &p);
  ASSERT_VECTOR(p.sim.system.mass, {4, 1, 1, 6});
  ASSERT_VECTOR(p.sim.friction, {10, 3});
  ASSERT_VECTOR(p.control.position, {1, NAN});
  ASSERT_VECTOR(p.control.velocity, {0, 0});
  ASSERT_VECTOR(p.sim.force, {0, 0, 0.25, 0.25});
  assert_string_equal(p.title, "other");
  problem_clear(&p);

  static const char *const bad[][2] = {
      {"model.friction=[1, x]", "--set model.friction=[1, x]: model.friction[2]: unknown name \"x\""},
      {"model.frict=1", "--set model.frict=1: model.frict: unknown key (did you mean friction?)"},
      {"model.mass[3]=[1, 2]", "model.mass[3]: there is no such entry"},
      {"model.mass.0=1", "model.mass.0: entries of lists count from 1, in brackets (expected model.mass[1])"},
      {"title.x=1", "title.x: the key before the dot is not a mapping"},
      {"title[2]=1", "title[2]: the key before the brackets is not a list (expected its whole value"},
      {"time.end[1]=2", "--set time.end[1]=2: time.end[1]: the key before the brackets is not a list"},
      {"model.friction[3]=1", "--set model.friction[3]=1: model.friction[3]: there is no such entry (there are 2"},
      {"model.stribeck.beta[3]=1", "--set model.stribeck.beta[3]=1: model.stribeck.beta[3]: there is no such entry"},
      {"model.viscous[1]=5", "--set model.viscous[1]=5: model.viscous[1]: there is no such list"},
      {"title", "--set title: title: not a setting (expected KEY=VALUE"},
      {"=3", "--set =3: : not a setting"},
      {"model..mass=3", "model..mass: not a setting"},
      {"title=", "title: empty (expected a value)"},
      {"title=[", "--set title=[: title: did not find expected node content"},
      {"title=a\n--- b", "title: a second document starts here"},
      {"scheme.theta=1", "scheme.theta: the scheme centered has no theta"},
      {"time.step=0.3", "--set time.step=0.3: time.step: end/step = 6.6666"},
      {"scheme.r=9/(delta*step)", "--set scheme.r=9/(delta*step): scheme.r: "},
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    char *setting[] = {(char *)(uintptr_t)bad[i][0], NULL};
    read_bad(full, setting, bad[i][1]);
  }
}

static void whole_file_mistakes(void **state) {
  (void)state;
  Problem p;
  char errors[2000] = "";
  FILE *stream = fmemopen(errors, sizeof errors, "w");
  assert_int_equal(problem_file_read("/nowhere/x.yaml", NULL, 0, false,
                                     &(Diagnostics){.report = diagnostic_print, .to = stream}, &p),
                   EXIT_USAGE);
  assert_int_equal(
      problem_file_read(directory, NULL, 0, false, &(Diagnostics){.report = diagnostic_print, .to = stream}, &p),
      EXIT_USAGE);
  fclose(stream);
  char expected[2000];
  snprintf(expected, sizeof expected,
           "/nowhere/x.yaml: document: cannot be opened (No such file or directory)\n%s: document: is not a file\n",
           directory);
  assert_string_equal(errors, expected);
  read_bad(smallest, NULL, ":1:1: control: missing");

  char path[FIXTURE_PATH_SIZE];
  write_file("problem.yaml", "", 0, path);
  assert_int_equal(truncate(path, (64L << 20) + 1), 0);
  stream = fmemopen(errors, sizeof errors, "w");
  assert_int_equal(
      problem_file_read(path, NULL, 0, false, &(Diagnostics){.report = diagnostic_print, .to = stream}, &p),
      EXIT_USAGE);
  fclose(stream);
  assert_non_null(strstr(errors, "problem.yaml: document: too large (expected at most 64 MiB)\n"));
}

/* Compares two problems except for addresses and padding: field by field, and then the packed arrays. */
static void assert_same_sim(const SimProblem *a, const SimProblem *b) {
  size_t size = sim_problem_packed_size(a);
  assert_int_equal(size, sim_problem_packed_size(b));
  char *packed_a = calloc(1, size), *packed_b = calloc(1, size);
  sim_problem_pack(a, packed_a);
  sim_problem_pack(b, packed_b);
  assert_memory_equal(packed_a + sizeof *a, packed_b + sizeof *b, size - sizeof *a);
  free(packed_a);
  free(packed_b);
  assert_true(a->d == b->d && a->n_control == b->n_control && a->system.stribeck == b->system.stribeck &&
              a->steps == b->steps);
  assert_true(a->end == b->end && a->step == b->step && a->scheme == b->scheme);
  assert_true(a->system.gearbox.present == b->system.gearbox.present && a->system.gearbox.law == b->system.gearbox.law);
}

static void assert_same_control(const CtlProblem *a, const CtlProblem *b) {
  int n = a->n;
  assert_true(n == b->n && a->d == b->d && a->end == b->end);
  assert_vector(a->weight, n * n, b->weight);
  assert_vector(a->start, n, b->start);
  assert_vector(a->lower, n, b->lower);
  assert_vector(a->upper, n, b->upper);
  assert_vector(a->edges, n * n, b->edges);
  assert_vector(a->position, a->d, b->position);
  assert_vector(a->velocity, a->d, b->velocity);
  assert_vector(a->position_scale, a->d, b->position_scale);
  assert_vector(a->velocity_scale, a->d, b->velocity_scale);
  assert_true(a->penalty == b->penalty && a->norm == b->norm && a->rho == b->rho && a->rho_update == b->rho_update);
  assert_true(a->scheme_size == b->scheme_size && a->simplex == b->simplex && a->step == b->step);
  assert_true(a->tolerance == b->tolerance && a->relative_tolerance == b->relative_tolerance);
  assert_true(a->accept == b->accept && a->stop_at == b->stop_at && a->max_seconds == b->max_seconds);
  assert_true(a->max_evaluations == b->max_evaluations && a->max_simplexes == b->max_simplexes);
  assert_int_equal(a->restarts, b->restarts);
}

static void echo_reads_back(void **state) {
  (void)state;
  static char *no_settings[] = {NULL};
  static char *moreau[] = {"scheme={name: moreau, theta: 2/3}", "title='a \"quoted\" \\ title: \xc3\xa9'",
                           "control.target={velocity: 1/3}", NULL};
  static char *pieces[] = {"model.force=[{until: 1/3, value: 1e3}, {value: t^2}]", "time={end: 1, step: 1/3}",
                           "search.simplex=regular", NULL};
  static char *each[] = {"model.force=[\"3\", [{until: 0.1, value: 0}, {value: sin(t)}]]", "model.x0=-0", NULL};
  static char *lie[] = {
      "scheme={name: lie, friction_substeps: 3, multiplier: smooth, eta: 1e-4, alpha: 0}",
      "model.gearbox={delta: [0.7, -1], k: delta^3, a: 0.6, b: [1, 2], law: sqrt, beta: 0.2, epsilon: 1}", NULL};
  static char *strang[] = {"scheme={name: strang, elastic: exact, elastic_substeps: 7, solver: fixed_point}",
                           "model.damping=0", NULL};
  char **variants[] = {no_settings, moreau, pieces, each, lie, strang};
  for (size_t i = 0; i <= sizeof variants / sizeof *variants; i++) {
    bool small = i == sizeof variants / sizeof *variants;
    Problem p, q;
    read_good(small ? smallest : full, small ? NULL : variants[i], &p);
    json_t *echo = problem_echo(&p);
    assert_non_null(echo);
    char *text = json_dumps(echo, JSON_INDENT(2));
    json_t *again;
    read_good(text, NULL, &q);
    assert_same_sim(&p.sim, &q.sim);
    assert_same_control(&p.control, &q.control);
    assert_true(p.has_control == q.has_control && p.output_every == q.output_every);
    if (p.title) assert_string_equal(p.title, q.title);
    again = problem_echo(&q);
    assert_true(json_equal(echo, again));
    json_decref(echo);
    json_decref(again);
    free(text);
    problem_clear(&p);
    problem_clear(&q);
  }
}

/* Truncated files, and files with changed bytes, are read or refused; sanitizers and valgrind detect other errors. */
static void broken_bytes(void **state) {
  (void)state;
  static const char bytes[] = "[]{}:,&*!|>'\"%@`-?#\t\n\\ 0=e.~\x80\xff";
  size_t size = strlen(full);
  char *text = malloc(size + 1), errors[2000];
  unsigned random = 1;
  int codes[2] = {0};
  for (size_t i = 0; i < 600; i++) {
    Problem p;
    memcpy(text, full, size + 1);
    size_t length = i < 300 ? i * size / 300 : size;
    for (int k = 0; i >= 300 && k < 2; k++) {
      random = random * 1664525u + 1013904223u;
      text[(random >> 8) % size] = bytes[(random >> 4) % (sizeof bytes - 1)];
    }
    int code = read_bytes(text, length, NULL, false, errors, &p);
    assert_true(code == 0 || (code == EXIT_USAGE && strchr(errors, '\n')));
    codes[code != 0]++;
    problem_clear(&p);
  }
  free(text);
  assert_true(codes[0] > 10 && codes[1] > 300);
}

/* The list of keys is not full, so it leaves nothing out. */
static void all_keys_are_listed(void **state) {
  (void)state;
  static Key keys[KEYS_MAX];
  assert_in_range(keys_list(keys), 200, KEYS_MAX - 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(defaults),          cmocka_unit_test(every_model_key),     cmocka_unit_test(every_control_key),
      cmocka_unit_test(control_defaults),  cmocka_unit_test(splitting_keys),      cmocka_unit_test(forces),
      cmocka_unit_test(settings_override), cmocka_unit_test(whole_file_mistakes), cmocka_unit_test(echo_reads_back),
      cmocka_unit_test(broken_bytes),      cmocka_unit_test(all_keys_are_listed),
  };
  return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
