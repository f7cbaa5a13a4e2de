/* SPDX-License-Identifier: BSD-2-Clause */
#include "control/base/argument.h"
#include "control/base/clock.h"
#include "control/pool.h"
#include "control/worker/message.h"

#include <stdlib.h>

enum {
  DROPS = 4
}; /* number of dropped batches to remember, larger than the number of batches that a worker can hold
                     * at a time */
enum {
  ANSWERS = 2
}; /* number of reply buffers; one is filled while the other is in transit, since rank 0 may receive it late */

/* An evaluator built from a model that rank 0 has sent. */
typedef struct WorkerModel {
  int64_t number;
  bool built, cancelled;
  CtlEvaluator evaluator;
  struct WorkerModel *next;
} WorkerModel;

typedef struct WorkerState {
  const CtlBuilder *builder;
  MPI_Comm comm;
  bool stop_requested; /* whether STOP_REQUEST has been sent */
  WorkerModel *models;
  size_t room; /* capacity of each of the message buffers below, in bytes */
  MessageWork *work;
  MessageDone *done[ANSWERS];
  MPI_Request sent[ANSWERS];
  int turn;                   /* index of the buffer that is used now, 0 or 1 */
  SimFinal *final;            /* [MESSAGE_BATCH_MAX] final states */
  bool interrupted;           /* whether the current evaluation was cancelled */
  int64_t dropped[DROPS];     /* the last dropped batches: serial + 1 of each */
  int drops;                  /* number of batches dropped so far */
  const WorkerModel *working; /* model of the current evaluation; NULL if there is none */
  long questions;             /* number of calls of ctl_pool_interrupted in this evaluation */
  double asked;               /* time of the last check for messages, by ctl_seconds */
} WorkerState;

static _Thread_local WorkerState *serving; /* state of the worker if this thread is in ctl_pool_serve; otherwise NULL */

static void await_send(MPI_Request *sent) {
  MessageWait wait = {0};
  int arrived = 0;
  for (MPI_Test(sent, &arrived, MPI_STATUS_IGNORE); !arrived; MPI_Test(sent, &arrived, MPI_STATUS_IGNORE))
    message_wait(&wait);
}

/* Receives a message that has arrived, with known size and tag. */
static void take_message(const WorkerState *worker, void *message, size_t size, int tag) {
  MPI_Request received;
  message_receive(message, size, 0, tag, worker->comm, &received);
  MPI_Wait(&received, MPI_STATUS_IGNORE);
}

/* Allocates buffers of `room` bytes for the messages WORK and DONE. */
static SimStatus reserve_buffers(WorkerState *worker, size_t room) {
  if (room <= worker->room) return SIM_OK;
  for (int k = 0; k < ANSWERS; k++) {
    await_send(&worker->sent[k]);
    free(worker->done[k]);
    worker->done[k] = malloc(room);
  }
  free(worker->work);
  worker->work = malloc(room);
  worker->room = room;
  return worker->work && worker->done[0] && worker->done[1] ? SIM_OK : SIM_NO_MEMORY;
}

/* Returns the pointer in the list that refers to the model with this number, or the one at the end of the list. */
static WorkerModel **find_link(WorkerState *worker, int64_t number) {
  WorkerModel **at = &worker->models;
  while (*at && (*at)->number != number) at = &(*at)->next;
  return at;
}

/* Returns the model with this number; creates it if there is none. Returns NULL when out of memory. */
static WorkerModel *known_model(WorkerState *worker, int64_t number) {
  WorkerModel **at = find_link(worker, number);
  if (!*at && (*at = calloc(1, sizeof **at)) != NULL) (*at)->number = number;
  return *at;
}

static void release_model(WorkerState *worker, WorkerModel **at) {
  WorkerModel *model = *at;
  *at = model->next;
  if (model->built) worker->builder->release(worker->builder->context, &model->evaluator);
  free(model);
}

static void clear_worker(WorkerState *worker) {
  while (worker->models) release_model(worker, &worker->models);
  for (int k = 0; k < ANSWERS; k++) free(worker->done[k]);
  free(worker->work);
  free(worker->final);
}

