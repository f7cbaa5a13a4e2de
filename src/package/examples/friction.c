/* SPDX-License-Identifier: BSD-2-Clause */
/* A block on a table, pulled to and fro by a user-defined force: does it move, and where does it end?
 *
 *     cc friction.c $(pkg-config --cflags --libs stiction) -lm -o friction && ./friction */
#include <stiction/sim.h>

#include <math.h>
#include <stdio.h>

/* The force f(t) in N: 3 sin(omega t). */
static void pull(void *context, double t, double *f) { f[0] = 3 * sin(*(const double *)context * t); }

int main(void) {
  double omega = 2, x, v; /* angular frequency omega, 1/s */
  SimFinal final = {.x = &x, .v = &v};
  SimProblem *problem;
  SimStatus status = stiction_problem_create(SIM_FRICTION, 1, 0, &problem);
  if (status != SIM_OK) return 1;
  stiction_problem_set_value(problem, "model.mass", 1); /* mass in kg */
  stiction_problem_set_value(problem, "time.end", 10);  /* end of the motion in s */
  stiction_problem_set_value(problem, "time.step", 0.001);
  stiction_problem_set_force(problem, pull, &omega);
  for (double c = 1; c <= 4 && status == SIM_OK; c++) {
    stiction_problem_set_value(problem, "model.friction", c);
    status = stiction_simulate(problem, NULL, NULL, &final);
    if (status == SIM_OK) printf("c = %g N: x = %.6f m, v = %.6f m/s\n", c, x, v);
  }
  if (status != SIM_OK) puts(stiction_status_text(status));
  stiction_problem_destroy(problem);
  return status != SIM_OK;
}
