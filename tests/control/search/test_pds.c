/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests parallel direct search: its template of points on a lattice, its moving simplex, and the first shapes of the
 * simplex. */
#include "tests/fixture.h"

#include "tests/control/search/plain_pds.h"

#define assert_near(value, expected, tolerance) assert_true(fabs((value) - (expected)) <= (tolerance))

/* Template ---------------------------------------------------------------------------------------------------- */

static void template_is_the_plain_expansion(void **state) {
  static const struct {
    int n, depth;
    long count;
  } cases[] = {{1, 5, 112}, {2, 4, 684}, {3, 3, 579}, {4, 2, 126}, {5, 2, 195}};
  (void)state;
  PlainNode *nodes = malloc(4000 * sizeof *nodes);
  assert_non_null(nodes);
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
    int n = cases[c].n;
    double tau[CTL_SIMPLEX_CONTROLS_MAX];
    CtlTemplate scheme;
    long count = plain_unique(n, nodes, plain_expand(n, cases[c].depth, nodes));
    assert_int_equal(count, cases[c].count);
    assert_int_equal(ctl_template_init(&scheme, n, count), SIM_OK);
    for (long k = 0; k < count; k++) {
      ctl_template_offset(&scheme, k, tau);
      assert_true(same_point(n, tau, nodes[k].tau));
      assert_true(ctl_template_alpha(&scheme, k) == nodes[k].alpha);
      assert_int_equal(ctl_template_base(&scheme, k), nodes[k].base);
    }
    ctl_template_clear(&scheme);
  }
  free(nodes);
}

static int depth_of(const CtlTemplate *scheme, long k) {
  int depth = 0;
  for (uint32_t node = scheme->points[k]; node; node = scheme->nodes[node].parent) depth++;
  return depth;
}

static void template_counts_by_depth(void **state) {
  static const long counts[5][6] = {{3, 9, 23, 53, 112, 0},
                                    {6, 33, 174, 684, 2437, 0},
                                    {9, 72, 579, 3654, 19776, 0},
                                    {12, 126, 1364, 12132, 0, 0},
                                    {15, 195, 2655, 0, 0, 0}};
  (void)state;
  for (int n = 1; n <= 5; n++) {
    const long *count = counts[n - 1];
    int levels = 0;
    while (count[levels]) levels++;
    CtlTemplate scheme;
    assert_int_equal(ctl_template_init(&scheme, n, count[levels - 1] + 1), SIM_OK);
    for (int level = 0; level < levels; level++) {
      assert_int_equal(depth_of(&scheme, count[level] - 1), level + 1);
      assert_int_equal(depth_of(&scheme, count[level]), level + 2);
    }
    for (long k = 1; k < scheme.size; k++) assert_true(depth_of(&scheme, k) >= depth_of(&scheme, k - 1));
    ctl_template_clear(&scheme);
  }
}

static void template_order_for_three(void **state) {
  static const int expected[9][3] = {{-2, 0, 0}, {0, -2, 0}, {0, 0, -2}, {1, 0, 0}, {0, 1, 0},
                                     {0, 0, 1},  {-4, 0, 0}, {0, -4, 0}, {0, 0, -4}};
  (void)state;
  CtlTemplate scheme;
  double tau[3];
  assert_int_equal(ctl_template_init(&scheme, 3, 9), SIM_OK);
  for (long k = 0; k < 9; k++) {
    ctl_template_offset(&scheme, k, tau);
    for (int i = 0; i < 3; i++) assert_true(2 * tau[i] == expected[k][i]);
  }
  ctl_template_clear(&scheme);
}

/* A larger template begins with the smaller one. Its points differ, and none is a vertex, also for the largest number
 * of controls. */
