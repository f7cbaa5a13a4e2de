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

/* Answers of the current round in order of arrival. Answer k begins at bytes + at[k]; its size is 0 if the task
 * failed. */
typedef struct Answers {
  unsigned char *bytes; /* [room], owned */
  size_t size, room;
  size_t at[PROOF_ROUND], sizes[PROOF_ROUND];
} Answers;

struct CtlProof {
  const CtlBound *bound;
  double J, gap;
  double *control;        /* [n] control with the smallest miss; owned */
  Boxes now, later, work; /* boxes of the current stage; boxes that wait for later stages; boxes of the current round */
  double stage;           /* relative gap that the current stage proves */
  double blurred;         /* lowest of the lower bounds of J of the undecided boxes, over all answers so far */
  double nearest;         /* smallest miss (distance of the final state from the target, bound_miss) of a motion in the
                           * current stage */
  double at[BOUND_N];
  long looked, unsolved, motions, rounds;
  double proven;
  bool no_memory;
  CtlTasks tasks;
  bool done[PROOF_ROUND];
  Answers answers;
};

/* Stores the answer of a task. Returns false when out of memory. */
bool proof_keep(CtlProof *proof, long task, const void *bytes, size_t size);

/* Appends a copy of a box to a list. Returns false when out of memory. */
bool proof_push(Boxes *boxes, const Box *box);

/* Creates the tasks of the round from the boxes in `work`. Tasks marked `done` already have answers. */
void proof_lay_out(CtlProof *proof);

/* Whether the bytes are a valid answer to a task. */
bool proof_is_answer(const CtlProof *proof, const void *bytes, size_t size);

/* Creates a proof without boxes. Returns SIM_OK or SIM_NO_MEMORY. */
SimStatus proof_create(const CtlBound *bound, double J, double gap, CtlProof **proof);

#endif
