/* The pool of ranks with an evaluator of the test's own. Run by mpirun on two ranks or more; a check that fails ends
 * them all. */
#define _DEFAULT_SOURCE /* getrusage */
#include "control/pool.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
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

static double wall_clock(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Processor time of this rank so far, s. */
static double processor_time(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

/* x = A (u - c), v = 0, some time later. */
typedef struct Slow {
  double least, most; /* s a batch */
  unsigned seed;
  double nap;  /* s, which rank 1 takes once */
  double hole; /* s, which every rank takes for the points with |u_0 - 3| < 0.2 */
  long points; /* evaluated by this rank */
} Slow;

static void evaluate(void *context, int count, const double *controls, SimFinal *final) {
  Slow *slow = context;
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

/* What a search went through: the numbers of each simplex, byte for byte. */
typedef struct Course {
  int rounds, stop_at; /* stop_at: the simplex at which the listener wants to stop, 0 never */
  double numbers[ROUNDS][5];
  long counts[ROUNDS][2];
} Course;

static int follow(void *context, const CtlState *state, double seconds) {
  Course *course = context;
  (void)seconds;
  CHECK(course->rounds < ROUNDS);
  const double numbers[5] = {state->best, state->E1, state->edge, state->u[0], state->u[1]};
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
  long points; /* evaluated by this rank */
} Outcome;

static int drive(const CtlJob *job, const CtlPoolOptions *options, CtlTimes *times) {
  CtlPool *pool;
  CHECK(ctl_pool_create(MPI_COMM_WORLD, options, &pool) == SIM_OK);
  int code = ctl_pool_drive(pool, job, times);
  CHECK(ctl_pool_close(pool));
  return code;
}

/* One search by all ranks, or, with pooled false, by rank 0 alone. The result is rank 0's, but for points. */
static double timeout; /* s, of the searches */

static void search(bool pooled, CtlPoolOptions options, Slow slow, long simplexes, int block, Outcome *outcome) {
  CtlEvaluator evaluator = {.n = N, .d = N, .block = block, .context = &slow, .evaluate = evaluate};
  slow.seed = 17U * (unsigned)rank + 1;
  if (rank > 0) {
    const CtlBuilder builder = ctl_builder_of(&evaluator);
    if (pooled) CHECK(ctl_pool_serve(&builder, MPI_COMM_WORLD) == SIM_OK);
  } else {
    CtlProblem problem;
    CtlSearch *s;
    const CtlListener listener = {&outcome->course, follow, NULL};
    CHECK(ctl_problem_init(&problem, N, N) == SIM_OK);
    problem.end = 1;
    problem.position[0] = problem.position[1] = 0;
    problem.max_simplexes = simplexes;
    problem.scheme_size = 64;
    CHECK(ctl_search_create(&problem, &s) == SIM_OK);
    const CtlJob job = {.search = s, .evaluator = &evaluator, .listener = &listener, .timeout = timeout};
    outcome->code =
        pooled ? drive(&job, &options, &outcome->times) : ctl_drive_serial(s, &evaluator, &listener, &outcome->times);
    ctl_search_state(s, &outcome->state);
    ctl_search_destroy(s);
    ctl_problem_clear(&problem);
  }
  outcome->points = slow.points;
}

/* Whoever evaluates, in whatever batches and however long they take. */
static void the_course_does_not_depend_on_who_evaluates(void) {
  static Outcome alone, pooled;
  static const CtlPoolOptions options[] = {
      {.evaluates = false}, {.evaluates = true}, {1, true, 0}, {7, false, 0}, {1000, true, 0}};
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

/* Three searches at once, with other starts, penalties and schemes, over 1 to all workers: one is added while the others
 * run. */
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
    problem->end = 1;
    problem->position[0] = problem->position[1] = j;
    problem->start[0] = j;
    problem->penalty = j == 1 ? CTL_PENALTY_PI : CTL_PENALTY_P;
    problem->max_simplexes = 15;
    problem->scheme_size = sizes[j];
    CHECK(ctl_search_create(problem, &several->search[j]) == SIM_OK);
    several->listener[j] = (CtlListener){&several->course[j], follow, NULL};
  }
}

static void several_close(Several *several) {
  for (int j = 0; j < JOBS; j++) {
    ctl_search_destroy(several->search[j]);
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
  evaluator->context = malloc(sizeof(Slow)); /* each model its own */
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
        const CtlBuilder builder = {&evaluator, build, release};
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

/* With points enough for everyone, rank 0 takes its share. */
static void the_coordinator_takes_part(void) {
  static Outcome outcome;
  memset(&outcome, 0, sizeof outcome);
  search(true, (CtlPoolOptions){.evaluates = true}, (Slow){.least = 1e-3, .most = 1e-3}, 6, 1, &outcome);
  if (rank == 0) CHECK(outcome.points > 0 && outcome.points < outcome.state.ivps);
}

/* Rank 1 falls asleep for longer than the timeout: its points go to others, and the course is the same. */
static void a_late_worker_changes_nothing(void) {
  static Outcome alone, pooled;
  memset(&alone, 0, sizeof alone);
  search(false, (CtlPoolOptions){0}, (Slow){0}, 12, 1, &alone);
  timeout = 0.2;
  for (int evaluates = 0; evaluates < 2; evaluates++) {
    memset(&pooled, 0, sizeof pooled);
    search(true, (CtlPoolOptions){.evaluates = evaluates}, (Slow){.least = 1e-3, .most = 1e-3, .nap = 1}, 12, 1,
           &pooled);
    if (rank) continue;
    CHECK(pooled.code == 0 && !memcmp(&pooled.course, &alone.course, sizeof alone.course));
    CHECK(pooled.times.overdue > 0 && pooled.times.timed_out == 0 && pooled.state.non_finite == 0);
  }
  timeout = 0;
}

/* Points that nobody finishes in time count as +inf, and no others do. */
static void a_point_late_twice_counts_as_infinite(void) {
  static Outcome outcome;
  timeout = 0.1;
  memset(&outcome, 0, sizeof outcome);
  search(true, (CtlPoolOptions){0}, (Slow){.hole = 0.4}, 3, 1, &outcome);
  timeout = 0;
  if (rank) return;
  CHECK(outcome.code == 0 && outcome.course.rounds == 3);
  printf("%ld overdue, %ld timed out\n", outcome.times.overdue, outcome.times.timed_out);
  CHECK(outcome.state.non_finite == outcome.times.timed_out);
  CHECK(outcome.times.overdue >= outcome.times.timed_out);
  CHECK(ranks == 2 || outcome.times.timed_out > 0);
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

/* While rank 0 sends nothing for a second a worker sleeps; while a worker takes its time rank 0 does. */
static void idle_ranks_sleep(void) {
  static Outcome outcome;
  const double idle = 1, share = 0.05;
  memset(&outcome, 0, sizeof outcome);
  MPI_Barrier(MPI_COMM_WORLD);
  double start = wall_clock(), before = processor_time();
  if (rank == 0) rest(idle);
  search(true, (CtlPoolOptions){.batch = 64}, (Slow){.least = 0.3, .most = 0.3}, 2, 1, &outcome);
  double wall = wall_clock() - start, used = processor_time() - before;
  CHECK(wall >= idle);
  printf("rank %d: %.1f%% of a core while idle\n", rank, 100 * used / wall);
  CHECK(used < share * wall);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  CHECK(ranks > 1);
  the_course_does_not_depend_on_who_evaluates();
  several_searches_at_once();
  the_coordinator_takes_part();
  a_late_worker_changes_nothing();
  a_point_late_twice_counts_as_infinite();
  a_listener_can_stop_the_pool();
  idle_ranks_sleep();
  MPI_Finalize();
  return 0;
}
