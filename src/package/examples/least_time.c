/* A boat goes 1 m from rest to rest in the least time, by derivatives: mpirun -n 4 ./least_time
 *
 *     v' = u(t) - v,  |u| <= 1, u of 20 equal pieces;   least T   so that   x(T) = 1, v(T) = 0
 *
 * The variables are u and T. A u that jumps at any time takes log(1 + sqrt(1 - 1/e)) 2 + 1 = 2.170077 s. */
#include <stiction/pool.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PIECES = 20, N = PIECES + 1, M = 3 };

/* The values T, x(T), v(T), and their derivatives [M][N]. Each piece is solved exactly. */
static SimStatus sail(void *context, const double *u, double *values, double *rows) {
  double T = u[PIECES], h = T / PIECES, x = 0, v = 0, *dx = rows + N, *dv = dx + N;
  (void)context;
  memset(rows, 0, M * N * sizeof *rows);
  for (int k = 0; k < PIECES; k++) {
    double left = exp(-h), away = v - u[k]; /* v goes to u[k] */
    for (int j = 0; j < N; j++) {
      double own = j == k, longer = j == PIECES ? 1.0 / PIECES : 0; /* derivatives of u[k] and h by variable j */
      double slower = dv[j] - own;
      dx[j] += own * h + u[k] * longer + slower * (1 - left) + away * left * longer;
      dv[j] = own + slower * left - away * left * longer;
    }
    x += u[k] * h + away * (1 - left);
    v = u[k] + away * left;
  }
  values[0] = T;
  values[1] = x;
  values[2] = v;
  rows[PIECES] = 1;
  return SIM_OK;
}

static SimStatus sail_alone(void *context, const double *u, double *values) {
  double rows[M * N];
  return sail(context, u, values, rows);
}

int main(int argc, char **argv) {
  CtlFunction function = {.n = N, .m = M, .values = sail_alone, .rows = sail};
  CtlEvaluator evaluator = ctl_function_evaluator(&function);
  CtlProblem problem;
  CtlSearch *search;
  CtlState found;
  MPI_Init(&argc, &argv);
  if (ctl_problem_init_values(&problem, N, M) != SIM_OK) return 1;
  ctl_problem_set_value(&problem, 1, CTL_ROLE_EQUAL, 1, 1e-9); /* value 0 is an objective, as all are at first */
  ctl_problem_set_value(&problem, 2, CTL_ROLE_EQUAL, 0, 1e-9);
  for (int k = 0; k < N; k++) {
    problem.lower[k] = k < PIECES ? -1 : 0.1;
    problem.upper[k] = k < PIECES ? 1 : 10;
    problem.start[k] = k < PIECES ? 0 : 3;
  }
  problem.derivatives = true;
  problem.method = ctl_method_find("auto");
  if (ctl_problem_check(&problem, NULL) != SIM_OK || ctl_search_create(&problem, &search) != SIM_OK) return 1;
  if (ctl_pool_run(MPI_COMM_WORLD, search, &evaluator, NULL, NULL) != 0) MPI_Abort(MPI_COMM_WORLD, 1);
  ctl_search_state(search, &found);
  if (found.reason != CTL_RUNNING) /* rank 0 */
    printf("T = %.6f: x(T) = %.9f, v(T) = %.9f (%ld points)\n", found.J, found.x[1], found.x[2], found.ivps);
  ctl_search_destroy(search);
  ctl_problem_clear(&problem);
  return MPI_Finalize();
}
