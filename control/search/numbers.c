/* SPDX-License-Identifier: BSD-2-Clause */
#include "control/search/numbers.h"

#include "control/search/arrays.h"

#include <limits.h>
#include <string.h>

enum { P, SIGNAL, SEGMENTS, D, END, HEAD };

/* Calls a function for each array that is sent to other ranks, with the number of its entries, in a fixed order. */
static void each_array(const CtlProblem *problem, void (*call)(void *context, double *array, size_t count),
                       void *context) {
  CtlProblem own = *problem;
  for (int k = 0; k < PROBLEM_ARRAYS; k++)
    if (problem_arrays[k].sent)
      call(context, *problem_array(&own, &problem_arrays[k]), problem_array_size(problem, &problem_arrays[k]));
}

static void count_array(void *context, double *array, size_t n) {
  (void)array;
  *(size_t *)context += n;
}

static void write_array(void *context, double *array, size_t n) {
  char **to = context;
  memcpy(*to, array, n * sizeof *array);
  *to += n * sizeof *array;
}

static void read_array(void *context, double *array, size_t n) {
  const char **from = context;
  memcpy(array, *from, n * sizeof *array);
  *from += n * sizeof *array;
}

size_t problem_numbers(const CtlProblem *problem) {
  size_t n = problem ? HEAD : 0;
  if (problem) each_array(problem, count_array, &n);
  return n;
}

void problem_to_bytes(const CtlProblem *problem, void *bytes) {
  double numbers[HEAD];
  char *to = (char *)bytes + sizeof numbers;
  numbers[P] = problem->p;
  numbers[SIGNAL] = problem->signal;
  numbers[SEGMENTS] = problem->segments;
  numbers[D] = problem->d;
  numbers[END] = problem->end;
  memcpy(bytes, numbers, sizeof numbers);
  each_array(problem, write_array, &to);
}

/* Whether a number is an integer in 0..most. */
static bool is_count(double number, double most) { return number >= 0 && number <= most && number == (int)number; }

SimStatus problem_from_bytes(size_t n, const void *bytes, CtlProblem *problem) {
  double numbers[HEAD];
  *problem = (CtlProblem){0};
  if (n >= HEAD) memcpy(numbers, bytes, sizeof numbers);
  bool sizes = n >= HEAD && is_count(numbers[P], CTL_CONTROLS_MAX) && is_count(numbers[SIGNAL], SIM_PIECEWISE_LINEAR) &&
               is_count(numbers[SEGMENTS], INT_MAX / (numbers[P] + 1)) && is_count(numbers[D], INT_MAX);
  if (!sizes || numbers[SEGMENTS] < 1 || numbers[D] > (double)n) return SIM_BAD_PROBLEM;
  SimStatus status = ctl_problem_init_signal(problem, (int)numbers[P], (SimSignal)numbers[SIGNAL],
                                             (int)numbers[SEGMENTS], (int)numbers[D]);
  if (status != SIM_OK) return status;
  if (problem_numbers(problem) != n) {
    ctl_problem_clear(problem);
    return SIM_BAD_PROBLEM;
  }
  const char *from = (const char *)bytes + sizeof numbers;
  problem->end = numbers[END];
  each_array(problem, read_array, &from);
  return SIM_OK;
}
