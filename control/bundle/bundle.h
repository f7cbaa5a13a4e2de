/* One run that makes a statistic of many scenarios' misses small: each step minimises, inside a box about the point, in the bounds,
 *
 *     J(u) + rho stat_s e_s(u),    e_s = max_i |r_i + a_i'(u - at)|/unit_i over x(T)  +  the same over v(T)
 *
 * where misses are linear about the point, which a quadratic problem does by pieces of the e_s that are largest: a bundle. The step
 * is taken if J + rho stat falls for the motions, too; else the box shrinks. */
#ifndef CONTROL_BUNDLE_H
#define CONTROL_BUNDLE_H

#include "control/base/bytes.h"
#include "control/control.h"
#include "control/sqp/qp.h"

/* What all runs on one problem share. */
typedef struct CtlBundleShared {
  const CtlProblem *problem; /* borrowed */
  int n, m, scenarios;       /* variables; rows; motions */
  int tops; /* t, which stand behind u in the quadratic problem: one, or of a mean one for each scenario */
  double rho;
  int *entry;    /* [m] of a row: whose entry of x(T) or v(T) it is, of all scenarios; owned, as the rest */
  int *first;    /* [2][scenarios + 1] rows of x(T), of v(T) of a scenario: first[k][s] .. first[k][s + 1] - 1 */
  double *unit;  /* [m] */
  double *miss;  /* [m] linear, under way */
  double *error; /* [scenarios] */
  double *point; /* [n] under way */
  CtlQp qp;
} CtlBundleShared;

/* problem: with scenarios. Returns false when out of memory; to be cleared, too. */
bool ctl_bundle_shared_init(CtlBundleShared *shared, const CtlProblem *problem);
void ctl_bundle_shared_clear(CtlBundleShared *shared);

typedef struct CtlBundle {
  CtlBundleShared *shared; /* borrowed */
  double *at, *trial;  /* [n] the point that steps start from; the one wanted; owned, with the next two in one block */
  double *miss;        /* [m] x(T) - x_T, v(T) - v_T at `at` */
  double *rows;        /* [m][n] their derivatives; 0 of what has stopped */
  double P;            /* J + rho stat at `at` */
  double promised;     /* by how much the step is to lessen it */
  double radius;       /* of the box, N */
  double price;        /* what J counts for besides itself, so that it is at most effort_at_most */
  double enough;       /* the part of P by which a step must promise to lessen it */
  long tried;          /* trials told */
  double looked, fall; /* P some trials ago; by how much it had fallen since the look before */
  bool begun, ended;
  bool due; /* the next trial is not known yet */
} CtlBundle;

bool ctl_bundle_init(CtlBundle *bundle, CtlBundleShared *shared);
void ctl_bundle_clear(CtlBundle *bundle);
/* Begins at a control [n], which is moved into the bounds. shared: as of init, or the same but for the statistic. */
void ctl_bundle_start(CtlBundle *bundle, CtlBundleShared *shared, const double *control, double enough);
/* The ends of the trial's motions, rows as in CtlOutcome; x NULL: one has failed. A next trial is due then, or it has ended. */
void ctl_bundle_tell(CtlBundle *bundle, const double *x, const double *v, const double *rows);
/* Where that is due: one step, in a box that is smaller each time until it promises something. The trial is known then, or another is due,
 * or it has ended. */
void ctl_bundle_go_on(CtlBundle *bundle);
/* Whether it may still come to less than P in good time: P falls as fast as that takes. */
bool ctl_bundle_may_reach(const CtlBundle *bundle, double P);
void ctl_bundle_serialize(CtlBundle *bundle, CtlBytes *bytes);

/* The linear problem's answer about bundle->at goes to bundle->trial; returns its J + rho stat, INFINITY where there is none. */
double ctl_bundle_step(CtlBundle *bundle);

#endif
