/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests mechanisms: agreement with matrix models, a robot arm, stops, saving and packing, and what is refused. */
#include "tests/sim/mechanism/puma.h"
#include "tests/sim/mechanism/random.h"

/* Records the closing error of the energies. */
static void note_energy(void *context, const SimStep *step) {
  double *worst = context;
  const SimEnergy *e = step->energy;
  *worst = fmax(*worst, fabs(e->work - e->stored - e->dissipated - e->impacts));
}

/* Sets the matrices of the model with the energy (x'^2 + 2 y'^2 + 0.8 x' y')/2 .., as a model of the kind friction. */
static void set_matrices(SimProblem *p, double damping) {
  static const double mass[] = {1, 0.4, 0.4, 2}, stiffness[] = {9, -2, -2, 5};
  assert_int_equal(sim_problem_init(p, SIM_FRICTION, 2, 1), SIM_OK);
  assert_int_equal(sim_problem_set_scheme(p, "event"), SIM_OK);
  memcpy(p->system.mass, mass, sizeof mass);
  memcpy(p->system.stiffness, stiffness, sizeof stiffness);
  p->system.damping[0] = damping;
  p->friction[0] = 1.5;
  p->friction[1] = 0.7;
  fixture_time(p, 4, 100);
}

static const MechanismText linear = {.d = 2,
                                     .coordinates = {"x", "y"},
                                     .kinetic = "(x'^2 + 2*y'^2 + 0.8*x'*y')/2",
                                     .potential = "(9*x^2 - 4*x*y + 5*y^2)/2",
                                     .applied = {"-0.3*x'", "0"},
                                     .friction = {"1.5", "0.7"}};

static void set_motion(SimProblem *p, uint64_t *seed, bool is_linear, double *u) {
  p->signal = is_linear ? SIM_PIECEWISE_LINEAR : SIM_PIECEWISE_CONSTANT;
  p->segments = SEGMENTS;
  sim_problem_set(p, "tolerance", 1e-12);
  for (int k = 0; k < SEGMENTS; k++) u[k] = 8 * fixture_random(seed);
  for (int i = 0; i < 2; i++) {
    p->x0[i] = fixture_random(seed);
    p->v0[i] = fixture_random(seed);
  }
}

static void linear_models_have_the_same_motions(void **state) {
  static const double parts[] = {1, 0, 1.0 / 3}; /* fractions of the friction */
  (void)state;
  for (uint64_t k = 0; k < 40; k++) {
    SimProblem p, other;
    uint64_t seed = 77 * k, again = seed;
    double u[SEGMENTS], q[2], v[2], other_q[2], other_v[2];
    mechanism_problem(&linear, 1, 4, &p);
    set_matrices(&other, 0.3);
    set_motion(&p, &seed, k % 2, u);
    set_motion(&other, &again, k % 2, u);
    for (int i = 0; i < 2; i++) {
      p.friction[i] *= parts[k % 3];
      other.friction[i] *= parts[k % 3];
    }
    if (k % 4 > 1) {
      SimProblem *const both[] = {&p, &other};
      for (int b = 0; b < 2; b++) {
        both[b]->stops.present = true;
        for (int i = 0; i < 2; i++) {
          both[b]->stops.lower[i] = -1.05;
          both[b]->stops.upper[i] = i ? NAN : 1.05;
          both[b]->stops.stiffness[i] = NAN;
          both[b]->stops.restitution[i] = 0.6;
        }
      }
    }
    SimFinal final = mechanism_move(&p, u, NULL, q, v), like = mechanism_move(&other, u, NULL, other_q, other_v);
    assert_int_equal(final.status, SIM_OK);
    assert_int_equal(like.status, SIM_OK);
    assert_int_equal(final.iterations, like.iterations);
    assert_int_equal(final.impacts, like.impacts);
    for (int i = 0; i < 2; i++) assert_true(fabs(q[i] - other_q[i]) + fabs(v[i] - other_v[i]) < 1e-9);
    sim_problem_clear(&p);
    sim_problem_clear(&other);
  }
}

/* Makes a problem of the Puma, with viscous and Coulomb friction or without friction. */
static void make_puma(SimProblem *p, bool rubs) {
  static const double down[3] = {0, 0, -9.81}, start[6] = {0.1, 0.8, -3, 0.2, 0.7, 0.1};
  MechanismText text = {.d = 6, .coordinates = {"a", "b", "c", "d", "e", "f"}};
  MechanismOfText m;
  MechanismBody bodies[6];
  mechanism_begin(&text, &m);
  SimMechanism *of = &m.mechanism;
  puma_bodies(&of->graph, bodies);
  assert_true(mechanism_tree(&of->graph, &of->variables, bodies, down, of->residuals, &of->energy));
  of->power = graph_number(&of->graph, 0);
  for (int i = 0; i < 6; i++) {
    of->applied[i] = graph_affine(&of->graph, rubs ? -0.5 : 0, of->variables.v[i], 0);
    of->thresholds[i] = graph_number(&of->graph, rubs ? 2.0 / (1 + i) : 0);
  }
  assert_int_equal(sim_problem_init(p, SIM_MECHANISM, 6, 6), SIM_OK);
  assert_int_equal(sim_problem_set_mechanism(p, of), SIM_OK);
  graph_clear(&of->graph);
  fixture_time(p, 2, 50);
  memcpy(p->x0, start, sizeof start);
}

