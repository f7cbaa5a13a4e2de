/* SPDX-License-Identifier: BSD-2-Clause */
/* Compares a cart with a pole, and two links, with equations written by hand and an integrator that shares no code with
 * sim: Gragg's extrapolation, events by bisection. It finds which coordinates stick by trying all combinations. */
#include "tests/sim/mechanism/mechanism.h"

enum { D = 2, PIECES = 20 };

/* Function that computes M(q), and the force on each coordinate without friction. */
typedef void Equation(const double *q, const double *v, const double *u, double mass[D][D], double *force);

typedef struct Independent {
  Equation *equation;
  const double *c; /* thresholds */
  double u[D];
  int slip[D];
  double y[2 * D]; /* q, v */
  int events;
} Independent;

/* Computes the accelerations in a mode (which coordinates slide in which direction), and the loads on sticking
 * coordinates. */
static void accelerate(const Independent *s, const double *y, double *a, double *load) {
  double mass[D][D], force[D];
  s->equation(y, y + D, s->u, mass, force);
  for (int i = 0; i < D; i++) {
    force[i] -= s->slip[i] * s->c[i];
    a[i] = 0;
  }
  if (s->slip[0] && s->slip[1]) {
    double determinant = mass[0][0] * mass[1][1] - mass[0][1] * mass[1][0];
    a[0] = (mass[1][1] * force[0] - mass[0][1] * force[1]) / determinant;
    a[1] = (mass[0][0] * force[1] - mass[1][0] * force[0]) / determinant;
  } else {
    for (int i = 0; i < D; i++)
      if (s->slip[i]) a[i] = force[i] / mass[i][i];
  }
  for (int i = 0; i < D; i++) load[i] = force[i] - mass[i][0] * a[0] - mass[i][1] * a[1];
}

static void slope(const Independent *s, const double *y, double *rate) {
  double load[D];
  for (int i = 0; i < D; i++) rate[i] = s->slip[i] ? y[D + i] : 0;
  accelerate(s, y, rate + D, load);
}

/* Makes one step of Gragg's modified midpoint rule with 2, 4, .. substeps, extrapolated to substeps of length 0. */
static void extrapolate(const Independent *s, double h, double *y) {
  enum { LEVELS = 8 };
  double table[LEVELS][2 * D];
  for (int k = 0; k < LEVELS; k++) {
    int n = 2 * (k + 1);
    double part = h / n, last[2 * D], now[2 * D], rate[2 * D];
    slope(s, s->y, rate);
    for (int i = 0; i < 2 * D; i++) {
      last[i] = s->y[i];
      now[i] = s->y[i] + part * rate[i];
    }
    for (int j = 1; j < n; j++) {
      slope(s, now, rate);
      for (int i = 0; i < 2 * D; i++) {
        double next = last[i] + 2 * part * rate[i];
        last[i] = now[i];
        now[i] = next;
      }
    }
    slope(s, now, rate);
    for (int i = 0; i < 2 * D; i++) table[k][i] = (now[i] + last[i] + part * rate[i]) / 2;
    for (int j = k - 1; j >= 0; j--) {
      double ratio = (double)(k + 1) / (j + 1);
      for (int i = 0; i < 2 * D; i++)
        table[j][i] = table[j + 1][i] + (table[j + 1][i] - table[j][i]) / (ratio * ratio - 1);
    }
  }
  memcpy(y, table[0], sizeof table[0]);
}

/* Whether the present mode no longer holds at the state y. */
static bool is_over(const Independent *s, const double *y) {
  double a[D], load[D];
  accelerate(s, y, a, load);
  for (int i = 0; i < D; i++)
    if (s->slip[i] ? s->slip[i] * y[D + i] < 0 : fabs(load[i]) > s->c[i]) return true;
  return false;
}

/* Finds the mode after an event. Of the modes in which resting coordinates slide or stick, exactly one is
 * consistent. */
static void decide(Independent *s, const bool *rests) {
  static const int ways[] = {1, -1, 0}; /* sticking is tried last, since a coordinate at its threshold may slide or
                                         * stick by rounding */
  int before[D] = {s->slip[0], s->slip[1]};
  for (int k = 0; k < 9; k++) {
    const int way[D] = {ways[k % 3], ways[k / 3]};
    double a[D], load[D];
    bool good = true;
    for (int i = 0; i < D; i++) s->slip[i] = rests[i] ? way[i] : before[i];
    accelerate(s, s->y, a, load);
    for (int i = 0; i < D; i++)
      if (rests[i]) good = good && (s->slip[i] ? s->slip[i] * a[i] > 0 : fabs(load[i]) <= s->c[i] * (1 + 1e-12));
    if (good) return;
  }
  fail_msg("no mode");
}

