/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests that a pool of ranks searching a plan gives the same bits as one process alone. */
#include "control/pool.h"
#include "tests/control/plan/forms.h"

static int rank;

static void check(bool good, const char *text) {
  if (good) return;
  fprintf(stderr, "rank %d: not so: %s\n", rank, text);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

typedef struct Found {
  double J, E1, point[FORM_CONTROLS];
  long ivps;
} Found;

static Found keep(const CtlSearch *search, int n) {
  CtlState state;
  Found found = {0};
  stiction_asktell_state(search, &state);
  found.J = state.J;
  found.E1 = state.E1;
  found.ivps = state.ivps;
  memcpy(found.point, state.control, (size_t)n * sizeof(double));
  return found;
}

static void compare(void (*make)(Form *, int), int segments) {
  Form f;
  CtlProblem p;
  make(&f, segments);
  CtlPlan *plan = form_plan(&f); /* each rank has its own plan */
  CtlEvaluator evaluator = ctl_plan_evaluator(plan);
  check(ctl_plan_problem(plan, &p) == SIM_OK, "a problem");
  Found alone = {0};
  for (int pooled = 0; pooled < 3; pooled++) {
    CtlSearch *search = NULL;
    if (rank == 0) check(stiction_asktell_create(&p, &search) == CTL_OK, "a search");
    if (!pooled && rank == 0) check(ctl_drive_serial(search, &evaluator, NULL, NULL) == 0, "driven");
    if (pooled) check(ctl_pool_run(MPI_COMM_WORLD, search, &evaluator, NULL, NULL) == 0, "run by the pool");
    if (rank > 0) continue;
    Found found = keep(search, p.n);
    if (!pooled) alone = found;
    check(memcmp(&found, &alone, sizeof found) == 0, "the same bits");
    check(found.E1 <= 1, "met");
    stiction_asktell_destroy(search);
  }
  ctl_problem_clear(&p);
  ctl_plan_destroy(plan);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  compare(form_speed, 10);
  compare(form_fuel, 15);
  compare(form_inertia, 20);
  MPI_Finalize();
  return 0;
}
