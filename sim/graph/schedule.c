/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/graph/schedule.h"

#include <stdlib.h>

/* Tasks that may come next because all their operands are already in the new order: one queue for each pair of stage
 * and form. */
typedef struct Ready {
  int *head, *tail, *count; /* [n_stages n_forms] first task, last task and number of tasks of each queue; head and tail
                             * are valid if count > 0 */
  int *next;                /* [n] for each task the next one in its queue */
} Ready;

static void enqueue(Ready *ready, int queue, int task) {
  if (ready->count[queue]++)
    ready->next[ready->tail[queue]] = task;
  else
    ready->head[queue] = task;
  ready->tail[queue] = task;
}

static int dequeue(Ready *ready, int queue) {
  int task = ready->head[queue];
  ready->head[queue] = ready->next[task];
  ready->count[queue]--;
  return task;
}

/* Returns the longest of the n queues from number `first` on; -1 if all are empty. */
static int longest(const Ready *ready, int first, int n) {
  int best = -1;
  for (int q = first; q < first + n; q++)
    if (ready->count[q] > 0 && (best < 0 || ready->count[q] > ready->count[best])) best = q;
  return best;
}

/* Lists for each task i the tasks that have it as operand: users[start[i + 1]] to users[start[i + 2] - 1]. waiting:
 * [n] number of each task's operands. */
static void list_users(int n, const GraphTask *tasks, int *start, int *users, int *waiting) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < GRAPH_TASK_OPERANDS; k++)
      if (tasks[i].operands[k] >= 0) {
        waiting[i]++;
        start[tasks[i].operands[k] + 1]++;
      }
  for (int i = 0; i < n; i++) start[i + 1] += start[i];
  start[n + 1] = start[n];
  for (int i = n - 1; i >= 0; i--)
    for (int k = 0; k < GRAPH_TASK_OPERANDS; k++)
      if (tasks[i].operands[k] >= 0) users[--start[tasks[i].operands[k] + 1]] = i;
}

/* A run takes all tasks of its form with all operands placed, and then those that become such tasks by the run
 * itself. */
bool graph_schedule(int n, const GraphTask *tasks, int n_stages, int n_forms, int *order, int *n_runs, GraphRun *runs) {
  size_t size = (size_t)n, queues = (size_t)(n_stages * n_forms);
  int *block = calloc((3 + GRAPH_TASK_OPERANDS) * size + 2 + 3 * queues, sizeof *block);
  if (!block) return false;
  int *start = block, *waiting = start + n + 2, *users = waiting + n, placed = 0;
  Ready ready = {.next = users + GRAPH_TASK_OPERANDS * n};
  ready.head = ready.next + n;
  ready.tail = ready.head + queues;
  ready.count = ready.tail + queues;
  list_users(n, tasks, start, users, waiting);
  for (int i = 0; i < n; i++)
    if (waiting[i] == 0) enqueue(&ready, tasks[i].stage * n_forms + tasks[i].form, i);
  *n_runs = 0;
  for (int stage = 0; stage < n_stages; stage++)
    for (int queue; (queue = longest(&ready, stage * n_forms, n_forms)) >= 0;) {
      GraphRun *run = &runs[(*n_runs)++];
      *run = (GraphRun){.form = queue % n_forms, .first = placed};
      while (ready.count[queue] > 0) {
        int task = order[placed++] = dequeue(&ready, queue);
        for (int k = start[task + 1]; k < start[task + 2]; k++)
          if (--waiting[users[k]] == 0)
            enqueue(&ready, tasks[users[k]].stage * n_forms + tasks[users[k]].form, users[k]);
      }
      run->end = placed;
    }
  free(block);
  return true;
}
