/* The laws of a dash-pot and the scalar problem that a step in time poses (Gotika, chapter V).
 *
 * Every law but Coulomb's gives the speed as a polynomial V of the excess w = |f_d| - f_crit >= 0, and v = 0 while
 * |f_d| <= f_crit. With s the sign of v and of f_d, a step asks for the w >= 0 where the law meets the straight line of
 * the momentum balance (5.9),
 *
 *     V(w) + c w = e,     f_d = s (f_crit + w),  v = s (e - c w)
 *
 * e = c (|ft| - f_crit) > 0. A law that is not monotone may meet it several times: all meetings are found, one on each
 * monotone branch at most, and one is chosen by the selection. */
#ifndef SIM_DASHPOT_LAW_H
#define SIM_DASHPOT_LAW_H

#include "sim/sim.h"
#include "sim/step/dense_solver.h"

enum { DASHPOT_DEGREE_MAX = 5 };

/* The left side V(w) + c w for one c, with what does not depend on e worked out. */
typedef struct DashpotLine {
  SimSelection selection;
  double f_crit;                              /* N */
  double c;                                   /* m/(N s): (dt/m) / (1 + k dt^2/m); 0: the law itself */
  int degree;                                 /* of V; 0: Coulomb, w = 0 at any speed */
  double coefficient[DASHPOT_DEGREE_MAX + 1]; /* of V(w) + c w, the constant first, which is 0 */
  double bound;                               /* N: no w is larger where V(w) + c w = 0 */
  int n_folds;
  double fold[DASHPOT_DEGREE_MAX - 1]; /* [n_folds] w > 0, increasing: where V(w) + c w turns */
} DashpotLine;

/* Finds the folds: prepares for solving with any e. */
DashpotLine dashpot_line(const SimDashpot *dashpot, double f_crit, double c);

/* V(w) + c w. */
double dashpot_line_value(const DashpotLine *line, double w);

/* V'(w) + c; not of Coulomb's law. */
double dashpot_line_slope(const DashpotLine *line, double w);

/* How fast v rises with ft, of a meeting w: c V'(w) / (V'(w) + c), s/kg; of Coulomb's law c. */
double dashpot_line_response(const DashpotLine *line, double w);

/* All w >= 0 with V(w) + c w = e to round-off, increasing; e >= 0, finite. Returns how many: at least 1, or 0 when the
 * iteration did not end. Counts its iterations and its residual (m/s). */
int dashpot_line_meet(const DashpotLine *line, double e, double w[DASHPOT_DEGREE_MAX], StepTally *tally);

/* Whether the meeting w is to be preferred over `best` by the selection; speed: of the last step, in the direction of s.
 * nearest_velocity (the thesis's approach 1): the least |v - speed|; max_dissipation (approach 2): the largest f_d v.
 * The smaller w wins a tie if asked for first. */
bool dashpot_prefers(const DashpotLine *line, double e, double speed, double w, double best);

#endif
