/* SPDX-License-Identifier: BSD-2-Clause */
/* Searches on a pool of ranks, with evaluators for tests. For programs that mpirun starts with two or more ranks; a
 * check that fails ends all of them. */
#ifndef TESTS_POOL_DRIVE_H
#define TESTS_POOL_DRIVE_H

#include "control/pool.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { N = 2, ROUNDS = 400 };

static int rank, ranks;

#define CHECK(condition) check(condition, #condition, __LINE__)
static void check(bool good, const char *condition, int line) {
  if (good) return;
  fprintf(stderr, "rank %d, line %d: not so: %s\n", rank, line, condition);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static void rest(double seconds) {
  struct timespec time = {.tv_sec = (time_t)seconds};
  time.tv_nsec = (long)(1e9 * (seconds - (double)time.tv_sec));
  nanosleep(&time, NULL);
}

/* An evaluator that computes x = A (u - c), v = 0 after a delay. */
typedef struct Slow {
  double least, most; /* least and longest delay of a call, s */
  unsigned seed;
  double nap;  /* delay that rank 1 adds once, s */
  double hole; /* delay that every rank adds for points with |u_0 - 3| < 0.2, s */
  long points; /* number of points that this rank has evaluated */
} Slow;

static void evaluate(void *context, CtlWant want, int count, const double *controls, SimFinal *final, double *rows) {
  Slow *slow = context;
  (void)want, (void)rows;
  slow->seed = slow->seed * 1664525U + 1013904223U;
  rest(slow->least + (slow->most - slow->least) * (slow->seed >> 8) / (double)(1U << 24));
  if (rank == 1 && slow->points > 50) {
    rest(slow->nap);
    slow->nap = 0;
  }
  for (int k = 0; k < count; k++) {
    const double *u = controls + k * N;
    if (fabs(u[0] - 3) < 0.2) rest(slow->hole);
    final[k].x[0] = 2 * (u[0] - 1.2345) + 0.3 * (u[1] - 2);
    final[k].x[1] = 2 * (u[1] - 2) - 0.3 * (u[0] - 1.2345);
    final[k].v[0] = final[k].v[1] = 0;
    final[k].iterations = 3;
    final[k].status = SIM_OK;
  }
  slow->points += count;
}

/* The course of a search: its state after each simplex, byte for byte. */
typedef struct Course {
  int rounds, stop_at; /* stop_at: simplex at which the listener requests a stop; 0: never */
  double numbers[ROUNDS][5];
  long counts[ROUNDS][2];
} Course;

static int follow(void *context, const CtlState *state, double seconds) {
  Course *course = context;
  (void)seconds;
  CHECK(course->rounds < ROUNDS);
  const double numbers[5] = {state->best, state->E1, state->edge, state->control[0], state->control[1]};
  memcpy(course->numbers[course->rounds], numbers, sizeof numbers);
  course->counts[course->rounds][0] = state->evaluations;
  course->counts[course->rounds][1] = state->ivps;
  return ++course->rounds == course->stop_at ? 42 : 0;
}

typedef struct Outcome {
  Course course;
  CtlTimes times;
  CtlState state;
  int code;
  long points; /* number of points that this rank has evaluated */
} Outcome;

static int drive(const CtlJob *job, const CtlPoolOptions *options, CtlTimes *times) {
  CtlPool *pool;
  CHECK(ctl_pool_create(MPI_COMM_WORLD, options, &pool) == SIM_OK);
  int code = ctl_pool_drive(pool, job, times);
  CHECK(ctl_pool_close(pool));
  return code;
}

static void open_search(long simplexes, CtlProblem *problem, CtlSearch **s) {
  CHECK(ctl_problem_init(problem, N, N) == SIM_OK);
  problem->method = ctl_method_find("pds");
  problem->end = 1;
  problem->position[0] = problem->position[1] = 0;
  problem->max_simplexes = simplexes;
  problem->scheme_size = 64;
  CHECK(stiction_asktell_create(problem, s) == CTL_OK);
}

/* Runs one search on all ranks or, if pooled is false, on rank 0 alone. Rank 0 has the result, except points. */
static double timeout; /* timeout of the searches, s */

static inline void search(bool pooled, CtlPoolOptions options, Slow slow, long simplexes, int block, Outcome *outcome) {
  CtlEvaluator evaluator = {.n = N, .d = N, .block = block, .context = &slow, .evaluate = evaluate};
  slow.seed = 17U * (unsigned)rank + 1;
  if (rank > 0) {
    const CtlBuilder builder = ctl_builder_of(&evaluator);
    if (pooled) CHECK(ctl_pool_serve(&builder, MPI_COMM_WORLD) == SIM_OK);
  } else {
    CtlProblem problem;
    CtlSearch *s;
    const CtlListener listener = {.context = &outcome->course, .simplex = follow};
    open_search(simplexes, &problem, &s);
    const CtlJob job = {.search = s, .evaluator = &evaluator, .listener = &listener, .timeout = timeout};
    outcome->code =
        pooled ? drive(&job, &options, &outcome->times) : ctl_drive_serial(s, &evaluator, &listener, &outcome->times);
    stiction_asktell_state(s, &outcome->state);
    stiction_asktell_destroy(s);
    ctl_problem_clear(&problem);
  }
  outcome->points = slow.points;
}

static void start_ranks(int *argc, char ***argv) {
  MPI_Init(argc, argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  CHECK(ranks > 1);
}

#endif
