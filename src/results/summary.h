/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes summary.json: the resolved problem of a run, its results and its cost. */
#ifndef SRC_SUMMARY_H
#define SRC_SUMMARY_H

#include "control/evaluator.h"
#include "src/file/sections/file.h"
#include "src/results/peaks.h"
#include "src/results/results.h"

enum { SUMMARY_STATE_MAX = 4096 }; /* maximum number of degrees of freedom for which the final state is written */

/* Distance of x(T), v(T) of a rollout by the solver fixed_point from the values that the same steps give if solved
 * exactly. */
typedef struct SolverError {
  bool known;
  double x_T, v_T; /* largest entry of the distance of x(T), in m, and of v(T), in m/s */
  double expected; /* error of x(T) expected from the tolerance of all steps, in m */
} SolverError;

typedef struct Summary {
  const Problem *problem;
  int ranks;
  const char *kernel;    /* kernel of stiction_batch */
  const double *control; /* [variables] the control; NULL: no control was given, so u = 0 */
  double J;              /* effort J of this control, for a simulation of a problem with a section control */
  const double *x, *v;   /* [d] x(T) and x'(T); NULL: not known yet, or omitted as d > SUMMARY_STATE_MAX */
  const SimFinal *final; /* result of the rollout that gave the written trajectory; its x and v are not used. NULL:
                          * the rollout was stopped */
  SimEnergy energy;      /* energies of this rollout */
  const Peaks *peaks;    /* amplitudes of this rollout; NULL: not known */
  double misses[2];      /* errors E1 and E2 of the target position and velocity, if the problem has a target */
  SolverError solver_error;
  json_t *exact;       /* member outcome.exact of summary.json; NULL: none; borrowed, like the next six members */
  json_t *optimality;  /* member outcome.optimality */
  json_t *refined;     /* member outcome.refined */
  json_t *further;     /* member outcome.further */
  json_t *scenarios;   /* member outcome.scenarios */
  json_t *bound;       /* member outcome.bound */
  json_t *certificate; /* member outcome.certificate */
  json_t *plan;        /* members that replace or extend those of outcome for a motion plan; NULL: none; borrowed */
  json_t *verify;      /* result of --verify; NULL: none, like the next */
  json_t *identification;
  const CtlState *search; /* state of the search; NULL: the run is a simulation */
  CtlTimes times;         /* for a search: sums of times over all its runs; the member wall is not used */
  double utilisation;     /* for a search: fraction of the evaluators' time spent on evaluations; NAN: unknown */
  double bounding;        /* part of the time spent on search.bound, in s */
  double certifying;      /* part of the time spent on search.certify, in s */
  double wall;            /* elapsed time in s; for a search, over all its runs */
} Summary;

/* Returns the content of summary.json: a new reference. */
json_t *summary_json(const Summary *summary);

/* Writes the summary of a run that has not ended. Returns 0, or -1 after reporting an error. */
int summary_draft(const Results *results, const Summary *summary);

/* Writes the summary atomically, unless the run stores no results, and warns about unusual results. Returns 0, or -1
 * after reporting an error. */
int summary_write(const Results *results, const Summary *summary);

/* Returns the error by which the energy balance does not close: work - stored - dissipated - numerical, in J. */
double summary_closure(const SimEnergy *energy);

#endif
