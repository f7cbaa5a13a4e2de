/* SPDX-License-Identifier: BSD-2-Clause */
/* Searches of problems of own_problems.h, and what they found. */
#ifndef TESTS_SQP_FOUND_H
#define TESTS_SQP_FOUND_H

#include "tests/control/sqp/own_problems.h"
#include "tests/fixture.h"

typedef struct Found {
  CtlState state;
  double x[OWN_MOST];
  bool least; /* whether it is the published minimum */
} Found;

static inline Found keep_found(const OwnProblem *own, const CtlSearch *search) {
  Found found = {0};
  stiction_asktell_state(search, &found.state);
  memcpy(found.x, found.state.control, (size_t)own->n * sizeof *found.x);
  found.least = found.state.E1 <= 1 && fabs(found.state.J - own->least) <= 1e-6 * (1 + fabs(own->least));
  return found;
}

static inline Found search_from(const OwnProblem *own, const CtlProblem *p) {
  CtlFunction function = own_function(own);
  CtlEvaluator evaluator = ctl_function_evaluator(&function);
  const SimReport report = {NULL, fixture_complain};
  CtlSearch *search;
  assert_int_equal(stiction_control_check(p, &report), CTL_OK);
  assert_int_equal(stiction_asktell_create(p, &search), CTL_OK);
  assert_int_equal(ctl_drive_serial(search, &evaluator, NULL, NULL), 0);
  Found found = keep_found(own, search);
  stiction_asktell_destroy(search);
  return found;
}

#endif
