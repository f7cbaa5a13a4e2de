/* SPDX-License-Identifier: BSD-2-Clause */
/* Drives a search in this process, a few points at a time, and saves and loads it on the way. */
#ifndef TESTS_SQP_SEARCH_FOR_H
#define TESTS_SQP_SEARCH_FOR_H

#include "tests/control/sqp/case.h"

#include <stdlib.h>
#include <string.h>

enum { CONTROLS_MOST = 128 };

/* The result of a search. */
typedef struct Answer {
  CtlState state;
  double u[CONTROLS_MOST];
} Answer;

/* Asks for up to `batch` points at a time. Saves and loads after every `saves` rounds of asking; 0: never. */
static inline void search_for(const Case *c, int batch, int saves, Answer *answer) {
  const CtlProblem *p = &c->problem.control;
  size_t n = (size_t)p->n, d = (size_t)p->d, most = ctl_evaluator_rows(&c->evaluator, (CtlWant){.derivatives = true}),
         many = (size_t)batch;
  double *controls = calloc(many * (n + 2 * d + most), sizeof *controls), *states = controls + many * n,
         *rows = states + many * 2 * d;
  long *tickets = calloc(many, sizeof *tickets), asked = 0;
  SimFinal *final = calloc(many, sizeof *final);
  CtlSearch *search;
  CtlWant want;
  assert_true(controls && tickets && final);
  assert_int_equal(stiction_asktell_create(p, &search), CTL_OK);
  while (ctl_search_unasked(search, &want)) {
    int count = stiction_asktell_ask(search, batch, tickets, controls, &want);
    for (int k = 0; k < count; k++)
      final[k] = (SimFinal){.x = states + 2 * (size_t)k * d, .v = states + (2 * (size_t)k + 1) * d};
    size_t row = ctl_evaluator_rows(&c->evaluator, want);
    c->evaluator.evaluate(c->evaluator.context, want, count, controls, final, want.derivatives ? rows : NULL);
    for (int k = count - 1; k >= 0; k--) {
      CtlOutcome outcome = {final[k].x, final[k].v, want.derivatives ? rows + (size_t)k * row : NULL,
                            final[k].iterations, final[k].status};
      if (stiction_asktell_tell(search, tickets[k], &outcome, 0))
        while (stiction_asktell_advance(search)) continue;
    }
    if (!saves || ++asked % saves) continue;
    size_t size = stiction_asktell_saved_size(search);
    char *bytes = malloc(size);
    assert_non_null(bytes);
    stiction_asktell_save(search, bytes);
    stiction_asktell_destroy(search);
    assert_int_equal(stiction_asktell_load(p, bytes, size, NULL, &search), CTL_OK);
    free(bytes);
  }
  stiction_asktell_state(search, &answer->state);
  memcpy(answer->u, answer->state.control, n * sizeof *answer->u);
  stiction_asktell_destroy(search);
  free(controls);
  free(tickets);
  free(final);
}

#endif
