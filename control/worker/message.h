/* What coordinator and workers say to each other, all in doubles so that a message is one MPI call:
 *
 *   MODEL    rank 0 -> worker   its number, its size in bytes, the bytes
 *   FORGET   rank 0 -> worker   the number of a model that is not wanted any more
 *   WORK     rank 0 -> worker   the number of a model, controls [count][n]
 *   DONE     worker -> rank 0   seconds spent, then per point: status, iterations, x [d], v [d]; seconds < 0 and no more
 *                               when the worker could not build the model
 *   STOP     rank 0 -> worker   empty; overtakes everything else
 *   STOPPED  worker -> rank 0   empty: will do nothing more but wait for
 *   LEAVE    rank 0 -> worker   empty: all have stopped
 *   WISH     worker -> rank 0   empty: the worker has been asked to stop
 *   HELLO    both ways          who a spawned worker is, and who rank 0 is (pool_elastic.c) */
#ifndef CONTROL_MESSAGE_H
#define CONTROL_MESSAGE_H

#include "sim/sim.h"

#include <mpi.h>

enum {
  MESSAGE_MODEL = 1,
  MESSAGE_FORGET,
  MESSAGE_WORK,
  MESSAGE_DONE,
  MESSAGE_STOP,
  MESSAGE_STOPPED,
  MESSAGE_LEAVE,
  MESSAGE_WISH,
  MESSAGE_HELLO,
  MESSAGE_BATCH_MAX = 1024 /* points */
};

/* Sizes in doubles. */
static inline int message_model_size(size_t bytes) { return 2 + (int)((bytes + sizeof(double) - 1) / sizeof(double)); }
static inline int message_work_size(int n, int count) { return 1 + count * n; }
static inline int message_outcome_size(int d) { return 2 + 2 * d; }
static inline int message_done_size(int d, int count) { return 1 + count * message_outcome_size(d); }

/* Where point i of a DONE message lies. */
static inline double *message_outcome(double *done, int d, int i) { return done + 1 + i * message_outcome_size(d); }

/* The most points that a message may hold. */
int message_batch_most(int n, int d);

/* A wait that costs little processor time and little latency: keeps asking for a while, then sleeps between
 * questions, longer each time up to a limit. Zero-initialised; call message_rest for each question answered
 * no, and start afresh after a yes. */
typedef struct MessageWait {
  bool waiting;
  double since; /* s */
} MessageWait;

void message_rest(MessageWait *wait);

#endif
