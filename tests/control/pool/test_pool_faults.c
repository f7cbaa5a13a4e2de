/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests the pool of ranks if workers are late, and if a stop is requested. */
#define _POSIX_C_SOURCE 200809L /* nanosleep */
#include "tests/control/pool/pool_drive.h"

/* Rank 1 sleeps longer than the timeout. Its points go to other ranks, and the course is the same. */
static void a_late_worker_changes_nothing(void) {
  static Outcome alone, pooled;
  memset(&alone, 0, sizeof alone);
  search(false, (CtlPoolOptions){0}, (Slow){0}, 12, 1, &alone);
  timeout = 0.5; /* a thousand times the duration of a point, so that on a busy machine no other rank is late */
  for (int evaluates = 0; evaluates < 2; evaluates++) {
    memset(&pooled, 0, sizeof pooled);
    search(true, (CtlPoolOptions){.evaluates = evaluates}, (Slow){.least = 1e-3, .most = 1e-3, .nap = 1.5}, 12, 1,
           &pooled);
    if (rank) continue;
    CHECK(pooled.code == 0 && !memcmp(&pooled.course, &alone.course, sizeof alone.course));
    CHECK(pooled.times.overdue > 0 && pooled.state.timed_out == 0 && pooled.state.non_finite == 0);
  }
  timeout = 0;
}

/* Only points that are late twice count as +inf. */
static void a_point_late_twice_counts_as_infinite(void) {
  static Outcome outcome;
  timeout = 0.1;
  memset(&outcome, 0, sizeof outcome);
  search(true, (CtlPoolOptions){0}, (Slow){.hole = 0.4}, 3, 1, &outcome);
  timeout = 0;
  if (rank) return;
  CHECK(outcome.code == 0 && outcome.course.rounds == 3);
  printf("%ld overdue, %ld timed out\n", outcome.times.overdue, outcome.state.timed_out);
  CHECK(outcome.state.non_finite == outcome.state.timed_out);
  CHECK(outcome.times.overdue >= outcome.state.timed_out);
  CHECK(ranks == 2 || outcome.state.timed_out > 0);
}

/* This rank requests a stop at call number calls_to_stop; 0: never. It is set on rank 0 or on the workers. */
static int calls_to_stop;
static bool asked_often(void) { return calls_to_stop > 0 && --calls_to_stop == 0; }
static bool ask(void *context) {
  (void)context;
  return rank == 0 && asked_often();
}
static bool ask_worker(void) { return rank == ranks - 1 && asked_often(); }

/* Runs the search on all ranks from its present state. */
static int drive_stoppable(CtlSearch *s, Course *course, double grace) {
  Slow slow = {.least = 1e-3, .most = 2e-3};
  CtlEvaluator evaluator = {.n = N, .d = N, .block = 1, .context = &slow, .evaluate = evaluate};
  if (rank) {
    CtlBuilder builder = ctl_builder_of(&evaluator);
    builder.stopped = ask_worker;
    CHECK(ctl_pool_serve(&builder, MPI_COMM_WORLD) == SIM_OK);
    return 0;
  }
  const CtlListener listener = {.context = course, .simplex = follow, .stopped = ask, .grace = grace};
  const CtlJob job = {.search = s, .evaluator = &evaluator, .listener = &listener};
  CtlTimes times;
  return drive(&job, &(CtlPoolOptions){.evaluates = true}, &times);
}

/* A search that any rank has stopped continues from its saved state, and gives the answer of a search that was not
 * stopped. */
static void a_stopped_search_goes_on(void) {
  static Outcome alone;
  static Course course;
  memset(&alone, 0, sizeof alone);
  search(false, (CtlPoolOptions){0}, (Slow){0}, 12, 1, &alone);
  for (int stopping_rank = 0; stopping_rank < 2; stopping_rank++) {
    CtlProblem problem;
    CtlSearch *s = NULL, *loaded = NULL;
    memset(&course, 0, sizeof course);
    calls_to_stop = stopping_rank == (rank > 0) ? 100 : 0;
    if (rank == 0) open_search(12, &problem, &s);
    int code = drive_stoppable(s, &course, 60);
    calls_to_stop = 0;
    if (rank == 0) {
      CHECK(code == CTL_DRIVE_STOPPED && course.rounds < 12);
      size_t size = stiction_asktell_saved_size(s);
      void *bytes = malloc(size);
      CHECK(bytes != NULL);
      stiction_asktell_save(s, bytes);
      CHECK(stiction_asktell_load(&problem, bytes, size, NULL, &loaded) == CTL_OK);
      free(bytes);
    }
    code = drive_stoppable(loaded, &course, 60);
    if (rank) continue;
    CHECK(code == 0 && !memcmp(&course, &alone.course, sizeof course));
    stiction_asktell_destroy(loaded);
    stiction_asktell_destroy(s);
    ctl_problem_clear(&problem);
  }
}

int main(int argc, char **argv) {
  start_ranks(&argc, &argv);
  a_late_worker_changes_nothing();
  a_point_late_twice_counts_as_infinite();
  a_stopped_search_goes_on();
  MPI_Finalize();
  return 0;
}
