/* SPDX-License-Identifier: BSD-2-Clause */
/* The structs SimModel and SimWorkspace, for schemes. */
#ifndef SIM_MODEL_H
#define SIM_MODEL_H

#include "sim/core/interrupt.h"
#include "sim/core/kind.h"
#include "sim/internal.h"
#include "sim/step/friction_solver.h"

struct SimModel {
  SimProblem problem;   /* copy of the problem, owned; its force is tabulated or a function */
  SimFeatures features; /* features of the problem from which the model was made (sim/features.h) */
  size_t doubles;       /* number of doubles in the memory block of a workspace */
  void *plan;           /* the scheme's constant data: factored matrices and tables */
  bool same_matrices;   /* during SimScheme.prepare: whether M, A and D are still those from which the plan was made */
  double *levels;       /* [count] C_e, the factor of friction's gamma term (sim/law/friction_force.h), for dofs with a
                         * gear box, in N; owned; NULL: there is no gear box */
  /* springs with a nonlinear law (sim/joint/springs.h); the problem's A then includes their mean stiffness; NULL:
   * none */
  struct Springs *springs;
  struct Surface *surface; /* moving surfaces with the displacement W (surface_model.h); the model then computes y = x -
                            * W instead of x; NULL: none */
};

/* Returns the factor C_e [count] of friction's gamma term, in N (sim/law/friction_force.h). */
static inline const double *friction_levels(const SimModel *model) {
  return model->levels ? model->levels : model->problem.friction;
}

/* State of the check whether the energies of an observed rollout close (balance.h). */
enum { BALANCE_TERMS = 6 };
typedef struct EnergyBalance {
  double most[BALANCE_TERMS]; /* maxima so far of |work|, |surface|, |stored|, |numerical|, dissipated and impacts in J
                               * (SimEnergy) */
  /* s of balance.h: size of the largest terms of the energies, in J; rounding errors are relative to it */
  double size;
  double forced;      /* g of balance.h: size of the largest energy terms due to friction and loads, in J */
  double moved;       /* w of balance.h: energy of a motion with these positions and velocities, in J, without the
                       * energy of springs */
  double differenced; /* q of balance.h: size of the largest energy terms in which velocities are differences of x, in
                       * J */
  double between;     /* largest energy between two output times, in J, if the scheme's v is the mean of two
                       * differences */
  double load;        /* F of balance.h: largest sum of a force's coefficients in a piece of time, in N */
  double inexact;     /* relative error of the energies that the scheme may have besides rounding (balance.h) */
  double error, time, rounded, kinetic; /* fields of SimClosure */
} EnergyBalance;

/* A workspace. The members from x to contact are the state at t_n, which is valid after SimScheme.start (n = 0) and
 * after each step. The other members belong to the scheme. */
struct SimWorkspace {
  const SimModel *model; /* the model for which the workspace was created */
  double *x;             /* [d] position; owned, in one block with the other doubles */
  double *v;             /* [d] velocity */
  double *lambda;        /* [d] friction multiplier */
  signed char *slip;     /* [d] direction of slip: -1, 0 (sticks) or 1 */
  double *extra;         /* [stiction_kind_extras] additional results of the kind */
  bool contact;
  double *control_force; /* [d] B u of the next step, in N, minus the bias of thresholds that depend on direction, if it
                          * is constant */
  double *scratch;       /* scratch memory of the scheme: [scratch_vectors][count], then [scratch_numbers] */
  double *u;             /* [p] u(t_n) in N */
  double *node_u;        /* [signal_nodes][p] control u at the nodes of sim/core/signal_mix.h */
  double *node_force;    /* [signal_nodes][count] B u at these nodes; NULL unless signal_tabulated */
  double *surface;       /* [SURFACE_VECTORS][count] vectors of moving surfaces; NULL without these */
  double *springs;       /* [SPRING_VECTORS][count] vectors of spring laws and stops; NULL without these */
  double *reaction;      /* [d] reactions of the stops, in N; NULL without stops */
  double *shown_lambda;  /* [count] lambda for observers, if thresholds depend on the direction; otherwise NULL */
  struct Thresholds *thresholds; /* current thresholds, if they vary (thresholds.h); NULL: they are constant */
  double *force[2];  /* [count] for friction models: f at the last two times of evaluation; otherwise NULL */
  FrictionWork step; /* data of the solvers of friction problems */
  void *own;         /* further data that SimScheme.equip has created; NULL: none */
  void (*free_own)(void *own);
  StepTally tally;
  long n;           /* number of steps done */
  SimStatus status; /* status of the last step */
  int kernel;       /* number of the kernel that stiction_batch uses */
  double *lanes;    /* [batch_room] memory of stiction_batch: the aligned part of lane_store */
  void *lane_store;
  bool watched;                /* whether the scheme must compute energies, for an observer or for the energy balance */
  const SimObserver *observer; /* observer of the current steps; borrowed; NULL: none */
  SimSensitivity *sensitivity; /* forward derivatives; borrowed; NULL: none */
  SimAdjoint *adjoint;         /* record for adjoint derivatives; borrowed; NULL: none */
  SimEnergy energy;            /* energies up to t_n */
  Interrupt interrupt;
  SimResidual residual;  /* largest residual up to t_n, if the motion is examined */
  double residual_most;  /* the rollout ends if the residual exceeds this limit */
  EnergyBalance balance; /* balance of the energies, if `watched` */
};

#endif
