/* SPDX-License-Identifier: BSD-2-Clause */
#include "control/drive/driver.h"
#include "control/base/argument.h"

#include "control/base/clock.h"
#include "control/drive/local_batch.h"
#include "control/outcome/penalty.h"

const CtlListener driver_unheard = {0};

SimStatus driver_check(const Drive *drive, const char *function) {
  const CtlTasks *tasks = drive->tasks;
  const CtlEvaluator *evaluator = drive->evaluator;
  const CtlProblem *problem = ctl_search_problem(drive->search);
  if (!problem == !tasks)
    return argument_refuse(function, problem ? "search, tasks" : "search", problem ? "are both given" : "is NULL");
  if (tasks && (tasks->count < 0 || !tasks->done || !tasks->tell))
    return argument_refuse(function, "tasks", "have a negative count, no array `done`, or no function");
  if (!argument_evaluates(evaluator)) return argument_refuse(function, "evaluator", argument_evaluates_not);
  if (problem && (evaluator->n != problem->n || evaluator->d != problem->d))
    return argument_refuse(function, "evaluator", "does not have the n and d of the search's problem");
  if (problem && ctl_problem_wants_derivatives(problem) && evaluator->m != ctl_row_count(problem))
    return argument_refuse(function, "evaluator",
                           "has another number of rows of derivatives than the problem has targets");
  bool levels = problem && problem->levels && ctl_problem_wants_derivatives(problem);
  if (levels && evaluator->segments != problem->segments)
    return argument_refuse(function, "evaluator",
                           "does not accept points of fewer segments, which the problem asks for");
  return SIM_OK;
}

static int notify_listener(CtlSearch *search, bool ended, const CtlListener *listener, double seconds) {
  for (; ended; ended = stiction_asktell_advance(search)) {
    CtlState state;
    stiction_asktell_state(search, &state);
    int stop = !listener->simplex ? 0 : listener->simplex(listener->context, &state, seconds);
    if (stop) return stop;
  }
  return 0;
}

void ctl_tasks_init(CtlTasks *tasks) {
  if (!tasks || !tasks->done) return;
  tasks->next = tasks->left = 0;
  for (long i = 0; i < tasks->count; i++) tasks->left += !tasks->done[i];
  tasks->undone = tasks->left;
}

static int ask_tasks(CtlTasks *tasks, int size, int most, long *tickets, double *controls) {
  int n = 0;
  for (; n < most && tasks->left; tasks->next++) {
    if (tasks->done[tasks->next]) continue;
    if (tasks->ask)
      tasks->ask(tasks->context, tasks->next, controls + (ptrdiff_t)n * size);
    else
      controls[n] = (double)tasks->next;
    tickets[n++] = tasks->first + tasks->next;
    tasks->left--;
  }
  return n;
}

static bool is_wanted(const CtlTasks *tasks, long ticket) {
  long task = ticket - tasks->first;
  return task >= 0 && task < tasks->count && !tasks->done[task];
}

long driver_unasked(const Drive *drive, CtlWant *want) {
  if (drive->search) return ctl_search_unasked(drive->search, want);
  if (want) *want = (CtlWant){0};
  return drive->tasks->left;
}

int driver_ask(Drive *drive, int most, long *tickets, double *controls, CtlWant *want) {
  if (drive->search) return stiction_asktell_ask(drive->search, most, tickets, controls, want);
  *want = (CtlWant){0};
  return ask_tasks(drive->tasks, drive->evaluator->n, most, tickets, controls);
}

bool driver_wants(const Drive *drive, long ticket) {
  return drive->search ? stiction_asktell_wants(drive->search, ticket) : is_wanted(drive->tasks, ticket);
}

bool driver_ended(const Drive *drive) {
  CtlState state;
  if (!drive->search) return drive->tasks->undone == 0;
  stiction_asktell_state(drive->search, &state);
  return state.reason != CTL_RUNNING;
}

long driver_round(const Drive *drive) {
  CtlState state;
  if (!drive->search) return 1;
  stiction_asktell_state(drive->search, &state);
  return state.scheme_size;
}

/* Passes the result of a task to its list of tasks. Returns 0 if the drive continues, otherwise the result with which
 * the tasks end it. */
