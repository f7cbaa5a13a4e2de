/* SPDX-License-Identifier: BSD-2-Clause */
/* A pendulum, simulated by this program, swings up with the least effort.
 *
 *     cc pendulum.c $(pkg-config --cflags --libs stiction ompi-c) -lm -o pendulum && mpirun -n 4 ./pendulum
 *
 *     q'' = -sin q - 0.1 q' + u(t), u of 8 constant pieces;   least int u^2 dt   so that   q(6) = pi, q'(6) = 0 */
#include <stiction/control.h>
#include <stiction/ranks.h>

#include <math.h>
#include <stdio.h>

enum { PIECES = 8, STEPS = 200 }; /* STEPS: number of steps of the midpoint rule per piece */

static SimStatus swing(void *context, const double *u, double *values) {
  double q = 0, v = 0, effort = 0, h = 6.0 / PIECES / STEPS;
  (void)context;
  for (int k = 0; k < PIECES * STEPS; k++) {
    double now = u[k / STEPS];
    double q_middle = q + h / 2 * v, v_middle = v + h / 2 * (now - sin(q) - 0.1 * v);
    q += h * v_middle;
    v += h * (now - sin(q_middle) - 0.1 * v_middle);
    effort += h * now * now;
  }
  values[0] = effort, values[1] = q, values[2] = v;
  return SIM_OK;
}

int main(int argc, char **argv) {
  const CtlFunction function = {.n = PIECES, .m = 3, .values = swing};
  CtlProblem *problem;
  CtlAnswer answer;
  SimGroup *ranks;
  MPI_Init(&argc, &argv);
  if (stiction_group_create(MPI_COMM_WORLD, &ranks) || stiction_control_create_values(&function, &problem)) return 1;
  stiction_control_set_role(problem, 1, CTL_ROLE_EQUAL, acos(-1), 1e-6); /* value 0, the effort, keeps its role as
                                                                          * objective */
  stiction_control_set_role(problem, 2, CTL_ROLE_EQUAL, 0, 1e-6);
  stiction_control_set_value(problem, "search.max_evaluations", 20000);
  CtlStatus status = stiction_solve(problem, ranks, NULL, &answer);
  if (status != CTL_OK) return puts(stiction_control_status_text(status)), 1;
  if (stiction_group_rank(ranks) == 0)
    printf("effort %.4f: q(T) = %.6f, q'(T) = %.6f (%ld points)\n", answer.J, answer.x[1], answer.x[2],
           answer.evaluations);
  stiction_answer_clear(&answer);
  stiction_control_destroy(problem);
  stiction_group_destroy(ranks);
  stiction_petsc_stop();
  return MPI_Finalize();
}
