/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests eigenvalues of dense matrices: those of narrow bands equal those of the same matrices after a permutation,
 * which are full. */
#include "sim/operator/dense.h"
#include "tests/fixture.h"

enum { D = 150 };

/* Adds a positive definite matrix of bandwidth k to m [D][D]. It is strictly diagonally dominant. Its entry (i, j) is
 * added at (place[i], place[j]). */
static void add_band(int k, const int place[D], uint64_t seed, double *m) {
  for (int i = 0; i < D; i++)
    for (int j = i; j < D && j <= i + k; j++) {
      double value = j == i ? 2 * k + 1 + fixture_random(&seed) / 2 : fixture_random(&seed);
      m[place[i] * D + place[j]] = m[place[j] * D + place[i]] = value;
    }
}

static void find(const char *scheme, const int width[3], const int place[D], SimBounds *bounds, double *seconds) {
  SimProblem p;
  uint64_t seed = 5;
  assert_int_equal(sim_problem_init(&p, SIM_FRICTION, D, 0), SIM_OK);
  add_band(width[0], place, 1, p.system.mass);
  add_band(width[1], place, 2, p.system.stiffness);
  add_band(width[2], place, 3, p.system.damping);
  for (int i = 0; i < D; i++) p.friction[place[i]] = 2 + fixture_random(&seed);
  fixture_time(&p, 1, 100);
  fixture_scheme(&p, scheme);
  assert_int_equal(sim_problem_check(&p, &(SimReport){NULL, fixture_complain}, bounds), SIM_OK);
  *seconds = sim_problem_check_seconds(&p);
  sim_problem_clear(&p);
}

static void same(double a, double b) {
  if (!(fabs(a - b) <= 1e-12 * fabs(b))) fail_msg("%.17g instead of %.17g", a, b);
}

/* Returns the time to compute the bounds of eigenvalues if the matrices have these bandwidths. The matrix of the step
 * has the largest of them. */
static double seconds_of(const int width[3]) {
  int of_model = width[0] > width[1] ? width[0] : width[1], most = of_model > width[2] ? of_model : width[2];
  double seconds = dense_eigenvalue_seconds(D, of_model) + dense_eigenvalue_seconds(D, most);
  for (int i = 0; i < 3; i++) seconds += dense_eigenvalue_seconds(D, width[i]);
  return seconds;
}

static void bands_are_as_full(void **state) {
  static const int widths[][3] = {{0, 1, 0}, {0, 0, 0}, {1, 2, 3}, {5, 3, 0}, {0, 40, 8}, {9, 1, 0}};
  static const char *const schemes[] = {"moreau", "lie"};
  int plain[D], shuffled[D];
  uint64_t seed = 7;
  (void)state;
  for (int i = 0; i < D; i++) plain[i] = shuffled[i] = i;
  for (int i = D - 1; i > 0; i--) {
    int j = (int)((fixture_random(&seed) + 1) / 2 * i), kept = shuffled[i];
    shuffled[i] = shuffled[j];
    shuffled[j] = kept;
  }
  for (size_t k = 0; k < 2 * sizeof widths / sizeof *widths; k++) {
    SimBounds band, full;
    double of_band, of_full;
    find(schemes[k % 2], widths[k / 2], plain, &band, &of_band);
    find(schemes[k % 2], widths[k / 2], shuffled, &full, &of_full);
    same(band.mass_min, full.mass_min);
    same(band.mass_max, full.mass_max);
    same(band.stiffness_max, full.stiffness_max);
    same(band.frequency_squared, full.frequency_squared);
    same(band.delta, full.delta);
    assert_true(of_band > 0 && of_band <= of_full);
    same(of_band, seconds_of(widths[k / 2]));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(bands_are_as_full)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