static void template_with_many_controls(void **state) {
  enum { N = CTL_SIMPLEX_CONTROLS_MAX, SIZE = 700 };
  static double tau[SIZE][N];
  (void)state;
  CtlTemplate small, large;
  assert_int_equal(ctl_template_init(&small, N, SIZE), SIM_OK);
  assert_int_equal(ctl_template_init(&large, N, 20000), SIM_OK);
  for (long k = 0; k < SIZE; k++) {
    double other[N];
    ctl_template_offset(&small, k, tau[k]);
    ctl_template_offset(&large, k, other);
    assert_true(same_point(N, tau[k], other));
    assert_false(plain_is_vertex(N, other));
    for (long j = 0; j < k; j++) assert_false(same_point(N, tau[j], tau[k]));
  }
  for (int i = 0; i < N; i++) assert_true(tau[i][i] == -1 && tau[N + i][i] == 0.5 && tau[2 * N + i][i] == -2);
  ctl_template_clear(&small);
  ctl_template_clear(&large);
}

/* Computes rho of a failed simplex by its definition. */
static void template_shrink(void **state) {
  static const long sizes[] = {6, 9, 12, 13, 14, 16, 24, 64, 80, 81, 82, 256, 1744};
  (void)state;
  bool halved = false, lower = false;
  for (size_t c = 0; c < sizeof sizes / sizeof *sizes; c++) {
    CtlTemplate scheme;
    assert_int_equal(ctl_template_init(&scheme, 3, sizes[c]), SIM_OK);
    double least = INFINITY;
    int carriers = 0;
    for (long k = 0; k < sizes[c]; k++) least = fmin(least, fabs(ctl_template_alpha(&scheme, k)));
    for (long k = 0; k < sizes[c]; k++) carriers += fabs(ctl_template_alpha(&scheme, k)) == least;
    assert_true(scheme.shrink == (carriers < 3 ? 2 * least : least));
    halved |= carriers < 3;
    lower |= scheme.shrink < 0.5;
    if (sizes[c] <= 9) assert_true(scheme.shrink == 0.5);
    ctl_template_clear(&scheme);
  }
  assert_true(halved && lower); /* both branches of the definition must occur */
}

/* First simplices -------------------------------------------------------------------------------------------- */

static CtlSimplex first_simplex(int n, CtlSimplexKind kind, double step) {
  CtlProblem problem;
  CtlSimplex simplex;
  assert_int_equal(ctl_problem_init(&problem, n, 1), SIM_OK);
  problem.simplex = kind;
  problem.step = step;
  for (int i = 0; i < n; i++) problem.start[i] = 0.1 * i;
  for (int i = 0; i < n * n; i++) problem.edges[i] = sin(1 + 3.7 * i);
  ctl_simplex_first(&problem, &simplex);
  ctl_problem_clear(&problem);
  return simplex;
}

static void regular_simplex_has_equal_edges(void **state) {
  static const int sizes[] = {1, 2, 3, 7, CTL_SIMPLEX_CONTROLS_MAX};
  (void)state;
  for (size_t c = 0; c < sizeof sizes / sizeof *sizes; c++) {
    int n = sizes[c];
    CtlSimplex simplex = first_simplex(n, CTL_SIMPLEX_REGULAR, 0.7);
    double a[CTL_SIMPLEX_CONTROLS_MAX], b[CTL_SIMPLEX_CONTROLS_MAX];
    for (int i = 0; i <= n; i++)
      for (int j = 0; j < i; j++) {
        vertex_of(&simplex, i, a);
        vertex_of(&simplex, j, b);
        assert_near(distance(n, a, b), 0.7, 1e-13);
      }
    assert_near(ctl_simplex_longest_edge(&simplex), 0.7, 1e-13);
  }
}

