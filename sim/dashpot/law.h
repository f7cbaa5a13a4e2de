/* SPDX-License-Identifier: BSD-2-Clause */
/* The laws of a dash-pot, and the scalar problem of a step (Gotika, chapter V).
 *
 * Every law except Coulomb's gives the speed as a polynomial V of the excess w = |f_d| - f_crit >= 0 of the dash-pot's
 * force; v = 0 if |f_d| <= f_crit. With s the sign of v and of f_d, a step needs the w >= 0 where the law intersects
 * the line of the momentum balance (5.9),
 *
 *   V(w) + c w = e, f_d = s (f_crit + w), v = s (e - c w)
 *
 * e = c (|ft| - f_crit) > 0, with the force ft of form.c. A non-monotone law may intersect the line several times, at
 * most once on each monotone branch. All intersections are found, and the selection chooses one. */
#ifndef SIM_DASHPOT_LAW_H
#define SIM_DASHPOT_LAW_H

#include "sim/internal.h"
#include "sim/step/dense_solver.h"

/* largest degree of the polynomials V of all laws */
enum { DASHPOT_DEGREE_MAX = 5 };

/* The step's equation V(w) + c w = e for one constant c. V is the dash-pot's law, w the excess of its force, and c w
 * the effect of this force on the velocity in the step. All data that do not depend on the right side e are computed in
 * advance. */
typedef struct DashpotLine {
  SimSelection selection;
  double f_crit;                              /* threshold f_crit of the force, in N */
  double c;                                   /* c = (dt/m) / (1 + k dt^2/m), m/(N s); 0: the law itself */
  int degree;                                 /* degree of V; 0: Coulomb's law, with w = 0 at any speed */
  double coefficient[DASHPOT_DEGREE_MAX + 1]; /* coefficients of V(w) + c w by powers of w; the first one is the
                                               * constant, 0 */
  double bound;                               /* upper bound of the roots of V(w) + c w, in N */
  int n_folds;
  double fold[DASHPOT_DEGREE_MAX - 1]; /* [n_folds] extrema w > 0 of V(w) + c w, increasing */
} DashpotLine;

/* Finds the extrema of V(w) + c w for one c, and prepares the solution for any e. */
DashpotLine dashpot_line(const SimDashpot *dashpot, double f_crit, double c);

/* Returns V(w) + c w, the left side of the step's equation, in m/s. */
double dashpot_line_value(const DashpotLine *line, double w);

/* Returns V'(w) + c, the slope of the step's equation. The law must not be Coulomb's. */
double dashpot_line_slope(const DashpotLine *line, double w);

/* Returns dv/dft, the derivative of the velocity by the force, at a solution w: c V'(w) / (V'(w) + c), in s/kg; for
 * Coulomb's law c. */
double dashpot_line_response(const DashpotLine *line, double w);

/* Finds all solutions w >= 0 of the step's equation V(w) + c w = e to rounding error, in increasing order; e is >= 0
 * and finite. Returns their number, at least 1; 0 if the iteration did not converge. Adds iterations and residual, in
 * m/s, to the tally. */
int dashpot_line_meet(const DashpotLine *line, double e, double w[DASHPOT_DEGREE_MAX], StepTally *tally);

/* Whether the selection prefers the solution w to the solution `best`. speed: velocity of the last step, positive in
 * the direction s. The selection nearest_velocity (approach 1 of Gotika's thesis) prefers the smallest |v - speed|,
 * max_dissipation (approach 2) the largest f_d v. If both are equal, the smaller w is kept if it is passed first. */
bool dashpot_prefers(const DashpotLine *line, double e, double speed, double w, double best);

#endif
