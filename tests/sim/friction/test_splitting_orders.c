/* SPDX-License-Identifier: BSD-2-Clause */
/* Compares the splitting schemes with the exact solutions of the papers' problems: errors and orders of convergence. */
#include "src/study/orders.h"
#include "tests/sim/friction/reference_splitting.h"
#include "tests/sim/friction/splitting.h"

typedef struct Case {
  const char *file;
  ExactSolution *exact;
  char *scheme; /* setting of the scheme */
  long steps;   /* number of steps of the coarsest level */
  int grids;
  const ErrorRow *rows; /* errors of another implementation */
  size_t n_rows;
} Case;
#define ROWS(rows) rows, sizeof rows / sizeof *rows

static void read_case(const Case *c, long steps, Problem *problem) {
  char time[64], *settings[] = {time, c->scheme, NULL};
  splitting_read(c->file, NULL, problem);
  double end = problem->sim.end;
  problem_clear(problem);
  snprintf(time, sizeof time, "time={end: %g, steps: %ld}", end, steps);
  splitting_read(c->file, settings, problem);
}

static int case_errors(void *context, long steps, double *error) {
  const Case *c = context;
  Problem problem;
  read_case(c, steps, &problem);
  Errors e = splitting_errors(&problem, c->exact);
  problem_clear(&problem);
  error[0] = e.x;
  error[1] = e.v;
  error[2] = e.lambda;
  return 0;
}

/* The cases. If the exact motion stops at no grid point, a level has several grids. */
static const Case cases[] = {
    {"glowinski-2004-5.1", exact_51, NULL, 200, 1, ROWS(errors_51)},
    {"glowinski-2004-5.2", exact_52, NULL, 300, 1, ROWS(errors_52_lie)},
    {"glowinski-2004-5.2", exact_52, (char[]){"scheme={name: strang, friction_substeps: 5}"}, 300, 1,
     ROWS(errors_52_strang)},
    {"shiau-6.2", exact_62, NULL, 400, 1, ROWS(errors_62)},
    {"shiau-6.3", exact_63, NULL, 400, 12, NULL, 0},
    {"glowinski-2004-gearbox", exact_gearbox, NULL, 200, 1, NULL, 0},
    {"glowinski-2004-gearbox", exact_gearbox, (char[]){"scheme={name: strang}"}, 200, 1, NULL, 0},
};

static void known_errors(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
    for (size_t i = 0; i < cases[k].n_rows; i++) {
      const ErrorRow *row = &cases[k].rows[i];
      double e[3];
      case_errors((void *)(uintptr_t)&cases[k], row->steps, e);
      /* The reference uses differences of positions and lambda, so its round-off grows as the step decreases. */
      assert_true(fabs(e[0] - row->x) < 1e-9);
      assert_true(fabs(e[1] - row->v) < 1e-9); /* the same holds for v */
      assert_true(fabs(e[2] - row->lambda) < 1e-8);
    }
}

static void check_first_order(const Case *c) {
  OrderStudy study = {case_errors, (void *)(uintptr_t)c, 3, c->steps, 5, c->grids, 1};
  OrderResult r;
  order_measure(&study, &r);
  print_message("%-22s %-45s error x %.2e v %.2e lambda %.2e  order %.3f %.3f %.3f\n", c->file,
                c->scheme ? c->scheme : "", r.finest[0], r.finest[1], r.finest[2], r.order[0], r.order[1], r.order[2]);
  for (int q = 0; q < 3; q++) assert_true(r.order[q] >= 0.9 && r.order[q] <= 1.1);
}

static void first_order(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) check_first_order(&cases[k]);
}

/* With friction substeps of dt^2, `strang` is of second order in x and v. */
static int shrinking_errors(void *context, long steps, double *error) {
  char scheme[96];
  snprintf(scheme, sizeof scheme, "scheme={name: strang, friction_substeps: %ld}", steps / 6); /* T = 3 */
  const Case c = {"glowinski-2004-5.2", exact_52, scheme, 0, 1, NULL, 0};
  (void)context;
  return case_errors((void *)(uintptr_t)&c, steps, error);
}

static void strang_is_second_order(void **state) {
  (void)state;
  OrderResult r;
  order_measure(&(OrderStudy){shrinking_errors, NULL, 3, 300, 4, 1, 1}, &r);
  print_message("strang, tau = dt^2: order %.3f %.3f\n", r.order[0], r.order[1]);
  for (int q = 0; q < 2; q++) assert_true(r.order[q] >= 1.9 && r.order[q] <= 2.1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(known_errors),
      cmocka_unit_test(first_order),
      cmocka_unit_test(strang_is_second_order),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
