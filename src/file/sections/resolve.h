/* What follows from all keys of a problem, once they have been read or set. */
#ifndef SRC_PROBLEM_RESOLVE_H
#define SRC_PROBLEM_RESOLVE_H

#include "src/file/values/reader.h"

/* What the libraries' checks report to. */
typedef struct Checking {
  Reader *reader;
  size_t before; /* diagnostics there were before the check: what concerns the same keys is their consequence */
} Checking;

/* A SimReport's complain, with a Checking as its context. */
void take_diagnostic(void *checking, const char *key, const char *text);

/* Tabulates the force over the grid, when both are known, or makes pieces of it. */
void fill_force(Reader *reader);
/* Has the model checked and finalized. By several ranks together only if none has found a mistake so far. */
void check_model(Reader *reader);
/* Has the control checked, and what is wanted of its answer. needed: a missing section is a mistake. */
void check_control(Reader *reader, bool needed);

/* answer_checks.c: reports what else is asked of a control (refined, robust, certified, bounded from below) that this
 * problem cannot have. report: of what the library of control refuses. */
void answer_checks(Reader *reader, const SimReport *report);

/* derivatives.c: whether the motions of a problem file have derivatives. */

/* Whether an answer can be refined, by the file's scheme or on the motion itself. After ctl_problem_note_motion. */
bool derivatives_refine(const Problem *problem);

/* Whether derivatives are sure to be had, as far as the sections `model` and `scheme` below the root tell, which need
 * not be right. */
bool derivatives_may_be(Node *root, Diagnostics *diagnostics);

#endif
