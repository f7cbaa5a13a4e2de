/* What follows from all keys of a problem, once they have been read or set. */
#ifndef SRC_PROBLEM_RESOLVE_H
#define SRC_PROBLEM_RESOLVE_H

#include "src/values/reader.h"

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

#endif
