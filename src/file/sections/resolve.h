/* SPDX-License-Identifier: BSD-2-Clause */
/* Derives values that depend on all keys of a problem, after the keys were read or set. */
#ifndef SRC_PROBLEM_RESOLVE_H
#define SRC_PROBLEM_RESOLVE_H

#include "src/file/values/reader.h"

/* Data of a check that the libraries sim and control make: the context of its SimReport. */
typedef struct Checking {
  Reader *reader;
  /* Number of diagnostics before the check. If a key has one of these diagnostics, new ones about it are consequences
   * only, and are dropped. */
  size_t before;
} Checking;

/* Adds a diagnostic to the reader's list; used as `complain` of a SimReport. checking: a struct Checking. */
void take_diagnostic(void *checking, const char *key, const char *text);

/* Tabulates the force at the times of the grid, or converts it to polynomial pieces, if the force and the grid are
 * known. */
void fill_force(Reader *reader);
/* Checks and finalizes the model. Several ranks do this together, but only if no rank has reported an error. */
void check_model(Reader *reader);
/* Checks the section control, and the options of search by which the control found is refined, certified or bounded.
 * needed: a missing section control is an error. */
void check_control(Reader *reader, bool needed);

/* Reports options that the problem does not support: that the control found be refined, robust, certified, or bounded
 * from below. report: receives the errors that the control library finds. Defined in answer_checks.c. */
void answer_checks(Reader *reader, const SimReport *report);
/* Reports a statistic of control.objective without scenarios, or with a refined answer. answer_checks calls it for
 * problems without a plan. In answer_checks.c. */
void check_objective(Reader *reader);

/* Returns whether the control found can be refined, by the file's scheme or on the exact motion. Must be called after
 * ctl_problem_note_motion. Defined in derivatives.c. */
bool derivatives_refine(const Problem *problem);

/* Returns whether derivatives are certainly available. Only the sections `model` and `scheme` of the document are
 * examined; both may have errors. */
bool derivatives_may_be(Node *root, Diagnostics *diagnostics);

#endif