/* Handles the message CANCEL. If it arrives during an evaluation, it may overtake the message with the model. */
static void handle_cancel(WorkerState *worker) {
  MessageForget message;
  take_message(worker, &message, sizeof message, MESSAGE_CANCEL);
  WorkerModel *model = known_model(worker, message.model);
  if (model) model->cancelled = true; /* this mark prevents an evaluation of the model, which is no longer needed */
}

/* Handles the message DROP. It may overtake the batch that it cancels, or the reply to this batch may already be in
 * transit. */
static void handle_drop(WorkerState *worker) {
  MessageDrop message;
  take_message(worker, &message, sizeof message, MESSAGE_DROP);
  worker->dropped[worker->drops++ % DROPS] = message.serial + 1;
}

/* Whether the current batch has been dropped. */
static bool is_dropped(const WorkerState *worker) {
  for (int k = 0; k < DROPS; k++)
    if (worker->dropped[k] == worker->work->serial + 1) return true;
  return false;
}

/* Whether rank 0 has cancelled the current evaluation. */
static bool look_for_end(WorkerState *worker) {
  int found = 0;
  for (MPI_Iprobe(0, MESSAGE_CANCEL, worker->comm, &found, MPI_STATUS_IGNORE); found;
       MPI_Iprobe(0, MESSAGE_CANCEL, worker->comm, &found, MPI_STATUS_IGNORE))
    handle_cancel(worker);
  for (MPI_Iprobe(0, MESSAGE_DROP, worker->comm, &found, MPI_STATUS_IGNORE); found;
       MPI_Iprobe(0, MESSAGE_DROP, worker->comm, &found, MPI_STATUS_IGNORE))
    handle_drop(worker);
  MPI_Iprobe(0, MESSAGE_STOP, worker->comm, &found, MPI_STATUS_IGNORE);
  return found || worker->working->cancelled || is_dropped(worker);
}

bool ctl_pool_serves(void) { return serving != NULL; }

bool ctl_pool_interrupted(void) {
  /* only each eighth call reads the clock, which takes as long as simulating half a segment of a small system */
  enum { QUESTIONS = 8 };
  static const double CHECK_SECONDS = 0.005; /* interval between two checks for messages, in s */
  WorkerState *worker = serving;
  if (!worker || !worker->working || worker->interrupted) return worker && worker->interrupted;
  if (++worker->questions % QUESTIONS) return false;
  double now = ctl_seconds();
  if (now - worker->asked < CHECK_SECONDS) return false;
  worker->asked = now;
  return worker->interrupted = look_for_end(worker);
}

/* Sends STOP_REQUEST to rank 0, only once, if this process has been asked to stop. */
static void pass_stop_request(WorkerState *worker) {
  bool (*stopped)(void) = worker->builder->stopped;
  if (worker->stop_requested || !stopped || !stopped()) return;
  message_signal(0, MESSAGE_STOP_REQUEST, worker->comm);
  worker->stop_requested = true;
}

/* Waits for the next message of rank 0, without receiving it. Returns its tag and sets *size. stop_first: whether STOP
 * comes before all messages that were sent earlier; otherwise messages come in the order in which they were sent. */
static int next_message(WorkerState *worker, bool stop_first, size_t *size) {
  MPI_Comm comm = worker->comm;
  MPI_Status status;
  MessageWait wait = {0};
  int found = 0;
  for (;;) {
    pass_stop_request(worker);
    if (stop_first) MPI_Iprobe(0, MESSAGE_STOP, comm, &found, &status);
    if (!found) MPI_Iprobe(0, MPI_ANY_TAG, comm, &found, &status);
    if (found) break;
    message_wait(&wait);
  }
  *size = message_size(&status);
  return status.MPI_TAG;
}

/* Handles the message MODEL. If the model cannot be built or if its sizes differ from those of rank 0, it is marked,
 * and WORK for it is refused. */
