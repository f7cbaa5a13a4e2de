/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests friction that depends on the direction of its own rate, against thresholds by direction of a model of the kind
 * friction, against the mirror image, and by `moreau`. */
#include "tests/sim/mechanism/mechanism.h"

/* Thresholds 0.4 and 0.4 * 1.6, or 0.4 * 1.2 and 0.4 * 0.8, for q' > 0 and q' < 0, in several spellings. */
typedef struct Law {
  const char *text;
  double above, below;
} Law;

static const Law laws[] = {{"0.4*(x' > 0 ? 1 : 1.6)", 0.4, 0.64},
                           {"0.4*(1 + 0.2*sign(x'))", 0.48, 0.32},
                           {"0.4*(0 < 3*x' ? 1 : 1.6)", 0.4, 0.64},
                           {"0.4*(1 - 0.2*sign(-x'/7))", 0.48, 0.32},
                           {"0.4*(1.3 - 0.3*sign((2 + cos(x))*x'))", 0.4, 0.64}};
enum { LAWS = sizeof laws / sizeof *laws, STARTS = 100 };

enum { SIDES_NODES = 4 }; /* the force is an interpolation of 3 sin(3 t) by lines between these nodes */

typedef struct End {
  double q[2], v[2], dissipated;
  long events;
} End;

static void note_energy(void *context, const SimStep *step) {
  End *end = context;
  const SimEnergy *e = step->energy;
  end->dissipated = e->dissipated;
  assert_true(fabs(e->work - e->stored - e->dissipated - e->numerical) < 1e-9);
}

static void count_event(void *context, double time, int dof, int what) {
  (void)time, (void)dof, (void)what;
  ((End *)context)->events++;
}

static void set_motion(SimProblem *p, double v0) {
  p->v0[0] = v0;
  p->signal = SIM_PIECEWISE_LINEAR;
  p->segments = SIDES_NODES;
  sim_problem_set(p, "tolerance", 1e-12);
}

static End move(SimProblem *p, const double *u) {
  End end = {0};
  const SimObserver observer = {.context = &end, .step = note_energy, .event = count_event};
  SimFinal final = mechanism_move(p, u, &observer, end.q, end.v);
  if (final.status != SIM_OK) fail_msg("%s, v0 = %.17g", stiction_status_text(final.status), p->v0[0]);
  sim_problem_clear(p);
  return end;
}

static double apart(const End *a, const End *b) {
  double off = fabs(a->dissipated - b->dissipated);
  for (int i = 0; i < 2; i++) off = fmax(off, fmax(fabs(a->q[i] - b->q[i]), fabs(a->v[i] - b->v[i])));
  return off;
}

/* Moves a mass by the force u, with the law or with its mirror image. */
static End by_mechanism(const Law *law, const char *text, double v0, const double *u) {
  const MechanismText mass = {.d = 1, .coordinates = {"x"}, .kinetic = "x'^2/2", .friction = {text ? text : law->text}};
  SimProblem p;
  mechanism_problem(&mass, 1, 2, &p);
  set_motion(&p, v0);
  return move(&p, u);
}

static End by_thresholds(const Law *law, double v0, const double *u) {
  SimProblem p;
  assert_int_equal(sim_problem_init(&p, SIM_FRICTION, 1, 1), SIM_OK);
  assert_int_equal(sim_problem_set_scheme(&p, "event"), SIM_OK);
  p.system.mass[0] = 1;
  p.by_direction = true;
  p.friction[0] = (law->above + law->below) / 2;
  p.friction_bias[0] = (law->above - law->below) / 2;
  fixture_time(&p, 2, 100);
  set_motion(&p, v0);
  return move(&p, u);
}

static void motions_are_those_of_thresholds_by_direction(void **state) {
  (void)state;
  double worst = 0;
  long events = 0;
  for (int k = 0; k < LAWS * STARTS; k++) {
    const Law *law = &laws[k / STARTS];
    double v0 = -0.9 + 0.0187 * (k % STARTS), u[SIDES_NODES + 1];
    for (int j = 0; j <= SIDES_NODES; j++) u[j] = 3 * sin(6.0 * j / SIDES_NODES) * (k % 2 ? 0.5 : 1);
    End own = by_mechanism(law, NULL, v0, u), other = by_thresholds(law, v0, u);
    double off = apart(&own, &other);
    if (off > 1e-9 || own.events < other.events) fail_msg("%s: off %g, v0 = %g", law->text, off, v0);
    worst = fmax(worst, off);
    events += other.events;
  }
  assert_true(events > LAWS * STARTS);
  print_message("%ld events, off %g\n", events, worst);
}

