/* The insides of a model and a workspace, for schemes. */
#ifndef SIM_MODEL_H
#define SIM_MODEL_H

#include "sim/core/interrupt.h"
#include "sim/core/kind.h"
#include "sim/sim.h"
#include "sim/step/friction_solver.h"

struct SimModel {
  SimProblem problem; /* own copy; its force is tabulated, or asked for */
  const SimKindOps *kind;
  unsigned features;       /* of the problem that it was made of: sim/features.h */
  size_t doubles;          /* of a workspace, in one block */
  void *plan;              /* the scheme's operators and tables */
  double *levels;          /* [count] C_e of a gear box's dofs, N; owned; NULL: there is no gear box */
  struct Springs *springs; /* with a law: the problem's A is then that of sim/joint/springs.h; NULL: none has */
  struct Surface *surface; /* of surfaces that move: the problem is then that of y, surface_model.h; NULL: none does */
};

/* [count] what friction has of its thresholds at most, N: C_e of sim/law/friction_force.h */
static inline const double *friction_levels(const SimModel *model) {
  return model->levels ? model->levels : model->problem.friction;
}

/* How the energies of a watched rollout have closed so far: balance.h. */
enum { BALANCE_TERMS = 6 };
typedef struct EnergyBalance {
  double most[BALANCE_TERMS]; /* J: |work|, |surface|, |stored|, |numerical|, dissipated, impacts */
  double size;                /* J: the largest terms that have been rounded */
  double forced;              /* J: likewise of friction and loads */
  double moved;               /* J: what a motion of this size has, without what only springs hold */
  double differenced;         /* J: likewise of velocities that are differences of x */
  double between; /* J: the largest energy between two instants, of a scheme whose v is the mean of two differences */
  double load;    /* N: the largest sum of a force's coefficients in a piece of time */
  double inexact; /* the part of energies that the scheme leaves open besides round-off */
  double error, time, rounded, kinetic; /* SimClosure */
} EnergyBalance;

/* What stands at t_n after start(n = 0) and each step; the rest belongs to the scheme. */
struct SimWorkspace {
  const SimModel *model; /* whose it is */
  double *x;             /* [d]; owned, in one block with the other doubles */
  double *v;             /* [d] */
  double *lambda;        /* [d] */
  signed char *slip;     /* [d] */
  double *extra;         /* [sim_kind_extras] */
  bool contact;
  double
      *control_force; /* [d] B u, N: what the next step takes; less the bias of thresholds that differ by direction */
  double *scratch;    /* [scratch_vectors][count], and scratch_numbers */
  double *u;          /* [p] u(t_n), N */
  double *node_u;     /* [signal_nodes][p] u and B u at the nodes of sim/core/signal_mix.h */
  double *node_force; /* [signal_nodes][count]; if signal_tabulated, else none */
  double *surface;    /* [SURFACE_VECTORS][count] where surfaces move, else NULL */
  double *springs;    /* [SPRING_VECTORS][count] where springs have a law, or there are stops, else NULL */
  double *reaction;   /* [d] of stops, N, where there are any, else NULL */
  double *told;       /* [count] lambda as an observer sees it, where thresholds differ by direction, else NULL */
  struct Thresholds *thresholds; /* where they change in time, else NULL: thresholds.h */
  double *force[2];              /* [count] friction: f at the last two times asked for, else NULL */
  FrictionWork step;             /* friction */
  void *own;                     /* what the scheme's equip has made besides; NULL: nothing */
  void (*free_own)(void *own);
  StepTally tally;
  long n;           /* steps done */
  SimStatus status; /* of the last */
  int kernel;       /* of sim_batch */
  double *lanes;    /* [batch_room], aligned, within lane_store */
  void *lane_store;
  bool watched;                /* the energies are wanted */
  const SimObserver *observer; /* of the steps under way; NULL: none; borrowed */
  SimSensitivity *sensitivity; /* derivatives that go along; NULL: none; borrowed */
  SimAdjoint *adjoint;         /* what is kept for a way back; NULL: nothing; borrowed */
  SimEnergy energy;            /* up to t_n */
  Interrupt interrupt;
  SimResidual residual;  /* likewise, if examined */
  double residual_most;  /* beyond which the rollout ends */
  EnergyBalance balance; /* of these, if watched */
};

#endif
