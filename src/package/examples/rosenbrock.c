/* SPDX-License-Identifier: BSD-2-Clause */
/* Minimises Rosenbrock's function, 100 (y - x^2)^2 + (1 - x)^2, on all ranks.
 *
 *     cc rosenbrock.c $(pkg-config --cflags --libs stiction ompi-c) -lm -o rosenbrock && mpirun -n 4 ./rosenbrock
 *
 * The result has the same bits for any number of ranks. */
#include <stiction/control.h>
#include <stiction/ranks.h>

#include <stdio.h>

/* Computes the residuals; f is the sum of their squares. */
static SimStatus residuals(void *context, const double *point, double *values) {
  (void)context;
  values[0] = 10 * (point[1] - point[0] * point[0]);
  values[1] = 1 - point[0];
  return SIM_OK; /* after another status, or with a value NaN, the point would count as infinitely bad */
}

int main(int argc, char **argv) {
  const CtlFunction function = {.n = 2, .m = 2, .values = residuals};
  CtlProblem *problem;
  CtlAnswer answer;
  SimGroup *ranks;
  MPI_Init(&argc, &argv);
  if (stiction_group_create(MPI_COMM_WORLD, &ranks) || stiction_control_create_values(&function, &problem)) return 1;
  for (int i = 0; i < 2; i++) stiction_control_set_role(problem, i, CTL_ROLE_RESIDUAL, 0, 0);
  stiction_control_set_word(problem, "search.method", "pds");
  stiction_control_set_values(problem, "control.start", 2, (double[]){-1.2, 1});
  CtlStatus status = stiction_solve(problem, ranks, NULL, &answer);
  if (status != CTL_OK) return puts(stiction_control_status_text(status)), 1;
  if (stiction_group_rank(ranks) == 0)
    printf("x = %.9f, y = %.9f, f = %.3g after %ld points (%s)\n", answer.control[0], answer.control[1], answer.J,
           answer.evaluations, stiction_reason_text(answer.reason));
  stiction_answer_clear(&answer);
  stiction_control_destroy(problem);
  stiction_group_destroy(ranks);
  return MPI_Finalize();
}
