/* SPDX-License-Identifier: BSD-2-Clause */
/* Orders operations so that those of the same form stand side by side, in few runs: loops over them have no
 * branches. */
#ifndef SIM_GRAPH_SCHEDULE_H
#define SIM_GRAPH_SCHEDULE_H

#include <stdbool.h>

enum { GRAPH_TASK_OPERANDS = 4 };

/* An operation. */
typedef struct GraphTask {
  int stage; /* an operation stands behind all operations of lower stages, and depends on none of a higher one */
  int form;
  int operands[GRAPH_TASK_OPERANDS]; /* indices of operations that it depends on; -1: none */
} GraphTask;

/* Operations first, first + 1, .. before `end`, of the same form and stage. */
typedef struct GraphRun {
  int form, first, end;
} GraphRun;

/* Sorts tasks [n] with forms below n_forms and stages below n_stages: order [n] is set to their indices in the new
 * order, runs [*n_runs], with room for n, to the runs in it. Returns false without memory. */
bool graph_schedule(int n, const GraphTask *tasks, int n_stages, int n_forms, int *order, int *n_runs, GraphRun *runs);

#endif
