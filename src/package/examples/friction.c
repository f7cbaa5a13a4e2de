/* A block on a table, pulled to and fro by a force of the user's own: does it move, and where does it end?
 *
 *     cc friction.c $(pkg-config --cflags --libs stiction) -lm -o friction && ./friction */
#include <stiction/sim.h>

#include <math.h>
#include <stdio.h>

/* f(t), N: 3 sin(omega t). */
static void pull(void *context, double t, double *f) { f[0] = 3 * sin(*(const double *)context * t); }

static void complain(void *context, const char *key, const char *text) {
  (void)context;
  printf("%s: %s\n", key, text);
}

/* The block of mass 1 kg and threshold c, N, until 10 s, in steps of 1 ms. */
static SimStatus move(double c, double omega, const SimReport *report, SimFinal *final) {
  SimProblem problem;
  SimModel *model = NULL;
  SimWorkspace *work = NULL;
  SimStatus status = sim_problem_init(&problem, SIM_FRICTION, 1, 0);
  if (status != SIM_OK) return status;
  problem.system.mass[0] = 1;
  problem.friction[0] = c;
  problem.end = 10;
  problem.steps = 10000;
  problem.step = problem.end / (double)problem.steps;
  status = sim_problem_set_force(&problem, pull, &omega);
  if (status == SIM_OK) status = sim_problem_finalize(&problem, report);
  if (status == SIM_OK) status = sim_model_create(&problem, report, &model);
  if (status == SIM_OK) status = sim_workspace_create(model, &work);
  if (status == SIM_OK) status = sim_rollout(model, work, NULL, NULL, final);
  sim_workspace_destroy(work);
  sim_model_destroy(model);
  sim_problem_clear(&problem);
  return status;
}

int main(void) {
  const SimReport report = {NULL, complain};
  for (double c = 1; c <= 4; c++) {
    double x, v;
    SimFinal final = {.x = &x, .v = &v};
    SimStatus status = move(c, 2, &report, &final);
    if (status != SIM_OK) return puts(sim_status_text(status)), 1;
    printf("c = %g N: x = %.6f m, v = %.6f m/s\n", c, x, v);
  }
  return 0;
}
