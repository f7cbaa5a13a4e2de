/* SPDX-License-Identifier: BSD-2-Clause */
/* Declarations of control for the other parts of this project: the public headers, the struct of a problem, and
 * functions that are not exported. Users of the library include control/control.h instead. */
#ifndef CONTROL_INTERNAL_H
#define CONTROL_INTERNAL_H

#include "control/problem.h"
#include "control/search.h"

/* returns the number of the method with this name, for example "nlopt:cobyla", in upper or lower case; -1: unknown */
int ctl_method_find(const char *name);
const char *stiction_method_name(int method);  /* returns the name of a method; NULL beyond the last one */
const char *stiction_method_about(int method); /* returns a description of a method, one sentence */
/* whether stiction_petsc_start (sim/ranks.h) must be called before a search is created */
bool ctl_method_wants_petsc(int method);
bool ctl_method_of_scenarios(int method); /* whether the method can only minimise a statistic over scenarios */
/* whether the method treats constraints by a penalty with constant parameters */
bool ctl_method_fixes_penalty(int method);
bool ctl_method_has_simplexes(int method); /* whether the rounds of the method are simplexes of scheme_size points */
/* Returns what messages call a round of this method, for example "simplex"; the plural if `several`. */
const char *ctl_method_round(int method, bool several);

static inline bool ctl_want_is(CtlWant a, CtlWant b) {
  return a.motion == b.motion && a.derivatives == b.derivatives && a.segments == b.segments;
}

/* Whether a point is evaluated by another motion than the problem's. Such a point can only be a step towards the result
 * of a search, never the result. */
static inline bool ctl_want_is_other(CtlWant want) { return want.motion != 0 || want.segments != 0; }

/* Returns the number of doubles in one derivative row for n variables (CtlOutcome.rows). */
static inline size_t ctl_row_size(int n) { return (size_t)n + 2; }

/* Returns the problem of a search; borrowed. */
const CtlProblem *ctl_search_problem(const CtlSearch *search);
/* Whether the method must compute before it knows its next points, perhaps for seconds. stiction_asktell_ask returns 0
 * meanwhile. Only methods for a statistic over scenarios do so. */
bool ctl_search_works(const CtlSearch *search);
/* Does one part of the computation that ctl_search_works announces. The search may be saved between two parts; a loaded
 * search continues there. `seconds` and the return value are those of stiction_asktell_tell. */
bool ctl_search_work(CtlSearch *search, double seconds);

/* Returns how many points of the current round stiction_asktell_ask can still hand out. *want: what to evaluate at the
 * next of these points, if there is one; want may be NULL. */
long ctl_search_unasked(const CtlSearch *search, CtlWant *want);

/* Whether E1 and E2 of the state are at most the problem's tolerance `accept`. */
bool ctl_state_meets(const CtlProblem *problem, const CtlState *state);

/* Returns 16 hexadecimal digits of a hash of all sources and build files of sim/ and control/ and of the compiler and
 * its options. Builds with different hashes may give different results. */
const char *ctl_source_hash(void);

#endif
