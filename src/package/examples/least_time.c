/* SPDX-License-Identifier: BSD-2-Clause */
/* A boat goes 1 m from rest to rest in the least time. The search uses derivatives.
 *
 *     cc least_time.c $(pkg-config --cflags --libs stiction ompi-c) -lm -o least_time && mpirun -n 4 ./least_time
 *
 *     v' = u(t) - v,  |u| <= 1, u of 20 equal pieces;   least T   so that   x(T) = 1, v(T) = 0
 *
 * The variables are u and T. If u could jump at any time, the least time would be log(1 + sqrt(1 - 1/e)) 2 + 1 =
 * 2.170077 s. */
#include <stiction/control.h>
#include <stiction/ranks.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PIECES = 20, N = PIECES + 1, M = 3 };

/* Computes the values T, x(T), v(T), and their derivatives [M][N]. Each piece is solved exactly. */
static SimStatus sail(void *context, const double *u, double *values, double *rows) {
  double T = u[PIECES], h = T / PIECES, x = 0, v = 0, *dx = rows + N, *dv = dx + N;
  (void)context;
  memset(rows, 0, M * N * sizeof *rows);
  for (int k = 0; k < PIECES; k++) {
    double left = exp(-h), away = v - u[k]; /* v approaches u[k] exponentially */
    for (int j = 0; j < N; j++) {
      double own = j == k, longer = j == PIECES ? 1.0 / PIECES : 0; /* derivatives of u[k] and of h with respect to
                                                                     * variable j */
      double slower = dv[j] - own;
      dx[j] += own * h + u[k] * longer + slower * (1 - left) + away * left * longer;
      dv[j] = own + slower * left - away * left * longer;
    }
    x += u[k] * h + away * (1 - left);
    v = u[k] + away * left;
  }
  values[0] = T, values[1] = x, values[2] = v;
  rows[PIECES] = 1;
  return SIM_OK;
}

static SimStatus sail_alone(void *context, const double *u, double *values) {
  double rows[M * N];
  return sail(context, u, values, rows);
}

int main(int argc, char **argv) {
  const CtlFunction function = {.n = N, .m = M, .values = sail_alone, .rows = sail};
  double lower[N], upper[N], start[N];
  CtlProblem *problem;
  CtlAnswer answer;
  SimGroup *ranks;
  MPI_Init(&argc, &argv);
  if (stiction_group_create(MPI_COMM_WORLD, &ranks) || stiction_control_create_values(&function, &problem)) return 1;
  for (int k = 0; k < PIECES; k++) lower[k] = -1, upper[k] = 1, start[k] = 0; /* bounds and start of each u */
  lower[PIECES] = 0.1, upper[PIECES] = 10, start[PIECES] = 3;                 /* bounds and start of T, s */
  stiction_control_set_values(problem, "control.bounds.lower", N, lower);
  stiction_control_set_values(problem, "control.bounds.upper", N, upper);
  stiction_control_set_values(problem, "control.start", N, start);
  stiction_control_set_role(problem, 1, CTL_ROLE_EQUAL, 1, 1e-9); /* value 0, the time T, keeps its role as objective */
  stiction_control_set_role(problem, 2, CTL_ROLE_EQUAL, 0, 1e-9);
  CtlStatus status = stiction_solve(problem, ranks, NULL, &answer);
  if (status != CTL_OK) return puts(stiction_control_status_text(status)), 1;
  if (stiction_group_rank(ranks) == 0)
    printf("T = %.6f: x(T) = %.9f, v(T) = %.9f (%ld points)\n", answer.J, answer.x[1], answer.x[2], answer.evaluations);
  stiction_answer_clear(&answer);
  stiction_control_destroy(problem);
  stiction_group_destroy(ranks);
  return MPI_Finalize();
}
