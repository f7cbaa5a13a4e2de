/* A branch on its way: what a rank is given to do, and what it answers, as bytes in place of a control's and an end's numbers. */
#ifndef CONTROL_CERTIFY_TASK_H
#define CONTROL_CERTIFY_TASK_H

#include "control/certify/branch.h"

/* A box to be looked into. */
typedef struct Task {
  double cap, stage; /* as Branch's */
  long motions;      /* at most */
  Box box;
} Task;

void task_serialize(const CtlBound *bound, Task *task, CtlBytes *bytes);

/* The numbers that a task and an answer take at most. */
int task_numbers(const CtlBound *bound);
int answer_numbers(const CtlBound *bound);

/* What has come of it. First its size in bytes; then of a branch all but its boxes, and these. */
typedef struct Answer {
  long size, boxes;
  Branch *told; /* its boxes are not touched where an answer is read: they follow, and are read by whoever wants them */
} Answer;

void answer_write(const CtlBound *bound, Branch *branch, CtlBytes *bytes);
/* The answer's head; then answer.boxes boxes follow. */
Answer answer_read(const CtlBound *bound, Branch *told, CtlBytes *bytes);

#endif
