/* What rank 0 of a pool and its workers say to each other. A message is one of the structs below, some with data behind it,
 * and a whole number of 64-bit words long: as such it is sent, in one MPI call, up to 16 GiB. All ranks are of one kind of
 * machine; only this file and message.c know how a message lies in memory.
 *
 *   MODEL         rank 0 -> worker  MessageModel: a model to build an evaluator of
 *   FORGET        rank 0 -> worker  MessageForget: it is not wanted any more
 *   CANCEL        rank 0 -> worker  MessageForget: nothing of this model is wanted any more; overtakes WORK, within an evaluation, too
 *   DROP          rank 0 -> worker  MessageDrop: nothing of this batch is wanted any more; overtakes WORK, within an evaluation, too
 *   WORK          rank 0 -> worker  MessageWork: points to evaluate
 *   DONE          worker -> rank 0  MessageDone: their outcomes
 *   STOP          rank 0 -> worker  empty; overtakes everything else
 *   STOPPED       worker -> rank 0  empty: will do nothing more but wait for
 *   LEAVE         rank 0 -> worker  empty: all have stopped
 *   STOP_REQUEST  worker -> rank 0  empty: the worker has been asked to stop
 *   HELLO         both ways         MessageHello: who a spawned worker is, and who rank 0 is */
#ifndef CONTROL_MESSAGE_H
#define CONTROL_MESSAGE_H

#include "sim/sim.h"

#include <mpi.h>
#include <stdint.h>

enum {
  MESSAGE_MODEL = 1,
  MESSAGE_FORGET,
  MESSAGE_WORK,
  MESSAGE_DONE,
  MESSAGE_STOP,
  MESSAGE_STOPPED,
  MESSAGE_LEAVE,
  MESSAGE_STOP_REQUEST,
  MESSAGE_HELLO,
  MESSAGE_CANCEL,
  MESSAGE_DROP,
  MESSAGE_BATCH_MAX = 1024 /* points */
};

/* Followed by the model's `size` bytes. */
typedef struct MessageModel {
  int64_t model; /* its number, by which other messages call it */
  uint64_t size;
  int32_t n, d, m, segments; /* of rank 0's evaluator: the other messages are laid out by them */
} MessageModel;

typedef struct MessageForget {
  int64_t model;
} MessageForget;

/* Followed by controls [count][n], N. */
typedef struct MessageWork {
  int64_t model, serial; /* of the batch: no two are alike */
  int32_t count;
  int32_t segments; /* as CtlWant, as the next two */
  int32_t motion, derivatives;
} MessageWork;

typedef struct MessageDrop {
  int64_t serial;
} MessageDrop;

/* Followed by outcomes [count], then states [count][2][d]: x(T), v(T); then derivatives [count][r], where they were wanted: see
 * CtlOutcome.rows. */
typedef struct MessageDone {
  double seconds;   /* of evaluation */
  int32_t refused;  /* MessageRefusal; but for MESSAGE_ANSWERED nothing follows */
  int32_t count;    /* as in WORK */
  int32_t answered; /* so many of these, the first ones, at least one; of the others nothing is said */
  int32_t unused;   /* whole words */
} MessageDone;

typedef enum MessageRefusal {
  MESSAGE_ANSWERED,
  MESSAGE_UNBUILT,  /* the worker could not build the model, or not of these sizes */
  MESSAGE_CANCELLED /* it was to stop, or the batch has been dropped */
} MessageRefusal;

typedef struct MessageOutcome {
  int64_t iterations; /* as SimFinal, as the next */
  int64_t status;
} MessageOutcome;

typedef struct MessageHello {
  int64_t process;
  char host[256];
} MessageHello;

enum { MESSAGE_WORD = 8 }; /* bytes */

/* The bytes of each, with what follows, rounded up to words. */
size_t message_model_size(size_t model_size);
static inline size_t message_work_size(int n, int count) {
  return sizeof(MessageWork) + (size_t)count * (size_t)n * sizeof(double);
}
static inline size_t message_done_size(int d, size_t r, int count) {
  return sizeof(MessageDone) + (size_t)count * (sizeof(MessageOutcome) + (2 * (size_t)d + r) * sizeof(double));
}

/* Where what follows begins: a model's bytes, controls, outcomes; the state of point i, x(T) [d], then v(T) [d]; its
 * derivatives [r]. */
static inline void *message_bytes(MessageModel *model) { return model + 1; }
static inline double *message_controls(MessageWork *work) { return (double *)(work + 1); }
static inline MessageOutcome *message_outcomes(MessageDone *done) { return (MessageOutcome *)(done + 1); }
static inline double *message_state(MessageDone *done, int d, int i) {
  return (double *)(message_outcomes(done) + done->count) + 2 * (ptrdiff_t)d * i;
}

static inline double *message_rows(MessageDone *done, int d, size_t r, int i) {
  return message_state(done, d, done->count) + (size_t)i * r;
}

/* The most points that WORK and DONE may hold. */
int message_batch_most(int n, int d, size_t r);

/* Whether messages can go by it: MPI runs, and it is a communicator. */
bool message_comm_is(MPI_Comm comm);

/* Begin to send or receive a message of so many bytes (NULL, 0: an empty one); the size of one that has been found. */
void message_send(const void *message, size_t size, int rank, int tag, MPI_Comm comm, MPI_Request *sent);
void message_receive(void *message, size_t size, int rank, int tag, MPI_Comm comm, MPI_Request *received);
size_t message_size(const MPI_Status *found);
/* Sends an empty message, and takes an empty one that has come, if there is one. Whether there was. */
void message_signal(int rank, int tag, MPI_Comm comm);
bool message_take_signal(int rank, int tag, MPI_Comm comm);

/* A wait that costs little processor time and little latency: keeps asking for a while, then sleeps between questions,
 * longer each time up to a limit. Zero-initialised; call message_wait for each question answered no, and start afresh
 * after a yes. */
typedef struct MessageWait {
  bool waiting;
  double since; /* s */
} MessageWait;

void message_wait(MessageWait *wait);

#endif
