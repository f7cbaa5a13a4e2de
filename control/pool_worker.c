#include "control/clock.h"
#include "control/evaluator.h"
#include "control/message.h"

#include <stdlib.h>

enum { ANSWERS = 2 }; /* one is filled while the other is on its way: rank 0 may be slow to take it */

typedef struct Seat {
  const CtlEvaluator *evaluator;
  MPI_Comm comm;
  bool (*stopped)(void); /* NULL: rank 0 has been told */
  double *controls;      /* [most][n] */
  double *done[ANSWERS]; /* message_done_size(d, most) */
  MPI_Request sent[ANSWERS];
  SimFinal *final; /* [most] */
} Seat;

static void seat_clear(Seat *seat) {
  for (int k = 0; k < ANSWERS; k++) free(seat->done[k]);
  free(seat->controls);
  free(seat->final);
}

static SimStatus seat_init(Seat *seat, const CtlEvaluator *evaluator, MPI_Comm comm) {
  int most = message_batch_most(evaluator->n, evaluator->d);
  *seat = (Seat){.evaluator = evaluator, .comm = comm};
  seat->controls = calloc((size_t)most * (size_t)evaluator->n + 1, sizeof(double));
  seat->final = calloc((size_t)most, sizeof *seat->final);
  bool good = seat->controls && seat->final;
  for (int k = 0; k < ANSWERS; k++) {
    seat->sent[k] = MPI_REQUEST_NULL;
    seat->done[k] = calloc((size_t)message_done_size(evaluator->d, most), sizeof(double));
    good = good && seat->done[k];
  }
  if (good) return SIM_OK;
  seat_clear(seat);
  return SIM_NO_MEMORY;
}

/* Passes a wish to stop on to rank 0, once. */
static void pass_on(Seat *seat) {
  if (!seat->stopped || !seat->stopped()) return;
  MPI_Request sent; /* an empty letter: nothing to keep until it has arrived */
  MPI_Isend(NULL, 0, MPI_DOUBLE, 0, MESSAGE_WISH, seat->comm, &sent);
  MPI_Request_free(&sent);
  seat->stopped = NULL;
}

/* Evaluates count points straight into a DONE message. */
static void work_off(Seat *seat, int count, double *done) {
  const CtlEvaluator *evaluator = seat->evaluator;
  int d = evaluator->d;
  double before = ctl_seconds();
  for (int i = 0; i < count; i++) {
    double *row = message_outcome(done, d, i);
    seat->final[i].x = row + 2;
    seat->final[i].v = row + 2 + d;
  }
  for (int i = 0; i < count; i += evaluator->block) { /* piece by piece, so that a wish is not kept waiting */
    int piece = count - i < evaluator->block ? count - i : evaluator->block;
    evaluator->evaluate(evaluator->context, piece, seat->controls + (long)i * evaluator->n, seat->final + i);
    pass_on(seat);
  }
  for (int i = 0; i < count; i++) {
    double *row = message_outcome(done, d, i);
    row[0] = (double)seat->final[i].status;
    row[1] = (double)seat->final[i].iterations;
  }
  done[0] = ctl_seconds() - before;
}

/* The next letter of rank 0: its tag, and how many doubles it has. */
static int next_letter(Seat *seat, int *size) {
  MPI_Status status;
  MessageWait wait = {0};
  int found = 0;
  for (;;) {
    pass_on(seat);
    MPI_Iprobe(0, MPI_ANY_TAG, seat->comm, &found, &status);
    if (found) break;
    message_rest(&wait);
  }
  MPI_Get_count(&status, MPI_DOUBLE, size);
  return status.MPI_TAG;
}

static void await(MPI_Request *sent) {
  MessageWait wait = {0};
  int gone = 0;
  for (;;) {
    MPI_Test(sent, &gone, MPI_STATUS_IGNORE);
    if (gone) return;
    message_rest(&wait);
  }
}

SimStatus ctl_pool_serve(const CtlEvaluator *evaluator, MPI_Comm comm, bool (*stopped)(void)) {
  Seat seat;
  if (seat_init(&seat, evaluator, comm) != SIM_OK) return SIM_NO_MEMORY;
  seat.stopped = stopped;
  for (int turn = 0;; turn = (turn + 1) % ANSWERS) {
    int size, tag = next_letter(&seat, &size);
    MPI_Recv(seat.controls, size, MPI_DOUBLE, 0, tag, comm, MPI_STATUS_IGNORE);
    if (tag == MESSAGE_STOP) break;
    int count = size / evaluator->n;
    await(&seat.sent[turn]);
    work_off(&seat, count, seat.done[turn]);
    MPI_Isend(seat.done[turn], message_done_size(evaluator->d, count), MPI_DOUBLE, 0, MESSAGE_DONE, comm,
              &seat.sent[turn]);
  }
  for (int k = 0; k < ANSWERS; k++) await(&seat.sent[k]);
  seat_clear(&seat);
  return SIM_OK;
}
