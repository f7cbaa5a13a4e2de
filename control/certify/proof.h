/* Internals of CtlProof: proof.c runs it, proof_save.c serialises it. */
#ifndef CONTROL_CERTIFY_PROOF_H
#define CONTROL_CERTIFY_PROOF_H

#include "control/certify/task.h"

enum {
  PROOF_ROUND = 4096,      /* maximum number of boxes of a round */
  PROOF_WAITING = 1 << 18, /* maximum number of boxes that wait for a later stage; others are processed at once */
  PROOF_BOXES = 1 << 24    /* maximum in a list that is read */
};

typedef struct Boxes {
  Box *list; /* [room], n in use; owned */
  long n, room;
} Boxes;

/* Answers of the current round in order of arrival: bytes at `at[k]`, size 0 for a failed task. */
typedef struct Answers {
  unsigned char *bytes; /* [room], owned */
  size_t size, room;
  size_t at[PROOF_ROUND], sizes[PROOF_ROUND];
} Answers;

struct CtlProof {
  const CtlBound *bound;
  double J, gap;
  double *control;        /* [n] control with the smallest miss; owned */
  Boxes now, later, work; /* boxes of the current stage; of later stages; of the round */
  double stage;           /* current stage: gap to prove */
  double blurred;         /* see Branch; over all so far, like the next */
  double nearest;         /* smallest miss of the stage */
  double at[BOUND_N];
  long looked, unsolved, motions, rounds;
  double proven;
  bool no_memory;
  CtlTasks tasks;
  bool done[PROOF_ROUND];
  Answers answers;
};

/* Stores an answer. Returns false when out of memory. */
bool proof_keep(CtlProof *proof, long task, const void *bytes, size_t size);

/* Appends a copy to a list. Returns false when out of memory. */
bool proof_push(Boxes *boxes, const Box *box);

/* Sets up the tasks of the round from `work`; tasks that are `done` have answers. */
void proof_lay_out(CtlProof *proof);

/* Whether the bytes are a valid answer. */
bool proof_is_answer(const CtlProof *proof, const void *bytes, size_t size);

/* Creates a proof without boxes. SIM_OK or SIM_NO_MEMORY. */
SimStatus proof_create(const CtlBound *bound, double J, double gap, CtlProof **proof);

#endif
