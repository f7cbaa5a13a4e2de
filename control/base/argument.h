/* SPDX-License-Identifier: BSD-2-Clause */
/* Checks of arguments of public functions for types that control defines. For types of sim there are the checks of
 * sim. */
#ifndef CONTROL_ARGUMENT_H
#define CONTROL_ARGUMENT_H

#include "control/evaluator.h"
#include "sim/base/argument.h"

#define ARGUMENT_PROBLEM(problem)     ARGUMENT((problem) && (problem)->start, #problem, "is NULL, or not initialised")
#define ARGUMENT_EVALUATOR(evaluator) ARGUMENT(argument_evaluates(evaluator), #evaluator, argument_evaluates_not)

/* Reports an invalid argument and returns CTL_BAD_ARGUMENT from the calling function unless the condition `good`
 * holds. */
#define CONTROL_ARGUMENT(good, name, why)                                                                              \
  do {                                                                                                                 \
    if (!(good)) {                                                                                                     \
      argument_refuse(__func__, name, why);                                                                            \
      return CTL_BAD_ARGUMENT;                                                                                         \
    }                                                                                                                  \
  } while (0)

#define CONTROL_ARGUMENT_PROBLEM(problem)                                                                              \
  CONTROL_ARGUMENT((problem) && (problem)->start, #problem, "is NULL, or not initialised")

/* Converts a status of sim to the corresponding status of control. */
static inline CtlStatus argument_status(SimStatus status) {
  switch (status) {
  case SIM_OK: return CTL_OK;
  case SIM_NO_MEMORY: return CTL_NO_MEMORY;
  case SIM_CANCELLED: return CTL_STOPPED;
  case SIM_BAD_ARGUMENT: return CTL_BAD_ARGUMENT;
  default: return CTL_BAD_PROBLEM;
  }
}

/* Whether an evaluator has the functions and sizes that a call needs. */
static inline bool argument_evaluates(const CtlEvaluator *evaluator) {
  return evaluator && evaluator->evaluate && evaluator->n >= 1 && evaluator->d >= 1 && evaluator->m >= 0 &&
         evaluator->block >= 1;
}
static const char argument_evaluates_not[] = "is NULL, has no function, or sizes out of their ranges";

#endif
