/* Springs whose force is a law g(e) of their elongation: anchors, e = x_i, and links between neighbours, e = x_{i+1} - x_i,
 *
 *     M x'' + D x' + A x + G'g(G x) + C (lambda - gamma(x')) = f + B u,    G the rows of elongations.
 *
 * Schemes with steps take g's mean along the way that a step goes, by which its potential's change is exactly the work, and solve again and again with the
 * last solution w in that mean. So that this contracts, the mean stiffness k >= 0 of each law joins A in their matrices, E has A + G'k G, and what is left
 * on the right side is h(e) = g(e) - k (e - e_0), with slopes of at most r about 0, e_0 the elongation that A acts on there:
 *
 *     E w + Q lambda = b - G'h_mean(w),    b with A alone.
 *
 * (So k e is nowhere: its round-off may be more than g, where a spring rests.) It contracts, and the solution is the only one, where
 * rest_weight G'r G < E: with moreau wherever theta^2 dt^2 G'g'G > -M. A scheme without steps has k = 0. */
#ifndef SIM_JOINT_SPRINGS_H
#define SIM_JOINT_SPRINGS_H

#include "sim/base/curve.h"
#include "sim/operator/check.h"
#include "sim/operator/operator.h"

/* Of a model; immutable. */
typedef struct Springs {
  const SimProblem *problem;                                        /* the model's, of A + G'k G */
  SimProblem alone;                                                 /* of A; all it has is the model's */
  Curve law[SIM_SPRING_PLACES];                                     /* g and its potential; the problem's */
  double *stiffness[SIM_SPRING_PLACES], *spread[SIM_SPRING_PLACES]; /* k and r [columns]; owned */
  double *within
      [SIM_SPRING_PLACES]; /* [pieces][columns] the largest |g| between a piece and its centre (pieces.h); owned */
  double *joined;          /* dense: A + G'k G; owned */
  SimMatrix joined_rows;   /* sparse: likewise */
} Springs;

/* Vectors of work->springs, [count] each, which a step has between its solves. */
enum { SPRING_FROM, SPRING_TO, SPRING_RIGHT, SPRING_LAMBDA, SPRING_BASE, SPRING_OTHER, SPRING_ABOUT, SPRING_VECTORS };

static inline bool springs_present(const SimProblem *p) {
  return p->springs[SIM_ANCHORS].pieces > 0 || p->springs[SIM_LINKS].pieces > 0;
}
/* How many springs of a place this rank has. */
static inline int springs_of(const SimProblem *p, SimSpringPlace place) {
  if (p->springs[place].pieces == 0) return 0;
  return place == SIM_ANCHORS ? p->count : p->count - 1;
}
/* The column of a law, and k, of spring i of a place that has springs. */
static inline int springs_column(Curve law, int i) { return law.columns == 1 ? 0 : i; }
static inline double springs_stiffness(const Springs *springs, SimSpringPlace place, int i) {
  return springs->stiffness[place][springs_column(springs->law[place], i)];
}
/* Replaces a problem's A by A + G'k G until springs_part, which may be given NULL; steps: the scheme has steps. SIM_OK, SIM_NO_MEMORY. */
SimStatus springs_join(SimProblem *problem, bool steps, Springs **springs);
void springs_part(SimProblem *problem, Springs *springs);
/* The problem of A alone; springs NULL: the problem. */
static inline const SimProblem *springs_alone(const Springs *springs, const SimProblem *problem) {
  return springs ? &springs->alone : problem;
}
/* The largest step, s, for which rest_weight G'r G < E is proven; INFINITY: any. step: the scheme's step_operator, of which E is made. */
double springs_limit(const Springs *springs, OperatorSum step, double rest_weight, double mass_min);
/* Whether it is so at the problem's step with nine tenths of E itself, where springs_limit's bound by the least mass is none. Collective. SIM_OK, SIM_NO_MEMORY. */
SimStatus springs_contract(const Springs *springs, OperatorSum step, double rest_weight, bool *contracts);

/* Their potential V(x), J; this rank's share. */
double springs_stored(const Springs *springs, const double *x);
/* J, this rank's share: what is rounded where they have energies. Of each spring the largest terms of its potential's polynomial, those of its force's
 * times |x| of its ends, by which x is rounded, and |x|^2 |g'|: at a natural length other than 0 g is 0, but not for an x that has been rounded. */
double springs_size(const Springs *springs, const double *x);
/* Whether all are within their laws' ranges; agreed on by the group. */
bool springs_inside(const Springs *springs, const double *x);
/* force [count] += factor G'(h_mean + (theta - 1/2) (h(next) - h(x))), h_mean the mean from x to next, e_0 the elongations of `about`. Beyond its range
 * a law goes on along its tangent. */
void springs_add_mean(const Springs *springs, double theta, double factor, const double *x, const double *next,
                      const double *about, double *force);
/* Of one law: the mean of g over the way from e to next, and g(next) - g(e), N. */
double springs_law_mean(Curve law, int column, double e, double next);
double springs_law_rise(Curve law, int column, double e, double next);
/* How the same force about x rises with e and with e_next, of each spring, N/m: anchors [count], then links [count]. */
void springs_slopes(const Springs *springs, double theta, const double *x, const double *next, double *before,
                    double *after);
/* y += factor G' diag(slopes) G x, of the first n of blocks of columns [count][width] (sim/operator/columns.h). */
void springs_add_columns(const Springs *springs, const double *slopes, double factor, int n, int width, const double *x,
                         double *y);
/* The sums of (e_next - e) (g(next) - g(x)) and of k (e_next - e)^2, this rank's share. */
double springs_rise(const Springs *springs, const double *x, const double *next);
double springs_mean_form(const Springs *springs, const double *x, const double *next);

#endif
