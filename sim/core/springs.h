/* Springs whose force is a law g(e) of their elongation: anchors, e = x_i, and links between neighbours, e = x_{i+1} - x_i,
 *
 *     M x'' + D x' + A x + G'g(G x) + C (lambda - gamma(x')) = f + B u,    G the rows of elongations.
 *
 * Of each law the mean stiffness k >= 0 joins A, and what is left, g(e) = k e + h(e), has slopes of at most r about 0: a model is that of
 * A + G'k G with a force -G'h of position. (A scheme without steps has k = 0: the round-off of k e may be more than that of g.) Schemes
 * with steps take h's mean along the way that a step goes, by which its potential's
 * change is exactly the work; the step's problem then reads
 *
 *     E w + Q lambda = b - G'h_mean(w),    E with A + G'k G,
 *
 * and is solved again and again with the last w in h_mean. That contracts, and the solution is the only one, where
 * rest_weight G'r G < E: with moreau wherever theta^2 dt^2 G'g'G > -M. */
#ifndef SIM_CORE_SPRINGS_H
#define SIM_CORE_SPRINGS_H

#include "sim/core/curve.h"
#include "sim/operator/check.h"

/* Of a model; immutable. */
typedef struct Springs {
  const SimProblem *problem;     /* the model's */
  Curve rest[SIM_SPRING_PLACES]; /* h and its potential */
  double *rows[SIM_SPRING_PLACES], *stiffness[SIM_SPRING_PLACES],
      *spread[SIM_SPRING_PLACES];    /* of h; k and r [columns]; owned */
  double *joined, *alone;            /* dense: A + G'k G, owned, and A */
  SimMatrix joined_rows, alone_rows; /* sparse: likewise */
} Springs;

/* Vectors of work->springs, [count] each, which a step has between its solves. */
enum { SPRING_FROM, SPRING_TO, SPRING_RIGHT, SPRING_LAMBDA, SPRING_BASE, SPRING_OTHER, SPRING_VECTORS };

static inline bool springs_present(const SimProblem *p) {
  return p->springs[SIM_ANCHORS].pieces > 0 || p->springs[SIM_LINKS].pieces > 0;
}
/* Tells what is wrong with a problem's springs. */
void springs_check(Check *check);
/* Replaces a problem's A by A + G'k G until springs_part, which may be given NULL. SIM_OK, SIM_NO_MEMORY. */
SimStatus springs_join(SimProblem *problem, Springs **springs);
void springs_part(SimProblem *problem, Springs *springs);
/* The largest step, s, for which rest_weight G'r G < E is proven; INFINITY: any. */
double springs_limit(const Springs *springs, double mass_min);

/* Their potential V(x), J, without that of k; this rank's share. */
double springs_stored(const Springs *springs, const double *x);
/* The sum of |x g| of their ends, this rank's share: the size of the terms of their potentials, J. */
double springs_size(const Springs *springs, const double *x);
/* Whether all are within their laws' ranges; agreed on by the group. */
bool springs_inside(const Springs *springs, const double *x);
/* force [count] += factor G'(h_mean + (theta - 1/2) (h(next) - h(x))), h_mean = (V(next) - V(x))/(next - x). Beyond its range a law
 * goes on along its tangent. */
void springs_add_mean(const Springs *springs, double theta, double factor, const double *x, const double *next,
                      double *force);
/* How the same law's share of force rises with e and with e_next, of each spring, N/m: anchors [count], then links [count]. */
void springs_slopes(const Springs *springs, double theta, const double *x, const double *next, double *before,
                    double *after);
/* y += factor G' diag(slopes) G x, of the first n of blocks of columns [count][width] (sim/operator/columns.h). */
void springs_add_columns(const Springs *springs, const double *slopes, double factor, int n, int width, const double *x,
                         double *y);
/* The sum of (e_next - e) (h(next) - h(x)), this rank's share. */
double springs_rise(const Springs *springs, const double *x, const double *next);

#endif
