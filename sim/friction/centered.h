/* The centred scheme's operators, for its steps (centered.c) and for lanes (sim/lanes/centered.h). */
#ifndef SIM_FRICTION_CENTERED_H
#define SIM_FRICTION_CENTERED_H

#include "sim/friction/load.h"

typedef struct CenteredPlan {
  Operator *mass, *stiffness, *damping; /* damping: NULL without, as the next */
  Operator *damping_transposed;         /* D' */
  Operator *inertia;                    /* K = M + dt^2 alpha A */
  Operator *matrix;                     /* E = K + dt/2 D; NULL: it is K */
  Operator *twice_inertia;              /* 2 K */
  Operator *scaled_stiffness;           /* dt^2 A */
  const double *dense_inertia;          /* [d][d] the entries of these two where they are dense, else NULL */
  const double *dense_stiffness;        /* [d][d] */
  Load load;                            /* dt^2 f */
  double alpha;                         /* weight of the outer levels */
  double square;                        /* dt^2 */
  double rate;                          /* 1/(2 dt) */
  double *first_friction;               /* [count] c of what the first step may hold, else 0; NULL: all of c */
  FrictionSolver first;                 /* n = 0: for x^1 - x^0 - dt v0 */
  FrictionSolver moving;                /* n > 0: for w */
} CenteredPlan;

/* Views into the workspace. */
typedef struct CenteredLevels {
  double *now;        /* [count] x^n */
  double *after;      /* [count] x^{n+1} */
  double *w;          /* [count] x^{n+1} - x^{n-1} */
  double *b;          /* [count] */
  double *difference; /* [count] */
  double *energy;     /* [7] E^{n+1/2}, E^0, and of step n what centered_watch sums */
} CenteredLevels;

CenteredLevels centered_levels(const SimModel *model, const SimWorkspace *work);

/* E^{n+1/2} - E^{n-1/2} = dt v.(f + B u) - dt v.(D v + C (lambda - gamma)) exactly; integrated by the
 * trapezoidal rule to whole steps, E^n = (E^{n-1/2} + E^{n+1/2})/2, so the balance closes to the accuracy of
 * the step's solution; of friction's work the surfaces do -dt w.C (lambda - gamma). before: [count] x^{-1}, of n = 0;
 * friction: [count] C (lambda - gamma) at n; overwritten. */
void centered_watch(const SimModel *model, SimWorkspace *work, long n, const StepForce *f, const double *before,
                    double *friction);

#endif
