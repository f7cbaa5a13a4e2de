/* SPDX-License-Identifier: BSD-2-Clause */
#include "control/bound/saved.h"

#include <math.h>

static void serialize_same(CtlBytes *bytes, const double *numbers, int count) {
  for (int i = 0; i < count; i++) {
    double number = numbers[i];
    ctl_bytes_numbers(bytes, &number, 1);
    bytes->bad |= memcmp(&number, &numbers[i], sizeof number) != 0;
  }
}

void bound_saved_mean(CtlBytes *bytes, const CtlProblem *problem, const CtlBoundMean *mean) {
  ctl_bytes_numbers(bytes, mean->control, (size_t)problem->n);
  for (int i = 0; i < problem->n && bytes->from; i++) bytes->bad |= !isfinite(mean->control[i]);
  for (int i = 0; i < problem->segments * problem->d; i++)
    mean->ways[i] = (signed char)ctl_bytes_integer(bytes, mean->ways[i], -1, 1);
}

void bound_saved_question(CtlBytes *bytes, const CtlLowerBoundOptions *options, int d, int n) {
  const double asked[] = {options->effort, options->gap};
  int known = options->x && options->v, mean = options->mean ? n : 0;
  ctl_bytes_integer(bytes, mean, mean, mean);
  ctl_bytes_integer(bytes, d, d, d);
  ctl_bytes_integer(bytes, options->degree, options->degree, options->degree);
  ctl_bytes_integer(bytes, known, known, known);
  serialize_same(bytes, asked, 2);
  if (known) serialize_same(bytes, options->x, d);
  if (known) serialize_same(bytes, options->v, d);
}

static void serialize_counts(CtlBytes *bytes, int *const *counts, int count) {
  for (int k = 0; k < count; k++) *counts[k] = (int)ctl_bytes_integer(bytes, *counts[k], 0, INT32_MAX);
}

void bound_saved_proven(CtlBytes *bytes, double effort, CtlLowerBound *bound) {
  ctl_bytes_numbers(bytes, &bound->J, 1);
  ctl_bytes_numbers(bytes, &bound->known, 1);
  ctl_bytes_numbers(bytes, &bound->operations, 1);
  bound->raised = ctl_bytes_integer(bytes, bound->raised, 0, CTL_COUNT_MAX);
  bound->steps = ctl_bytes_integer(bytes, bound->steps, 0, CTL_COUNT_MAX);
  serialize_counts(bytes, (int *const[]){&bound->places, &bound->cases, &bound->left_out}, 3);
  if (bytes->from)
    bytes->bad |= !(bound->J >= 0 && bound->J <= effort) || isnan(bound->known) || !(bound->operations >= 0);
}

/* Saving and loading the subproblems of branch and bound ----------------------------------------------------------- */

static void serialize_cut(CtlBytes *bytes, int d, int least, int intervals, BoundCut *cut) {
  cut->interval = (int)ctl_bytes_integer(bytes, cut->interval, least, intervals - 1);
  cut->dof = (int)ctl_bytes_integer(bytes, cut->dof, 0, d - 1);
  ctl_bytes_numbers(bytes, &cut->lower, 1);
  ctl_bytes_numbers(bytes, &cut->upper, 1);
  if (bytes->from) bytes->bad |= !(cut->lower <= cut->upper && isfinite(cut->upper - cut->lower));
}

static void serialize_case(CtlBytes *bytes, int d, int intervals, BoundCase *one) {
  ctl_bytes_numbers(bytes, &one->J, 1);
  ctl_bytes_numbers(bytes, &one->known, 1);
  one->cuts = (int)ctl_bytes_integer(bytes, one->cuts, 0, CASES_CUTS);
  for (int k = 0; k < one->cuts; k++) {
    const BoundCut *before = &one->cut[k ? k - 1 : 0], *cut = &one->cut[k];
    serialize_cut(bytes, d, 1, intervals, &one->cut[k]);
    bool behind = cut->interval > before->interval || (cut->interval == before->interval && cut->dof > before->dof);
    if (bytes->from) bytes->bad |= k && !behind;
  }
  serialize_cut(bytes, d, 0, intervals, &one->next);
  if (bytes->from) bytes->bad |= isnan(one->J) || isnan(one->known) || (one->cuts == CASES_CUTS && one->next.interval);
}

void bound_saved_cases(CtlBytes *bytes, int d, int intervals, BoundCases *cases) {
  CtlTasks *tasks = &cases->tasks;
  ctl_bytes_numbers(bytes, &cases->spent, 1);
  ctl_bytes_numbers(bytes, &cases->task, 1);
  if (bytes->from) bytes->bad |= !(cases->spent >= 0 && cases->task >= 0);
  cases->steps = ctl_bytes_integer(bytes, cases->steps, 0, CTL_COUNT_MAX);
  cases->refused = ctl_bytes_integer(bytes, cases->refused, 0, 1);
  /* ticket number of the first task of the next round */
  long next = ctl_bytes_integer(bytes, tasks->first + tasks->count, 0, CTL_COUNT_MAX);
  if (bytes->from) tasks->first = next;
  cases->count = (int)ctl_bytes_integer(bytes, cases->count, 0, CASES_MOST);
  for (int k = 0; k < cases->count && !bytes->bad; k++) serialize_case(bytes, d, intervals, &cases->list[k]);
}
