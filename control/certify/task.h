/* SPDX-License-Identifier: BSD-2-Clause */
/* A box of controls, serialised as a task, and the branch that results from its examination, serialised as the result
 * of the task. In the messages of a pool they take the places of a control and of a final state. */
#ifndef CONTROL_CERTIFY_TASK_H
#define CONTROL_CERTIFY_TASK_H

#include "control/certify/branch.h"

/* A task: a box to examine, with its limits. */
typedef struct Task {
  double cap, stage; /* limits of J: of controls that must be excluded at all, and of those in this stage (branch.h) */
  long motions;      /* maximum number of motions for this task */
  Box box;
} Task;

void task_serialize(const CtlBound *bound, Task *task, CtlBytes *bytes);

/* Returns the largest size of a task or of a result, in doubles. */
int task_numbers(const CtlBound *bound);

/* Layout of a result: its size in bytes, the branch (branch.h) without its boxes, then the boxes. */
typedef struct Answer {
  long size, boxes;
  Branch *branch; /* the branch; reading does not set its boxes, which follow in the bytes and are read separately */
} Answer;

/* Reads a result up to its boxes. The caller must read the answer.boxes boxes that follow in `bytes`. */
Answer answer_read(const CtlBound *bound, Branch *branch, CtlBytes *bytes);

#endif
