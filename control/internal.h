/* SPDX-License-Identifier: BSD-2-Clause */
/* The parts of control that other layers of this project use: the public headers, the struct of a problem, and
 * functions that are not exported. Users of the library include control/control.h. */
#ifndef CONTROL_INTERNAL_H
#define CONTROL_INTERNAL_H

#include "control/problem.h"
#include "control/search.h"

/* returns the number of a method by its name, for example "nlopt:cobyla", in upper or lower case; -1: unknown */
int ctl_method_find(const char *name);
const char *stiction_method_name(int method);  /* returns the name of a method; NULL beyond the last one */
const char *stiction_method_about(int method); /* returns a description of a method, one sentence */
/* whether stiction_petsc_start (sim/ranks.h) must be called before a search is created */
bool ctl_method_wants_petsc(int method);
bool ctl_method_of_scenarios(
    int method); /* whether the method can do nothing else but minimise a statistic over scenarios */
/* whether the method treats constraints by a penalty with constant parameters */
bool ctl_method_fixes_penalty(int method);
bool ctl_method_has_simplexes(int method); /* whether its rounds are simplexes of scheme_size points */
/* Returns the word for a round of an existing method in messages, for example "simplex"; in the plural if `several`. */
const char *ctl_method_round(int method, bool several);

static inline bool ctl_want_is(CtlWant a, CtlWant b) {
  return a.motion == b.motion && a.derivatives == b.derivatives && a.segments == b.segments;
}

/* Whether a point is evaluated by another motion than the problem's. Such a point is a step towards an answer, never an
 * answer. */
static inline bool ctl_want_is_other(CtlWant want) { return want.motion != 0 || want.segments != 0; }

/* Returns the number of doubles in a row of derivatives for n variables. */
static inline size_t ctl_row_size(int n) { return (size_t)n + 2; }

/* Returns the problem of a search; borrowed. */
const CtlProblem *ctl_search_problem(const CtlSearch *search);
/* Whether the method must compute before it knows its next points, perhaps for seconds. stiction_asktell_ask then
 * returns 0. Only methods for a statistic of scenarios do so. */
bool ctl_search_works(const CtlSearch *search);
/* Does one part of that computation. The search may be saved between two parts; a loaded search continues there.
 * seconds and the result are those of stiction_asktell_tell. */
bool ctl_search_work(CtlSearch *search, double seconds);

/* Returns how many points of the current round stiction_asktell_ask can still hand out. *want: what to evaluate at the
 * next of them, if there is one; want may be NULL. */
long ctl_search_unasked(const CtlSearch *search, CtlWant *want);

/* Whether E1 and E2 are at most the problem's accept. */
bool ctl_state_meets(const CtlProblem *problem, const CtlState *state);

/* Returns 16 hexadecimal digits of a hash of all sources and build files of sim/ and control/ and of the compiler and
 * its options. Builds with different hashes may give different answers. */
const char *ctl_source_hash(void);

#endif
