/* SPDX-License-Identifier: BSD-2-Clause */
/* A user-defined friction law F(s) = (0.8 + 1.2 exp(-s/0.1)) N, where s is the speed of slipping. The block hangs on a
 * spring and rests on a belt that moves at 0.2 m/s, so that it sticks and slips in turn. All schemes and derivatives
 * support such a law.
 *
 *     cc law.c $(pkg-config --cflags --libs stiction) -lm -o law && ./law */
#include <stiction/sim.h>

#include <math.h>
#include <stdio.h>

static double force(void *context, int i, double s, double *slope) {
  (void)context, (void)i; /* the law has no other data, and there is only one block */
  *slope = -12 * exp(-s / 0.1);
  return 0.8 + 1.2 * exp(-s / 0.1);
}

static void belt(void *context, double t, double *w) { (void)t, w[0] = *(const double *)context; }

static void count_slips(void *context, const SimStep *step) {
  int *seen = context; /* [0]: number of slips so far; [1]: whether the block slips now */
  if (step->slip[0] && !seen[1]) seen[0]++;
  seen[1] = step->slip[0] != 0;
}

int main(void) {
  double speed = 0.2, where = 0, x, v;
  int seen[2] = {0, 0};
  const SimLoad moves = {.context = &speed, .constant = true, .at = belt};
  const SimObserver observer = {.context = seen, .step = count_slips};
  SimFinal final = {.x = &x, .v = &v};
  SimProblem *problem;
  if (stiction_problem_create(SIM_FRICTION, 1, 0, &problem) != SIM_OK) return 1;
  stiction_problem_set_value(problem, "model.mass", 1);       /* mass in kg */
  stiction_problem_set_value(problem, "model.stiffness", 10); /* stiffness in N/m */
  stiction_problem_set_value(problem, "model.friction", 2);   /* threshold in N, by which the law is scaled: only the
                                                               * shape of the law matters */
  stiction_problem_set_value(problem, "time.end", 20);
  stiction_problem_set_value(problem, "time.step", 0.001);
  SimStatus status = stiction_problem_set_friction_law(problem, 1, &(SimFrictionLaw){NULL, force}, 2, &where);
  if (status == SIM_OK) status = stiction_problem_set_surface(problem, 1, &moves, 0, NULL, &where);
  if (status == SIM_OK) status = stiction_simulate(problem, NULL, &observer, &final);
  if (status == SIM_OK) printf("%d slips in 20 s, x = %.4f m at the end\n", seen[0], x);
  if (status != SIM_OK) puts(stiction_status_text(status));
  stiction_problem_destroy(problem);
  return status != SIM_OK;
}
