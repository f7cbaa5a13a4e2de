/* SPDX-License-Identifier: BSD-2-Clause */
/* The scheme `moreau` of mechanisms: steps of linear models, order against `event`, what sticks, energies, stiff
 * damping, stops, and failures. */
#include "tests/sim/mechanism/steps.h"

enum { STEPS = 101 };

typedef struct Seen {
  double x[STEPS][2], v[STEPS][2], lambda[STEPS][2];
  SimEnergy energy[STEPS];
  int stuck; /* steps after which a coordinate sticks */
} Seen;

static void note(void *context, const SimStep *step) {
  Seen *seen = context;
  memcpy(seen->x[step->n], step->x, sizeof seen->x[0]);
  memcpy(seen->v[step->n], step->v, sizeof seen->v[0]);
  memcpy(seen->lambda[step->n], step->lambda, sizeof seen->lambda[0]);
  seen->energy[step->n] = *step->energy;
  for (int i = 0; i < 2; i++) seen->stuck += fabs(step->lambda[i]) < 1 && step->v[i] == 0;
}

static void linear_models_have_the_same_steps(void **state) {
  static const double parts[] = {1, 0, 1.0 / 3};
  long impacts = 0, stuck = 0;
  double off = 0;
  (void)state;
  for (uint64_t k = 0; k < 96; k++) {
    MechanismText text = linear;
    static Seen ours, like;
    const SimObserver observer = {.context = &ours, .step = note}, other_observer = {.context = &like, .step = note};
    double u[SEGMENTS], x[2], v[2], damping = text.values[0] = (double)(k / 2 % 2),
                                    friction = text.values[1] = parts[k % 3];
    SimProblem p, other;
    ours = like = (Seen){.stuck = 0};
    mechanism_problem(&text, 1, 4, &p);
    set_matrices(&other, damping, friction);
    set_case(&p, k, u);
    set_case(&other, k, u);
    SimFinal final = mechanism_move(&p, u, &observer, x, v), same = mechanism_move(&other, u, &other_observer, x, v);
    assert_int_equal(final.status, SIM_OK);
    assert_int_equal(same.status, SIM_OK);
    assert_int_equal(final.impacts, same.impacts);
    assert_int_equal(ours.stuck, like.stuck);
    impacts += final.impacts;
    stuck += ours.stuck;
    for (int n = 0; n < STEPS; n++) {
      const SimEnergy *e = &ours.energy[n], *f = &like.energy[n];
      for (int i = 0; i < 2; i++) {
        off = fmax(off, fabs(ours.x[n][i] - like.x[n][i]) + fabs(ours.v[n][i] - like.v[n][i]));
        off = fmax(off, fabs(ours.lambda[n][i] - like.lambda[n][i]));
      }
      off = fmax(off, fabs(e->stored - f->stored) + fabs(e->impacts - f->impacts));
      if (damping == 0) off = fmax(off, fabs(e->dissipated - f->dissipated) + fabs(e->work - f->work));
      if (damping == 0) off = fmax(off, fabs(e->numerical - f->numerical));
    }
    sim_problem_clear(&p);
    sim_problem_clear(&other);
  }
  print_message("%ld impacts, %ld rests, off %g\n", impacts, stuck, off);
  assert_true(impacts >= 50 && stuck > 500);
  assert_true(off < 1e-9);
}

/* The end of a motion in this many steps; 0: by `event`. */
static void end_of(const MechanismText *text, double start, const double *u, double end, long steps, double *at) {
  SimProblem p;
  mechanism_problem(text, 1, end, &p);
  if (steps) fixture_time(&p, end, steps);
  if (steps) assert_int_equal(sim_problem_set_scheme(&p, "moreau"), SIM_OK);
  p.x0[text->d - 1] = start;
  p.signal = SIM_PIECEWISE_CONSTANT;
  p.segments = SEGMENTS;
  assert_int_equal(mechanism_move(&p, u, NULL, at, at + 2).status, SIM_OK);
  sim_problem_clear(&p);
}

