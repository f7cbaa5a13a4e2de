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

#endif
