/* SPDX-License-Identifier: BSD-2-Clause */
/* Parts of the derivatives along steps that several friction schemes share: the effect of the control on a step,
 * derivatives by those quantities of the model, such as masses and thresholds, on which the step's right side depends
 * linearly, and dofs that come to rest. */
#ifndef SIM_STEP_COLUMNS_H
#define SIM_STEP_COLUMNS_H

#include "sim/core/adjoint.h"
#include "sim/core/sensitivity.h"
#include "sim/core/signal_mix.h"
#include "sim/law/friction_force.h"

/* Derivative of the mean control of a step by one entry of the control. */
typedef struct StepShare {
  int column, input; /* column of the sensitivity; index of B's column, 0..p - 1 */
  double share;
} StepShare;

/* The nonzero StepShare numbers of all columns of a sensitivity; owned. */
typedef struct StepShares {
  StepShare *share; /* [columns] shares, of which the first n belong to the current step */
  int n;
  SignalMix mix; /* weights of the control's nodes (signal_mix.h) that give the mean control u of the current step */
  int begun;     /* from this index on, the columns of the sensitivity are still 0, because their entries of the control
                  * act later; a multiple of four; 0 before the first step */
} StepShares;

/* Allocates the shares. Returns SIM_OK or SIM_NO_MEMORY. */
SimStatus step_shares_init(StepShares *shares, const SimSensitivity *sensitivity);
void step_shares_clear(StepShares *shares);
/* Computes the shares of step n. */
void step_shares_find(StepShares *shares, const SimProblem *problem, const SimSensitivity *sensitivity, long n);
/* Adds `factor` times the derivatives of (B u)_i with respect to the control to `row`, for dof i. */
void step_shares_add(const StepShares *shares, const SimProblem *problem, int i, double factor, double *row);

/* Data for the derivatives of the right side of a step by quantities of the model, for step_term and step_rise. */
typedef struct StepTerms {
  double force;          /* weight of the force f and of C lambda in the right side */
  const double *speed;   /* [count] velocity at which gamma is evaluated, in m/s */
  const double *lambda;  /* [count] multipliers lambda of the step */
  const double *gain[2]; /* [count] vectors for derivatives by M_ii: the derivative is weight[0] gain[0] + weight[1]
                          * gain[1] */
  double weight[2];
  const double *damped; /* [count] vector for derivatives by D_ii: the derivative is damping * damped */
  double damping;
} StepTerms;
/* Returns the derivative of a step's right side by the threshold c, the mass M_ii, the damping D_ii or the drop of
 * friction beta of dof i. */
double step_term(const SimProblem *problem, const StepTerms *terms, SimDependence on, int i);
/* Returns the derivative of the right side by the position e_i on which the threshold of dof i depends
 * (sim/joint/rise.h). slope: derivative h' of the threshold, in N/m. */
double step_rise(const SimProblem *problem, const StepTerms *terms, double slope, int i);

/* Data for the derivatives of the right side of a step, row i, by the entries of a friction table. They are `weight`
 * times the interpolation weights of the table at the speed `speed`. */
typedef struct StepTable {
  double weight, speed;
} StepTable;
static inline StepTable step_table(const SimProblem *p, const StepTerms *terms, int i) {
  return (StepTable){terms->force * friction_threshold(p, i, terms->speed[i]), terms->speed[i]};
}
/* step_table_add adds these derivatives to `row`, in the columns of the sensitivity for entries of the table.
 * step_table_back is the transpose: it adds the products of these derivatives with `row` to the sums of an adjoint. */
void step_table_add(const SimProblem *problem, const SimSensitivity *sensitivity, int i, StepTable at, double *row);
void step_table_back(SimAdjoint *adjoint, int i, StepTable at, const double *row);

/* Record of the stops of all dofs; owned. */
typedef struct StepStops {
  double *speed;     /* [count] velocities two steps ago */
  signed char *slip; /* [count] direction in which each dof slid in the last step: -1 or 1; 0: it stuck */
  /* [count] for each dof at rest: number of the step in which the dof stopped; 0: the dof moves or has never stopped */
  long *step;
} StepStops;

/* Allocates the record. Returns SIM_OK or SIM_NO_MEMORY. */
SimStatus step_stops_init(StepStops *stops, int count);
void step_stops_clear(StepStops *stops);
/* Begins the record. The workspace must contain v and slip at t = 0. */
void step_stops_start(StepStops *stops, const SimWorkspace *work);
/* These functions find the dofs that have come to rest in step n, or begin to slide in it. step_stops_forward records
 * them in the workspace's sensitivity, step_stops_record in its adjoint. v: [count] velocities before the step. */
void step_stops_forward(StepStops *stops, const SimModel *model, const SimWorkspace *work, long n, const double *v);
void step_stops_record(StepStops *stops, const SimModel *model, const SimWorkspace *work, long n, const double *v);
/* Removes the stop of dof i from the record if another cause than friction brought the dof to rest. */
void step_stops_drop(StepStops *stops, SimAdjoint *adjoint, int i);
/* Adds dJ/dv of the dofs that stopped in step n (stop_weights) to adjoint->v. A sweep calls it when adjoint->v belongs
 * to the state before that step. */
void step_stops_back(const StepStops *stops, SimAdjoint *adjoint, long n);

#endif