/* lambda of coordinates at rest at t = 0, where loads and M move both. */
static void starts_are_those_of_event(void **state) {
  static Seen seen[2];
  double x[2], v[2];
  (void)state;
  for (int k = 0; k < 40; k++) {
    for (int other = 0; other < 2; other++) {
      SimProblem p;
      mechanism_problem(&two_links, 1, 1e-3, &p);
      assert_int_equal(sim_problem_set_scheme(&p, other ? "event" : "moreau"), SIM_OK);
      p.x0[0] = 0.05 * k;
      p.x0[1] = 3 - 0.3 * k;
      const double u = k - 20;
      assert_int_equal(mechanism_move(&p, &u, &(SimObserver){&seen[other], note, NULL}, x, v).status, SIM_OK);
      sim_problem_clear(&p);
    }
    for (int i = 0; i < 2; i++) assert_true(fabs(seen[0].lambda[0][i] - seen[1].lambda[0][i]) < 1e-9);
  }
}

static void motions_are_of_first_order(void **state) {
  enum { FIRST = 400, GRIDS = 4, ANGLES = 24 };
  static const struct {
    const char *name;
    const MechanismText *text;
    double start, end, u[SEGMENTS];
  } cases[] = {{"pendulum with Coulomb friction", &pendulum, 2, 2, {0}},
               {"two links", &two_links, 0.5, 1, {15, 15, 12, 12}},
               {"cart-pole", &cart_pole, 2, 3, {7, -7, 5, -4}}};
  (void)state;
  for (int c = 0; c < 3; c++) {
    double error[GRIDS] = {0};
    for (int a = 0; a < ANGLES; a++) {
      double exact[4] = {0}, at[4] = {0}, start = cases[c].start * (1 + 0.01 * a);
      end_of(cases[c].text, start, cases[c].u, cases[c].end, 0, exact);
      for (int g = 0; g < GRIDS; g++) {
        end_of(cases[c].text, start, cases[c].u, cases[c].end, (long)FIRST << g, at);
        for (int i = 0; i < 4; i++) error[g] += fabs(at[i] - exact[i]) / ANGLES;
      }
    }
    double order = log2(error[0] / error[GRIDS - 1]) / (GRIDS - 1);
    print_message("%s: errors %.2e %.2e %.2e %.2e, order %.2f\n", cases[c].name, error[0], error[1], error[2], error[3],
                  order);
    assert_true(order > 0.85 && order < 1.3);
    assert_true(error[GRIDS - 1] < 1e-2);
  }
}

/* The last place and rate of each coordinate, and what a motion of it has shown. */
typedef struct Watched {
  int d;
  double x[TEXT_D], dissipated, numerical, most;
  bool rested[TEXT_D];
  long rests;
} Watched;

static void watch(void *context, const SimStep *step) {
  Watched *w = context;
  const SimEnergy *e = step->energy;
  for (int i = 0; i < w->d; i++) {
    bool rests = step->v[i] == 0 && fabs(step->lambda[i]) < 1;
    if (step->n > 1 && rests && w->rested[i]) {
      assert_true(step->x[i] == w->x[i]);
      w->rests++;
    }
    w->rested[i] = rests;
    w->x[i] = step->x[i];
    assert_true(fabs(step->lambda[i]) <= 1 && step->lambda[i] * step->v[i] >= 0);
  }
  assert_true(e->dissipated >= w->dissipated && e->negative_dissipation == 0);
  w->dissipated = e->dissipated;
  w->numerical = e->numerical;
  w->most = fmax(w->most, fabs(e->stored));
}

static Watched watched(SimProblem *p, const double *u, double *q, double *v, SimFinal *final) {
  Watched w = {.d = p->d};
  const SimObserver observer = {.context = &w, .step = watch};
  *final = mechanism_move(p, u, &observer, q, v);
  assert_int_equal(final->status, SIM_OK);
  return w;
}

