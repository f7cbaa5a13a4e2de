/* summary.json: the resolved problem of a run, its results and its cost. */
#ifndef SRC_SUMMARY_H
#define SRC_SUMMARY_H

#include "control/evaluator.h"
#include "src/file/sections/file.h"
#include "src/results/peaks.h"
#include "src/results/results.h"

enum { SUMMARY_STATE_MAX = 4096 }; /* degrees of freedom up to which the final state is written */

/* Distance of x(T), v(T) of a rollout by fixed_point from those of the same steps solved exactly. */
typedef struct SolverError {
  bool known;
  double x_T, v_T; /* largest entry, m, m/s */
  double expected; /* error of x(T) to expect from the tolerance of all steps, m */
} SolverError;

typedef struct Summary {
  const Problem *problem;
  int ranks;
  const char *kernel;    /* of stiction_batch */
  const double *control; /* [variables]; NULL: none given, u = 0 */
  double J;              /* of this control, in a simulation of a problem with a control */
  const double *x, *v;   /* [d] x(T), x'(T); NULL: not known yet, or omitted beyond SUMMARY_STATE_MAX */
  const SimFinal *final; /* of the rollout with the written trajectory; x and v unused. NULL: stopped before its end */
  SimEnergy energy;      /* of this rollout */
  const Peaks *peaks;    /* of this rollout; NULL: not known */
  double misses[2];      /* E1, E2 of this rollout, if the problem has a target */
  SolverError solver_error;
  json_t *exact;       /* outcome.exact; NULL: none; borrowed, like the next six */
  json_t *optimality;  /* outcome.optimality */
  json_t *refined;     /* outcome.refined */
  json_t *further;     /* outcome.further */
  json_t *scenarios;   /* outcome.scenarios */
  json_t *bound;       /* outcome.bound */
  json_t *certificate; /* outcome.certificate */
  json_t *plan;        /* members that replace or extend those of outcome, for a motion plan; NULL: none; borrowed */
  json_t *verify;      /* NULL: none, like the next */
  json_t *identification;
  const CtlState *search; /* control only */
  CtlTimes times;         /* control only: sums over all runs; its member wall is not used */
  double utilisation;     /* control only: fraction of the evaluators' time spent evaluating; NAN: unknown */
  double bounding;        /* s, part spent on search.bound */
  double certifying;      /* s, part spent on search.certify */
  double wall;            /* s; for a control over all its runs */
} Summary;

/* Returns a new reference. */
json_t *summary_json(const Summary *summary);

/* Writes the summary of a run that has not ended: 0, or -1 after reporting an error. */
int summary_draft(const Results *results, const Summary *summary);

/* Writes the summary atomically, unless nothing is written, and warns about unusual results. Returns 0, or -1 after
 * reporting an error. */
int summary_write(const Results *results, const Summary *summary);

/* Closing error of the energy balance: work - stored - dissipated - numerical, J. */
double summary_closure(const SimEnergy *energy);

#endif
