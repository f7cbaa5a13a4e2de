/* Shared parts of derivatives along steps of friction schemes: the control's share of a step, derivatives by numbers in
 * which its right side is linear, and the stops of dofs. */
#ifndef SIM_STEP_COLUMNS_H
#define SIM_STEP_COLUMNS_H

#include "sim/core/adjoint.h"
#include "sim/core/sensitivity.h"
#include "sim/core/signal_mix.h"
#include "sim/law/friction_force.h"

/* Weight of an entry of the control in the u of a step. */
typedef struct StepShare {
  int column, input; /* input: index of B's column, 0..p - 1 */
  double share;
} StepShare;

/* Weights of all columns of a sensitivity; owned. */
typedef struct StepShares {
  StepShare *share; /* [columns], of which the first n belong to the current step */
  int n;
  SignalMix mix; /* nodes of the u of that step */
  int begun;     /* columns from here on are 0 so far; a multiple of four; 0: before the first step */
} StepShares;

/* SIM_OK, SIM_NO_MEMORY. */
SimStatus step_shares_init(StepShares *shares, const SimSensitivity *sensitivity);
void step_shares_clear(StepShares *shares);
/* Computes the weights of step n. */
void step_shares_find(StepShares *shares, const SimProblem *problem, const SimSensitivity *sensitivity, long n);
/* row += factor times the derivative of (B u)_i, dof i. */
void step_shares_add(const StepShares *shares, const SimProblem *problem, int i, double factor, double *row);

/* Derivatives of a step's right side by the numbers of the columns themselves. */
typedef struct StepTerms {
  double force;          /* weight of f and of C lambda */
  const double *speed;   /* [count] velocity at which gamma is evaluated */
  const double *lambda;  /* [count] */
  const double *gain[2]; /* [count] for M_ii: weight[0] gain[0] + weight[1] gain[1] */
  double weight[2];
  const double *damped; /* [count] for D_ii: damping * damped */
  double damping;
} StepTerms;
/* Derivative of a step's right side by c, M_ii, D_ii or beta of dof i. */
double step_term(const SimProblem *problem, const StepTerms *terms, SimDependence on, int i);
/* Derivative by e_i, on which thresholds depend (sim/joint/rise.h). slope: h'. */
double step_rise(const SimProblem *problem, const StepTerms *terms, double slope, int i);

/* Derivative of a step's right side for dof i by a table's numbers: weight gamma(speed). */
typedef struct StepTable {
  double weight, speed;
} StepTable;
static inline StepTable step_table(const SimProblem *p, const StepTerms *terms, int i) {
  return (StepTable){terms->force * friction_threshold(p, i, terms->speed[i]), terms->speed[i]};
}
/* row += these derivatives, in a sensitivity's columns of such numbers; and the transpose: an adjoint's sum += their
 * products with row. */
void step_table_add(const SimProblem *problem, const SimSensitivity *sensitivity, int i, StepTable at, double *row);
void step_table_back(SimAdjoint *adjoint, int i, StepTable at, const double *row);

/* Record of the dofs' stops; owned. */
typedef struct StepStops {
  double *speed;     /* [count] v at the step before the last */
  signed char *slip; /* [count] slip in the last step */
  long *step;        /* [count] step of the stop in which a dof still is; 0: none */
} StepStops;

/* SIM_OK, SIM_NO_MEMORY. */
SimStatus step_stops_init(StepStops *stops, int count);
void step_stops_clear(StepStops *stops);
/* Starts the record, when v and slip of t = 0 are in the workspace. */
void step_stops_start(StepStops *stops, const SimWorkspace *work);
/* Report dofs that have come to rest in step n, or slide from it on, to the workspace's sensitivity or to its adjoint.
 * v: [count] before the step. */
void step_stops_forward(StepStops *stops, const SimModel *model, const SimWorkspace *work, long n, const double *v);
void step_stops_record(StepStops *stops, const SimModel *model, const SimWorkspace *work, long n, const double *v);
/* Removes dof i's stop from the record, since friction did not cause it. */
void step_stops_drop(StepStops *stops, SimAdjoint *adjoint, int i);
/* Adds the weights of the stops in step n to adjoint->v, which is at the state before the step. */
void step_stops_back(const StepStops *stops, SimAdjoint *adjoint, long n);

#endif
