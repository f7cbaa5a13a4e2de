/* The splitting schemes against the exact solutions of the papers' problems: errors, orders of convergence, and what a
 * step costs. */
#include "control/clock.h"
#include "tests/reference_splitting.h"
#include "tests/splitting.h"

typedef struct Case {
  const char *file;
  ExactSolution *exact;
  char *scheme; /* a setting */
  const ErrorRow *rows;
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

/* Slope of the least-squares line through (log step, log error). */
static double slope(int n, const double *step, const double *error) {
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (int i = 0; i < n; i++) {
    double x = log(step[i]), y = log(error[i]);
    sx += x;
    sy += y;
    sxx += x * x;
    sxy += x * y;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

/* Microseconds per step, the best of a few rollouts without an observer. */
static double cost(const Problem *problem) {
  SimModel *model;
  SimWorkspace *work;
  double best = INFINITY, x[3], v[3];
  SimFinal final = {.x = x, .v = v};
  assert_int_equal(sim_model_create(&problem->sim, NULL, &model), SIM_OK);
  assert_int_equal(sim_workspace_create(model, &work), SIM_OK);
  for (int k = 0; k < 5; k++) {
    double start = ctl_seconds();
    sim_rollout(model, work, NULL, NULL, &final);
    best = fmin(best, ctl_seconds() - start);
  }
  sim_workspace_destroy(work);
  sim_model_destroy(model);
  return 1e6 * best / (double)problem->sim.steps;
}

static void print_row(const Case *c, const Problem *problem, const double order[3]) {
  Errors e = splitting_errors(problem, c->exact);
  print_message("%-22s %-6s dt %-8.3g error x %.3e v %.3e lambda %.3e   order %.3f %.3f %.3f   %.3f us/step\n", c->file,
                sim_scheme_name(problem->sim.scheme), problem->sim.step, e.x, e.v, e.lambda, order[0], order[1],
                order[2], cost(problem));
}

static const ErrorRow steps_63[] = {{400, 0, 0, 0}, {800, 0, 0, 0}, {1600, 0, 0, 0}, {4000, 0, 0, 0}, {8000, 0, 0, 0}};
static const ErrorRow steps_gearbox[] = {
    {200, 0, 0, 0}, {400, 0, 0, 0}, {800, 0, 0, 0}, {2000, 0, 0, 0}, {4000, 0, 0, 0}};

static const Case cases[] = {
    {"glowinski-2004-5.1", exact_51, NULL, ROWS(errors_51)},
    {"glowinski-2004-5.2", exact_52, NULL, ROWS(errors_52_lie)},
    {"glowinski-2004-5.2", exact_52, (char[]){"scheme={name: strang, friction_substeps: 5}"}, ROWS(errors_52_strang)},
    {"shiau-6.2", exact_62, NULL, ROWS(errors_62)},
    {"shiau-6.3", exact_63, NULL, ROWS(steps_63)},
    {"glowinski-2004-gearbox", exact_gearbox, NULL, ROWS(steps_gearbox)},
    {"glowinski-2004-gearbox", exact_gearbox, (char[]){"scheme={name: strang}"}, ROWS(steps_gearbox)},
};

/* Errors are those of another implementation, where there is one; and of first order. */
static void first_order(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    const Case *c = &cases[k];
    double step[8], x[8], v[8], lambda[8];
    Problem problem;
    for (size_t i = 0; i < c->n_rows; i++) {
      const ErrorRow *row = &c->rows[i];
      read_case(c, row->steps, &problem);
      Errors e = splitting_errors(&problem, c->exact);
      if (row->x > 0) { /* the reference differences positions and lambda: its round-off grows as the step shrinks */
        assert_true(fabs(e.x - row->x) < 1e-9);
        assert_true(fabs(e.v - row->v) < 1e-9);
        assert_true(fabs(e.lambda - row->lambda) < 1e-8);
      }
      step[i] = problem.sim.step;
      x[i] = e.x;
      v[i] = e.v;
      lambda[i] = e.lambda;
      problem_clear(&problem);
    }
    int n = (int)c->n_rows;
    double order[3] = {slope(n, step, x), slope(n, step, v), slope(n, step, lambda)};
    char *settings[] = {c->scheme, NULL};
    splitting_read(c->file, settings, &problem); /* at the paper's step */
    print_row(c, &problem, order);
    problem_clear(&problem);
    for (int i = 0; i < 3; i++) assert_true(order[i] >= 0.9 && order[i] <= 1.1);
  }
}

/* With friction substeps of dt^2, `strang` is of second order in x and v. */
static void strang_is_second_order(void **state) {
  (void)state;
  double step[4], x[4], v[4];
  for (int i = 0; i < 4; i++) {
    long per_second = 100L << i;
    char scheme[96];
    snprintf(scheme, sizeof scheme, "scheme={name: strang, friction_substeps: %ld}", per_second / 2);
    const Case c = {"glowinski-2004-5.2", exact_52, scheme, NULL, 0};
    Problem problem;
    read_case(&c, 3 * per_second, &problem);
    Errors e = splitting_errors(&problem, exact_52);
    print_message("strang, tau = dt^2: dt %.3g error x %.3e v %.3e lambda %.3e\n", problem.sim.step, e.x, e.v,
                  e.lambda);
    step[i] = problem.sim.step;
    x[i] = e.x;
    v[i] = e.v;
    problem_clear(&problem);
  }
  double order[2] = {slope(4, step, x), slope(4, step, v)};
  print_message("order %.3f %.3f\n", order[0], order[1]);
  for (int i = 0; i < 2; i++) assert_true(order[i] >= 1.9 && order[i] <= 2.1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(first_order),
      cmocka_unit_test(strang_is_second_order),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
