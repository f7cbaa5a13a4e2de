/* What derivatives along steps of friction have alike, whatever the scheme: what a step has of the control, of the numbers that its right side
 * is linear in, and where a dof stops. */
#ifndef SIM_STEP_COLUMNS_H
#define SIM_STEP_COLUMNS_H

#include "sim/core/adjoint.h"
#include "sim/core/sensitivity.h"
#include "sim/core/signal_mix.h"
#include "sim/law/friction_force.h"

/* What a step's u has of a control's entry. */
typedef struct StepShare {
  int column, input; /* input: 0..p - 1 */
  double share;
} StepShare;

/* Of a sensitivity; owned. */
typedef struct StepShares {
  StepShare *share; /* [columns], the first n: of the step under way */
  int n;
  SignalMix mix; /* the u of that step */
  int begun;     /* columns behind these are 0 so far; a multiple of four; 0: no step yet */
} StepShares;

/* SIM_OK, SIM_NO_MEMORY. */
SimStatus step_shares_init(StepShares *shares, const SimSensitivity *sensitivity);
void step_shares_clear(StepShares *shares);
/* Those of step n. */
void step_shares_find(StepShares *shares, const SimProblem *problem, const SimSensitivity *sensitivity, long n);
/* row += factor times what they have of B u of dof i */
void step_shares_add(const StepShares *shares, const SimProblem *problem, int i, double factor, double *row);

/* What the numbers of columns themselves do to a step's right side. */
typedef struct StepTerms {
  double force;          /* of f, and of C lambda */
  const double *speed;   /* [count] that gamma is taken at */
  const double *lambda;  /* [count] */
  const double *gain[2]; /* [count] of M_ii: weight[0] gain[0] + weight[1] gain[1] */
  double weight[2];
  const double *damped; /* [count] of D_ii: damping damped */
  double damping;
} StepTerms;
/* What a step's right side has of dof i's c, M_ii, D_ii or beta, per unit of it. */
double step_term(const SimProblem *problem, const StepTerms *terms, SimDependence on, int i);
/* What it has of e_i, by which thresholds that depend on place rise (sim/joint/rise.h); slope: h'. */
double step_rise(const SimProblem *problem, const StepTerms *terms, double slope, int i);

/* row += by e_i of the first n of columns x [count][width]; and transposed, x += by E_i' row. */
void step_rise_add(const SimProblem *problem, int i, double by, int n, int width, const double *x, double *row);
void step_rise_back(const SimProblem *problem, int i, double by, int n, int width, const double *row, double *x);

/* What a step's right side has of a table's numbers, of dof i: weight gamma(speed). */
typedef struct StepTable {
  double weight, speed;
} StepTable;
static inline StepTable step_table(const SimProblem *p, const StepTerms *terms, int i) {
  return (StepTable){terms->force * friction_threshold(p, i, terms->speed[i]), terms->speed[i]};
}
/* row += its derivatives, in a sensitivity's columns of such numbers; and back: an adjoint's sum += what they make of row. */
void step_table_add(const SimProblem *problem, const SimSensitivity *sensitivity, int i, StepTable at, double *row);
void step_table_back(SimAdjoint *adjoint, int i, StepTable at, const double *row);

/* How dofs have come to rest; owned. */
typedef struct StepStops {
  double *speed;     /* [count] v of the step before the last */
  signed char *slip; /* [count] of the last step */
  long *step;        /* [count] that of the stop in which a dof still is; 0: none */
} StepStops;

/* SIM_OK, SIM_NO_MEMORY. */
SimStatus step_stops_init(StepStops *stops, int count);
void step_stops_clear(StepStops *stops);
/* Where a rollout begins, once v and slip of t = 0 stand in the workspace. */
void step_stops_start(StepStops *stops, const SimWorkspace *work);
/* Reports dofs that have come to rest in step n, or slide from it on, to the workspace's sensitivity or to its adjoint; v: [count] before the step. */
void step_stops_forward(StepStops *stops, const SimModel *model, const SimWorkspace *work, long n, const double *v);
void step_stops_record(StepStops *stops, const SimModel *model, const SimWorkspace *work, long n, const double *v);
/* Dof i of that record has not stopped by friction. */
void step_stops_drop(StepStops *stops, SimAdjoint *adjoint, int i);
/* adjoint->v, of before step n, += the weights of the stops in the step. */
void step_stops_back(const StepStops *stops, SimAdjoint *adjoint, long n);

#endif