static void what_sticks_does_not_move_by_a_bit(void **state) {
  (void)state;
  long rests = 0;
  for (uint64_t k = 1; k <= 60; k++) {
    static RandomMechanism r;
    SimProblem p;
    SimFinal final;
    double u[SEGMENTS], q[D_MAX], v[D_MAX];
    random_mechanism(k * 7919, &r);
    random_problem(&r, 1, 1e-10, &p, u);
    assert_int_equal(sim_problem_set_scheme(&p, "moreau"), SIM_OK);
    rests += watched(&p, u, q, v, &final).rests;
    sim_problem_clear(&p);
  }
  print_message("%ld rests\n", rests);
  assert_true(rests > 500);
}

/* The energy that the scheme loses or adds is of first order, too. */
static void energies_close(void **state) {
  double part[3];
  (void)state;
  for (int g = 0; g < 3; g++) {
    SimProblem p;
    SimFinal final;
    double q[2], v[2];
    mechanism_problem(&two_links, 0, 2, &p);
    fixture_time(&p, 2, 500L << (2 * g));
    assert_int_equal(sim_problem_set_scheme(&p, "moreau"), SIM_OK);
    p.x0[0] = 0.4;
    Watched w = watched(&p, NULL, q, v, &final);
    part[g] = fabs(w.numerical) / w.most;
    sim_problem_clear(&p);
  }
  print_message("lost to the scheme: %g, %g, %g of the energy\n", part[0], part[1], part[2]);
  assert_true(part[0] < 0.05);
  assert_true(part[1] < part[0] / 2 && part[2] < part[1] / 2);
}

/* A rotor of 4e-5 kg m^2 with 0.4 N m s of viscous friction has a rate of 10^4 1/s. */
static void stiff_damping_needs_no_short_steps(void **state) {
  static const MechanismText rotor = {.d = 1,
                                      .coordinates = {"q"},
                                      .kinetic = "4e-5*q'^2/2",
                                      .applied = {"1 + sin(q)/4 - 0.4*q'"},
                                      .friction = {"0.1"}};
  double end[2];
  (void)state;
  for (int k = 0; k < 2; k++) {
    SimProblem p;
    SimFinal final;
    double v;
    mechanism_problem(&rotor, 0, 1, &p);
    fixture_time(&p, 1, k ? 1000 : 50);
    if (k) sim_problem_set(&p, "tolerance", 1e-8);
    if (!k) assert_int_equal(sim_problem_set_scheme(&p, "moreau"), SIM_OK);
    if (!k) sim_problem_set(&p, "theta", 1);
    (void)watched(&p, NULL, &end[k], &v, &final);
    sim_problem_clear(&p);
  }
  print_message("50 steps %g, event %g\n", end[0], end[1]);
  assert_true(fabs(end[0] - end[1]) < 0.01);
}

/* A cart with a pole hits the ends of its track, rigid or elastic ones. */
static void stops_hold(void **state) {
  (void)state;
  for (int elastic = 0; elastic < 2; elastic++) {
    SimProblem p;
    SimFinal final, exact = {0};
    double q[2], v[2], exact_q[2], exact_v[2], u = 3;
    mechanism_problem(&cart_pole, 1, 3, &p);
    fixture_time(&p, 3, 6000);
    p.v0[0] = 2;
    p.x0[1] = 2;
    set_stops(&p, 0, 0.3, elastic ? 2000 : NAN);
    if (!elastic) exact = mechanism_move(&p, &u, NULL, exact_q, exact_v);
    assert_int_equal(sim_problem_set_scheme(&p, "moreau"), SIM_OK);
    Watched w = watched(&p, &u, q, v, &final);
    print_message("%ld impacts, by event %ld; x %g, %g lost to the scheme\n", final.impacts, exact.impacts, q[0],
                  w.numerical);
    if (!elastic) {
      assert_true(final.impacts >= 2 && exact.impacts >= 2);
      assert_true(fabs(q[0]) <= 0.3);
      for (int i = 0; i < 2; i++) assert_true(fabs(q[i] - exact_q[i]) < 0.05);
    }
    assert_true(fabs(q[0]) < 0.33);
    assert_true(fabs(w.numerical) < 0.05);
    sim_problem_clear(&p);
  }
}

