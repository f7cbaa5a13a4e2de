/* The inside of a CtlProof: proof.c goes on with it, proof_save.c keeps it. */
#ifndef CONTROL_CERTIFY_PROOF_H
#define CONTROL_CERTIFY_PROOF_H

#include "control/certify/task.h"

enum {
  PROOF_ROUND = 4096,      /* boxes of a round, at most */
  PROOF_WAITING = 1 << 18, /* boxes that wait for a later stage, at most: the others are looked at at once */
  PROOF_BOXES = 1 << 24    /* in a list that is read */
};

typedef struct Boxes {
  Box *list; /* [room], n of them used; owned */
  long n, room;
} Boxes;

/* Answers of the round under way, in the order in which they came: bytes at `at[k]`, size 0 of a task that has failed. */
typedef struct Answers {
  unsigned char *bytes; /* [room], owned */
  size_t size, room;
  size_t at[PROOF_ROUND], sizes[PROOF_ROUND];
} Answers;

struct CtlProof {
  const CtlBound *bound;
  double J, gap;
  double *control;        /* [n] owned: the nearest one's */
  Boxes now, later, work; /* of the stage; of later ones; of the round */
  double stage;           /* gap */
  double blurred;         /* as Branch's, of all so far, as the next */
  double nearest;         /* of the stage */
  double at[BOUND_N];
  long looked, unsolved, motions, rounds;
  double proven;
  bool no_memory;
  CtlTasks tasks;
  bool done[PROOF_ROUND];
  Answers answers;
};

/* Keeps an answer of so many bytes. Returns false when out of memory. */
bool proof_keep(CtlProof *proof, long task, const void *bytes, size_t size);

/* A copy at the end of a list. Returns false when out of memory. */
bool proof_push(Boxes *boxes, const Box *box);

/* The tasks of the round whose boxes are `work`, of which those that are `done` have answers. */
void proof_lay_out(CtlProof *proof);

/* Whether the bytes of an answer are one. */
bool proof_is_answer(const CtlProof *proof, const void *bytes, size_t size);

/* Without boxes. SIM_OK or SIM_NO_MEMORY. */
SimStatus proof_create(const CtlBound *bound, double J, double gap, CtlProof **proof);

#endif
