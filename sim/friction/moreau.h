/* The Moreau-Jean scheme's operators, for its steps (moreau.c) and for lanes (sim/lanes/moreau.h). */
#ifndef SIM_FRICTION_MOREAU_H
#define SIM_FRICTION_MOREAU_H

#include "sim/friction/load.h"

typedef struct MoreauPlan {
  Operator *mass, *stiffness, *damping; /* damping: NULL without */
  Operator *matrix;                     /* E */
  Operator *carry;                      /* M - theta (1-theta) dt^2 A */
  Operator *scaled_stiffness;           /* dt A */
  const double *dense_carry;            /* [d][d] the entries of these two where they are dense, else NULL */
  const double *dense_stiffness;        /* [d][d] */
  FrictionSolver solver;
  Load load;     /* dt f_theta */
  double ahead;  /* dt theta */
  double behind; /* dt (1-theta) */
} MoreauPlan;

/* Views into the workspace's scratch, [count] each. */
typedef struct MoreauLevels {
  double *b;
  double *x_before,
      *v_before; /* the state one step back; x where energies are wanted, or stops or springs with a law are there */
} MoreauLevels;
enum { MOREAU_VECTORS = 3 };

static inline MoreauLevels moreau_levels(const SimModel *model, const SimWorkspace *work) {
  size_t d = (size_t)model->problem.count;
  double *s = work->scratch;
  return (MoreauLevels){s, s + d, s + 2 * d};
}

/* Adds step n, which has been solved, to work->energy. f: its force. Overwrites the levels. */
void moreau_watch(const SimModel *model, SimWorkspace *work, const StepForce *f, long n);

#endif