static int tell_task(Drive *drive, long ticket, const CtlOutcome *outcome, double seconds) {
  CtlTasks *tasks = drive->tasks;
  const CtlListener *listener = drive->listener;
  if (!is_wanted(tasks, ticket)) return 0;
  int answer = tasks->tell(tasks->context, ticket - tasks->first, outcome);
  /* a task that stays undone, as a run that a signal has stopped: the drive must not end as if it were complete */
  if (answer == 0) drive->cancelled = true;
  if (answer <= 0) return -answer;
  tasks->done[ticket - tasks->first] = true;
  if (--tasks->undone > 0 || !tasks->ended) return 0;
  tasks->ended(tasks->context);
  return listener->simplex ? listener->simplex(listener->context, NULL, seconds) : 0;
}

void driver_tell(Drive *drive, long ticket, const CtlOutcome *outcome) {
  double seconds = ctl_seconds() - drive->start;
  if (drive->stop) return;
  if (outcome->status == SIM_CANCELLED) {
    drive->cancelled = true;
    return;
  }
  if (!drive->search) {
    drive->stop = tell_task(drive, ticket, outcome, seconds);
    return;
  }
  bool ended = stiction_asktell_tell(drive->search, ticket, outcome, seconds);
  drive->stop = notify_listener(drive->search, ended, drive->listener, seconds);
}

bool driver_works(const Drive *drive) { return !drive->stop && drive->search && ctl_search_works(drive->search); }

void driver_work(Drive *drive) {
  double seconds = ctl_seconds() - drive->start;
  bool ended = ctl_search_work(drive->search, seconds);
  drive->stop = notify_listener(drive->search, ended, drive->listener, seconds);
}

int ctl_drive_resume(CtlSearch *search, const CtlListener *listener) {
  return notify_listener(search, stiction_asktell_advance(search), listener ? listener : &driver_unheard, 0);
}

/* maximum number of points that are evaluated in one batch */
enum { BATCH = 64 };
/* duration of a batch, in s; longer batches are halved, so that a request to stop is soon noticed */
static const double TURN_SECONDS = 0.05;

static bool is_to_stop(const CtlListener *listener) {
  return listener->stopped && listener->stopped(listener->context);
}

static void call_tick(const Drive *drive, double seconds) {
  const CtlListener *listener = drive->listener;
  if (listener->tick) listener->tick(listener->context, drive->search, seconds, 1);
}

/* Evaluates all points in this process until the drive ends. function: name of the calling function, for error
 * messages. */
static int drive_here(Drive *drive, CtlTimes *times, const char *function) {
  const CtlListener *listener = drive->listener ? drive->listener : &driver_unheard;
  CtlTimes unread;
  if (!times) times = &unread;
  if (driver_check(drive, function) != SIM_OK) return CTL_DRIVE_BAD_ARGUMENT;
  drive->listener = listener;
  LocalBatch local;
  int batch = 1;
  drive->start = ctl_seconds();
  drive->times.evaluators = 1;
  *times = drive->times;
  if (local_batch_init(&local, drive->evaluator, BATCH) != SIM_OK) return CTL_DRIVE_NO_MEMORY;
  for (double before = drive->start, after; !drive->stop; before = after) {
    bool works = driver_works(drive);
    if (drive->cancelled || (is_to_stop(listener) && (works || driver_unasked(drive, NULL)))) {
      drive->stop = CTL_DRIVE_STOPPED;
      break;
    }
    if (works) {
      driver_work(drive);
      after = ctl_seconds();
      call_tick(drive, after - drive->start);
      continue;
    }
    if (!local_batch_turn(&local, drive, batch)) break;
    after = ctl_seconds();
    call_tick(drive, after - drive->start);
    if (after - before > TURN_SECONDS && batch > 1) batch /= 2;
    if (after - before < TURN_SECONDS / 4 && batch < BATCH) batch *= 2;
  }
  local_batch_clear(&local);
  *times = drive->times;
  times->wall = ctl_seconds() - drive->start;
  times->coordinating = times->wall - times->evaluating;
  return drive->stop;
}

int ctl_drive_serial(CtlSearch *search, const CtlEvaluator *evaluator, const CtlListener *listener, CtlTimes *times) {
  Drive drive = {.search = search, .evaluator = evaluator, .listener = listener};
  return drive_here(&drive, times, __func__);
}

int ctl_drive_tasks(CtlTasks *tasks, const CtlEvaluator *evaluator, const CtlListener *listener, CtlTimes *times) {
  Drive drive = {.tasks = tasks, .evaluator = evaluator, .listener = listener};
  return drive_here(&drive, times, __func__);
}
