/* How steps came about, for their derivatives: each friction substep and each acceleration of the elastic part is linear on its branches, with
 * these numbers. A sensitivity keeps the step under way, an adjoint all of them. */
#ifndef SIM_SPLITTING_TRACE_H
#define SIM_SPLITTING_TRACE_H

#include "sim/core/model.h"
#include "sim/core/step_columns.h"

typedef struct SplittingTrace {
  int d, substeps, accelerations; /* of a step */
  int first;                      /* how many of the substeps come before the elastic part */
  int massless; /* how many balances of massless_step.h are in a step; kept like friction substeps, behind the first ones */
  SimDependence on[DEPENDENCES]; /* which of c, M_ii, D_ii, beta are wanted */
  int wanted;
  bool drops, smooth, rises, table, weighs, springs, stops; /* which parts there are; weighs: M_ii or D_ii are wanted */
  double eta;
  size_t of_friction, of_elastic; /* doubles of a substep, of an acceleration */
  size_t doubles, chars;          /* of a step */
  double *numbers;                /* [steps][doubles]; owned, as the next two */
  signed char *branches;          /* [steps][chars] */
  double *room;                   /* [2 d] */
  double *now;                    /* of the step under way, in these; branch likewise */
  signed char *branch;
  int friction, elastic; /* how many of it have been kept */
} SplittingTrace;

/* A friction substep (M + diag(stiffness)) dW = M dV + diag(slope) dV + ..; each [d], NULL: 0. */
typedef struct FrictionTrace {
  double *slope;     /* by V, of tau drop(V) */
  double *rise;      /* by e_i of thresholds that depend on place */
  double *stiffness; /* of the smooth law */
  StepTable *table;  /* of a table's numbers */
  double *terms;     /* [wanted][d] per unit of the numbers */
  signed char *slip; /* 0 sticks */
} FrictionTrace;

/* An acceleration, and what has met rigid ends just before it (of the first one: at the end of the step); each [d], NULL: 0, or nothing. */
typedef struct ElasticTrace {
  double *a, *v;   /* what M_ii and D_ii are multiplied with */
  double *springs; /* [2][d] slopes of their laws */
  double *ends;    /* stiffness of the elastic ends that push */
  signed char *struck;
  double *moved;  /* dx is multiplied with that */
  double *turned; /* dv of what gets an impulse likewise; NAN: it gets none */
  double *change; /* v behind the impact less v before it */
} ElasticTrace;

/* For `steps` steps at a time. columns [n]: what is wanted. SIM_OK, SIM_NO_MEMORY. */
SimStatus splitting_trace_init(SplittingTrace *trace, const SimModel *model, const SimColumn *columns, int n,
                               long steps);
void splitting_trace_clear(SplittingTrace *trace);
/* Turns to the k-th of them; begins it. */
void splitting_trace_turn(SplittingTrace *trace, long k);
void splitting_trace_begin(SplittingTrace *trace, long k);
/* Of the k-th friction substep, 0, 1, ..; of the balance in the q-th elastic one, 1, 2, .. */
FrictionTrace splitting_friction(const SplittingTrace *trace, int k);
FrictionTrace splitting_balance(const SplittingTrace *trace, int q);
ElasticTrace splitting_elastic(const SplittingTrace *trace, int q);

/* Whether steps are to be kept. */
static inline bool splitting_keeps(const SimWorkspace *work) { return work->sensitivity || work->adjoint; }
/* What each derivative of a workspace keeps, once the substep is solved: W in work->v. terms: what its numbers do. */
void splitting_keep_friction(const SimModel *model, const SimWorkspace *work, const StepTerms *terms);
/* Once a is found at work->x, with v + reach a for D's velocity. */
void splitting_keep_acceleration(const SimModel *model, const SimWorkspace *work, const double *v, double reach,
                                 const double *a);
/* Once impulses have been found; end: of the step. side, impulse, moved, turned: [d]. */
void splitting_keep_strike(const SimWorkspace *work, bool end, const double *mobility, const double *side,
                           const double *impulse, const double *moved, const double *turned);

#endif
