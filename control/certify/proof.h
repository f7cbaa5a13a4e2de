/* SPDX-License-Identifier: BSD-2-Clause */
/* Internals of CtlProof. proof.c runs the proof, proof_save.c serialises it. */
#ifndef CONTROL_CERTIFY_PROOF_H
#define CONTROL_CERTIFY_PROOF_H

#include "control/certify/task.h"

enum {
  PROOF_ROUND = 4096, /* maximum number of boxes of a round, a set of boxes that are examined in parallel */
  /* maximum number of boxes that wait for a later stage; if there are more, the others are processed at once */
  PROOF_WAITING = 1 << 18,
  PROOF_BOXES = 1 << 24 /* maximum number of boxes in a list that is read from a file */
};

typedef struct Boxes {
  Box *list; /* [room] boxes, of which n are in use; owned */
  long n, room;
} Boxes;

/* Results of the tasks of the current round, in order of arrival. The result of task k begins at bytes + at[k]; its
 * size is 0 if the task failed. */
typedef struct Answers {
  unsigned char *bytes; /* [room], owned */
  size_t size, room;
  size_t at[PROOF_ROUND], sizes[PROOF_ROUND];
} Answers;

struct CtlProof {
  const CtlBound *bound;
  double J, gap;
  double *control;        /* [n] control for which the motion ends closest to the target; owned */
  Boxes now, later, work; /* boxes of the current stage; boxes that wait for later stages; boxes of the current round */
  double stage;           /* relative gap that the current stage proves */
  double blurred;         /* lowest of the lower bounds of J of the undecided boxes, over all results so far */
  double nearest;         /* smallest distance of a final state from the target, by bound_miss, among the motions of the
                           * current stage */
  double at[BOUND_N];
  long looked, unsolved, motions, rounds;
  double proven;
  bool no_memory;
  CtlTasks tasks;
  bool done[PROOF_ROUND];
  Answers answers;
};

/* Stores the result of a task. Returns false when out of memory. */
bool proof_keep(CtlProof *proof, long task, const void *bytes, size_t size);

/* Appends a copy of a box to a list. Returns false when out of memory. */
bool proof_push(Boxes *boxes, const Box *box);

/* Creates the tasks of the round from the boxes in `work`. Tasks marked `done` already have results. */
void proof_lay_out(CtlProof *proof);

/* Whether the bytes are a valid result of a task. */
bool proof_is_answer(const CtlProof *proof, const void *bytes, size_t size);

/* Creates a proof without boxes. Returns SIM_OK or SIM_NO_MEMORY. */
SimStatus proof_create(const CtlBound *bound, double J, double gap, CtlProof **proof);

#endif