static SimStatus build_model(WorkerState *worker, size_t size) {
  const CtlBuilder *builder = worker->builder;
  MessageModel *message = malloc(size);
  if (!message) return SIM_NO_MEMORY;
  take_message(worker, message, size, MESSAGE_MODEL);
  WorkerModel *model = known_model(worker, message->model);
  if (!model || model->cancelled) {
    free(message);
    return model ? SIM_OK : SIM_NO_MEMORY;
  }
  CtlEvaluator *evaluator = &model->evaluator;
  model->built = builder->build(builder->context, message_bytes(message), message->size, evaluator) == SIM_OK;
  bool alike = evaluator->n == message->n && evaluator->d == message->d && evaluator->m == message->m &&
               evaluator->segments == message->segments;
  if (model->built && !alike) {
    builder->release(builder->context, evaluator);
    model->built = false;
  }
  free(message);
  if (!model->built) return SIM_OK;
  size_t room = 0;
  for (int k = 0; k < 2; k++) {
    size_t r = ctl_evaluator_rows(evaluator, (CtlWant){.derivatives = k > 0});
    int most = message_batch_most(evaluator->n, evaluator->d, r);
    size_t work = message_work_size(evaluator->n, most), done = message_done_size(evaluator->d, r, most);
    room = work > room ? work : room;
    room = done > room ? done : room;
  }
  return reserve_buffers(worker, room);
}

static void handle_forget(WorkerState *worker) {
  MessageForget message;
  take_message(worker, &message, sizeof message, MESSAGE_FORGET);
  release_model(worker, find_link(worker, message.model));
}

/* Evaluates the points of WORK, writes their outcomes to `done` and sets the number of outcomes. The evaluation ends
 * after a second, because other jobs may need the worker, and because rank 0 measures the time per point. */
static void evaluate_batch(WorkerState *worker, const WorkerModel *model, CtlWant want, MessageDone *done) {
  static const double ANSWER_SECONDS = 1; /* longest time before a reply, in s */
  const CtlEvaluator *evaluator = &model->evaluator;
  int d = evaluator->d, n = evaluator->n, block = want.derivatives ? 1 : evaluator->block, count = done->count;
  size_t r = ctl_evaluator_rows(evaluator, want);
  double before = ctl_seconds();
  for (int i = 0; i < count; i++) {
    worker->final[i].x = message_state(done, d, i);
    worker->final[i].v = worker->final[i].x + d;
  }
  worker->working = model;
  worker->asked = before;
  bool enough = false;
  for (int i = 0; i < count && !enough && !worker->interrupted;
       i += block) { /* points are evaluated block by block, so that a request to stop is noticed */
    int piece = count - i < block ? count - i : block;
    const double *controls = message_controls(worker->work) + (ptrdiff_t)i * n;
    double *rows = r ? message_rows(done, d, r, i) : NULL;
    evaluator->evaluate(evaluator->context, want, piece, controls, worker->final + i, rows);
    done->answered = i + piece;
    enough = ctl_seconds() - before > ANSWER_SECONDS;
    pass_stop_request(worker);
    ctl_pool_interrupted();
  }
  worker->working = NULL;
  for (int i = 0; i < done->answered && !worker->interrupted; i++)
    message_outcomes(done)[i] =
        (MessageOutcome){.iterations = worker->final[i].iterations, .status = worker->final[i].status};
  done->seconds = ctl_seconds() - before;
}

