/* SPDX-License-Identifier: BSD-2-Clause */
/* Compares More and Wild's test set with its published values, and tests the searches of bench-dfo. */
#include "tests/fixture.h"

#include "bench/dfo/profile.h"
#include "control/internal.h"
#include "sim/group.h"

/* Published values of each problem, six digits: f(x0), smooth and nondifferentiable (BenDFO's testout.dat), and the
 * least known f, smooth (More, Garbow, Hillstrom 1981; CUTEr). */
static const struct {
  double smooth, nondifferentiable, least;
} published[DFO_PROBLEMS] = {
    {7.20000e+01, 5.40000e+01, 36},
    {1.12500e+03, 2.25000e+02, 36},
    {1.16542e+07, 1.76050e+04, 8.380281690143324},
    {1.16859e+09, 1.76365e+05, 8.380282},
    {4.98920e+06, 1.11890e+04, 9.880597014926506},
    {5.00936e+08, 1.12169e+05, 9.880597014926506},
    {2.42000e+01, 6.60000e+00, 0},
    {1.79577e+06, 1.35300e+03, 0},
    {2.50000e+03, 5.00000e+01, 0},
    {1.06000e+04, 1.40000e+02, 0},
    {2.15000e+02, 2.28852e+01, 0},
    {1.61540e+06, 1.45727e+03, 0},
    {4.00500e+02, 2.40000e+01, 48.984253679240013},
    {1.54575e+08, 1.73760e+04, 48.984253679240013},
    {4.16817e+01, 2.18829e+01, 0.00821487730657897},
    {1.30623e+03, 1.39339e+02, 0.00821487730657897},
    {5.31317e-03, 1.95153e-01, 0.00030750560384924},
    {1.69361e+09, 1.33046e+05, 87.945855170395831},
    {1.64308e+01, 1.58545e+01, 0.00228767005355236},
    {2.32337e+06, 5.42767e+03, 0.00228767005355236},
    {2.69042e+01, 2.24125e+01, 1.399760e-6},
    {8.15888e+06, 8.54458e+03, 1.399760e-6},
    {7.36782e+01, 3.43398e+01, 4.722381e-10},
    {2.05938e+07, 1.18978e+04, 4.722381e-10},
    {1.03115e+03, 9.91512e+01, 0},
    {4.17131e+03, 1.20588e+02, 124.3621823556148},
    {7.92669e+06, 1.13038e+04, 85822.20162635},
    {3.08106e+11, 2.41278e+06, 85822.20162635},
    {4.64282e-02, 3.29087e-01, 0},
    {3.37706e-02, 2.75893e-01, 0},
    {3.86177e-02, 3.46953e-01, 0.003516873725677},
    {2.88830e-02, 2.91449e-01, 0},
    {3.37633e-02, 3.53857e-01, 0.00477271369637536},
    {2.67406e-02, 3.16982e-01, 0.00279976155186576},
    {2.73248e+02, 5.04990e+01, 0},
    {1.61741e+01, 1.63733e+01, 0.00005464894697483},
    {2.09342e+00, 9.60594e+00, 0.0401377362935477},
    {1.99685e+02, 5.49148e+01, 0.0401377362935477},
    {9.04000e+02, 6.40000e+01, 10.2389734213174},
    {1.35600e+03, 9.60000e+01, 18.28116175359353},
    {1.58200e+03, 1.12000e+02, 22.260591734883817},
    {1.80800e+03, 1.28000e+02, 26.2727663967939},
    {5.65000e+01, 1.55000e+01, 0},
    {7.05625e+01, 1.92500e+01, 0},
    {9.86875e+01, 2.67500e+01, 0},
    {2.53908e+09, 1.12235e+05, 0},
    {6.87380e+12, 5.83904e+06, 0},
    {3.36796e+09, 1.62440e+05, 0},
    {3.73513e+09, 1.90072e+05, 0},
    {3.99107e+09, 2.13528e+05, 0},
    {1.13001e+13, 1.13405e+07, 0},
    {9.38567e+00, 4.92225e+00, 0},
    {3.36582e+10, 2.64839e+05, 0},
};

static void starts_have_the_published_values(void **state) {
  (void)state;
  for (int k = 0; k < DFO_PROBLEMS; k++) {
    const double values[] = {published[k].smooth, published[k].nondifferentiable};
    const DfoForm forms[] = {DFO_SMOOTH, DFO_NONDIFFERENTIABLE};
    double x[DFO_N_MAX];
    dfo_start(&dfo_problems[k], x);
    for (int i = 0; i < 2; i++) {
      double f = dfo_value(&dfo_problems[k], forms[i], x);
      if (!(fabs(f - values[i]) <= 5.1e-6 * values[i])) fail_msg("problem %d: %.9g, not %.6g", k + 1, f, values[i]);
    }
  }
}

/* Tests problems with a minimiser in closed form. Only its first entries are listed; the others equal the last one
 * listed. */
