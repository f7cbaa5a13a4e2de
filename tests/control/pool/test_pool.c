/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests the pool of ranks: a search finds the same answer whichever ranks evaluate its points, and in whichever
 * batches. */
#define _DEFAULT_SOURCE /* getrusage */
#include "tests/control/pool/pool_drive.h"

#include <sys/resource.h>

static double wall_clock(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Returns the processor time of this rank so far, s. */
static double processor_time(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

/* The search is the same for any number of evaluating ranks, any batch sizes and any durations. */
static void course_is_the_same_for_any_evaluator(void) {
  static Outcome alone, pooled;
  static const CtlPoolOptions options[] = {{.evaluates = false},
                                           {.evaluates = true},
                                           {.batch = 1, .evaluates = true},
                                           {.batch = 7},
                                           {.batch = 1000, .evaluates = true}};
  const Slow slow = {.most = 4e-4};
  search(false, (CtlPoolOptions){0}, (Slow){0}, 12, 1, &alone);
  for (int k = 0; k < 5; k++)
    for (int block = 1; block <= 32; block += 31) {
      memset(&pooled, 0, sizeof pooled);
      search(true, options[k], slow, 12, block, &pooled);
      long points = 0;
      MPI_Reduce(&pooled.points, &points, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
      if (rank) continue;
      CHECK(pooled.code == 0 && pooled.course.rounds == 12);
      CHECK(!memcmp(&pooled.course, &alone.course, sizeof alone.course));
      CHECK(points == pooled.state.ivps);
      CHECK((pooled.points > 0) == (pooled.times.evaluating > 0));
      CHECK(options[k].evaluates || pooled.points == 0);
      CHECK(pooled.times.evaluators == ranks - 1 + options[k].evaluates);
      CHECK(pooled.times.evaluating <= pooled.times.ivps && pooled.times.waiting >= 0);
      double sum = pooled.times.evaluating + pooled.times.waiting + pooled.times.coordinating;
      CHECK(fabs(sum - pooled.times.wall) < 1e-9 && pooled.times.coordinating > 0);
    }
}

/* Three searches with different starts, penalties and schemes run at the same time on 1 to all workers. One of them is
 * added while the others run. */
enum { JOBS = 3 };

typedef struct Several {
  CtlProblem problem[JOBS];
  CtlSearch *search[JOBS];
  Course course[JOBS];
  CtlListener listener[JOBS];
} Several;

static void several_open(Several *several) {
  static const long sizes[JOBS] = {9, 33, 64};
  memset(several, 0, sizeof *several);
  for (int j = 0; j < JOBS; j++) {
    CtlProblem *problem = &several->problem[j];
    CHECK(ctl_problem_init(problem, N, N) == SIM_OK);
    problem->method = ctl_method_find("pds");
    problem->end = 1;
    problem->position[0] = problem->position[1] = j;
    problem->start[0] = j;
    problem->penalty = j == 1 ? CTL_PENALTY_PI : CTL_PENALTY_P;
    problem->max_simplexes = 15;
    problem->scheme_size = sizes[j];
    CHECK(stiction_asktell_create(problem, &several->search[j]) == CTL_OK);
    several->listener[j] = (CtlListener){.context = &several->course[j], .simplex = follow};
  }
}

static void several_close(Several *several) {
  for (int j = 0; j < JOBS; j++) {
    stiction_asktell_destroy(several->search[j]);
    ctl_problem_clear(&several->problem[j]);
  }
}

static void run_several(CtlEvaluator *evaluator, const CtlPoolOptions *options, MPI_Comm comm, Several *several) {
  CtlPool *pool;
  CtlPoolJob *jobs[JOBS] = {NULL};
  CHECK(ctl_pool_create(comm, options, &pool) == SIM_OK);
  for (int added = 0, over = 0; over < JOBS;) {
    if (added < 2 || (added < JOBS && several->course[0].rounds > 3)) {
      const CtlJob job = {.search = several->search[added],
                          .evaluator = evaluator,
                          .listener = &several->listener[added],
                          .model = &added,
                          .model_size = sizeof added};
      CHECK(ctl_pool_add(pool, &job, &jobs[added]) == SIM_OK);
      added++;
    }
    ctl_pool_turn(pool);
    for (int j = 0; j < added; j++) {
      int stop;
      if (!jobs[j] || !ctl_pool_over(jobs[j], &stop)) continue;
      CHECK(stop == 0);
      ctl_pool_remove(pool, jobs[j]);
      jobs[j] = NULL;
      over++;
    }
  }
  CHECK(ctl_pool_close(pool));
}

static SimStatus build(void *context, const void *bytes, size_t size, CtlEvaluator *evaluator) {
  int number;
  CHECK(size == sizeof number);
  memcpy(&number, bytes, size);
  CHECK(number >= 0 && number < JOBS);
  *evaluator = *(const CtlEvaluator *)context;
  evaluator->context = malloc(sizeof(Slow)); /* each model has its own context */
  CHECK(evaluator->context != NULL);
  *(Slow *)evaluator->context = (Slow){.most = 3e-4, .seed = (unsigned)(number + 10 * rank)};
  return SIM_OK;
}

static void release(void *context, CtlEvaluator *evaluator) {
  (void)context;
  free(evaluator->context);
}

static void several_searches_at_once(void) {
  static Several alone, together;
  Slow slow = {0};
  CtlEvaluator evaluator = {.n = N, .d = N, .block = 1, .context = &slow, .evaluate = evaluate};
  CtlTimes times;
  several_open(&alone);
  for (int j = 0; j < JOBS; j++) CHECK(ctl_drive_serial(alone.search[j], &evaluator, &alone.listener[j], &times) == 0);
  for (int workers = 1; workers < ranks; workers++)
    for (int evaluates = 0; evaluates < 2; evaluates++) {
      MPI_Comm part;
      MPI_Comm_split(MPI_COMM_WORLD, rank <= workers ? 0 : MPI_UNDEFINED, rank, &part);
      if (part == MPI_COMM_NULL) continue;
      if (rank) {
        const CtlBuilder builder = {.context = &evaluator, .build = build, .release = release};
        CHECK(ctl_pool_serve(&builder, part) == SIM_OK);
      } else {
        several_open(&together);
        run_several(&evaluator, &(CtlPoolOptions){.evaluates = evaluates}, part, &together);
        CHECK(!memcmp(together.course, alone.course, sizeof alone.course));
        several_close(&together);
      }
      MPI_Comm_free(&part);
    }
  several_close(&alone);
}

/* The waiting time of a job does not include the caller's work before it adds the job. */
static void a_job_waits_from_its_beginning(void) {
  Slow slow = {.least = 0.01, .most = 0.01, .seed = 1};
  CtlEvaluator evaluator = {.n = N, .d = N, .block = 1, .context = &slow, .evaluate = evaluate};
  if (rank) {
    const CtlBuilder builder = ctl_builder_of(&evaluator);
    CHECK(ctl_pool_serve(&builder, MPI_COMM_WORLD) == SIM_OK);
    return;
  }
  CtlPool *pool;
  CtlPoolJob *added;
  CtlProblem problem;
  CtlTimes times;
  const CtlPoolOptions aside = {.evaluates = false};
  CHECK(ctl_pool_create(MPI_COMM_WORLD, &aside, &pool) == SIM_OK);
  ctl_pool_turn(pool);
  rest(0.1);
  CtlJob job = {.evaluator = &evaluator};
  open_search(3, &problem, &job.search);
  CHECK(ctl_pool_add(pool, &job, &added) == SIM_OK);
  while (!ctl_pool_over(added, NULL)) {
    ctl_pool_turn(pool);
    ctl_pool_times(pool, added, &times);
    CHECK(times.waiting <= times.wall && times.coordinating > -1e-9);
  }
  ctl_pool_remove(pool, added);
  CHECK(ctl_pool_close(pool));
  stiction_asktell_destroy(job.search);
  ctl_problem_clear(&problem);
}

/* An objective and a constraint of the user's own: the minimum is 0.5 at (1.5, 0.5). Some points fail. */
static SimStatus corner(void *context, const double *u, double *y) {
  (void)context;
  y[0] = (u[0] - 2) * (u[0] - 2) + (u[1] - 1) * (u[1] - 1);
  y[1] = u[0] + u[1];
  return u[0] < -0.7 ? SIM_NOT_CONVERGED : SIM_OK;
}

static void open_values(CtlProblem *problem) {
  CHECK(ctl_problem_init_values(problem, N, 2) == SIM_OK);
  CHECK(stiction_control_set_role(problem, 1, CTL_ROLE_AT_MOST, 2, 1e-6) == CTL_OK);
  problem->method = ctl_method_find("pds");
}

/* Runs a search on rank 0 alone, or on the pool. The pool's search is stopped after 5 simplexes, saved, loaded, and
 * continued. */
static void values_by(bool pooled, const CtlProblem *problem, const CtlEvaluator *evaluator, Course *course) {
  const CtlPoolOptions options = {.evaluates = true};
  const CtlListener listener = {.context = course, .simplex = follow};
  CtlTimes times;
  CtlSearch *search;
  CHECK(stiction_asktell_create(problem, &search) == CTL_OK);
  for (int turn = 0; turn < 1 + pooled; turn++) {
    const CtlJob job = {.search = search, .evaluator = evaluator, .listener = &listener};
    course->stop_at = pooled && !turn ? 5 : 0;
    int code = pooled ? drive(&job, &options, &times) : ctl_drive_serial(search, evaluator, &listener, &times);
    CHECK(code == (course->stop_at ? 42 : 0));
    course->stop_at = 0;
    if (code == 0) break;
    size_t size = stiction_asktell_saved_size(search);
    void *bytes = malloc(size);
    CHECK(bytes != NULL);
    stiction_asktell_save(search, bytes);
    stiction_asktell_destroy(search);
    CHECK(stiction_asktell_load(problem, bytes, size, NULL, &search) == CTL_OK);
    free(bytes);
  }
  CtlState last;
  stiction_asktell_state(search, &last);
  CHECK(last.reason == CTL_REASON_TOLERANCE && last.non_finite > 0 && fabs(last.J - 0.5) < 1e-5);
  stiction_asktell_destroy(search);
}

static void values_of_ones_own(void) {
  static Course alone, pooled;
  CtlFunction function = {.n = N, .m = 2, .values = corner};
  CtlEvaluator evaluator = ctl_function_evaluator(&function);
  CtlProblem problem;
  if (rank) {
    const CtlBuilder builder = ctl_builder_of(&evaluator);
    for (int turn = 0; turn < 2; turn++) CHECK(ctl_pool_serve(&builder, MPI_COMM_WORLD) == SIM_OK);
    return;
  }
  open_values(&problem);
  values_by(false, &problem, &evaluator, &alone);
  values_by(true, &problem, &evaluator, &pooled);
  CHECK(!memcmp(&pooled, &alone, sizeof alone));
  ctl_problem_clear(&problem);
}

/* A worker is refused before it evaluates if n, d or m of its evaluator differs from that of rank 0. */
static void workers_of_other_sizes_are_refused(void) {
  static Course course;
  CtlFunction function = {.n = N, .m = 2, .values = corner};
  CtlProblem problem;
  CtlSearch *search;
  for (int k = 0; k < 3; k++) {
    CtlEvaluator evaluator = ctl_function_evaluator(&function);
    int *const sizes[] = {&evaluator.n, &evaluator.d, &evaluator.m};
    if (rank == ranks - 1) *sizes[k] += k == 0 ? -1 : 1;
    if (rank) {
      CHECK(ctl_pool_run(MPI_COMM_WORLD, NULL, &evaluator, NULL, NULL) == 0);
      continue;
    }
    const CtlListener listener = {.context = &course, .simplex = follow};
    memset(&course, 0, sizeof course);
    open_values(&problem);
    CHECK(stiction_asktell_create(&problem, &search) == CTL_OK);
    CHECK(ctl_pool_run(MPI_COMM_WORLD, search, &evaluator, &listener, NULL) == CTL_POOL_REFUSED);
    stiction_asktell_destroy(search);
    ctl_problem_clear(&problem);
  }
}

/* A worker that still receives the last messages of one pool finds the first ones of the next pool behind them. It
 * leaves these to the next call. */
static void pools_follow_each_other(void) {
  enum { POOLS = 200 };
  CtlFunction function = {.n = N, .m = 2, .values = corner};
  CtlEvaluator evaluator = ctl_function_evaluator(&function);
  const CtlBuilder builder = ctl_builder_of(&evaluator);
  const CtlPoolOptions options = {.grace = 5};
  for (int k = 0; k < POOLS; k++) {
    CtlPool *pool;
    if (rank) {
      CHECK(ctl_pool_serve(&builder, MPI_COMM_WORLD) == SIM_OK);
      continue;
    }
    CHECK(ctl_pool_create(MPI_COMM_WORLD, &options, &pool) == SIM_OK);
    CHECK(ctl_pool_close(pool));
  }
}

/* If there are enough points for all ranks, rank 0 evaluates its share. */
static void the_coordinator_takes_part(void) {
  static Outcome outcome;
  memset(&outcome, 0, sizeof outcome);
  search(true, (CtlPoolOptions){.evaluates = true}, (Slow){.least = 1e-3, .most = 1e-3}, 6, 1, &outcome);
  if (rank == 0) CHECK(outcome.points > 0 && outcome.points < outcome.state.ivps);
}

static void a_listener_can_stop_the_pool(void) {
  static Outcome outcome;
  for (int evaluates = 0; evaluates <= 1; evaluates++) {
    memset(&outcome, 0, sizeof outcome);
    outcome.course.stop_at = 3;
    search(true, (CtlPoolOptions){.evaluates = evaluates}, (Slow){.most = 1e-4}, 12, 1, &outcome);
    if (rank == 0) CHECK(outcome.code == 42 && outcome.course.rounds == 3);
  }
}

/* A worker sleeps if rank 0 sends nothing for a second. Rank 0 sleeps if a worker takes long. */
static void idle_ranks_sleep(void) {
  static Outcome outcome;
  const double idle = 1, share = 0.05;
  memset(&outcome, 0, sizeof outcome);
  MPI_Barrier(MPI_COMM_WORLD);
  double start = wall_clock(), before = processor_time();
  if (rank == 0) rest(idle);
  search(true, (CtlPoolOptions){.batch = 64}, (Slow){.least = 0.3, .most = 0.3}, 2, 64, &outcome);
  double wall = wall_clock() - start, used = processor_time() - before;
  CHECK(wall >= idle);
  printf("rank %d: %.1f%% of a core while idle\n", rank, 100 * used / wall);
  CHECK(used < share * wall);
}

int main(int argc, char **argv) {
  start_ranks(&argc, &argv);
  course_is_the_same_for_any_evaluator();
  several_searches_at_once();
  a_job_waits_from_its_beginning();
  values_of_ones_own();
  workers_of_other_sizes_are_refused();
  pools_follow_each_other();
  the_coordinator_takes_part();
  a_listener_can_stop_the_pool();
  idle_ranks_sleep();
  MPI_Finalize();
  return 0;
}
