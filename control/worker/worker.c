#include "control/base/clock.h"
#include "control/pool.h"
#include "control/worker/message.h"

#include <stdlib.h>

enum { ANSWERS = 2 }; /* one is filled while the other is on its way: rank 0 may be slow to take it */

/* An evaluator made of a model that rank 0 has sent. */
typedef struct Model {
  double number;
  bool built;
  CtlEvaluator evaluator;
  struct Model *next;
} Model;

typedef struct Seat {
  const CtlBuilder *builder;
  MPI_Comm comm;
  bool wished; /* rank 0 has been told that this worker is to stop */
  Model *models;
  size_t room;           /* doubles in each of the next */
  double *work;          /* a letter of rank 0 */
  double *done[ANSWERS]; /* letters to it */
  MPI_Request sent[ANSWERS];
  int turn;        /* of the two */
  SimFinal *final; /* [MESSAGE_BATCH_MAX] */
} Seat;

static void await(MPI_Request *sent) {
  MessageWait wait = {0};
  int gone = 0;
  for (;;) {
    MPI_Test(sent, &gone, MPI_STATUS_IGNORE);
    if (gone) return;
    message_rest(&wait);
  }
}

/* Room for so many doubles in every letter. */
static SimStatus seat_widen(Seat *seat, size_t room) {
  if (room <= seat->room) return SIM_OK;
  for (int k = 0; k < ANSWERS; k++) {
    await(&seat->sent[k]);
    free(seat->done[k]);
    seat->done[k] = malloc(room * sizeof(double));
  }
  free(seat->work);
  seat->work = malloc(room * sizeof(double));
  seat->room = room;
  return seat->work && seat->done[0] && seat->done[1] ? SIM_OK : SIM_NO_MEMORY;
}

static void seat_clear(Seat *seat) {
  while (seat->models) {
    Model *model = seat->models;
    seat->models = model->next;
    if (model->built) seat->builder->release(seat->builder->context, &model->evaluator);
    free(model);
  }
  for (int k = 0; k < ANSWERS; k++) free(seat->done[k]);
  free(seat->work);
  free(seat->final);
}

/* Where the model of a number hangs; where the next may, if there is none. */
static Model **find(Seat *seat, double number) {
  Model **at = &seat->models;
  while (*at && (*at)->number != number) at = &(*at)->next;
  return at;
}

/* Passes a wish to stop on to rank 0, once. */
static void pass_on(Seat *seat) {
  bool (*stopped)(void) = seat->builder->stopped;
  if (seat->wished || !stopped || !stopped()) return;
  MPI_Request sent; /* an empty letter: nothing to keep until it has arrived */
  MPI_Isend(NULL, 0, MPI_DOUBLE, 0, MESSAGE_WISH, seat->comm, &sent);
  MPI_Request_free(&sent);
  seat->wished = true;
}

/* The next letter of rank 0: its tag, and how many doubles it has. STOP comes first. */
static int next_letter(Seat *seat, int *size) {
  MPI_Comm comm = seat->comm;
  MPI_Status status;
  MessageWait wait = {0};
  int found = 0;
  for (;;) {
    pass_on(seat);
    MPI_Iprobe(0, MESSAGE_STOP, comm, &found, &status);
    if (!found) MPI_Iprobe(0, MPI_ANY_TAG, comm, &found, &status);
    if (found) break;
    message_rest(&wait);
  }
  MPI_Get_count(&status, MPI_DOUBLE, size);
  return status.MPI_TAG;
}

/* A model that cannot be built is remembered as such, for the work that comes with it. */
static SimStatus learn(Seat *seat, int size) {
  double *letter = malloc((size_t)size * sizeof *letter);
  Model *model = calloc(1, sizeof *model);
  if (!letter || !model) {
    free(letter);
    free(model);
    return SIM_NO_MEMORY;
  }
  MPI_Recv(letter, size, MPI_DOUBLE, 0, MESSAGE_MODEL, seat->comm, MPI_STATUS_IGNORE);
  CtlEvaluator *evaluator = &model->evaluator;
  model->number = letter[0];
  model->built = seat->builder->build(seat->builder->context, letter + 2, (size_t)letter[1], evaluator) == SIM_OK;
  free(letter);
  *find(seat, model->number) = model;
  if (!model->built) return SIM_OK;
  int most = message_batch_most(evaluator->n, evaluator->d);
  int work = message_work_size(evaluator->n, most), done = message_done_size(evaluator->d, most);
  return seat_widen(seat, (size_t)(work > done ? work : done));
}

