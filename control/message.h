/* What coordinator and workers say to each other, all in doubles so that a message is one MPI call:
 *
 *   WORK   rank 0 -> worker   controls [count][n]
 *   DONE   worker -> rank 0   seconds spent, then per point: status, iterations, x [d], v [d]
 *   STOP   rank 0 -> worker   empty
 *   WISH   worker -> rank 0   empty: the worker has been asked to stop */
#ifndef CONTROL_MESSAGE_H
#define CONTROL_MESSAGE_H

#include "sim/sim.h"

#include <mpi.h>

enum { MESSAGE_WORK = 1, MESSAGE_DONE = 2, MESSAGE_STOP = 3, MESSAGE_WISH = 4, MESSAGE_BATCH_MAX = 1024 };

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