static void an_arm_falls(void **state) {
  (void)state;
  for (int rubs = 0; rubs < 2; rubs++) {
    SimProblem p;
    double worst = 0, q[6], v[6], fine_q[6], fine_v[6];
    const SimObserver observer = {.context = &worst, .step = note_energy};
    make_puma(&p, rubs);
    SimFinal final = mechanism_move(&p, NULL, &observer, q, v);
    sim_problem_set(&p, "tolerance", 1e-13);
    SimFinal fine = mechanism_move(&p, NULL, NULL, fine_q, fine_v);
    double off = 0;
    for (int i = 0; i < 6; i++) off = fmax(off, fmax(fabs(q[i] - fine_q[i]), fabs(v[i] - fine_v[i])));
    print_message("energy off %g J, tolerances %g apart, %ld events\n", worst, off, final.iterations);
    assert_int_equal(final.status, SIM_OK);
    assert_int_equal(fine.status, SIM_OK);
    assert_true(worst < 1e-10);
    assert_true(off < 1e-10);
    assert_true(rubs ? final.iterations > 5 : final.iterations == 0);
    sim_problem_clear(&p);
  }
}

/* A cart with a pole hits the ends of its track. The impacts use the mass matrix M(q). */
static void impacts_take_what_is_lost(void **state) {
  static const MechanismText cart = {.d = 2,
                                     .coordinates = {"x", "theta"},
                                     .kinetic =
                                         "x'^2/2 + 0.3*((x' + 0.5*cos(theta)*theta')^2 + (0.5*sin(theta)*theta')^2)/2",
                                     .potential = "-0.3*9.81*0.5*cos(theta)",
                                     .friction = {"0.2", "0.01"}};
  (void)state;
  SimProblem p;
  double worst = 0, q[2], v[2], u = 1.5;
  const SimObserver observer = {.context = &worst, .step = note_energy};
  mechanism_problem(&cart, 1, 6, &p);
  p.v0[0] = 2;
  p.x0[1] = 2;
  p.stops.present = true;
  for (int i = 0; i < 2; i++) {
    p.stops.lower[i] = i ? NAN : -0.3;
    p.stops.upper[i] = i ? NAN : 0.3;
    p.stops.stiffness[i] = NAN;
    p.stops.restitution[i] = 0.7;
  }
  SimFinal final = mechanism_move(&p, &u, &observer, q, v);
  print_message("%ld impacts, energy off %g J\n", final.impacts, worst);
  assert_int_equal(final.status, SIM_OK);
  assert_true(final.impacts > 3);
  assert_true(worst < 1e-10);
  assert_true(fabs(q[0]) <= 0.3);
  sim_problem_clear(&p);
}

/* A motion is saved at every tenth step and continues in another workspace, of the problem packed and unpacked. */
static void saved_motions_go_on(void **state) {
  const SimReport report = {.complain = fixture_complain};
  (void)state;
  for (uint64_t k = 1; k <= 40; k++) {
    static RandomMechanism r;
    SimProblem p, unpacked;
    SimModel *model;
    SimWorkspace *work, *next;
    double u[SEGMENTS], q[D_MAX], v[D_MAX], again_q[D_MAX], again_v[D_MAX], worst = 0;
    const SimObserver observer = {.context = &worst, .step = note_energy};
    random_mechanism(k * 31337, &r);
    random_problem(&r, 1, 1e-10, &p, u);
    SimFinal final = mechanism_move(&p, u, &observer, q, v), again = {.x = again_q, .v = again_v};
    assert_int_equal(final.status, SIM_OK);
    size_t size = sim_problem_packed_size(&p);
    void *bytes = malloc(size);
    sim_problem_pack(&p, bytes);
    assert_int_equal(sim_problem_unpack(&unpacked, bytes, size), SIM_OK);
    assert_int_equal(stiction_model_create(&unpacked, &report, &model), SIM_OK);
    assert_int_equal(stiction_workspace_create(model, &work), SIM_OK);
    assert_int_equal(sim_rollout_begin(model, work, u, &observer), SIM_OK);
    void *saved = malloc(sim_workspace_saved_size(model));
    for (long n = 10; n <= p.steps; n += 10) {
      assert_int_equal(sim_rollout_run_to(model, work, &observer, n), SIM_OK);
      sim_workspace_save(model, work, saved);
      assert_int_equal(stiction_workspace_create(model, &next), SIM_OK);
      assert_int_equal(sim_workspace_load(model, next, saved, sim_workspace_saved_size(model)), SIM_OK);
      stiction_workspace_destroy(work);
      work = next;
    }
    sim_rollout_end(model, work, &again);
    assert_memory_equal(q, again_q, (size_t)r.text.d * sizeof *q);
    assert_memory_equal(v, again_v, (size_t)r.text.d * sizeof *v);
    stiction_workspace_destroy(work);
    stiction_model_destroy(model);
    sim_problem_clear(&unpacked);
    sim_problem_clear(&p);
    free(saved);
    free(bytes);
  }
}

