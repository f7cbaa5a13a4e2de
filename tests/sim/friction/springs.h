/* Springs whose force is a law, for tests: laws by formulas, and problems that have them. */
#ifndef TESTS_SPRINGS_H
#define TESTS_SPRINGS_H

#include "tests/fixture.h"

/* g(e) and its potential, N and J, of spring i. */
typedef struct SpringFormula {
  double (*force)(int i, double e);
  double (*potential)(int i, double e);
} SpringFormula;

/* Gives the springs of a place a law, one for all (each: one each). Returns what the library says. */
static inline SimStatus springs_set(SimProblem *p, SimSpringPlace place, bool each, double (*force)(int, double),
                                    double reach, double *where) {
  FixtureSource source = {force, each ? p->d - (place == SIM_LINKS) : 1};
  const SimLoad law = {.context = &source, .at = fixture_force_at};
  return sim_problem_set_springs(p, place, source.d, &law, -reach, reach, 0, NULL, where);
}

/* Soft in places, one each. */
static inline double springs_wavy(int i, double e) { return (i + 1) * e * e * e + 2 * sin(3 * e); }
static inline double springs_wavy_potential(int i, double e) {
  return (i + 1) * e * e * e * e / 4 + 2.0 / 3 * (1 - cos(3 * e));
}
/* With kinks, where it is a line. */
static inline double springs_kinked(int i, double e) {
  (void)i;
  return fabs(e) < 0.25 ? 4 * e : (e > 0 ? 1 : -1) + 2 * (e - (e > 0 ? 0.25 : -0.25));
}
static inline double springs_kinked_potential(int i, double e) {
  double over = fabs(e) - 0.25;
  (void)i;
  return over < 0 ? 2 * e * e : 0.125 + over + over * over;
}

/* k e + k3 e^3 on one mass of 1 kg, no friction. */
enum { DUFFING_K = 2, DUFFING_K3 = 30 };
static const double DUFFING_START = 0.8;
static inline double springs_duffing(int i, double e) {
  (void)i;
  return DUFFING_K * e + DUFFING_K3 * e * e * e;
}
/* 4 K(m)/sqrt(k + k3 a^2), m = k3 a^2/(2 (k + k3 a^2)), K by the arithmetic-geometric mean. */
static inline double springs_duffing_period(void) {
  double cube = DUFFING_K3 * DUFFING_START * DUFFING_START, rate = DUFFING_K + cube, m = cube / (2 * rate);
  double a = 1, b = sqrt(1 - m);
  for (int k = 0; k < 8; k++) {
    double mean = (a + b) / 2;
    b = sqrt(a * b);
    a = mean;
  }
  return 4 * FIXTURE_PI / (2 * a) / sqrt(rate);
}

/* Let go from rest, for a number of periods. */
static inline void springs_make_duffing(SimProblem *p, const char *scheme, double periods, long steps) {
  double where;
  assert_int_equal(sim_problem_init(p, SIM_FRICTION, 1, 0), SIM_OK);
  p->system.mass[0] = 1;
  p->x0[0] = DUFFING_START;
  fixture_time(p, periods * springs_duffing_period(), steps);
  fixture_scheme(p, scheme);
  assert_int_equal(springs_set(p, SIM_ANCHORS, false, springs_duffing, 1, &where), SIM_OK);
}

#endif