static void coupled_coordinates_have_the_same_motions(void **state) {
  static const MechanismText text = {.d = 2,
                                     .coordinates = {"x", "y"},
                                     .kinetic = "(x'^2 + 2*y'^2 + 0.8*x'*y')/2",
                                     .potential = "(9*x^2 - 4*x*y + 5*y^2)/2",
                                     .friction = {"1.5*(x' > 0 ? 1 : 1.4)", "0.7*(1 + 0.3*sign(y'))"}};
  static const double mass[] = {1, 0.4, 0.4, 2}, stiffness[] = {9, -2, -2, 5}, mean[] = {1.8, 0.7},
                      bias[] = {-0.3, 0.21};
  (void)state;
  double worst = 0;
  for (uint64_t k = 1; k <= STARTS; k++) {
    SimProblem both[2];
    End ends[2];
    uint64_t seed = k;
    double u[SIDES_NODES + 1], v0[2] = {k % 2 ? fixture_random(&seed) : 0, k % 3 ? fixture_random(&seed) : 0};
    for (int j = 0; j <= SIDES_NODES; j++) u[j] = 8 * fixture_random(&seed);
    mechanism_problem(&text, 1, 4, &both[0]);
    assert_int_equal(sim_problem_init(&both[1], SIM_FRICTION, 2, 1), SIM_OK);
    assert_int_equal(sim_problem_set_scheme(&both[1], "event"), SIM_OK);
    memcpy(both[1].system.mass, mass, sizeof mass);
    memcpy(both[1].system.stiffness, stiffness, sizeof stiffness);
    memcpy(both[1].friction, mean, sizeof mean);
    memcpy(both[1].friction_bias, bias, sizeof bias);
    both[1].by_direction = true;
    fixture_time(&both[1], 4, 100);
    for (int j = 0; j < 2; j++) {
      set_motion(&both[j], v0[0]);
      both[j].v0[1] = v0[1];
      ends[j] = move(&both[j], u);
    }
    double off = apart(&ends[0], &ends[1]);
    if (off > 1e-9) fail_msg("start %d: off %g", (int)k, off);
    worst = fmax(worst, off);
  }
  print_message("two coordinates: off %g\n", worst);
}

static void mirror_images_are_the_same(void **state) {
  static const char *const mirrored[] = {"0.4*(-x' > 0 ? 1 : 1.6)", "0.4*(1 + 0.2*sign(-x'))",
                                         "0.4*(0 < -3*x' ? 1 : 1.6)", "0.4*(1 - 0.2*sign(x'/7))",
                                         "0.4*(1.3 + 0.3*sign((2 + cos(x))*x'))"};
  (void)state;
  for (int k = 0; k < LAWS * STARTS; k++) {
    double v0 = -0.9 + 0.0187 * (k % STARTS), u[SIDES_NODES + 1], back[SIDES_NODES + 1];
    for (int j = 0; j <= SIDES_NODES; j++) back[j] = -(u[j] = 3 * sin(6.0 * j / SIDES_NODES));
    End one = by_mechanism(&laws[k / STARTS], NULL, v0, u);
    End other = by_mechanism(NULL, mirrored[k / STARTS], -v0, back);
    assert_true(one.q[0] == -other.q[0] && one.v[0] == -other.v[0] && one.events == other.events);
  }
}

/* Steps of `moreau` have both thresholds at rest, too: their errors halve with the step. */
static void steps_approach_the_motion(void **state) {
  enum { FIRST = 400, GRIDS = 3, SOME = 20 };
  double error[GRIDS] = {0};
  (void)state;
  for (int k = 0; k < LAWS * SOME; k++) {
    const Law *law = &laws[k / SOME];
    const MechanismText mass = {.d = 1, .coordinates = {"x"}, .kinetic = "x'^2/2", .friction = {law->text}};
    double v0 = k % SOME ? -0.9 + 0.0873 * (k % SOME) : 0, u[SIDES_NODES + 1];
    for (int j = 0; j <= SIDES_NODES; j++) u[j] = 3 * sin(6.0 * j / SIDES_NODES) * (k % 2 ? 0.5 : 0.25);
    End exact = by_mechanism(law, NULL, v0, u);
    for (int g = 0; g < GRIDS; g++) {
      SimProblem p;
      mechanism_problem(&mass, 1, 2, &p);
      set_motion(&p, v0);
      assert_int_equal(sim_problem_set_scheme(&p, "moreau"), SIM_OK);
      fixture_time(&p, 2, (long)FIRST << g);
      End at = move(&p, u);
      error[g] += apart(&at, &exact) / (LAWS * SOME);
    }
  }
  print_message("moreau: off %.2e %.2e %.2e\n", error[0], error[1], error[2]);
  assert_true(error[0] < 0.02);
  for (int g = 1; g < GRIDS; g++) assert_true(error[g] < 0.6 * error[g - 1]);
}

/* lambda at t = 0 is that of event, also between the two thresholds. */
static void start(void *context, const SimStep *step) {
  if (step->n == 0) *(double *)context = step->lambda[0];
}

static void steps_begin_as_the_motion(void **state) {
  (void)state;
  for (int k = 0; k < LAWS * 9; k++) {
    const MechanismText mass = {.d = 1, .coordinates = {"x"}, .kinetic = "x'^2/2", .friction = {laws[k / 9].text}};
    double u = 0.2 * (k % 9 - 4), lambda[2], q, v;
    for (int j = 0; j < 2; j++) {
      const SimObserver observer = {.context = &lambda[j], .step = start};
      SimProblem p;
      mechanism_problem(&mass, 1, 0.01, &p);
      assert_int_equal(sim_problem_set_scheme(&p, j ? "event" : "moreau"), SIM_OK);
      assert_int_equal(mechanism_move(&p, &u, &observer, &q, &v).status, SIM_OK);
      sim_problem_clear(&p);
    }
    assert_true(fabs(lambda[0] - lambda[1]) < 1e-12);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(motions_are_those_of_thresholds_by_direction),
      cmocka_unit_test(coupled_coordinates_have_the_same_motions), cmocka_unit_test(mirror_images_are_the_same),
      cmocka_unit_test(steps_approach_the_motion), cmocka_unit_test(steps_begin_as_the_motion)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
