/* Rosenbrock's function, 100 (y - x^2)^2 + (1 - x)^2, made small by all ranks: mpirun -n 4 ./rosenbrock
 * The answer is the same, bit for bit, on any number of them. */
#include <stiction/pool.h>

#include <stdio.h>

/* f is the sum of the residuals' squares. */
static SimStatus residuals(void *context, const double *point, double *values) {
  (void)context;
  values[0] = 10 * (point[1] - point[0] * point[0]);
  values[1] = 1 - point[0];
  return SIM_OK; /* anything else, or a NaN: the point counts as infinitely bad */
}

static void complain(void *context, const char *key, const char *text) {
  (void)context;
  fprintf(stderr, "%s: %s\n", key, text);
}

int main(int argc, char **argv) {
  const SimReport report = {.complain = complain};
  CtlFunction function = {.n = 2, .m = 2, .values = residuals};
  CtlEvaluator evaluator = ctl_function_evaluator(&function);
  CtlProblem problem;
  CtlSearch *search;
  CtlState found;
  MPI_Init(&argc, &argv);
  if (ctl_problem_init_values(&problem, 2, 2) != SIM_OK) return 1;
  for (int i = 0; i < 2; i++) ctl_problem_set_value(&problem, i, CTL_ROLE_RESIDUAL, 0, 0);
  problem.method = ctl_method_find("pds");
  problem.start[0] = -1.2;
  problem.start[1] = 1;
  if (ctl_problem_check(&problem, &report) != SIM_OK) return 1;
  if (ctl_search_create(&problem, &search) != SIM_OK) return 1;
  if (ctl_pool_run(MPI_COMM_WORLD, search, &evaluator, NULL, NULL) != 0) MPI_Abort(MPI_COMM_WORLD, 1);
  ctl_search_state(search, &found);
  if (found.reason != CTL_RUNNING) /* only on rank 0, which ran the search */
    printf("x = %.9f, y = %.9f, f = %.3g after %ld points (%s)\n", found.control[0], found.control[1], found.J,
           found.ivps, ctl_reason_text(found.reason));
  ctl_search_destroy(search);
  ctl_problem_clear(&problem);
  return MPI_Finalize();
}