static void forget(Seat *seat) {
  double number;
  MPI_Recv(&number, 1, MPI_DOUBLE, 0, MESSAGE_FORGET, seat->comm, MPI_STATUS_IGNORE);
  Model **at = find(seat, number), *model = *at;
  *at = model->next;
  if (model->built) seat->builder->release(seat->builder->context, &model->evaluator);
  free(model);
}

/* Evaluates count points straight into a DONE message. */
static void evaluate(Seat *seat, const CtlEvaluator *evaluator, int count, double *done) {
  int d = evaluator->d, n = evaluator->n, block = evaluator->block;
  double before = ctl_seconds();
  for (int i = 0; i < count; i++) {
    double *row = message_outcome(done, d, i);
    seat->final[i].x = row + 2;
    seat->final[i].v = row + 2 + d;
  }
  for (int i = 0; i < count; i += block) { /* piece by piece, so that a wish is not kept waiting */
    int piece = count - i < block ? count - i : block;
    evaluator->evaluate(evaluator->context, piece, seat->work + 1 + (long)i * n, seat->final + i);
    pass_on(seat);
  }
  for (int i = 0; i < count; i++) {
    double *row = message_outcome(done, d, i);
    row[0] = (double)seat->final[i].status;
    row[1] = (double)seat->final[i].iterations;
  }
  done[0] = ctl_seconds() - before;
}

static SimStatus work_off(Seat *seat, int size) {
  if (seat_widen(seat, (size_t)size) != SIM_OK) return SIM_NO_MEMORY; /* for a model that could not be built */
  MPI_Recv(seat->work, size, MPI_DOUBLE, 0, MESSAGE_WORK, seat->comm, MPI_STATUS_IGNORE);
  const Model *model = *find(seat, seat->work[0]);
  const CtlEvaluator *evaluator = &model->evaluator;
  seat->turn = (seat->turn + 1) % ANSWERS;
  double *done = seat->done[seat->turn];
  int count = model->built ? (size - 1) / evaluator->n : 0;
  await(&seat->sent[seat->turn]);
  if (model->built)
    evaluate(seat, evaluator, count, done);
  else
    done[0] = -1;
  MPI_Isend(done, message_done_size(evaluator->d, count), MPI_DOUBLE, 0, MESSAGE_DONE, seat->comm,
            &seat->sent[seat->turn]);
  return SIM_OK;
}

/* What has been asked for before is not done any more, but its letters are taken: a pool leaves none behind. */
static void stop(Seat *seat) {
  int size, tag;
  MPI_Recv(NULL, 0, MPI_DOUBLE, 0, MESSAGE_STOP, seat->comm, MPI_STATUS_IGNORE);
  for (int k = 0; k < ANSWERS; k++) await(&seat->sent[k]);
  seat->wished = true; /* too late */
  MPI_Send(NULL, 0, MPI_DOUBLE, 0, MESSAGE_STOPPED, seat->comm);
  do {
    tag = next_letter(seat, &size);
    double *letter = malloc((size_t)size * sizeof *letter + 1);
    if (!letter) return;
    MPI_Recv(letter, size, MPI_DOUBLE, 0, tag, seat->comm, MPI_STATUS_IGNORE);
    free(letter);
  } while (tag != MESSAGE_LEAVE);
}

static SimStatus take_evaluator(void *context, const void *bytes, size_t size, CtlEvaluator *evaluator) {
  (void)bytes;
  (void)size;
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
  Seat seat = {.builder = builder, .comm = comm, .final = calloc(MESSAGE_BATCH_MAX, sizeof *seat.final)};
  for (int k = 0; k < ANSWERS; k++) seat.sent[k] = MPI_REQUEST_NULL;
  SimStatus status = seat.final ? SIM_OK : SIM_NO_MEMORY;
  while (status == SIM_OK) {
    int size, tag = next_letter(&seat, &size);
    if (tag == MESSAGE_MODEL)
      status = learn(&seat, size);
    else if (tag == MESSAGE_FORGET)
      forget(&seat);
    else if (tag == MESSAGE_WORK)
      status = work_off(&seat, size);
    else
      break;
  }
  if (status == SIM_OK) stop(&seat);
  if (status == SIM_OK) seat_clear(&seat); /* else letters may be on their way */
  return status;
}
