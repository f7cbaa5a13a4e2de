/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests motions of mechanisms with dry friction by `event`: closed forms, energies, agreement with matrix models (kind
 * friction), mirror images; and inverse dynamics. */
#include "sim/inverse.h"
#include "tests/sim/mechanism/mechanism.h"

static const double g = 9.81;

static const MechanismText pendulum = {.d = 1,
                                       .coordinates = {"theta"},
                                       .kinetic = "m*l^2*theta'^2/2",
                                       .potential = "-m*g*l*cos(theta)",
                                       .friction = {"c"},
                                       .parameters = {"m", "l", "g", "c"},
                                       .values = {1.2, 0.8, 9.81, 0.3}};

/* Reports of a motion. */
typedef struct Watch {
  int turns, events, kind[200], dof[200];
  double at[200], time[200], x, worst, work, stored, dissipated;
  double held; /* largest difference of lambda from tan(0.3 t)/0.4 while the block sticks */
} Watch;

static void note_event(void *context, double t, int dof, int slip) {
  Watch *w = context;
  if (w->events == 200) return;
  w->time[w->events] = t;
  w->dof[w->events] = dof;
  w->kind[w->events++] = slip;
}

static void note_step(void *context, const SimStep *step) {
  Watch *w = context;
  const SimEnergy *e = step->energy;
  w->worst = fmax(w->worst, fabs(e->work - e->stored - e->dissipated - e->impacts));
  if (step->slip[0] == 0) w->held = fmax(w->held, fabs(step->lambda[0] - tan(0.3 * step->t) / 0.4));
  w->work = e->work;
  w->stored = e->stored;
  w->dissipated = e->dissipated;
}

static SimObserver observer_of(Watch *w) {
  *w = (Watch){0};
  return (SimObserver){.context = w, .step = note_step, .event = note_event};
}

/* Returns the turning point b on the other side that follows the turning point a: m g l (cos b - cos a) = c (a + b). */
static double next_turn(double a, double c, double weight) {
  double low = 0, high = a;
  for (int k = 0; k < 200; k++) {
    double b = (low + high) / 2;
    if (weight * (cos(b) - cos(a)) > c * (a + b))
      low = b;
    else
      high = b;
  }
  return (low + high) / 2;
}

static void pendulum_swings_to_rest(void **state) {
  (void)state;
  SimProblem p;
  Watch w;
  double q, v, a = 2, weight = 1.2 * g * 0.8;
  const SimObserver observer = observer_of(&w);
  mechanism_problem(&pendulum, 0, 40, &p);
  p.x0[0] = 2;
  SimFinal final = mechanism_move(&p, NULL, &observer, &q, &v);
  assert_int_equal(final.status, SIM_OK);
  int swings = 0;
  for (; weight * sin(a) > 0.3; swings++) a = next_turn(a, 0.3, weight);
  assert_true(v == 0);
  print_message("swings %d events %d  off %g  energy off %g\n", swings, w.events, fabs(fabs(q) - a), w.worst);
  assert_true(fabs(fabs(q) - a) < 1e-12);
  assert_int_equal(w.events, swings + 2); /* two events at the start: it rests, then slides */
  assert_int_equal(w.kind[w.events - 1], 0);
  assert_true(w.worst < 1e-11);
  sim_problem_clear(&p);
}

/* A block lies on a plate at the angle 0.3 t. The normal force includes the Coriolis part. */
static void block_slips_on_a_tilted_plate(void **state) {
  static const MechanismText text = {
      .d = 1,
      .coordinates = {"s"},
      .kinetic = "m*((s'*cos(0.3*t) - 0.3*s*sin(0.3*t))^2 + (s'*sin(0.3*t) + 0.3*s*cos(0.3*t))^2)/2",
      .potential = "-m*g*s*sin(0.3*t)",
      .friction = {"mu*m*abs(g*cos(0.3*t) + 2*0.3*s')"},
      .parameters = {"m", "g", "mu"},
      .values = {2, 9.81, 0.4}};
  (void)state;
  SimProblem p;
  Watch w;
  double q, v;
  const SimObserver observer = observer_of(&w);
  mechanism_problem(&text, 0, 3, &p);
  SimFinal final = mechanism_move(&p, NULL, &observer, &q, &v);
  print_message("slips at %.15g, off %g; x %.15g off %g; energy off %g\n", w.time[1], w.time[1] - 1.268354590374550, q,
                q - 2.47818849713218, w.worst);
  assert_int_equal(final.status, SIM_OK);
  assert_int_equal(w.events, 2);
  assert_true(fabs(w.time[1] - 1.268354590374550) < 1e-11);
  assert_true(w.held < 1e-13);
  assert_true(fabs(q - 2.47818849713218) < 1e-11);
  assert_true(w.worst < 1e-10);
  sim_problem_clear(&p);
}

