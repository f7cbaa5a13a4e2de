/* Serialisation of a box as a task and of the resulting branch as its answer, in place of a control and a final
 * state. */
#ifndef CONTROL_CERTIFY_TASK_H
#define CONTROL_CERTIFY_TASK_H

#include "control/certify/branch.h"

/* A box to examine. */
typedef struct Task {
  double cap, stage; /* see Branch */
  long motions;      /* maximum number of motions */
  Box box;
} Task;

void task_serialize(const CtlBound *bound, Task *task, CtlBytes *bytes);

/* Largest size of a task or an answer, numbers. */
int task_numbers(const CtlBound *bound);

/* The result: its size in bytes first, then the branch without its boxes, then the boxes. */
typedef struct Answer {
  long size, boxes;
  Branch *branch; /* branch; on reading, its boxes are not set: they follow in the bytes and are read separately */
} Answer;

/* Reads the head of an answer; answer.boxes boxes follow. */
Answer answer_read(const CtlBound *bound, Branch *branch, CtlBytes *bytes);

#endif
