/* SPDX-License-Identifier: BSD-2-Clause */
/* The penalty functions P and Pi_K, Glowinski-Kearsley (3.1)-(3.8). They are computed from stored outcomes, so that a
 * change of parameters requires no simulation. Entries of x_T, v_T that are NAN are free and not part of any norm. If
 * an entry of x(T) or x'(T) with a target is NAN, its distance from the target counts as infinite.
 *
 *   P    = J + rho1 ||x(T) - x_T|| + rho2 ||x'(T) - v_T||, with the norm problem->norm                         (3.1)
 *   Pi_K = J + rho3 G_K(u) + Z_K(u, uc), G_K = ||(x(T) - x_T, x'(T) - v_T)||_K                          (3.4), (3.6)
 *   Z_K  = min{ G_K(uc) / max(G_K(u), 1e-8), 1 } max{ J(uc) - J(u), 0 }                                       (3.5)
 *   K    = inf if G_2(uc) >= 2; 2 if 1 < G_2(uc) < 2; 1 if G_2(uc) <= 1                                       (3.7)
 *
 * uc is the best point of the preceding simplex, called the centre. With scenarios the statistic of their E1 + E2
 * replaces the norm in P, with factor rho1, and G_K. rho2 is unused then. For user-defined values (values.h) f replaces
 * J, and the constraint violations replace x(T) - x_T, with factor rho1, and G_K. */
#ifndef CONTROL_PENALTY_H
#define CONTROL_PENALTY_H

#include "control/internal.h"

/* Current parameters of the penalty. The struct has no pointers. */
typedef struct CtlPenalty {
  double rho[3];   /* penalty parameters rho1, rho2, rho3 */
  CtlNorm norm;    /* norm of the distances from the target in P; for Pi the norm K */
  double centre_J; /* J(uc) of the centre uc; like centre_G it is used for Pi only */
  double centre_G; /* G_K(uc) of the centre uc; +inf if its evaluation failed */
} CtlPenalty;

/* Sets all three penalty parameters rho1, rho2, rho3 to problem->rho. For the penalty function Pi_K, ctl_penalty_centre
 * must be called before the first merit is computed. */
void ctl_penalty_start(CtlPenalty *penalty, const CtlProblem *problem);

/* Sets the centre uc, the best point of the preceding simplex, and the norm K by (3.7). Has no effect for the penalty
 * function P. J: J(uc); x, v: [d] x(T), x'(T) of uc. */
void ctl_penalty_centre(CtlPenalty *penalty, const CtlProblem *problem, double J, const double *x, const double *v);

/* Returns P or Pi_K of a point with effort J and final state x, v [d]. */
double ctl_penalty_merit(const CtlPenalty *penalty, const CtlProblem *problem, double J, const double *x,
                         const double *v);

/* Updates the penalty parameters once per simplex, from the final state of the best point; has no effect for a constant
 * rho:
 *
 *   rho1 <- min(1e6, rho1 + ||x(T) - x_T||_inf), rho2 <- min(1e6, rho2 + ||x'(T) - v_T||_inf)           (3.2), (3.3)
 *   rho3 <- (rho1 + rho2)/2                                                                                   (3.8)
 *
 * With scenarios rho1 grows by the statistic of their E1 + E2, and rho3 is rho1. */
void ctl_penalty_update_rho(CtlPenalty *penalty, const CtlProblem *problem, const double *x, const double *v);

/* Returns max(1, ||target||) over the entries of target [d] that are given. ctl_target_error divides by it. */
double ctl_target_size(int d, const double *target, double spacing);

/* Returns the statistic of the scenarios' E1 + E2, from the concatenated final states x, v. If x or v is NULL, its
 * error counts as 0. */
double ctl_statistic(const CtlProblem *problem, const double *x, const double *v);
/* Returns the problem's statistic (such as the mean or the maximum) of n values. */
double ctl_statistic_of(const CtlProblem *problem, int n, const double *errors);

/* ctl_target_given returns the number of given entries of a target [d]; ctl_target_count returns this number for x_T
 * and v_T together or, for user-defined values, the number of constraints. */
int ctl_target_given(int d, const double *target);
int ctl_target_count(const CtlProblem *problem);
/* Returns the number of rows of derivatives: one per entry with a target, or one per user-defined value. */
int ctl_row_count(const CtlProblem *problem);

#endif