/* The pendulum's forces have a closed form: M q'' + m g l sin(q) + c sgn(q'). */
static void a_motion_needs_these_forces(void **state) {
  enum { STATES = 3 };
  static const double rows[STATES][4] = {{0.3, 0.7, -1.1, 0}, {2, -0.4, 3, 0.5}, {-1, 0, 2, 1}};
  double forces[STATES];
  SimProblem p;
  (void)state;
  mechanism_problem(&pendulum, 1, 1, &p);
  assert_int_equal(sim_inverse_dynamics(&p, STATES, &rows[0][0], forces), SIM_OK);
  for (int k = 0; k < STATES; k++) {
    const double *row = rows[k], sign = (row[1] > 0) - (row[1] < 0);
    assert_true(fabs(forces[k] - (1.2 * 0.64 * row[2] + 1.2 * g * 0.8 * sin(row[0]) + 0.3 * sign)) < 1e-13);
  }
  const double far[4] = {INFINITY, 0, 0, 0};
  assert_int_equal(sim_inverse_dynamics(&p, 1, far, forces), SIM_NON_FINITE);
  sim_problem_clear(&p);
}

/* Computes x(2) of a mass of 1 kg that is at rest at x = 0. */
static double pushed(const char *force) {
  const MechanismText text = {.d = 1, .coordinates = {"x"}, .kinetic = "x'^2/2", .applied = {force}};
  SimProblem p;
  double q, v;
  mechanism_problem(&text, 0, 2, &p);
  assert_int_equal(mechanism_move(&p, NULL, NULL, &q, &v).status, SIM_OK);
  sim_problem_clear(&p);
  return q;
}

/* Where the first terms of a force are 0, later ones move the mass. The numbers are double integrals of the forces, and
 * for the spring a convolution with the sine. */
static void a_force_begins_with_a_high_order(void **state) {
  static const struct {
    const char *force;
    double x;
  } cases[] = {{"t^10", 1024.0 / 33},
               {"3*t^9", 3 * 2048.0 / 110},
               {"5*t^9 - x", 90.74876748313172},
               {"30*sin(t)^9", 10.763208987253241},
               {"5*t^11", 5 * 8192.0 / 156},
               {"20*(t-0.5)^9*(t>0.5?1:0)", 20 * 177147.0 / 2048 / 110},
               {"t^20", 4194304.0 / 462},
               {"t^19", 2097152.0 / 420},
               {"exp(-1/(t+0.02)^2)", 0.39426941991045}};
  (void)state;
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    double x = pushed(cases[k].force), off = fabs(x - cases[k].x) / cases[k].x;
    print_message("%s: x %.12g, off %.1e\n", cases[k].force, x, off);
    assert_true(off < 1e-10);
  }
}

/* The side of a kink may be known only from higher orders, after the decision at its start: x moves from 0 at once, and
 * the threshold of y is 1 from then on. So y slips at t = 1, where its load is 1. */
static void thresholds_are_those_after_a_kink(void **state) {
  static const MechanismText text = {.d = 2,
                                     .coordinates = {"x", "y"},
                                     .kinetic = "x'^2/2 + y'^2/2",
                                     .applied = {"2", "t"},
                                     .friction = {"0", "x > 0 ? 1 : 1e12"}};
  (void)state;
  SimProblem p;
  Watch w;
  double q[2], v[2];
  const SimObserver observer = observer_of(&w);
  mechanism_problem(&text, 0, 2, &p);
  assert_int_equal(mechanism_move(&p, NULL, &observer, q, v).status, SIM_OK);
  print_message("y slips at %.15g, ends at %.15g\n", w.time[w.events - 1], q[1]);
  assert_int_equal(w.dof[w.events - 1], 1);
  assert_true(fabs(w.time[w.events - 1] - 1) < 1e-12);
  assert_true(fabs(q[1] - 1.0 / 6) < 1e-12);
  sim_problem_clear(&p);
}

/* The side of a kink may be known only after a first try of the series, which is then too long for those on the other
 * side: x moves from 0 at once, into a stiff spring, and oscillates with 100 rad/s. */
static void a_spring_at_a_kink_is_seen_at_once(void **state) {
  static const MechanismText text = {
      .d = 1, .coordinates = {"x"}, .kinetic = "x'^2/2", .applied = {"1-10000*max(0,x)"}};
  (void)state;
  SimProblem p;
  double q, v;
  mechanism_problem(&text, 0, 0.02, &p);
  sim_problem_set(&p, "tolerance", 1e-4);
  SimFinal final = mechanism_move(&p, NULL, NULL, &q, &v);
  print_message("off %.1e, %ld events\n", v - 0.01 * sin(2), final.iterations);
  assert_int_equal(final.status, SIM_OK);
  assert_int_equal(final.iterations, 0);
  assert_true(fabs(v - 0.01 * sin(2)) < 1e-10);
  sim_problem_clear(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_spring_at_a_kink_is_seen_at_once),
                                     cmocka_unit_test(thresholds_are_those_after_a_kink),
                                     cmocka_unit_test(pendulum_swings_to_rest),
                                     cmocka_unit_test(block_slips_on_a_tilted_plate),
                                     cmocka_unit_test(a_motion_needs_these_forces),
                                     cmocka_unit_test(a_force_begins_with_a_high_order)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