static void known_minimisers_have_the_least_values(void **state) {
  (void)state;
  static const struct {
    int problem;
    double x[3];
  } known[] = {{1, {-1, -1, -1}}, {7, {1, 1, 1}},  {9, {1, 0, 0}},  {11, {0, 0, 0}}, {25, {1, 10, 1}},
               {35, {1, 1, 1}},   {43, {1, 1, 1}}, {44, {1, 1, 1}}, {45, {1, 1, 1}}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    int k = known[i].problem - 1;
    double x[DFO_N_MAX];
    for (int j = 0; j < dfo_problems[k].n; j++) x[j] = known[i].x[j < 3 ? j : 2];
    assert_true(fabs(dfo_value(&dfo_problems[k], DFO_SMOOTH, x) - published[k].least) <= 1e-13 * published[k].least);
  }
  /* The functions of rank one are least if sum j x_j is 3/(2m+1), or 3/(2m-3). */
  for (int k = 2; k <= 4; k += 2) {
    double x[DFO_N_MAX] = {0}, m = dfo_problems[k].m;
    x[1] = k == 2 ? 1.5 / (2 * m + 1) : 1.5 / (2 * m - 3);
    double least = k == 2 ? m * (m - 1) / (4 * m + 2) : (m * m + 3 * m - 6) / (4 * m - 6);
    assert_true(fabs(dfo_value(&dfo_problems[k], DFO_SMOOTH, x) - least) <= 1e-12 * least);
    assert_true(fabs(published[k].least - least) <= 1e-6 * least);
  }
  /* Freudenstein and Roth's function has a lower minimum than the one that the search finds. */
  assert_true(dfo_value(&dfo_problems[12], DFO_SMOOTH, (const double[]){5, 4}) == 0);
}

static DfoHistory search(int k, DfoForm form, int method, int ranks) {
  DfoHistory history;
  assert_int_equal(dfo_search(&dfo_problems[k], form, &dfo_methods[method], ranks, &history), SIM_OK);
  assert_true(history.count > 0 && history.rounds <= dfo_budget(&dfo_problems[k]) && !history.failed);
  for (int i = 1; i < history.count; i++)
    assert_true(history.steps[i].f < history.steps[i - 1].f && history.steps[i].rounds > history.steps[i - 1].rounds);
  return history;
}

static double found(const DfoHistory *history) { return history->steps[history->count - 1].f; }

static int method_named(const char *name) {
  for (int method = 0; method < DFO_METHODS; method++)
    if (strcmp(dfo_methods[method].name, name) == 0) return method;
  fail();
  return -1;
}

/* Tests problems for which the budget of a search is too small, with minimisers from the literature (that of Meyer's
 * function is NIST's MGH10). */
static void published_minimisers_have_the_least_values(void **state) {
  (void)state;
  static const double meyer[] = {5.6096364710e-3, 6.1813463463e3, 3.4522363462e2},
                      osborne_1[] = {0.37541005, 1.93584691, -1.46468714, 0.01286753, 0.02212270},
                      osborne_2[] = {1.30997, 0.431458, 0.633631, 0.599303, 0.753912, 0.905584,
                                     1.36503, 4.82482,  2.39882,  4.56887,  5.67537};
  const double *const at[] = {meyer, osborne_1, osborne_2};
  const int problems[] = {18, 36, 37};
  for (int i = 0; i < 3; i++) {
    double least = published[problems[i] - 1].least, f = dfo_value(&dfo_problems[problems[i] - 1], DFO_SMOOTH, at[i]);
    if (!(fabs(f - least) <= 1e-5 * least)) fail_msg("problem %d: %.9g, not %.9g", problems[i], f, least);
  }
}

/* Searches one problem of each other function, from the standard start. */
static void the_least_values_are_found_without_derivatives(void **state) {
  (void)state;
  int method = method_named("pounders");
  for (int k = 0; k < DFO_PROBLEMS; k++) {
    if ((k > 0 && dfo_problems[k].function == dfo_problems[k - 1].function) || k == 17 || k == 35 || k == 36) continue;
    DfoHistory history = search(k, DFO_SMOOTH, method, 1);
    double f = found(&history), least = published[k].least;
    if (!(f - least <= 1e-6 * least + 1e-10 * published[k].smooth && f >= (1 - 1e-6) * least))
      fail_msg("problem %d: %.9g, not %.9g", k + 1, f, least);
    free(history.steps);
  }
}

/* The noise is at most sigma times each square. It is not zero, and it is the same whenever a point, also the start, is
 * evaluated again. */
static void noise_is_small_and_of_the_point(void **state) {
  (void)state;
  for (int form = DFO_DETERMINISTIC_NOISE; form < DFO_FORMS; form++)
    for (int k = 0; k < DFO_PROBLEMS; k++) {
      double x[DFO_N_MAX], sum = 0;
      dfo_start(&dfo_problems[k], x);
      for (int i = 0; i < 50; i++) {
        x[0] += 1e-3;
        double f = dfo_value(&dfo_problems[k], DFO_SMOOTH, x), noisy = dfo_value(&dfo_problems[k], (DfoForm)form, x);
        assert_true(fabs(noisy / f - 1) <= 2.002e-3 && noisy != f);
        assert_true(dfo_value(&dfo_problems[k], (DfoForm)form, x) == noisy);
        sum += (noisy / f - 1) / 50;
      }
      assert_true(form == DFO_DETERMINISTIC_NOISE || fabs(sum) < 8e-4); /* five standard deviations */
    }
}

