/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests points with derivatives, or of another motion, on the pool. They have the same bits whichever ranks evaluate
 * them, also if outcomes are late. */
#include "tests/control/pool/pool_drive.h"
#include "tests/control/search/derivative_method.h"

/* Evaluator for the method, which may sleep once. */
typedef struct Tired {
  ProbeCounts counts;
  double nap; /* duration of a sleep, s, once, before the first point that requests derivatives or another motion
               * than that of the problem */
} Tired;

static void evaluate_tired(void *context, CtlWant want, int count, const double *controls, SimFinal *final,
                           double *rows) {
  Tired *tired = context;
  if (want.derivatives || want.motion) {
    rest(tired->nap);
    tired->nap = 0;
  }
  CtlEvaluator own = probe_evaluator(&tired->counts);
  own.evaluate(own.context, want, count, controls, final, rows);
}

static void search_derivatives(bool pooled, CtlPoolOptions options, double nap, Outcome *outcome) {
  Tired tired = {.nap = nap};
  CtlEvaluator evaluator = probe_evaluator(&tired.counts);
  evaluator.context = &tired;
  evaluator.evaluate = evaluate_tired;
  memset(outcome, 0, sizeof *outcome);
  if (rank > 0) {
    const CtlBuilder builder = ctl_builder_of(&evaluator);
    if (pooled) CHECK(ctl_pool_serve(&builder, MPI_COMM_WORLD) == SIM_OK);
    return;
  }
  CtlProblem problem;
  CtlSearch *s;
  const CtlListener listener = {.context = &outcome->course, .simplex = follow};
  CHECK(probe_problem(&problem) == SIM_OK);
  CHECK(stiction_asktell_create(&problem, &s) == CTL_OK);
  const CtlJob job = {.search = s, .evaluator = &evaluator, .listener = &listener, .timeout = timeout};
  outcome->code =
      pooled ? drive(&job, &options, &outcome->times) : ctl_drive_serial(s, &evaluator, &listener, &outcome->times);
  stiction_asktell_state(s, &outcome->state);
  stiction_asktell_destroy(s);
  ctl_problem_clear(&problem);
  CHECK(!probe_wrong);
}

int main(int argc, char **argv) {
  start_ranks(&argc, &argv);
  Outcome *alone = malloc(sizeof *alone), *pooled = malloc(sizeof *pooled);
  CHECK(alone && pooled);
  search_derivatives(false, (CtlPoolOptions){0}, 0, alone);
  CHECK(rank > 0 || (alone->course.rounds == PROBE_STEPS && alone->state.non_finite == 0));
  for (int k = 0; k < 4; k++) {
    bool naps = k == 3; /* in the first round the last rank gets such a point, as batches have one point */
    /* the sleep is longer than the timeout, so its points go to others, and their answers come twice; on a busy machine
     * no other answer takes that long */
    timeout = naps ? 1.5 : 0;
    search_derivatives(true, (CtlPoolOptions){.batch = k % 2, .evaluates = k == 2}, naps && rank == ranks - 1 ? 2.5 : 0,
                       pooled);
    if (rank > 0) continue;
    CHECK(memcmp(&alone->course, &pooled->course, sizeof alone->course) == 0);
    CHECK(alone->state.ivps == pooled->state.ivps && alone->state.iterations == pooled->state.iterations);
    CHECK(!naps || pooled->times.overdue > 0);
  }
  free(alone);
  free(pooled);
  MPI_Finalize();
  return 0;
}