/* Every seventh step in another workspace: the same bits. */
static void saved_motions_go_on(void **state) {
  const SimReport report = {.complain = fixture_complain};
  (void)state;
  for (uint64_t k = 1; k <= 20; k++) {
    static RandomMechanism r;
    SimProblem p;
    SimModel *model;
    SimWorkspace *work, *next;
    double u[SEGMENTS], q[D_MAX], v[D_MAX], again_q[D_MAX], again_v[D_MAX];
    random_mechanism(k * 104729, &r);
    random_problem(&r, 1, 1e-10, &p, u);
    assert_int_equal(sim_problem_set_scheme(&p, "moreau"), SIM_OK);
    SimFinal final = mechanism_move(&p, u, NULL, q, v), again = {.x = again_q, .v = again_v};
    assert_int_equal(final.status, SIM_OK);
    assert_int_equal(stiction_model_create(&p, &report, &model), SIM_OK);
    assert_int_equal(stiction_workspace_create(model, &work), SIM_OK);
    assert_int_equal(sim_rollout_begin(model, work, u, NULL), SIM_OK);
    void *saved = malloc(sim_workspace_saved_size(model));
    for (long n = 7; n <= p.steps; n += 7) {
      assert_int_equal(sim_rollout_run_to(model, work, NULL, n), SIM_OK);
      sim_workspace_save(model, work, saved);
      assert_int_equal(stiction_workspace_create(model, &next), SIM_OK);
      assert_int_equal(sim_workspace_load(model, next, saved, sim_workspace_saved_size(model)), SIM_OK);
      stiction_workspace_destroy(work);
      work = next;
    }
    assert_int_equal(sim_rollout_run_to(model, work, NULL, p.steps), SIM_OK);
    sim_rollout_end(model, work, &again);
    assert_memory_equal(q, again_q, (size_t)r.text.d * sizeof *q);
    assert_memory_equal(v, again_v, (size_t)r.text.d * sizeof *v);
    stiction_workspace_destroy(work);
    stiction_model_destroy(model);
    sim_problem_clear(&p);
    free(saved);
  }
}

static SimStatus status_of(const MechanismText *text, double x0, double v0, double end, long steps) {
  SimProblem p;
  double q, v;
  mechanism_problem(text, 0, end, &p);
  fixture_time(&p, end, steps);
  assert_int_equal(sim_problem_set_scheme(&p, "moreau"), SIM_OK);
  p.x0[0] = x0;
  p.v0[0] = v0;
  SimStatus status = mechanism_move(&p, NULL, NULL, &q, &v).status;
  sim_problem_clear(&p);
  return status;
}

static void failures_are_reported(void **state) {
  const MechanismText drives = {.d = 1, .coordinates = {"x"}, .kinetic = "x'^2/2", .friction = {"1 - x"}};
  const MechanismText lost = {.d = 1, .coordinates = {"x"}, .kinetic = "(1 - x)*x'^2/2"};
  const MechanismText falls = {.d = 1, .coordinates = {"x"}, .kinetic = "x'^2/2", .potential = "-100*x^2/2"};
  (void)state;
  assert_int_equal(status_of(&drives, 0, 3, 3, 300), SIM_OUT_OF_RANGE);
  assert_int_equal(status_of(&lost, 0, 1, 3, 300), SIM_NON_FINITE);
  /* x'' = 100 x in steps so long that they do not see it grow */
  assert_int_equal(status_of(&falls, 1, 0, 0.1, 1), SIM_OK);
  assert_int_equal(status_of(&falls, 1, 0, 0.4, 1), SIM_NOT_CONVERGED);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(linear_models_have_the_same_steps),
                                     cmocka_unit_test(starts_are_those_of_event),
                                     cmocka_unit_test(motions_are_of_first_order),
                                     cmocka_unit_test(what_sticks_does_not_move_by_a_bit),
                                     cmocka_unit_test(energies_close),
                                     cmocka_unit_test(stiff_damping_needs_no_short_steps),
                                     cmocka_unit_test(stops_hold),
                                     cmocka_unit_test(saved_motions_go_on),
                                     cmocka_unit_test(failures_are_reported)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
