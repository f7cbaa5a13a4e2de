/* SPDX-License-Identifier: BSD-2-Clause */
/* Data of steps for their derivatives. As long as each dof continues to slip or to stick, each friction substep and
 * each acceleration of the elastic step is a linear map. A trace contains the coefficients of these maps. A trace of a
 * sensitivity (forward derivatives) contains the current step. A trace of an adjoint contains all steps. */
#ifndef SIM_SPLITTING_TRACE_H
#define SIM_SPLITTING_TRACE_H

#include "sim/core/model.h"
#include "sim/core/step_columns.h"

typedef struct SplittingTrace {
  /* d: number of dofs; substeps, accelerations: numbers of friction substeps and accelerations per step */
  int d, substeps, accelerations;
  int first; /* number of friction substeps before the elastic step */
  /* number of solves for the balance of dofs without mass (massless_step.h) per step; their data have the form of
   * friction substeps and are stored behind these */
  int massless;
  SimDependence on[DEPENDENCES]; /* [wanted] kinds of quantities to differentiate by: threshold c, mass M_ii, damping
                                  * D_ii or drop of friction beta */
  int wanted;
  /* whether the optional arrays of FrictionTrace and ElasticTrace exist; weighs: derivatives by M_ii or D_ii are
   * needed */
  bool drops, smooth, rises, table, weighs, springs, stops;
  double eta;
  size_t of_friction, of_elastic; /* numbers of doubles stored per friction substep, and per acceleration */
  size_t doubles, chars;          /* numbers of doubles and of chars stored per step */
  double *numbers;                /* [steps][doubles] coefficients of the maps; owned, like branches and room */
  signed char *branches;          /* [steps][chars] whether each dof sticks or slips: -1, 0 or 1 */
  double *room;                   /* [2 d] scratch */
  double *now;                    /* rows of `numbers` (now) and `branches` (branch) of the current step */
  signed char *branch;
  /* number of friction substeps (friction) and of accelerations (elastic) of the current step that have been stored */
  int friction, elastic;
} SplittingTrace;

/* The linear map of a friction substep, (M + diag(stiffness)) dW = M dV + diag(slope) dV + ..; members are vectors [d];
 * NULL stands for 0. */
typedef struct FrictionTrace {
  double *slope;     /* derivative of tau drop(V_i) by V_i */
  double *rise;      /* derivative of the right side by e_i (rise.h), for thresholds that depend on position */
  double *stiffness; /* slope of the smooth law's force */
  StepTable *table;  /* derivatives of the right side by the entries of a friction table */
  double *terms;     /* [wanted][d] derivatives of the right side by the quantities in SplittingTrace.on */
  signed char *slip; /* direction of slip; 0: the dof sticks */
} FrictionTrace;

/* An acceleration, and the contacts with rigid stops just before it; the first acceleration has the contacts at the end
 * of the step. Members are vectors [d]; NULL stands for 0, or for no contact. */
typedef struct ElasticTrace {
  double *a, *v;   /* acceleration and velocity, the factors of M_ii and D_ii */
  double *springs; /* [2][d] slopes of springs with a law: to the ground, then between neighbours */
  double *ends;    /* stiffness of the elastic stop that pushes dof i, in N/m; 0: none */
  signed char *struck;
  double *moved;  /* derivative of x_i after the contact by x_i before it */
  double *turned; /* derivative of v_i after the contact by v_i before it, for dofs with an impulse; NAN: no impulse */
  double *change; /* v after the contact minus v before it, in m/s */
} ElasticTrace;

/* Initialises a trace that stores `steps` steps. columns [n]: requested derivatives. Returns SIM_OK or
 * SIM_NO_MEMORY. */
SimStatus splitting_trace_init(SplittingTrace *trace, const SimModel *model, const SimColumn *columns, int n,
                               long steps);
void splitting_trace_clear(SplittingTrace *trace);
/* splitting_trace_turn makes the k-th stored step the current one; splitting_trace_begin begins to store it. */
void splitting_trace_turn(SplittingTrace *trace, long k);
void splitting_trace_begin(SplittingTrace *trace, long k);
/* splitting_friction returns the data of the k-th friction substep, 0, 1, ..; splitting_balance those of the balance in
 * the q-th elastic substep, 1, 2, ..; splitting_elastic those of acceleration q. */
FrictionTrace splitting_friction(const SplittingTrace *trace, int k);
FrictionTrace splitting_balance(const SplittingTrace *trace, int q);
ElasticTrace splitting_elastic(const SplittingTrace *trace, int q);

/* Whether steps must be stored, for derivatives. */
static inline bool splitting_keeps(const SimWorkspace *work) { return work->sensitivity || work->adjoint; }
/* Stores a solved friction substep in all traces of a workspace; W is in work->v. terms: derivatives of its right side
 * by quantities of the model, such as thresholds. */
void splitting_keep_friction(const SimModel *model, const SimWorkspace *work, const StepTerms *terms);
/* Stores the acceleration a of a substep at the positions work->x. Damping acts at the velocity v + reach a. */
void splitting_keep_acceleration(const SimModel *model, const SimWorkspace *work, const double *v, double reach,
                                 const double *a);
/* Stores a contact with stops after its impulses have been computed. end: whether it is at the end of the step. side,
 * impulse, moved, turned: [d] values for each dof. */
void splitting_keep_strike(const SimWorkspace *work, bool end, const double *mobility, const double *side,
                           const double *impulse, const double *moved, const double *turned);

#endif
