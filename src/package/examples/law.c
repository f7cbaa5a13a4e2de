/* A friction law of the user's own: F(s) = (0.8 + 1.2 exp(-s/0.1)) N of slipping at the speed s. The block rests on a belt of 0.2 m/s and
 * hangs on a spring: it sticks and slips. All schemes and kernels take such a law, and so do derivatives.
 *
 *     cc law.c $(pkg-config --cflags --libs stiction) -lm -o law && ./law */
#include <stiction/own_law.h>
#include <stiction/sim.h>

#include <math.h>
#include <stdio.h>

static double force(void *context, int i, double s, double *slope) {
  (void)context, (void)i; /* of one block */
  *slope = -12 * exp(-s / 0.1);
  return 0.8 + 1.2 * exp(-s / 0.1);
}

static void belt(void *context, double t, double *w) {
  (void)t;
  w[0] = *(const double *)context;
}

static void count_slips(void *context, const SimStep *step) {
  int *seen = context; /* slips so far, and whether it slips */
  if (step->slip[0] && !seen[1]) seen[0]++;
  seen[1] = step->slip[0] != 0;
}

int main(void) {
  double speed = 0.2, where = 0, x, v;
  int seen[2] = {0, 0};
  const SimLoad moves = {.context = &speed, .constant = true, .at = belt};
  const SimObserver observer = {.context = seen, .step = count_slips};
  SimProblem problem;
  SimModel *model = NULL;
  SimWorkspace *work = NULL;
  SimFinal final = {.x = &x, .v = &v};
  if (sim_problem_init(&problem, SIM_FRICTION, 1, 0) != SIM_OK) return 1;
  problem.system.mass[0] = 1;       /* kg */
  problem.system.stiffness[0] = 10; /* N/m */
  problem.end = 20;
  problem.step = 0.001;
  problem.steps = 20000;
  problem.friction[0] = 2; /* N, the threshold; of the law only the shape counts */
  SimStatus status = sim_problem_set_friction_law(&problem, 1, &(SimFrictionLaw){NULL, force}, 2, &where);
  if (status == SIM_OK) status = sim_problem_set_surface(&problem, 1, &moves, 0, NULL, &where);
  if (status == SIM_OK) status = sim_problem_finalize(&problem, NULL);
  if (status == SIM_OK) status = sim_model_create(&problem, NULL, &model);
  if (status == SIM_OK) status = sim_workspace_create(model, &work);
  if (status == SIM_OK) status = sim_rollout(model, work, NULL, &observer, &final);
  printf("%s: %d slips in %g s, x = %.4f m at the end\n", sim_status_text(status), seen[0], problem.end, x);
  sim_workspace_destroy(work);
  sim_model_destroy(model);
  sim_problem_clear(&problem);
  return status != SIM_OK;
}