static void right_and_user_simplex(void **state) {
  (void)state;
  CtlSimplex right = first_simplex(3, CTL_SIMPLEX_RIGHT, 2), line = first_simplex(1, CTL_SIMPLEX_RIGHT, 2);
  for (int j = 0; j < 3; j++)
    for (int i = 0; i < 3; i++) assert_true(right.edges[3 * j + i] == (i == j ? 2 : 0));
  assert_near(ctl_simplex_longest_edge(&right), 2 * sqrt(2), 1e-15);
  assert_near(ctl_simplex_longest_edge(&line), 2, 0);
  CtlSimplex user = first_simplex(3, CTL_SIMPLEX_USER, 2);
  for (int i = 0; i < 9; i++) assert_true(user.edges[i] == sin(1 + 3.7 * i));
  for (int i = 0; i < 3; i++) assert_true(user.vertex[i] == 0.1 * i);
}

/* A restart turns the simplex, and makes it twice as large with the same shape: every scalar product of edges is 4
 * times the old one. */
static void restart_turns_and_doubles(void **state) {
  static const int sizes[] = {1, 2, 3, 10, CTL_SIMPLEX_CONTROLS_MAX};
  (void)state;
  for (size_t c = 0; c < sizeof sizes / sizeof *sizes; c++) {
    int n = sizes[c];
    CtlSimplex old = first_simplex(n, CTL_SIMPLEX_RIGHT, 0.5), turned = old;
    double at[CTL_SIMPLEX_CONTROLS_MAX], straightest = 0;
    for (int i = 0; i < n; i++) at[i] = i;
    ctl_simplex_restart(&turned, at, 1);
    for (int i = 0; i < n; i++) assert_true(turned.vertex[i] == i);
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++) {
        double product = 0;
        for (int i = 0; i < n; i++) product += turned.edges[j * n + i] * turned.edges[k * n + i];
        assert_near(product, j == k ? 1 : 0, 1e-12);
        straightest = fmax(straightest, fabs(turned.edges[j * n + k]));
      }
    if (n == 1)
      assert_near(turned.edges[0], -1, 0);
    else
      assert_true(straightest < 0.999); /* no new edge is parallel to an old one */
    CtlSimplex twice = turned;
    ctl_simplex_restart(&twice, at, 2);
    assert_near(ctl_simplex_longest_edge(&twice), 4 * ctl_simplex_longest_edge(&old), 1e-12);
  }
}

/* The moving simplex ----------------------------------------------------------------------------------------- */

typedef struct Run {
  int n;
  CtlTemplate scheme;
  CtlPds pds;
  double best;
  double *values;
} Run;

/* Starts a run. chosen: label of the vertex from which it starts. */
static void run_start(Run *run, const CtlSimplex *simplex, long size, int chosen, Function *f) {
  double u[CTL_SIMPLEX_CONTROLS_MAX];
  run->n = simplex->n;
  assert_int_equal(ctl_template_init(&run->scheme, run->n, size), SIM_OK);
  ctl_pds_start(&run->pds, simplex);
  ctl_pds_choose(&run->pds, chosen);
  ctl_pds_best(&run->pds, u);
  run->best = f(run->n, u);
  run->values = malloc((size_t)size * sizeof(double));
  assert_non_null(run->values);
}

static long run_step(Run *run, Function *f) {
  double u[CTL_SIMPLEX_CONTROLS_MAX];
  for (long k = 0; k < run->scheme.size; k++) {
    ctl_pds_points(&run->pds, &run->scheme, k, 1, u);
    run->values[k] = f(run->n, u);
  }
  long winner = ctl_pds_move(&run->pds, &run->scheme, run->best, run->values);
  if (winner >= 0) run->best = run->values[winner];
  return winner;
}

static void run_end(Run *run) {
  ctl_template_clear(&run->scheme);
  free(run->values);
}

/* Compares with the same search written by vertices, as by Torczon, on dyadic data, where nothing is rounded. Returns
 * whether both kinds of moves occurred. */
