/* Derives what depends on all keys of a problem, after they have been read or set. */
#ifndef SRC_PROBLEM_RESOLVE_H
#define SRC_PROBLEM_RESOLVE_H

#include "src/file/values/reader.h"

/* Context to which the libraries' checks report. */
typedef struct Checking {
  Reader *reader;
  /* number of diagnostics before the check; new ones about the same keys are consequences and are dropped */
  size_t before;
} Checking;

/* The `complain` function of a SimReport; its context is a Checking. */
void take_diagnostic(void *checking, const char *key, const char *text);

/* If both the force and the grid are known, tabulates the force over the grid or converts it to pieces. */
void fill_force(Reader *reader);
/* Checks and finalizes the model. Several ranks do this together, and only if none has reported an error. */
void check_model(Reader *reader);
/* Checks the control and the options of its answer. needed: a missing section is an error. */
void check_control(Reader *reader, bool needed);

/* answer_checks.c: reports options of a control (refined, robust, certified, bounded from below) that this problem does
 * not support. report: receives the errors found by the control library. */
void answer_checks(Reader *reader, const SimReport *report);

/* derivatives.c: whether the motions of a problem file have derivatives. */

/* Whether an answer can be refined, by the file's scheme or on the exact motion. Call after ctl_problem_note_motion. */
bool derivatives_refine(const Problem *problem);

/* Whether derivatives are certainly available, judged by the sections `model` and `scheme` below the root, which may
 * have errors. */
bool derivatives_may_be(Node *root, Diagnostics *diagnostics);

#endif