/* Handles the message WORK: evaluates its points and sends the outcomes. */
static SimStatus work_off(WorkerState *worker, size_t size) {
  /* the buffers are too small if the model could not be built, since build_model has not reserved them */
  if (reserve_buffers(worker, size) != SIM_OK) return SIM_NO_MEMORY;
  take_message(worker, worker->work, size, MESSAGE_WORK);
  const WorkerModel *model = *find_link(worker, worker->work->model);
  worker->turn = (worker->turn + 1) % ANSWERS;
  MessageDone *done = worker->done[worker->turn];
  await_send(&worker->sent[worker->turn]);
  bool unwanted = model->cancelled || is_dropped(worker), works = model->built && !unwanted;
  MessageRefusal why = unwanted ? MESSAGE_CANCELLED : model->built ? MESSAGE_ANSWERED : MESSAGE_UNBUILT;
  *done = (MessageDone){.refused = why, .count = works ? (int32_t)worker->work->count : 0};
  CtlWant want = {
      .motion = worker->work->motion, .derivatives = worker->work->derivatives, .segments = worker->work->segments};
  worker->interrupted = false;
  if (works) evaluate_batch(worker, model, want, done);
  if (worker->interrupted) *done = (MessageDone){.seconds = done->seconds, .refused = MESSAGE_CANCELLED};
  size_t r = ctl_evaluator_rows(&model->evaluator, want);
  message_send(done, message_done_size(model->evaluator.d, r, done->count), 0, MESSAGE_DONE, worker->comm,
               &worker->sent[worker->turn]);
  return SIM_OK;
}

/* Handles the message STOP. Earlier requests are not carried out, but their messages are received, so that none remain
 * in transit. They are received in order up to LEAVE, since messages of the next pool of rank 0, among them another
 * STOP, may have arrived after LEAVE. */
static SimStatus handle_stop(WorkerState *worker) {
  int tag;
  take_message(worker, NULL, 0, MESSAGE_STOP);
  for (int k = 0; k < ANSWERS; k++) await_send(&worker->sent[k]);
  worker->stop_requested = true; /* the request is too late and is not sent any more */
  message_signal(0, MESSAGE_STOPPED, worker->comm);
  do {
    size_t size;
    tag = next_message(worker, false, &size);
    if (reserve_buffers(worker, size) != SIM_OK) return SIM_NO_MEMORY;
    take_message(worker, worker->work, size, tag);
  } while (tag != MESSAGE_LEAVE);
  return SIM_OK;
}

static SimStatus take_evaluator(void *context, const void *bytes, size_t size, CtlEvaluator *evaluator) {
  (void)bytes;
  (void)size;
  ARGUMENT(argument_evaluates(context), "evaluator", argument_evaluates_not);
  *evaluator = *(const CtlEvaluator *)context;
  return SIM_OK;
}

static void leave_evaluator(void *context, CtlEvaluator *evaluator) {
  (void)context;
  (void)evaluator;
}

CtlBuilder ctl_builder_of(CtlEvaluator *evaluator) {
  return (CtlBuilder){.context = evaluator, .build = take_evaluator, .release = leave_evaluator};
}

SimStatus ctl_pool_serve(const CtlBuilder *builder, MPI_Comm comm) {
  ARGUMENT(builder && builder->build && builder->release, "builder", "is NULL, or lacks a function");
  ARGUMENT(message_comm_is(comm), "comm", "is no communicator, or MPI is not running");
  WorkerState worker = {.builder = builder, .comm = comm, .final = calloc(MESSAGE_BATCH_MAX, sizeof *worker.final)};
  for (int k = 0; k < ANSWERS; k++) worker.sent[k] = MPI_REQUEST_NULL;
  SimStatus status = worker.final ? SIM_OK : SIM_NO_MEMORY;
  serving = &worker;
  while (status == SIM_OK) {
    size_t size;
    int tag = next_message(&worker, true, &size);
    if (tag == MESSAGE_MODEL)
      status = build_model(&worker, size);
    else if (tag == MESSAGE_FORGET)
      handle_forget(&worker);
    else if (tag == MESSAGE_CANCEL)
      handle_cancel(&worker);
    else if (tag == MESSAGE_DROP)
      handle_drop(&worker);
    else if (tag == MESSAGE_WORK)
      status = work_off(&worker, size);
    else
      break;
  }
  serving = NULL;
  if (status == SIM_OK) status = handle_stop(&worker);
  if (status != SIM_OK)
    return status; /* messages may be in transit, so their buffers stay allocated; NOLINT(clang-analyzer-unix.Malloc) */
  clear_worker(&worker);
  return SIM_OK;
}
