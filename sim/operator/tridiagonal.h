/* The inside of operator_tridiagonal, for its three files: tridiagonal.c has the matrix and its products, tridiagonal_solver.c the
 * steps' own systems and how they are eliminated, tridiagonal_columns.c those of many columns on branches that are known. */
#ifndef SIM_TRIDIAGONAL_H
#define SIM_TRIDIAGONAL_H

#include "sim/operator/chain_branches.h"

#include <float.h>

enum { TRIDIAGONAL_BLOCK = 128 }; /* columns side by side */
enum { TRIDIAGONAL_RUNS = 256 };

typedef struct Tridiagonal {
  Operator base;
  double *diagonal; /* [count] a */
  double *off;      /* [count] o_i between i and i + 1, of the whole problem's last one 0; NULL: all are 0 */
  double before;    /* o between the rank before and this one's first row, as that rank has it */
  bool borrowed;    /* another operator's arrays */
} Tridiagonal;

/* What a rank's rows make of the interface in front of them and of the one behind, as it is sent round. */
typedef struct SchurContribution {
  double pivot, right;         /* the interface in front: its row, less what is eliminated here */
  double far_pivot, far_right; /* what is to be added to the interface behind */
  double cross;                /* between the two */
  double held;
} SchurContribution;

typedef struct Interface {
  double inverse, reaction, scale, w; /* as in a sweep; scale: the size of reaction's terms */
} Interface;

typedef struct TridiagonalSolver {
  OperatorSolver base;
  double *inverse;   /* [count] 1/e */
  double *link;      /* [count] o_i / e_i */
  double *y;         /* [count] */
  signed char *slip; /* [count] the branches that `inverse` and y are of */
  bool factored;     /* they are of any */
  int corrected;     /* rows 1 .. corrected have y less the interface's part; -1: none */
  struct {
    int first, last;
  } run[TRIDIAGONAL_RUNS + 1]; /* the rows that the last elimination has gone through */
  int runs;
  ChainBranches *branches;         /* NULL: rows are not coupled */
  int rank, size;                  /* in the group */
  int begin;                       /* the first row that is eliminated: 1 behind a interface */
  SchurContribution *contribution; /* [size]; NULL of one rank alone, as interface */
  SchurContribution *columns;      /* [size][TRIDIAGONAL_BLOCK], likewise */
  Interface *interface;            /* [size + 1] in front of each rank; the first and the last are none: 0 */
} TridiagonalSolver;

static inline double tridiagonal_coupling(const Tridiagonal *t, int i) { return t->off ? t->off[i] : 0; }

/* z_{i+1}; it falls from row to row, and is left out once it is nothing. */
static inline double tridiagonal_border(const TridiagonalSolver *s, int i, double z) {
  z *= -s->link[i];
  return fabs(z) < DBL_MIN ? 0 : z;
}

/* SIM_BAD_PROBLEM unless e_i > 0 throughout, as of a positive definite E. y is no longer of these branches. */
SimStatus tridiagonal_factor(TridiagonalSolver *solver, const StepLaw *law, const signed char *slip);
/* The interfaces' rows, on every rank alike: share [size], interface [size + 1]. A rank that met a pivot which is not positive
 * has sent NaN. */
SimStatus tridiagonal_interfaces(const SchurContribution *share, Interface *interface, int size);

/* Of OperatorOps. */
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
