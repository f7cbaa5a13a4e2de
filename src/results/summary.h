/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes summary.json: the resolved problem of a run, its results and its cost. */
#ifndef SRC_SUMMARY_H
#define SRC_SUMMARY_H

#include "control/evaluator.h"
#include "src/file/sections/file.h"
#include "src/results/peaks.h"
#include "src/results/results.h"

enum { SUMMARY_STATE_MAX = 4096 }; /* maximum number of degrees of freedom for which the final state is written */

/* Error of a rollout that uses the iterative solver fixed_point: the distance of its x(T), v(T) from the values of the
 * same time steps when they are solved exactly. */
typedef struct SolverError {
  bool known;
  double x_T, v_T; /* largest entry of the distance of x(T), in m, and of v(T), in m/s */
  double expected; /* error of x(T) to be expected from the solver's tolerance in all steps, in m */
} SolverError;

typedef struct Summary {
  const Problem *problem;
  int ranks;
  const char *kernel;    /* name of the kernel, the code for one instruction set, that stiction_batch used */
  const double *control; /* [variables] the control u; NULL: no control was given, so u = 0 */
  double J;              /* effort J of this control, for a simulation of a problem with a section control */
  const double *x, *v;   /* [d] x(T) and x'(T); NULL: not known yet, or left out since d > SUMMARY_STATE_MAX */
  const SimFinal *final; /* result of the rollout that wrote the trajectory; its members x and v are not used. NULL: the
                          * rollout was stopped */
  SimEnergy energy;      /* energies of this rollout */
  const Peaks *peaks;    /* amplitudes of this rollout; NULL: not known */
  double misses[2];      /* E1 and E2, the distances of the final position and velocity from the target, if the problem
                          * has a target */
  SolverError solver_error;
  json_t *exact;       /* member outcome.exact of summary.json; NULL: left out; borrowed, as are the next six members */
  json_t *optimality;  /* member outcome.optimality */
  json_t *refined;     /* member outcome.refined */
  json_t *further;     /* member outcome.further */
  json_t *scenarios;   /* member outcome.scenarios */
  json_t *bound;       /* member outcome.bound */
  json_t *certificate; /* member outcome.certificate */
  const char *advice;  /* member outcome.advice: what may find a lower cost; NULL: left out */
  json_t *plan;        /* members that replace or extend those of outcome for a motion plan; NULL: no plan; borrowed */
  json_t *verify;      /* result of --verify; NULL: left out. The same holds for the next member, the result of
                        * `identify` */
  json_t *identification;
  const CtlState *search; /* state of the search; NULL: the run is a simulation */
  CtlTimes times;         /* for a search: times summed over all runs of the search, which may have been resumed; the
                           * member wall is not used */
  double utilisation;     /* for a search: fraction of the evaluators' time spent on evaluations; NAN: unknown */
  double bounding;        /* part of the time spent on search.bound, in s */
  double certifying;      /* part of the time spent on search.certify, in s */
  double wall;            /* elapsed time in s; for a search, the sum over all its runs */
} Summary;

/* Returns the content of summary.json. The caller owns the reference. */
json_t *summary_json(const Summary *summary);

/* Writes a preliminary summary of a run that has not ended. Returns 0, or -1 after reporting an error. */
int summary_draft(const Results *results, const Summary *summary);

/* Writes the summary atomically, and warns about unusual results. If the run stores no results, nothing is written.
 * Returns 0, or -1 after reporting an error. */
int summary_write(const Results *results, const Summary *summary);

/* Returns the closing error of the energy balance: work - stored - dissipated - numerical, in J. */
double summary_closure(const SimEnergy *energy);

#endif
