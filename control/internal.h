/* control as the other layers of this project see it: the public headers, the struct of a problem, and functions that
 * are not exported. Users of the library include control/control.h. */
#ifndef CONTROL_INTERNAL_H
#define CONTROL_INTERNAL_H

#include "control/problem.h"
#include "control/search.h"

int ctl_method_find(const char *name);         /* number of "nlopt:cobyla", in any case; -1: unknown */
const char *stiction_method_name(int method);  /* NULL beyond the last method */
const char *stiction_method_about(int method); /* description, one sentence */
bool ctl_method_wants_petsc(int method);   /* needs stiction_petsc_start (sim/ranks.h) before the search is created */
bool ctl_method_of_scenarios(int method);  /* minimises only a statistic of scenarios */
bool ctl_method_fixes_penalty(int method); /* treats constraints by a penalty whose parameters stay constant */
bool ctl_method_has_simplexes(int method); /* its rounds are simplexes of scheme_size points */
/* Name of a round of an existing method for messages, in the plural if `several`. */
const char *ctl_method_round(int method, bool several);

static inline bool ctl_want_is(CtlWant a, CtlWant b) {
  return a.motion == b.motion && a.derivatives == b.derivatives && a.segments == b.segments;
}

/* Whether the motion is not the problem's own. Such a point is a step towards an answer, never an answer. */
static inline bool ctl_want_is_other(CtlWant want) { return want.motion != 0 || want.segments != 0; }

/* Numbers per row of derivatives for n variables. */
static inline size_t ctl_row_size(int n) { return (size_t)n + 2; }

/* The problem of a search, borrowed. */
const CtlProblem *ctl_search_problem(const CtlSearch *search);
/* Whether the method must compute, perhaps for seconds, before it knows its next points; stiction_asktell_ask then returns
 * 0. Only methods for a statistic of scenarios do so. */
bool ctl_search_works(const CtlSearch *search);
/* Does one piece of that computation. Between two pieces the search may be saved; a loaded search continues there.
 * seconds and result: as for stiction_asktell_tell. */
bool ctl_search_work(CtlSearch *search, double seconds);

/* Number of points of the current simplex that stiction_asktell_ask can still hand out. *want: what to evaluate at the
 * next of them, if any; want may be NULL. */
long ctl_search_unasked(const CtlSearch *search, CtlWant *want);

/* Whether E1 and E2 are within the problem's accept. */
bool ctl_state_meets(const CtlProblem *problem, const CtlState *state);

/* 16 hexadecimal digits of a hash of all sources and build files of sim/ and control/ and of the compiler and its
 * options. Builds with different hashes may give different answers. */
const char *ctl_source_hash(void);

#endif
