/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests jobs of several owners on one pool of three workers. Long evaluations of one owner hold at most its share of
 * the workers for longer than a second or two, however many it had at first. Evaluations that are dropped for this are
 * repeated once. With one worker there is nothing to share. */
#define _POSIX_C_SOURCE 200809L /* nanosleep, clock_gettime */
#include "tests/control/pool/pool_drive.h"

#include <stdatomic.h>

static double wall_clock(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Message from which a worker makes its evaluator: how long the evaluations of a job take. Each takes a fixed time.
 * Held evaluations (all, or those in the hole of pool_drive.h) also wait until the flag is set. */
typedef struct Pace {
  double each;
  enum { FREE, HELD_IN_HOLE, HELD } held;
  bool raises; /* true: an evaluation sets the flag; false: rank 0 does when the second job is over */
} Pace;

static atomic_int *flag; /* all ranks share the flag */
static long interrupted; /* number of interrupted evaluations on this rank */

static bool is_in_hole(const double *u) { return fabs(u[0] - 3) < 0.2; }

/* Evaluates for a time, polling whether the result is still needed. */
static SimStatus take(double seconds, bool held) {
  for (double until = wall_clock() + seconds; wall_clock() < until || (held && !atomic_load(flag));) {
    rest(2e-4);
    if (!ctl_pool_interrupted()) continue;
    interrupted++;
    return SIM_CANCELLED;
  }
  return SIM_OK;
}

static void evaluate_at_pace(void *context, CtlWant want, int count, const double *controls, SimFinal *final,
                             double *rows) {
  const Pace *pace = context;
  Slow none = {0};
  for (int k = 0; k < count; k++) {
    bool held = pace->held == HELD || (pace->held == HELD_IN_HOLE && is_in_hole(controls + k * N));
    evaluate(&none, want, 1, controls + k * N, final + k, rows);
    if (pace->raises) atomic_store(flag, 1);
    final[k].status = take(pace->each, held);
  }
}

static SimStatus build(void *context, const void *bytes, size_t size, CtlEvaluator *evaluator) {
  (void)context;
  Pace *pace = malloc(sizeof *pace);
  CHECK(pace && size == sizeof *pace);
  memcpy(pace, bytes, size);
  *evaluator = (CtlEvaluator){.n = N, .d = N, .block = 1, .context = pace, .evaluate = evaluate_at_pace};
  return SIM_OK;
}

static void release(void *context, CtlEvaluator *evaluator) {
  (void)context;
  free(evaluator->context);
}

/* A search of one owner, and its course. */
typedef struct Owned {
  CtlProblem problem;
  CtlSearch *search;
  Course course, alone;
  CtlListener listener;
  Pace pace;
  CtlEvaluator evaluator;
  CtlPoolJob *job;
  CtlTimes times;
} Owned;

/* Opens a search. Also runs it on rank 0 alone, for the expected course. */
static void open_owned(Pace pace, long scheme, long simplexes, double start, Owned *owned) {
  CtlProblem *problem = &owned->problem;
  Slow none = {0};
  CtlEvaluator here = {.n = N, .d = N, .block = 1, .context = &none, .evaluate = evaluate};
  memset(owned, 0, sizeof *owned);
  owned->pace = pace;
  owned->evaluator = (CtlEvaluator){.n = N, .d = N, .block = 1, .context = &owned->pace, .evaluate = evaluate_at_pace};
  open_search(simplexes, problem, &owned->search);
  stiction_asktell_destroy(owned->search);
  problem->scheme_size = scheme;
  problem->start[0] = start;
  CHECK(stiction_asktell_create(problem, &owned->search) == CTL_OK);
  owned->listener = (CtlListener){.context = &owned->alone, .simplex = follow};
  CHECK(ctl_drive_serial(owned->search, &here, &owned->listener, NULL) == 0);
  stiction_asktell_destroy(owned->search);
  CHECK(stiction_asktell_create(problem, &owned->search) == CTL_OK);
  owned->listener.context = &owned->course;
}

static void close_owned(Owned *owned) {
  stiction_asktell_destroy(owned->search);
  ctl_problem_clear(&owned->problem);
}

static void add(CtlPool *pool, long owner, Owned *owned) {
  const CtlJob job = {.search = owned->search,
                      .evaluator = &owned->evaluator,
                      .listener = &owned->listener,
                      .model = &owned->pace,
                      .model_size = sizeof owned->pace,
                      .owner = owner};
  CHECK(ctl_pool_add(pool, &job, &owned->job) == SIM_OK);
}

/* Returns whether a search is over, and removes it then. */
static bool is_over(CtlPool *pool, Owned *owned) {
  int stop;
  if (!owned->job) return true;
  if (!ctl_pool_over(owned->job, &stop)) return false;
  CHECK(stop == 0);
  ctl_pool_times(pool, owned->job, &owned->times);
  ctl_pool_remove(pool, owned->job);
  owned->job = NULL;
  return true;
}

/* Runs two jobs to their ends; the second begins `later` seconds after the first. Both must end as if they ran
 * alone. */
static void run_two(Owned *first, Owned *second, double later) {
  const CtlPoolOptions options = {.aside = true};
  CtlPool *pool;
  CHECK(ctl_pool_create(MPI_COMM_WORLD, &options, &pool) == SIM_OK);
  double begun = wall_clock();
  atomic_store(flag, 0);
  add(pool, 1, first);
  while (wall_clock() < begun + later) ctl_pool_turn(pool);
  add(pool, 2, second);
  for (bool over = false; !over;) {
    ctl_pool_turn(pool);
    bool ended = is_over(pool, first);
    over = is_over(pool, second);
    if (over) atomic_store(flag, 1);
    over = over && ended;
  }
  CHECK(ctl_pool_close(pool));
  Owned *const both[] = {first, second};
  for (int k = 0; k < 2; k++) {
    CtlState state;
    stiction_asktell_state(both[k]->search, &state);
    CHECK(!memcmp(&both[k]->course, &both[k]->alone, sizeof both[k]->course));
    CHECK(state.non_finite == 0 && state.timed_out == 0 && both[k]->times.overdue == 0);
    close_owned(both[k]);
  }
}

/* Returns on rank 0 how many evaluations were interrupted since the last call, on all ranks. The workers serve until
 * then. Called after run_two. */
static long count_interrupted(void) {
  long all = 0;
  if (rank) {
    const CtlBuilder builder = {.build = build, .release = release};
    CHECK(ctl_pool_serve(&builder, MPI_COMM_WORLD) == SIM_OK);
  }
  MPI_Allreduce(&interrupted, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  interrupted = 0;
  return all;
}

/* All workers are held until the job of the other owner is over. That job gets a worker within a second. Only
 * evaluations beyond the first owner's share are dropped. */
static void owner_of_all_workers_gives_one_up(void) {
  static Owned holder, other;
  enum { WORKERS = 3, SHARE = 1 };
  if (rank == 0) {
    open_owned((Pace){.held = HELD}, 4, 1, 0, &holder);
    open_owned((Pace){.each = 5e-3}, 16, 2, 0, &other);
    run_two(&holder, &other, 0.3);
  }
  long dropped = count_interrupted();
  if (rank) return;
  CHECK(dropped >= 1 && dropped <= WORKERS - SHARE);
}

/* Both owners have long evaluations, the first at least until the other has begun. Neither exceeds its share, so no
 * point is dropped, and both searches end. */
static void a_share_is_never_dropped(void) {
  static Owned holder, other;
  if (rank == 0) {
    open_owned((Pace){.each = 1.8, .held = HELD}, 4, 1, 0, &holder);
    open_owned((Pace){.each = 1.8, .raises = true}, 4, 1, 0, &other);
    run_two(&holder, &other, 0.3);
  }
  long dropped = count_interrupted();
  if (rank) return;
  CHECK(dropped >= 1 && dropped <= 2);
}

/* Most points are quick, but some take until the other owner's job is over. Batches do not wait for these slow
 * points. */
static void slow_point_delays_no_other_owner(void) {
  static Owned holder, other;
  if (rank == 0) {
    open_owned((Pace){.each = 1e-3, .held = HELD_IN_HOLE}, 64, 1, 3.5, &holder);
    open_owned((Pace){.each = 5e-3}, 64, 4, 0, &other);
    run_two(&holder, &other, 0.05);
  }
  count_interrupted();
}

/* A large batch is answered after a second with the points done so far. The rest is sent again. */
static void a_large_batch_ends_after_a_second(void) {
  static Outcome alone, pooled;
  const double each = 0.03; /* s; 64 points take two seconds */
  search(false, (CtlPoolOptions){0}, (Slow){0}, 1, 1, &alone);
  search(true, (CtlPoolOptions){.batch = 64}, (Slow){.least = each, .most = each}, 1, 1, &pooled);
  long points = 0;
  MPI_Reduce(&pooled.points, &points, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank) return;
  CHECK(!memcmp(&pooled.course, &alone.course, sizeof alone.course));
  CHECK(points == pooled.state.ivps && points > 64);
  CHECK(pooled.times.batches > (points + 63) / 64); /* otherwise there would be two batches: the vertices, and the
                                                     * other points */
}

static void share_flag(MPI_Win *window) {
  MPI_Aint size;
  int unit;
  MPI_Win_allocate_shared(rank ? 0 : sizeof *flag, sizeof *flag, MPI_INFO_NULL, MPI_COMM_WORLD, &flag, window);
  MPI_Win_shared_query(*window, 0, &size, &unit, &flag);
}

int main(int argc, char **argv) {
  MPI_Win window;
  start_ranks(&argc, &argv);
  share_flag(&window);
  if (ranks > 3) {
    owner_of_all_workers_gives_one_up();
    a_share_is_never_dropped();
    slow_point_delays_no_other_owner();
  }
  a_large_batch_ends_after_a_second();
  MPI_Win_free(&window);
  MPI_Finalize();
  return 0;
}