static bool compare_with_vertices(int n, long size, int chosen) {
  CtlSimplex simplex = first_simplex(n, CTL_SIMPLEX_RIGHT, 0.5);
  double tau[CTL_SIMPLEX_CONTROLS_MAX], at[CTL_SIMPLEX_CONTROLS_MAX], u[CTL_SIMPLEX_CONTROLS_MAX];
  bool success = false, failure = false;
  Run run;
  PlainSimplex plain;
  for (int i = 0; i < n; i++) simplex.vertex[i] = -i;
  run_start(&run, &simplex, size, chosen, patchy);
  plain_start(&plain, &simplex, chosen);
  double length = plain_longest(&plain);
  for (int l = 0; l <= n; l++) {
    ctl_pds_vertex(&run.pds, l, u);
    assert_true(same_point(n, u, plain.v[l == chosen ? 0 : l == 0 ? chosen : l]));
  }
  for (int step = 0; step < 40 && length > 1e-7; step++) {
    for (long k = 0; k < size; k++) {
      ctl_template_offset(&run.scheme, k, tau);
      ctl_pds_points(&run.pds, &run.scheme, k, 1, u);
      plain_point(&plain, tau, at);
      assert_true(same_point(n, at, u));
    }
    long winner = run_step(&run, patchy);
    double factor = run.scheme.shrink;
    if (winner >= 0) {
      factor = ctl_template_alpha(&run.scheme, winner);
      ctl_template_offset(&run.scheme, winner, tau);
      plain_move(&plain, tau, factor, ctl_template_base(&run.scheme, winner));
      success = true;
    } else {
      plain_contract(&plain, factor);
      failure = true;
    }
    length *= fabs(factor);
    assert_near(ctl_pds_edge(&run.pds), length, 1e-14 * length);
    assert_near(ctl_pds_edge(&run.pds), plain_longest(&plain), 1e-14 * length);
    assert_near(ctl_pds_relative_size(&run.pds), plain_relative_size(&plain), 1e-14 * length);
  }
  run_end(&run);
  return success && failure;
}

static void simplex_moves_as_its_vertices(void **state) {
  static const struct {
    int n;
    long size;
  } cases[] = {{1, 2}, {1, 40}, {2, 4}, {2, 64}, {3, 6}, {3, 9}, {3, 64}, {5, 40}};
  (void)state;
  int both = 0, runs = 0;
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
    for (int chosen = 0; chosen <= cases[c].n; chosen++, runs++)
      both += compare_with_vertices(cases[c].n, cases[c].size, chosen);
  assert_true(both > runs / 2);
}

static void minimise(int n, CtlSimplexKind kind, long size, Function *f, const double *start, const double *minimum,
                     double edge, double close) {
  CtlSimplex simplex = first_simplex(n, kind, 1);
  double u[CTL_SIMPLEX_CONTROLS_MAX];
  Run run;
  memcpy(simplex.vertex, start, (size_t)n * sizeof(double));
  run_start(&run, &simplex, size, 0, f);
  int steps = 0;
  while (ctl_pds_edge(&run.pds) >= edge && ++steps < 100000) run_step(&run, f);
  assert_true(ctl_pds_edge(&run.pds) < edge);
  ctl_pds_best(&run.pds, u);
  for (int i = 0; i < n; i++) assert_near(u[i], minimum[i], close);
  assert_true(run.best == f(n, u));
  run_end(&run);
}

static void finds_known_minima(void **state) {
  static const double hard[2] = {-1.2, 1}, ones[4] = {1, 1, 1, 1}, zeros[4] = {0}, powell[4] = {3, -1, 0, 1};
  (void)state;
  minimise(2, CTL_SIMPLEX_RIGHT, 6, rosenbrock, hard, ones, 1e-10, 1e-6);
  minimise(2, CTL_SIMPLEX_REGULAR, 64, rosenbrock, hard, ones, 1e-10, 1e-7);
  minimise(4, CTL_SIMPLEX_RIGHT, 64, powell_singular, powell, zeros, 1e-6, 0.02);
  minimise(4, CTL_SIMPLEX_REGULAR, 256, powell_singular, powell, zeros, 1e-6, 0.02);
  minimise(3, CTL_SIMPLEX_REGULAR, 256, weighted_max, zeros, ones, 1e-10, 1e-8);
  minimise(1, CTL_SIMPLEX_RIGHT, 2, weighted_max, zeros, ones, 1e-10, 1e-9);
}

