/* A mechanism's motion by events: what EventMotion (sim/event/event.h) needs besides. Its system is the motion's own, as M(q) and
 * c(q, q', t) change from segment to segment. */
#ifndef SIM_MECHANISM_MOTION_H
#define SIM_MECHANISM_MOTION_H

#include "sim/core/kind.h"
#include "sim/event/field.h"
#include "sim/graph/formula.h"
#include "sim/mechanism/expansion.h"

typedef struct MechanismMotion {
  /* r - Q - f, c; others: Q [d], power. Its forces are f + B u, [d]. */
  Expansion *expansion;
  GraphFormula *energies; /* E, and the sum of the magnitudes of its terms */
  GraphFormula *sizes;    /* [d] the same sums of r - Q, with accelerations 0 */
  GraphFormula *loads;    /* r - Q [d], c [d] */
  double *given;          /* variables of these: q, q', q'', t, parameters; in one block with the next arrays */
  double *measured;       /* [2 d + 2] the values of one of them */
  double *friction; /* [d] the system's: c at the last order 0, at least DBL_MIN where there is friction, else 0 */
  double *slips;    /* [d] */
  double *forces;   /* [POLYNOMIAL_ORDER + 1][d] */
  double
      *turn; /* [n_kinks] fraction of the segment at which a kink's switching function changes its sign; > 1: later */
  bool *turned; /* [n_kinks] whether it changed it at the start of the segment */
  int n_kinks;
  struct MechanismMap *map;       /* of derivatives; NULL: none so far */
  struct MechanismRecord *record; /* for adjoint derivatives; NULL: none; borrowed */
  bool failed;                    /* in a decision: M is not positive definite, or a number is not finite */
} MechanismMotion;

enum { ENERGY_VALUE, ENERGY_SIZE, ENERGIES }; /* values of `energies` */

/* Compiles a problem's equations. SIM_OK, SIM_NO_MEMORY, or SIM_BAD_PROBLEM: there are none, or they have no series; then *why
 * says so. */
SimStatus mechanism_motion_create(const SimProblem *problem, MechanismMotion **motion, const char **why);
void mechanism_motion_destroy(MechanismMotion *motion); /* NULL: nothing */

/* Order 0 at an instant, without forces and accelerations: M in expansion->mass, r and c. look: as graph_series_begin. Returns false
 * where M is not positive definite, or a number is not finite. */
bool mechanism_motion_at(const SimProblem *problem, MechanismMotion *motion, double t, const double *q, const double *v,
                         bool look);
/* Computes motion->measured of one of its formulas, with accelerations 0. */
void mechanism_motion_measure(const SimProblem *problem, MechanismMotion *motion, GraphFormula *formula, double t,
                              const double *q, const double *v);

/* Compiles the equations again, with parameters that vary, for their derivatives. SIM_OK, SIM_NO_MEMORY. */
SimStatus mechanism_motion_vary(const SimProblem *problem, Expansion **expansion);

/* Computes the series of the current segment about its fraction `part`, by the motion's expansion or another of the same equations
 * with signs of kinks. SIM_OK, SIM_NON_FINITE. */
SimStatus mechanism_motion_expand(const EventSystem *system, EventMotion *motion, Expansion *expansion, double part);
/* Gives its kinks the signs that they have within the segment, at its fraction `part`. */
void mechanism_motion_look(const EventSystem *system, EventMotion *motion, Expansion *expansion, double part);

extern const EventField mechanism_field;

#endif
