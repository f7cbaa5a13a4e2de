/* summary.json: what a run was asked, what came out, what it cost. */
#ifndef SRC_SUMMARY_H
#define SRC_SUMMARY_H

#include "control/evaluator.h"
#include "src/file/sections/file.h"
#include "src/results/peaks.h"
#include "src/results/results.h"

enum { SUMMARY_STATE_MAX = 4096 }; /* degrees of freedom up to which the final state is told */

/* How far x(T), v(T) of a rollout by fixed_point are from those of the same steps solved exactly. */
typedef struct SolverError {
  bool known;
  double x_T, v_T; /* the largest entry, m, m/s */
  double expected; /* what the tolerance of all steps together suggests of x(T), m */
} SolverError;

typedef struct Summary {
  const Problem *problem;
  int ranks;
  const char *kernel;    /* of sim_batch */
  const double *control; /* [variables]; NULL: none given, u = 0 */
  double J;              /* of it, in a simulation of a problem that has a control */
  const double *x, *v;   /* [d] x(T), x'(T); NULL: none yet, or not told, beyond SUMMARY_STATE_MAX */
  const SimFinal *final; /* of the rollout whose trajectory is written; x and v unused. NULL: stopped before its end */
  SimEnergy energy;      /* of that rollout */
  const Peaks *peaks;    /* likewise; NULL: not known */
  double misses[2];      /* E1, E2 of that rollout, where the problem has a target */
  SolverError solver_error;
  json_t *exact;       /* outcome.exact; NULL: none; borrowed, as the next six */
  json_t *optimality;  /* outcome.optimality */
  json_t *refined;     /* outcome.refined */
  json_t *further;     /* outcome.further */
  json_t *scenarios;   /* outcome.scenarios */
  json_t *bound;       /* outcome.bound */
  json_t *certificate; /* outcome.certificate */
  json_t *plan;   /* of a motion plan: members that outcome has besides, or in place of others; NULL: none; borrowed */
  json_t *verify; /* NULL: none, as the next */
  json_t *identification;
  const CtlState *search; /* control only */
  CtlTimes times;         /* control only: of all its runs, but for wall, which nobody reads */
  double utilisation;     /* control only: part of its evaluators' time that was spent evaluating; NAN: unknown */
  double bounding;        /* s, search.bound's part of it */
  double certifying;      /* s, search.certify's, likewise */
  double wall;            /* s; of a control all its runs */
} Summary;

/* A new reference. */
json_t *summary_json(const Summary *summary);

/* Writes it as it is before a run has come to its end: 0, or -1 after telling. */
int summary_draft(const Results *results, const Summary *summary);

/* Writes it whole or not at all, where results are written, and warns of what in it should not be overlooked. Returns 0, or -1 after
 * telling. */
int summary_write(const Results *results, const Summary *summary);

/* Closing error of the energy balance: work - stored - dissipated - numerical, J. */
double summary_closure(const SimEnergy *energy);

#endif