static void go(Independent *s, double time) {
  static const double STEP = 0.01;
  while (time > 0) {
    double h = fmin(STEP, time), y[2 * D];
    extrapolate(s, h, y);
    if (!is_over(s, y)) {
      memcpy(s->y, y, sizeof y);
      time -= h;
      continue;
    }
    double low = 0, high = h;
    for (int k = 0; k < 60; k++) {
      double middle = (low + high) / 2;
      extrapolate(s, middle, y);
      if (is_over(s, y))
        high = middle;
      else
        low = middle;
    }
    extrapolate(s, high, y);
    bool rests[D];
    for (int i = 0; i < D; i++) {
      rests[i] = !s->slip[i] || s->slip[i] * y[D + i] < 0;
      if (rests[i]) y[D + i] = 0;
    }
    memcpy(s->y, y, sizeof y);
    decide(s, rests);
    s->events++;
    time -= high;
  }
}

/* Compares a motion under a control with PIECES pieces with that of the independent integrator. */
static void compare(const MechanismText *text, Equation *equation, const double *c, int n_control, double end,
                    const double *x0, double most) {
  double u[PIECES * D], q[D], v[D];
  uint64_t seed = 5;
  SimProblem p;
  Independent s = {.equation = equation, .c = c, .y = {x0[0], x0[1]}};
  mechanism_problem(text, n_control, end, &p);
  memcpy(p.x0, x0, D * sizeof *x0);
  sim_problem_set(&p, "tolerance", 1e-13);
  p.signal = SIM_PIECEWISE_CONSTANT;
  p.segments = PIECES;
  for (int k = 0; k < PIECES; k++) {
    const bool rests[D] = {s.slip[0] == 0, s.slip[1] == 0};
    for (int j = 0; j < n_control; j++) s.u[j] = u[k * n_control + j] = most * fixture_random(&seed);
    decide(&s, rests);
    go(&s, end / PIECES);
  }
  SimFinal final = mechanism_move(&p, u, NULL, q, v);
  double off = 0;
  for (int i = 0; i < D; i++) off = fmax(off, fmax(fabs(q[i] - s.y[i]), fabs(v[i] - s.y[D + i])));
  print_message("%ld events, %d by the other; off %.1e\n", final.iterations, s.events, off);
  assert_int_equal(final.status, SIM_OK);
  assert_true(final.iterations >= 5);
  assert_true(off < 1e-11);
  sim_problem_clear(&p);
}

static const double g = 9.81;

static void cart(const double *q, const double *v, const double *u, double mass[D][D], double *force) {
  const double m = 0.1, l = 1;
  mass[0][0] = 1 + m;
  mass[0][1] = mass[1][0] = m * l * cos(q[1]);
  mass[1][1] = m * l * l;
  force[0] = u[0] + m * l * sin(q[1]) * v[1] * v[1];
  force[1] = -m * g * l * sin(q[1]);
}

static void a_cart_with_a_pole(void **state) {
  (void)state;
  const MechanismText text = {.d = 2,
                              .coordinates = {"x", "theta"},
                              .kinetic = "x'^2/2 + 0.1*((x' + cos(theta)*theta')^2 + (sin(theta)*theta')^2)/2",
                              .potential = "-0.1*9.81*cos(theta)",
                              .friction = {"2", "0.02"}};
  compare(&text, cart, (const double[]){2, 0.02}, 1, 5, (const double[]){1, 0}, 12);
}

/* Equations of two rods of 1 m and 1 kg. The angle of the second rod is relative to the first. */
static void links(const double *q, const double *v, const double *u, double mass[D][D], double *force) {
  const double c = cos(q[1]), h = -0.5 * sin(q[1]);
  mass[0][0] = 1. / 12 + 1. / 12 + 0.25 + 1 + 0.25 + c;
  mass[0][1] = mass[1][0] = 1. / 12 + 0.25 + 0.5 * c;
  mass[1][1] = 1. / 12 + 0.25;
  force[0] = u[0] - h * (2 * v[0] * v[1] + v[1] * v[1]) - 1.5 * g * cos(q[0]) - 0.5 * g * cos(q[0] + q[1]);
  force[1] = u[1] + h * v[0] * v[0] - 0.5 * g * cos(q[0] + q[1]);
}

static void two_links(void **state) {
  (void)state;
  const MechanismText text = {
      .d = 2,
      .coordinates = {"a", "b"},
      .kinetic = "a'^2/24 + (a' + b')^2/24 + a'^2/8 + ((sin(a)*a' + sin(a + b)*(a' + b')/2)^2 + (cos(a)*a' + cos(a + "
                 "b)*(a' + b')/2)^2)/2",
      .potential = "9.81*(1.5*sin(a) + 0.5*sin(a + b))",
      .friction = {"3", "1"}};
  compare(&text, links, (const double[]){3, 1}, 2, 2, (const double[]){-1.2, 0.4}, 10);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_cart_with_a_pole), cmocka_unit_test(two_links)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
