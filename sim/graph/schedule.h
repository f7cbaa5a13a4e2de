/* SPDX-License-Identifier: BSD-2-Clause */
/* Orders operations so that operations of the same form are consecutive, in few runs. The loop over a run needs no
 * branches. */
#ifndef SIM_GRAPH_SCHEDULE_H
#define SIM_GRAPH_SCHEDULE_H

#include <stdbool.h>

enum { GRAPH_TASK_OPERANDS = 4 };

/* An operation. */
typedef struct GraphTask {
  int stage; /* lower stages come first in the order; an operation depends on none of a higher stage */
  int form;  /* number of the form; operations of the same form need the same code */
  int operands[GRAPH_TASK_OPERANDS]; /* indices of the operations that this one depends on; -1: none */
} GraphTask;

/* A run: the consecutive operations first, .., end - 1, which have the same form and stage. */
typedef struct GraphRun {
  int form, first, end;
} GraphRun;

/* Sorts tasks [n] with forms below n_forms and stages below n_stages. order: [n] set to the tasks' indices in the
 * new order; runs: array of n entries, of which *n_runs are set. Returns false if there is no memory. */
bool graph_schedule(int n, const GraphTask *tasks, int n_stages, int n_forms, int *order, int *n_runs, GraphRun *runs);

#endif