/* With its own scheme a search needs fewer rounds on more ranks, but visits the same points. */
static void ranks_save_rounds_and_change_nothing_else(void **state) {
  (void)state;
  DfoHistory one = search(6, DFO_NONDIFFERENTIABLE, method_named("pds-64"), 1);
  long budget = dfo_budget(&dfo_problems[6]);
  for (int ranks = 4; ranks <= 64; ranks *= 4) {
    DfoHistory many = search(6, DFO_NONDIFFERENTIABLE, method_named("pds-64"), ranks);
    assert_true(one.rounds == budget && one.evaluations == budget && many.evaluations > one.evaluations);
    assert_true(many.evaluations <= ranks * many.rounds && found(&many) <= found(&one));
    for (int i = 0; i < one.count; i++) { /* several ranks reach each value of the single rank no later */
      int k = 0;
      while (k < many.count && many.steps[k].f > one.steps[i].f) k++;
      assert_true(k < many.count && many.steps[k].rounds <= one.steps[i].rounds);
    }
    free(many.steps);
  }
  free(one.steps);
}

/* Computes profiles by hand for two problems of two variables with made-up searches. There, 3 rounds are one simplex
 * gradient. */
static void profiles_are_as_by_hand(void **state) {
  (void)state;
  static DfoRuns runs = {.ranks = 2, .first = {[6] = 10, [7] = 100}, .wanted = {[6] = true, [7] = true}};
  DfoStep fast[] = {{10, 1}, {0.5, 6}, {0, 12}}, slow[] = {{100, 1}, {1, 30}}, cobyla[] = {{10, 1}, {1, 3}};
  DfoStep many[] = {{0.2, 3}};
  int pds = method_named("pds"), other = method_named("cobyla");
  runs.histories[6][pds][0] = (DfoHistory){.count = 3, .steps = fast};
  runs.histories[7][pds][0] = (DfoHistory){.count = 2, .steps = slow};
  runs.histories[6][pds][1] = runs.histories[7][pds][1] = (DfoHistory){.count = 1, .steps = many};
  runs.histories[6][other][0] = (DfoHistory){.count = 2, .steps = cobyla};
  runs.histories[7][other][0] = (DfoHistory){.count = 2, .steps = cobyla};
  assert_true(dfo_cost(&runs, 6, pds, 0, 0.1) == 2 && dfo_cost(&runs, 6, pds, 0, 1e-3) == 4);
  assert_true(dfo_cost(&runs, 7, pds, 0, 0.1) == 10 && isinf(dfo_cost(&runs, 7, pds, 0, 1e-3)));
  assert_true(dfo_solved(&runs, pds, 0, 0.1, 1.9) == 0 && dfo_solved(&runs, pds, 0, 0.1, 2) == 0.5);
  assert_true(dfo_solved(&runs, pds, 0, 0.1, 10) == 1 && dfo_solved(&runs, pds, 1, 0.1, 1) == 1);
  /* COBYLA evaluates one point at a time, so the number of ranks does not matter. */
  assert_true(dfo_solved(&runs, other, 1, 0.1, 1) == 1 && dfo_solved(&runs, other, 0, 1e-3, 100) == 0);
  assert_int_equal(dfo_ranks_to_beat(&runs, pds, other, 0.1, 10), 0);
  assert_int_equal(dfo_ranks_to_beat(&runs, pds, other, 0.02, 3), dfo_ranks[1]);
  assert_int_equal(dfo_ranks_to_beat(&runs, pds, other, 1e-3, 10), dfo_ranks[0]);
}

static void auto_is_hybrid(void **state) {
  (void)state;
  CtlProblem problem;
  assert_int_equal(ctl_problem_init_values(&problem, 2, 2), SIM_OK);
  problem.method = ctl_method_find("auto");
  assert_int_equal(ctl_problem_method(&problem), ctl_method_find("hybrid"));
  ctl_problem_clear(&problem);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(starts_have_the_published_values),
      cmocka_unit_test(known_minimisers_have_the_least_values),
      cmocka_unit_test(published_minimisers_have_the_least_values),
      cmocka_unit_test(the_least_values_are_found_without_derivatives),
      cmocka_unit_test(noise_is_small_and_of_the_point),
      cmocka_unit_test(ranks_save_rounds_and_change_nothing_else),
      cmocka_unit_test(profiles_are_as_by_hand),
      cmocka_unit_test(auto_is_hybrid),
  };
  if (stiction_petsc_start(NULL) != SIM_OK) return 1;
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  stiction_petsc_stop();
  return failed;
}
