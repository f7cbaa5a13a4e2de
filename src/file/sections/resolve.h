/* SPDX-License-Identifier: BSD-2-Clause */
/* Derives values that depend on all keys of a problem, after the keys were read or set. */
#ifndef SRC_PROBLEM_RESOLVE_H
#define SRC_PROBLEM_RESOLVE_H

#include "src/file/values/reader.h"

/* Context of a check by the libraries sim and control. */
typedef struct Checking {
  Reader *reader;
  /* Number of diagnostics before the check. New diagnostics about keys of earlier diagnostics are only consequences,
   * and are dropped. */
  size_t before;
} Checking;

/* The function `complain` of a SimReport. Its context is a Checking. */
void take_diagnostic(void *checking, const char *key, const char *text);

/* Tabulates the force over the grid, or converts it to pieces, if both the force and the grid are known. */
void fill_force(Reader *reader);
/* Checks and finalizes the model. Several ranks do this together, and only if no rank has reported an error. */
void check_model(Reader *reader);
/* Checks the control and the options of its answer. needed: a missing section control is an error. */
void check_control(Reader *reader, bool needed);

/* Reports options of a control that the problem does not support: its answer refined, robust, certified, or bounded
 * from below. report: receives the errors found by the control library. In answer_checks.c. */
void answer_checks(Reader *reader, const SimReport *report);
/* Reports a statistic of control.objective without scenarios, or with a refined answer. answer_checks calls it for
 * problems without a plan. In answer_checks.c. */
void check_objective(Reader *reader);

/* Returns whether an answer can be refined, by the file's scheme or on the exact motion. Call it after
 * ctl_problem_note_motion. In derivatives.c. */
bool derivatives_refine(const Problem *problem);

/* Returns whether derivatives are certainly available, judged by the sections `model` and `scheme` below the root. Both
 * sections may have errors. */
bool derivatives_may_be(Node *root, Diagnostics *diagnostics);

#endif
