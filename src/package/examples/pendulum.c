/* A pendulum, simulated here, swings up by the least effort: mpirun -n 4 ./pendulum
 *
 *     q'' = -sin q - 0.1 q' + u(t), u of 8 constant pieces;   least int u^2 dt   so that   q(6) = pi, q'(6) = 0 */
#include <stiction/group.h>
#include <stiction/pool.h>

#include <math.h>
#include <stdio.h>

enum { PIECES = 8, STEPS = 50 }; /* steps of Runge and Kutta a piece */
static const double T = 6;

static void rate(double u, const double *y, double *dy) {
  dy[0] = y[1];
  dy[1] = -sin(y[0]) - 0.1 * y[1] + u;
}

static SimStatus swing(void *context, const double *u, double *values) {
  double y[2] = {0, 0}, effort = 0, h = T / PIECES / STEPS;
  (void)context;
  for (int k = 0; k < PIECES * STEPS; k++) {
    double v = u[k / STEPS], a[2], b[2], c[2], d[2];
    rate(v, y, a);
    rate(v, (double[]){y[0] + h / 2 * a[0], y[1] + h / 2 * a[1]}, b);
    rate(v, (double[]){y[0] + h / 2 * b[0], y[1] + h / 2 * b[1]}, c);
    rate(v, (double[]){y[0] + h * c[0], y[1] + h * c[1]}, d);
    for (int i = 0; i < 2; i++) y[i] += h / 6 * (a[i] + 2 * b[i] + 2 * c[i] + d[i]);
    effort += h * v * v;
  }
  values[0] = effort;
  values[1] = y[0];
  values[2] = y[1];
  return SIM_OK;
}

int main(int argc, char **argv) {
  CtlFunction function = {.n = PIECES, .m = 3, .values = swing};
  CtlEvaluator evaluator = ctl_function_evaluator(&function);
  CtlProblem problem;
  CtlSearch *search;
  CtlState found;
  MPI_Init(&argc, &argv);
  if (sim_petsc_start(NULL) != SIM_OK || ctl_problem_init_values(&problem, PIECES, 3) != SIM_OK) return 1;
  ctl_problem_set_value(&problem, 1, CTL_ROLE_EQUAL, acos(-1), 1e-6); /* value 0 is an objective, as all are at first */
  ctl_problem_set_value(&problem, 2, CTL_ROLE_EQUAL, 0, 1e-6);
  problem.max_evaluations = 20000; /* the method: auto, which wants PETSc started */
  if (ctl_problem_check(&problem, NULL) != SIM_OK || ctl_search_create(&problem, &search) != SIM_OK) return 1;
  if (ctl_pool_run(MPI_COMM_WORLD, search, &evaluator, NULL, NULL) != 0) MPI_Abort(MPI_COMM_WORLD, 1);
  ctl_search_state(search, &found);
  if (found.reason != CTL_RUNNING) /* only on rank 0, which ran the search */
    printf("effort %.4f: q(T) = %.6f, q'(T) = %.6f (%ld points)\n", found.J, found.x[1], found.x[2], found.ivps);
  ctl_search_destroy(search);
  ctl_problem_clear(&problem);
  sim_petsc_stop();
  return MPI_Finalize();
}
