/* SPDX-License-Identifier: BSD-2-Clause */
#include "control/worker/message.h"

#include "control/base/clock.h"

#include <sched.h>
#include <time.h>

_Static_assert(sizeof(double) == MESSAGE_WORD, "numbers are words");
_Static_assert(sizeof(MessageModel) == 32 && offsetof(MessageModel, n) == 16,
               "MODEL: number, size, sizes of the evaluator");
_Static_assert(sizeof(MessageForget) == 8, "FORGET: number");
_Static_assert(sizeof(MessageWork) == 32 && offsetof(MessageWork, count) == 16 &&
                   offsetof(MessageWork, derivatives) == 28,
               "WORK: numbers of the model and the batch, count, want");
_Static_assert(sizeof(MessageDrop) == 8, "DROP: number of the batch");
_Static_assert(sizeof(MessageDone) == 24 && offsetof(MessageDone, refused) == 8 && offsetof(MessageDone, count) == 12 &&
                   offsetof(MessageDone, answered) == 16,
               "DONE: seconds, refused, count, answered");
_Static_assert(sizeof(MessageOutcome) == 16 && offsetof(MessageOutcome, status) == 8, "DONE: iterations, status");
_Static_assert(sizeof(MessageHello) == 264 && offsetof(MessageHello, host) == 8, "HELLO: process, host");

bool message_comm_is(MPI_Comm comm) {
  int started = 0, ended = 0;
  MPI_Initialized(&started);
  MPI_Finalized(&ended);
  return started && !ended && comm != MPI_COMM_NULL;
}

size_t message_model_size(size_t model_size) {
  return sizeof(MessageModel) + (model_size + MESSAGE_WORD - 1) / MESSAGE_WORD * MESSAGE_WORD;
}

int message_batch_most(int n, int d, size_t r) {
  enum { BYTES_WANTED = 1 << 21 };
  size_t work = message_work_size(n, 1) - message_work_size(n, 0),
         done = message_done_size(d, r, 1) - message_done_size(d, r, 0),
         fit = BYTES_WANTED / (work > done ? work : done);
  return fit < 1 ? 1 : fit > MESSAGE_BATCH_MAX ? MESSAGE_BATCH_MAX : (int)fit;
}

static int whole_words(size_t size) { return (int)(size / MESSAGE_WORD); }

void message_send(const void *message, size_t size, int rank, int tag, MPI_Comm comm, MPI_Request *sent) {
  MPI_Isend(message, whole_words(size), MPI_UINT64_T, rank, tag, comm, sent);
}

void message_receive(void *message, size_t size, int rank, int tag, MPI_Comm comm, MPI_Request *received) {
  MPI_Irecv(message, whole_words(size), MPI_UINT64_T, rank, tag, comm, received);
}

size_t message_size(const MPI_Status *found) {
  int count;
  MPI_Get_count(found, MPI_UINT64_T, &count);
  return (size_t)count * MESSAGE_WORD;
}

void message_signal(int rank, int tag, MPI_Comm comm) {
  MPI_Request sent; /* the request need not be kept, since an empty message has no buffer */
  message_send(NULL, 0, rank, tag, comm, &sent);
  MPI_Request_free(&sent);
}

bool message_take_signal(int rank, int tag, MPI_Comm comm) {
  int found = 0;
  MPI_Iprobe(rank, tag, comm, &found, MPI_STATUS_IGNORE);
  if (found) MPI_Recv(NULL, 0, MPI_UINT64_T, rank, tag, comm, MPI_STATUS_IGNORE);
  return found;
}

/* A sleep lasts at most a sixteenth of the wait so far, which limits the added latency. Its maximum limits the latency
 * after a long wait; polling then uses at most 1 % of a core. */
static const double EAGER_SECONDS = 200e-6, SLEEP_SHARE = 1.0 / 16, SLEEP_MOST_SECONDS = 1e-3;

void message_wait(MessageWait *wait) {
  double now = ctl_seconds();
  if (!wait->waiting) *wait = (MessageWait){.waiting = true, .since = now};
  double waited = now - wait->since, sleep = SLEEP_SHARE * waited;
  if (waited < EAGER_SECONDS) {
    sched_yield(); /* gives up the core, which the awaited rank may need */
    return;
  }
  if (sleep > SLEEP_MOST_SECONDS) sleep = SLEEP_MOST_SECONDS;
  nanosleep(&(struct timespec){.tv_nsec = (long)(1e9 * sleep)}, NULL);
}
