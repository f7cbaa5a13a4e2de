/* Internals of operator_tridiagonal, shared by three files: tridiagonal.c has the matrix and its products,
 * tridiagonal_solver.c the systems of a step and their elimination, tridiagonal_columns.c systems of many columns on
 * known branches. */
#ifndef SIM_TRIDIAGONAL_H
#define SIM_TRIDIAGONAL_H

#include "sim/operator/chain_branches.h"

#include <float.h>

enum { TRIDIAGONAL_BLOCK = 128 }; /* columns side by side */
enum { TRIDIAGONAL_RUNS = 256 };

typedef struct Tridiagonal {
  Operator base;
  double *diagonal; /* [count] a */
  double *off;      /* [count] o_i between i and i + 1, 0 in the last row of the whole problem; NULL: all 0 */
  double before;    /* entry between the last row of the rank before and this rank's first, as that rank has it */
  bool borrowed;    /* arrays belong to another operator */
} Tridiagonal;

/* Contribution of a rank's rows to the interface equations before and after it, as exchanged between ranks. */
typedef struct SchurContribution {
  double pivot, right;         /* row of the interface before, after elimination of this rank's rows */
  double far_pivot, far_right; /* additions to the interface after this rank */
  double cross;                /* coupling of the two interfaces */
  double held;
} SchurContribution;

typedef struct Interface {
  double inverse, reaction, scale, w; /* like in a sweep; scale: size of reaction's terms */
} Interface;

typedef struct TridiagonalSolver {
  OperatorSolver base;
  double *inverse;   /* [count] 1/e */
  double *link;      /* [count] o_i / e_i */
  double *y;         /* [count] */
  signed char *slip; /* [count] branches of `inverse` and y */
  bool factored;     /* inverse is valid */
  int corrected;     /* y of rows 1 .. corrected has the interface's part subtracted; -1: none */
  struct {
    int first, last;
  } run[TRIDIAGONAL_RUNS + 1]; /* rows changed by the last elimination */
  int runs;
  ChainBranches *branches;         /* search for branches; NULL: rows are not coupled */
  int rank, size;                  /* in the group */
  int begin;                       /* first row that is eliminated: 1 after an interface */
  SchurContribution *contribution; /* [size]; NULL on one rank, like interface */
  SchurContribution *columns;      /* [size][TRIDIAGONAL_BLOCK], likewise */
  Interface *interface;            /* [size + 1] interface before each rank; the first and the last do not exist: 0 */
} TridiagonalSolver;

static inline double tridiagonal_coupling(const Tridiagonal *t, int i) { return t->off ? t->off[i] : 0; }

/* z_{i+1}; it decreases from row to row, and is set to 0 when it underflows. */
static inline double tridiagonal_border(const TridiagonalSolver *s, int i, double z) {
  z *= -s->link[i];
  return fabs(z) < DBL_MIN ? 0 : z;
}

/* Factors E on these branches; SIM_BAD_PROBLEM unless all e_i > 0, as for a positive definite E. y becomes invalid. */
SimStatus tridiagonal_factor(TridiagonalSolver *solver, const StepLaw *law, const signed char *slip);
/* Solves the interface equations, identically on every rank: share [size], interface [size + 1]. A rank with a
 * nonpositive pivot has sent NaN. */
SimStatus tridiagonal_interfaces(const SchurContribution *share, Interface *interface, int size);

/* Functions of OperatorOps. */
SimStatus tridiagonal_solver_create(const Operator *matrix, OperatorSolver **out);
void tridiagonal_solver_destroy(OperatorSolver *solver);
void tridiagonal_forget(OperatorSolver *solver);
SimStatus tridiagonal_solve(OperatorSolver *solver, const double *b, double *w);
SimStatus tridiagonal_newton(OperatorSolver *solver, const StepLaw *law, const SparseStep *step, int round,
                             long *changed);
void tridiagonal_add_columns(const Operator *matrix, double factor, int n, int width, const double *x, double *y);
SimStatus tridiagonal_solve_columns(OperatorSolver *solver, const StepLaw *law, const signed char *slip, int n,
                                    int width, const double *b, double *w);

#endif
