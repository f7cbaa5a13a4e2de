/* SPDX-License-Identifier: BSD-2-Clause */
#include "control/certify/task.h"
#include "control/base/argument.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

void task_serialize(const CtlBound *bound, Task *task, CtlBytes *bytes) {
  ctl_bytes_numbers(bytes, &task->cap, 1);
  ctl_bytes_numbers(bytes, &task->stage, 1);
  task->motions = ctl_bytes_integer(bytes, task->motions, 1, LONG_MAX);
  box_serialize(bound, &task->box, bytes);
}

static int numbers_of_bytes(size_t bytes) { return (int)((bytes + sizeof(double) - 1) / sizeof(double)); }

int task_numbers(const CtlBound *bound) { return numbers_of_bytes(box_size_most(bound)) + 3; }

enum { HEAD = 7 }; /* number of doubles in a result, besides the control w of the nearest motion and the boxes */

static int answer_numbers(const CtlBound *bound) {
  return HEAD + bound->n + numbers_of_bytes(BRANCH_BOXES * box_size_most(bound));
}

static void serialize_head(const CtlBound *bound, Answer *answer, CtlBytes *bytes) {
  Branch *branch = answer->branch;
  answer->size = ctl_bytes_integer(bytes, answer->size, 0, LONG_MAX);
  /* at most three boxes are examined per motion: the box to which the cuts of the motion are applied, and its two
   * halves */
  branch->motions = ctl_bytes_integer(bytes, branch->motions, 0, CTL_PROOF_MOTIONS);
  branch->looked = ctl_bytes_integer(bytes, branch->looked, 0, 3 * CTL_PROOF_MOTIONS);
  branch->unsolved = ctl_bytes_integer(bytes, branch->unsolved, 0, CTL_PROOF_MOTIONS);
  ctl_bytes_numbers(bytes, &branch->blurred, 1);
  ctl_bytes_numbers(bytes, &branch->nearest, 1);
  ctl_bytes_numbers(bytes, branch->at, (size_t)bound->n);
  answer->boxes = ctl_bytes_integer(bytes, answer->boxes, 0, BRANCH_BOXES);
}

static void write_answer(const CtlBound *bound, Branch *branch, size_t size, CtlBytes *bytes) {
  Answer answer = {.size = (long)size, .boxes = branch->open + branch->waiting, .branch = branch};
  serialize_head(bound, &answer, bytes);
  for (int i = 0; i < branch->open; i++) box_serialize(bound, &branch->boxes[i], bytes);
  for (int i = BRANCH_BOXES - branch->waiting; i < BRANCH_BOXES; i++) box_serialize(bound, &branch->boxes[i], bytes);
}

static void answer_write(const CtlBound *bound, Branch *branch, CtlBytes *bytes) {
  CtlBytes counted = {0};
  write_answer(bound, branch, 0, &counted);
  write_answer(bound, branch, counted.done, bytes);
}

Answer answer_read(const CtlBound *bound, Branch *branch, CtlBytes *bytes) {
  Answer answer = {.branch = branch};
  serialize_head(bound, &answer, bytes);
  bytes->bad |= isnan(branch->blurred) || isnan(branch->nearest);
  return answer;
}

/* The prover, which examines boxes --------------------------------------------------------------------------------- */

struct CtlProver {
  const CtlBound *bound;
  CtlEvaluator motions;
  Branch branch;
  double *end; /* [2d] x(T), v(T) of a motion; owned */
};

/* Examines the box of a task. Returns SIM_OK, or SIM_CANCELLED if a motion was interrupted, which leaves the box
 * undecided. */
static SimStatus explore_box(CtlProver *prover, const Task *task) {
  const CtlEvaluator *motions = &prover->motions;
  const CtlBound *bound = prover->bound;
  Branch *branch = &prover->branch;
  double w[BOUND_N], control[BOUND_N];
  branch_begin(task->cap, task->stage, branch);
  branch_lay(bound, branch, &task->box);
  while (branch->motions < task->motions && branch_goes_on(branch)) {
    SimFinal final = {.x = prover->end, .v = prover->end + motions->d};
    branch_middle(bound, branch, w);
    bound_to_control(bound, w, control);
    motions->evaluate(motions->context, (CtlWant){0}, 1, control, &final, NULL);
    if (final.status == SIM_CANCELLED) return SIM_CANCELLED;
    branch_take(bound, branch, final.status == SIM_OK ? final.x : NULL, final.v);
  }
  return SIM_OK;
}

static void evaluate_task(void *context, CtlWant want, int count, const double *controls, SimFinal *final,
                          double *rows) {
  CtlProver *prover = context;
  size_t size = (size_t)task_numbers(prover->bound);
  (void)want;
  (void)rows;
  for (int i = 0; i < count; i++) {
    Task task = {0};
    CtlBytes given = {.from = (const unsigned char *)(controls + (size_t)i * size), .left = size * sizeof *controls};
    CtlBytes answer = {.to = (unsigned char *) final[i].x};
    task_serialize(prover->bound, &task, &given);
    SimStatus status = explore_box(prover, &task);
    answer_write(prover->bound, &prover->branch, &answer);
    final[i].iterations = 0;
    final[i].status = given.bad ? SIM_BAD_PROBLEM : status;
  }
}

SimStatus ctl_prover_create(const CtlBound *bound, const CtlEvaluator *motions, CtlProver **result) {
  ARGUMENT(result != NULL, "prover", "is NULL");
  *result = NULL;
  ARGUMENT_THERE(bound);
  ARGUMENT_EVALUATOR(motions);
  ARGUMENT(motions->n == bound->n && motions->d == bound->d, "motions", "do not have the n and d of the bound");
  CtlProver *prover = calloc(1, sizeof *prover);
  if (!prover) return SIM_NO_MEMORY;
  prover->bound = bound;
  prover->motions = *motions;
  prover->end = calloc(2 * (size_t)motions->d, sizeof *prover->end);
  if (prover->end)
    *result = prover;
  else
    ctl_prover_destroy(prover);
  return *result ? SIM_OK : SIM_NO_MEMORY;
}

void ctl_prover_destroy(CtlProver *prover) {
  if (!prover) return;
  free(prover->end);
  free(prover);
}

CtlEvaluator ctl_prover_evaluator(CtlProver *prover) {
  if (!prover) return (CtlEvaluator){0};
  return (CtlEvaluator){.n = task_numbers(prover->bound),
                        .d = (answer_numbers(prover->bound) + 1) / 2,
                        .block = 1,
                        .context = prover,
                        .evaluate = evaluate_task};
}
