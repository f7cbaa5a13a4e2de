/* SPDX-License-Identifier: BSD-2-Clause */
/* Messages between rank 0 of a pool and its workers. A message is one of the structs below, possibly followed by data.
 * Its length is a whole number of 64-bit words. It is sent in one MPI call, up to 16 GiB. All ranks run on machines of
 * one kind. The layout in memory is known to this file and message.c only. In the list below, "overtakes" means that
 * the worker receives the message before earlier ones of the other kind.
 *
 *   MODEL         rank 0 -> worker  MessageModel: a model to build an evaluator from
 *   FORGET        rank 0 -> worker  MessageForget: the model is no longer needed
 *   CANCEL        rank 0 -> worker  MessageForget: cancels all work of a model; overtakes WORK, also in an evaluation
 *   DROP          rank 0 -> worker  MessageDrop: cancels a batch; overtakes WORK, also in an evaluation
 *   WORK          rank 0 -> worker  MessageWork: points to evaluate
 *   DONE          worker -> rank 0  MessageDone: their outcomes
 *   STOP          rank 0 -> worker  empty; overtakes all other messages
 *   STOPPED       worker -> rank 0  empty: from now on the worker only waits for LEAVE
 *   LEAVE         rank 0 -> worker  empty: all workers have stopped
 *   STOP_REQUEST  worker -> rank 0  empty: the worker has been asked to stop
 *   HELLO         both ways         MessageHello: identities of a spawned worker and of rank 0 */
#ifndef CONTROL_MESSAGE_H
#define CONTROL_MESSAGE_H

#include "sim/internal.h"

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
  MESSAGE_BATCH_MAX = 1024 /* maximum number of points in a message */
};

/* MODEL. The model's `size` bytes follow. */
typedef struct MessageModel {
  int64_t model; /* identifier of the model, by which other messages refer to it */
  uint64_t size;
  int32_t n, d, m, segments; /* sizes of rank 0's evaluator, which determine the layout of other messages */
} MessageModel;

typedef struct MessageForget {
  int64_t model;
} MessageForget;

/* WORK. The controls [count][n], in N, follow. */
typedef struct MessageWork {
  int64_t model, serial; /* model: identifier from MessageModel. serial: unique number of the batch */
  int32_t count;
  int32_t segments; /* fields of CtlWant */
  int32_t motion, derivatives;
} MessageWork;

typedef struct MessageDrop {
  int64_t serial;
} MessageDrop;

/* DONE. Outcomes [count] follow, then states [count][2][d], x(T) and v(T), and, if requested, derivatives [count][r], r
 * numbers per point, in the layout of CtlOutcome.rows. */
typedef struct MessageDone {
  double seconds;   /* duration of the evaluation, in s */
  int32_t refused;  /* a MessageRefusal; data follow only if it is MESSAGE_ANSWERED */
  int32_t count;    /* number of points in the message WORK */
  int32_t answered; /* number of points with outcomes, at least one; they are the first ones of the batch */
  int32_t unused;   /* padding to a whole number of words */
} MessageDone;

typedef enum MessageRefusal {
  MESSAGE_ANSWERED,
  MESSAGE_UNBUILT,  /* the worker could not build the model, or the sizes of the model differ from those of rank 0 */
  MESSAGE_CANCELLED /* the worker was stopped, or the batch was dropped */
} MessageRefusal;

typedef struct MessageOutcome {
  int64_t iterations; /* fields of SimFinal */
  int64_t status;
} MessageOutcome;

typedef struct MessageHello {
  int64_t process;
  char host[256];
} MessageHello;

enum { MESSAGE_WORD = 8 }; /* length of a word in bytes */

/* These functions return the sizes of messages including the data that follow, in bytes, rounded up to whole words. */
size_t message_model_size(size_t model_size);
static inline size_t message_work_size(int n, int count) {
  return sizeof(MessageWork) + (size_t)count * (size_t)n * sizeof(double);
}
static inline size_t message_done_size(int d, size_t r, int count) {
  return sizeof(MessageDone) + (size_t)count * (sizeof(MessageOutcome) + (2 * (size_t)d + r) * sizeof(double));
}

/* These functions return the addresses of data in a message: bytes of a model; controls; outcomes; the state of point
 * i, x(T) [d] and v(T) [d]; its derivatives [r]. */
static inline void *message_bytes(MessageModel *model) { return model + 1; }
static inline double *message_controls(MessageWork *work) { return (double *)(work + 1); }
static inline MessageOutcome *message_outcomes(MessageDone *done) { return (MessageOutcome *)(done + 1); }
static inline double *message_state(MessageDone *done, int d, int i) {
  return (double *)(message_outcomes(done) + done->count) + 2 * (ptrdiff_t)d * i;
}

static inline double *message_rows(MessageDone *done, int d, size_t r, int i) {
  return message_state(done, d, done->count) + (size_t)i * r;
}

/* Returns the maximum number of points in the messages WORK and DONE. */
int message_batch_most(int n, int d, size_t r);

/* Whether comm can be used: MPI is running, and comm is a communicator. */
bool message_comm_is(MPI_Comm comm);

/* message_send and message_receive start sending or receiving a message of `size` bytes (NULL, 0: empty). message_size
 * returns the size of a message that was probed. */
void message_send(const void *message, size_t size, int rank, int tag, MPI_Comm comm, MPI_Request *sent);
void message_receive(void *message, size_t size, int rank, int tag, MPI_Comm comm, MPI_Request *received);
size_t message_size(const MPI_Status *found);
/* message_signal sends an empty message. message_take_signal receives an empty message if one has arrived, and returns
 * whether one had. */
void message_signal(int rank, int tag, MPI_Comm comm);
bool message_take_signal(int rank, int tag, MPI_Comm comm);

/* State of a wait with low processor time and low latency: the process polls for a while, then sleeps between polls,
 * longer each time up to a limit. The struct must be zero at first. message_wait must be called after each unsuccessful
 * poll; the struct must be reset after a successful one. */
typedef struct MessageWait {
  bool waiting;
  double since; /* start of the wait in s, by ctl_seconds */
} MessageWait;

void message_wait(MessageWait *wait);

#endif
