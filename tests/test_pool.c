/* The pool of ranks with an evaluator of the test's own. Run by mpirun on two ranks or more; a check that fails ends
 * them all. */
#define _DEFAULT_SOURCE /* getrusage */
#include "control/evaluator.h"

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
  long points; /* evaluated by this rank */
} Slow;

static void evaluate(void *context, int count, const double *controls, SimFinal *final) {
  Slow *slow = context;
  slow->seed = slow->seed * 1664525U + 1013904223U;
  rest(slow->least + (slow->most - slow->least) * (slow->seed >> 8) / (double)(1U << 24));
  for (int k = 0; k < count; k++) {
    const double *u = controls + k * N;
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

/* One search by all ranks, or, with pooled false, by rank 0 alone. The result is rank 0's, but for points. */
static void search(bool pooled, CtlPoolOptions options, Slow slow, long simplexes, int block, Outcome *outcome) {
  CtlEvaluator evaluator = {.n = N, .d = N, .block = block, .context = &slow, .evaluate = evaluate};
  slow.seed = 17U * (unsigned)rank + 1;
  if (rank > 0) {
    if (pooled) CHECK(ctl_pool_serve(&evaluator, MPI_COMM_WORLD, NULL) == SIM_OK);
  } else {
    CtlProblem problem;
    CtlSearch *s;
    const CtlListener listener = {.context = &outcome->course, .simplex = follow};
    CHECK(ctl_problem_init(&problem, N, N) == SIM_OK);
    problem.end = 1;
    problem.position[0] = problem.position[1] = 0;
    problem.max_simplexes = simplexes;
    problem.scheme_size = 64;
    CHECK(ctl_search_create(&problem, &s) == SIM_OK);
    outcome->code = pooled ? ctl_drive_pool(s, &evaluator, &options, MPI_COMM_WORLD, &listener, &outcome->times)
                           : ctl_drive_serial(s, &evaluator, &listener, &outcome->times);
    ctl_search_state(s, &outcome->state);
    ctl_search_destroy(s);
    ctl_problem_clear(&problem);
  }
  outcome->points = slow.points;
}

/* Whoever evaluates, in whatever batches and however long they take. */
static void the_course_does_not_depend_on_who_evaluates(void) {
  static Outcome alone, pooled;
  static const CtlPoolOptions options[] = {{0, false}, {0, true}, {1, true}, {7, false}, {1000, true}};
  const Slow slow = {0, 4e-4, 0, 0};
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

/* With points enough for everyone, rank 0 takes its share. */
static void the_coordinator_takes_part(void) {
  static Outcome outcome;
  memset(&outcome, 0, sizeof outcome);
  search(true, (CtlPoolOptions){.evaluates = true}, (Slow){1e-3, 1e-3, 0, 0}, 6, 1, &outcome);
  if (rank == 0) CHECK(outcome.points > 0 && outcome.points < outcome.state.ivps);
}

static void a_listener_can_stop_the_pool(void) {
  static Outcome outcome;
  for (int evaluates = 0; evaluates <= 1; evaluates++) {
    memset(&outcome, 0, sizeof outcome);
    outcome.course.stop_at = 3;
    search(true, (CtlPoolOptions){.evaluates = evaluates}, (Slow){0, 1e-4, 0, 0}, 12, 1, &outcome);
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
  search(true, (CtlPoolOptions){.batch = 64}, (Slow){0.3, 0.3, 0, 0}, 2, 1, &outcome);
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
  the_coordinator_takes_part();
  a_listener_can_stop_the_pool();
  idle_ranks_sleep();
  MPI_Finalize();
  return 0;
}
