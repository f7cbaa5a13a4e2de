/* A bundle method that minimises a statistic of many scenarios' misses. Each step minimises, inside a box about the
 * point and within bounds,
 *
 *     J(u) + rho stat_s e_s(u),    e_s = max_i |r_i + a_i'(u - at)|/unit_i over x(T)  +  the same over v(T)
 *
 * with misses linear about the point. A quadratic problem does so with the largest linear pieces of the e_s, the
 * bundle. The step is accepted if J + rho stat also falls for the simulated motions. Otherwise the box shrinks. */
#ifndef CONTROL_BUNDLE_H
#define CONTROL_BUNDLE_H

#include "control/base/bytes.h"
#include "control/internal.h"
#include "control/sqp/qp.h"

/* Shared by all runs on one problem. */
typedef struct CtlBundleShared {
  const CtlProblem *problem; /* borrowed */
  int n, m, scenarios;       /* variables; rows; scenarios */
  int tops; /* number of t variables, which follow u in the quadratic problem: one, or for the mean one per scenario */
  double rho;
  int *entry;    /* [m] entry of x(T) or v(T) of each row, over all scenarios; owned, like the rest */
  int *first;    /* [2][scenarios + 1] rows of x(T), v(T) of a scenario: first[k][s] .. first[k][s + 1] - 1 */
  double *unit;  /* [m] */
  double *miss;  /* [m] linearised misses of the current point */
  double *error; /* [scenarios] */
  double *point; /* [n] current point of the quadratic problem */
  CtlQp qp;
} CtlBundleShared;

/* problem: with scenarios. Returns false when out of memory; clear it then, too. */
bool ctl_bundle_shared_init(CtlBundleShared *shared, const CtlProblem *problem);
void ctl_bundle_shared_clear(CtlBundleShared *shared);

typedef struct CtlBundle {
  CtlBundleShared *shared; /* borrowed */
  double *at, *trial;      /* [n] current point; next trial; owned, with the next two in one block */
  double *miss;            /* [m] x(T) - x_T, v(T) - v_T at `at` */
  double *rows;            /* [m][n] derivatives of the misses; 0 for dofs that have stopped */
  double P;                /* J + rho stat at `at` */
  double promised;         /* predicted decrease of P */
  double radius;           /* half-width of the box, N */
  double price;            /* additional weight of J that keeps it at or below effort_at_most */
  double enough;           /* smallest predicted decrease, relative to P, for a step */
  long tried;              /* number of trials evaluated */
  double looked, fall;     /* P at the last check of progress; its decrease before that */
  bool begun, ended;
  bool due; /* the next trial has not been computed yet */
} CtlBundle;

bool ctl_bundle_init(CtlBundle *bundle, CtlBundleShared *shared);
void ctl_bundle_clear(CtlBundle *bundle);
/* Begins at a control [n], moved into the bounds. shared: as initialised, or with another statistic. */
void ctl_bundle_start(CtlBundle *bundle, CtlBundleShared *shared, const double *control, double enough);
/* Accepts the final states of the trial's motions, rows as in CtlOutcome; x NULL: one has failed. Then a next trial
 * is due, or the run has ended. */
void ctl_bundle_tell(CtlBundle *bundle, const double *x, const double *v, const double *rows);
/* Computes a due trial by one step, with smaller boxes until a sufficient decrease is predicted. Afterwards the
 * trial is known, another call is due, or the run has ended. */
void ctl_bundle_go_on(CtlBundle *bundle);
/* Whether P can be expected to fall below a value in reasonable time, at its recent rate. */
bool ctl_bundle_may_reach(const CtlBundle *bundle, double P);
void ctl_bundle_serialize(CtlBundle *bundle, CtlBytes *bytes);

/* Solves the linearised problem about bundle->at for bundle->trial. Returns its J + rho stat; INFINITY: no solution. */
double ctl_bundle_step(CtlBundle *bundle);

#endif
