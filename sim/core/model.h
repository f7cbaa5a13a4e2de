/* Contents of a model and of a workspace, for schemes. */
#ifndef SIM_MODEL_H
#define SIM_MODEL_H

#include "sim/core/interrupt.h"
#include "sim/core/kind.h"
#include "sim/internal.h"
#include "sim/step/friction_solver.h"

struct SimModel {
  SimProblem problem; /* own copy; its force is tabulated or a function */
  const SimKindOps *kind;
  unsigned features; /* features of the problem it was made from (sim/features.h) */
  size_t doubles;    /* doubles of a workspace, in one block */
  void *plan;        /* the scheme's operators and tables */
  double *levels;    /* [count] C_e of dofs with a gear box, N; owned; NULL: no gear box */
  /* springs with a law; the problem's A then includes their mean stiffness (sim/joint/springs.h); NULL: none */
  struct Springs *springs;
  struct Surface *surface; /* moving surfaces; the problem is then that of y in surface_model.h; NULL: none */
};

/* [count] factor C_e of friction's gamma term, N (sim/law/friction_force.h) */
static inline const double *friction_levels(const SimModel *model) {
  return model->levels ? model->levels : model->problem.friction;
}

/* State of the check that energies of an observed rollout close (balance.h). */
enum { BALANCE_TERMS = 6 };
typedef struct EnergyBalance {
  double most[BALANCE_TERMS]; /* maxima so far, J: |work|, |surface|, |stored|, |numerical|, dissipated, impacts */
  /* J: magnitude of the largest terms of the energies, which rounding errors are relative to */
  double size;
  double forced;      /* J: likewise for friction and loads */
  double moved;       /* J: energy of a motion of this size, without energies that only springs hold */
  double differenced; /* J: likewise for velocities that are differences of x */
  double between;     /* J: largest energy between two instants, if the scheme's v is the mean of two differences */
  double load;        /* N: largest sum of a force's coefficients in a piece of time */
  double inexact;     /* relative error of energies that the scheme allows besides rounding */
  double error, time, rounded, kinetic; /* SimClosure */
} EnergyBalance;

/* The first fields are the state at t_n, valid after start (n = 0) and each step; the rest belongs to the scheme. */
struct SimWorkspace {
  const SimModel *model; /* model of this workspace */
  double *x;             /* [d]; owned, in one block with the other doubles */
  double *v;             /* [d] */
  double *lambda;        /* [d] */
  signed char *slip;     /* [d] */
  double *extra;         /* [stiction_kind_extras] */
  bool contact;
  double *control_force; /* [d] B u of the next step, N; a constant bias of thresholds by direction is subtracted */
  double *scratch;       /* [scratch_vectors][count], then [scratch_numbers] */
  double *u;             /* [p] u(t_n), N */
  double *node_u;        /* [signal_nodes][p] u at the nodes of sim/core/signal_mix.h */
  double *node_force;    /* [signal_nodes][count] B u there; NULL unless signal_tabulated */
  double *surface;       /* [SURFACE_VECTORS][count] with moving surfaces, else NULL */
  double *springs;       /* [SPRING_VECTORS][count] with spring laws or stops, else NULL */
  double *reaction;      /* [d] reactions of stops, N; NULL: no stops */
  double *shown_lambda;  /* [count] lambda for observers, if thresholds differ by direction, else NULL */
  struct Thresholds *thresholds; /* varying thresholds (thresholds.h); NULL: constant */
  double *force[2];              /* [count] friction: f at the last two times evaluated, else NULL */
  FrictionWork step;             /* solvers of friction problems */
  void *own;                     /* other data made by the scheme's equip; NULL: none */
  void (*free_own)(void *own);
  StepTally tally;
  long n;           /* steps done */
  SimStatus status; /* status of the last step */
  int kernel;       /* kernel of stiction_batch */
  double *lanes;    /* [batch_room], aligned, inside lane_store */
  void *lane_store;
  bool watched;                /* energies are needed */
  const SimObserver *observer; /* observer of the current steps; NULL: none; borrowed */
  SimSensitivity *sensitivity; /* forward derivatives; NULL: none; borrowed */
  SimAdjoint *adjoint;         /* record for adjoint derivatives; NULL: none; borrowed */
  SimEnergy energy;            /* up to t_n */
  Interrupt interrupt;
  SimResidual residual;  /* largest residual up to t_n, if examined */
  double residual_most;  /* limit beyond which the rollout ends */
  EnergyBalance balance; /* balance of the energies, if watched */
};

#endif