static int compare_points(const void *a, const void *b) {
  const double *x = a, *y = b;
  for (int i = 0; i < 2; i++)
    if (x[i] != y[i]) return x[i] < y[i] ? -1 : 1;
  return 0;
}

/* Points that are equal on the lattice have equal bits, even if the edges of the simplex are no dyadic numbers. */
static void repeats_have_the_same_bits(void **state) {
  enum { STEPS = 60, SIZE = 64 };
  static const double hard[2] = {-1.2, 1};
  (void)state;
  double(*points)[2] = malloc(sizeof(double[STEPS * SIZE][2]));
  assert_non_null(points);
  CtlSimplex simplex = first_simplex(2, CTL_SIMPLEX_REGULAR, 0.3);
  memcpy(simplex.vertex, hard, sizeof hard);
  Run run;
  long count = 0, repeats = 0;
  run_start(&run, &simplex, SIZE, 0, rosenbrock);
  for (int step = 0; step < STEPS && ctl_pds_edge(&run.pds) > 1e-5; step++) {
    ctl_pds_points(&run.pds, &run.scheme, 0, SIZE, points[count]);
    count += SIZE;
    run_step(&run, rosenbrock);
  }
  qsort(points, (size_t)count, sizeof *points, compare_points);
  for (long i = 0; i < count; i++)
    for (long j = i + 1; j < count && points[j][0] - points[i][0] < 1e-11; j++) {
      if (fabs(points[j][1] - points[i][1]) >= 1e-11) continue;
      assert_memory_equal(points[i], points[j], sizeof *points);
      repeats++;
    }
  assert_true(repeats > count / 20);
  free(points);
  run_end(&run);
}

static void ties_and_what_is_not_finite(void **state) {
  (void)state;
  CtlSimplex simplex = first_simplex(2, CTL_SIMPLEX_RIGHT, 1);
  CtlTemplate scheme;
  CtlPds pds;
  assert_int_equal(ctl_template_init(&scheme, 2, 6), SIM_OK);
  ctl_pds_start(&pds, &simplex);
  /* The first of equal values is used. */
  const double tie[6] = {5, 4, NAN, 4, -INFINITY, 4};
  assert_int_equal(ctl_pds_move(&pds, &scheme, 4.5, tie), 1);
  /* An equal value is no decrease. */
  assert_int_equal(ctl_pds_move(&pds, &scheme, 4, tie), -1);
  /* All points have failed. */
  const double none[6] = {NAN, INFINITY, -INFINITY, NAN, NAN, INFINITY};
  double edge = ctl_pds_edge(&pds);
  assert_int_equal(ctl_pds_move(&pds, &scheme, INFINITY, none), -1);
  assert_true(ctl_pds_edge(&pds) == edge / 2);
  /* Any finite value is better than a failed v_0. */
  const double one[6] = {NAN, NAN, NAN, NAN, 1e300, NAN};
  assert_int_equal(ctl_pds_move(&pds, &scheme, NAN, one), 4);
  ctl_template_clear(&scheme);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(template_is_the_plain_expansion),
      cmocka_unit_test(template_counts_by_depth),
      cmocka_unit_test(template_order_for_three),
      cmocka_unit_test(template_with_many_controls),
      cmocka_unit_test(template_shrink),
      cmocka_unit_test(regular_simplex_has_equal_edges),
      cmocka_unit_test(right_and_user_simplex),
      cmocka_unit_test(restart_turns_and_doubles),
      cmocka_unit_test(simplex_moves_as_its_vertices),
      cmocka_unit_test(finds_known_minima),
      cmocka_unit_test(repeats_have_the_same_bits),
      cmocka_unit_test(ties_and_what_is_not_finite),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