static void keep_text(void *context, const char *key, const char *text) { snprintf(context, 300, "%s: %s", key, text); }

static void check_refused(const MechanismText *text, const char *expected) {
  char found[300] = "";
  const SimReport report = {.context = found, .complain = keep_text};
  SimProblem p;
  mechanism_problem(text, 0, 1, &p);
  assert_int_equal(stiction_problem_finalize(&p, &report), SIM_BAD_PROBLEM);
  if (!strstr(found, expected)) fail_msg("%s (expected %s)", found, expected);
  sim_problem_clear(&p);
}

static SimStatus status_of(const MechanismText *text, double x0, double v0, double end) {
  SimProblem p;
  double q, v;
  mechanism_problem(text, 0, end, &p);
  p.x0[0] = x0;
  p.v0[0] = v0;
  SimStatus status = mechanism_move(&p, NULL, NULL, &q, &v).status;
  sim_problem_clear(&p);
  return status;
}

static void wrong_mechanisms_are_refused(void **state) {
  (void)state;
  const MechanismText massless = {.d = 1, .coordinates = {"x"}, .kinetic = "0*x'^2"};
  const MechanismText negative = {.d = 1, .coordinates = {"x"}, .kinetic = "x'^2", .friction = {"x - 1"}};
  const MechanismText infinite = {.d = 1, .coordinates = {"x"}, .kinetic = "x'^2", .potential = "ln(x)"};
  const MechanismText turning = {.d = 1, .coordinates = {"x"}, .kinetic = "x'^2", .friction = {"rint(x')"}};
  check_refused(&massless, "model.mass");
  check_refused(&negative, "model.friction: of coordinate 1 is -1 at the start");
  check_refused(&infinite, "coordinate 1");
  check_refused(&turning, "model: ");
  SimProblem p;
  char found[300] = "";
  const SimReport report = {.context = found, .complain = keep_text};
  assert_int_equal(sim_problem_init(&p, SIM_MECHANISM, 1, 0), SIM_OK);
  fixture_time(&p, 1, 10);
  assert_int_equal(stiction_problem_finalize(&p, &report), SIM_BAD_PROBLEM);
  assert_string_equal(found, "model: there are no equations of motion");
  sim_problem_clear(&p);
}

static void failures_on_the_way_are_reported(void **state) {
  (void)state;
  const MechanismText drives = {.d = 1, .coordinates = {"x"}, .kinetic = "x'^2/2", .friction = {"1 - x"}};
  const MechanismText lost = {.d = 1, .coordinates = {"x"}, .kinetic = "(1 - x)*x'^2/2"};
  const MechanismText sides = {.d = 1, .coordinates = {"x"}, .kinetic = "x'^2/2", .applied = {"x > 1 ? -1 : 1"}};
  /* at x = 1/2 the threshold becomes negative, in the middle of the series of a segment, and in `returns` it is
   * positive again at x = 0.52; friction that touches 0 there is allowed, and none at all */
  const MechanismText pushed = {
      .d = 1, .coordinates = {"x"}, .kinetic = "x'^2/2", .applied = {"2"}, .friction = {"0.5 - x"}};
  const MechanismText returns = {
      .d = 1, .coordinates = {"x"}, .kinetic = "x'^2/2", .friction = {"(x - 0.5)*(x - 0.52)"}};
  const MechanismText touches = {.d = 1, .coordinates = {"x"}, .kinetic = "x'^2/2", .friction = {"(x - 0.5)^2"}};
  const MechanismText pressed = {.d = 1, .coordinates = {"x"}, .kinetic = "x'^2/2", .friction = {"abs(cos(x))"}};
  const MechanismText without = {.d = 1, .coordinates = {"x"}, .kinetic = "x'^2/2", .friction = {"0*x"}};
  assert_int_equal(status_of(&drives, 0, 3, 3), SIM_OUT_OF_RANGE);
  assert_int_equal(status_of(&pushed, 0, 0, 1), SIM_OUT_OF_RANGE);
  assert_int_equal(status_of(&returns, 0, 1, 1), SIM_OUT_OF_RANGE);
  assert_int_equal(status_of(&touches, 0, 3, 3), SIM_OK);
  assert_int_equal(status_of(&pressed, 0, 3, 3), SIM_OK);
  assert_int_equal(status_of(&without, 0, 3, 3), SIM_OK);
  SimStatus status = status_of(&lost, 0, 1, 3);
  assert_true(status == SIM_NON_FINITE || status == SIM_EVENTS_ACCUMULATE);
  assert_int_equal(status_of(&sides, 1, 0, 3), SIM_SLIDES_ALONG_KINK);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(linear_models_have_the_same_motions), cmocka_unit_test(an_arm_falls),
      cmocka_unit_test(impacts_take_what_is_lost),           cmocka_unit_test(saved_motions_go_on),
      cmocka_unit_test(wrong_mechanisms_are_refused),        cmocka_unit_test(failures_on_the_way_are_reported)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
