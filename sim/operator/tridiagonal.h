/* SPDX-License-Identifier: BSD-2-Clause */
/* Declarations that three files share: tridiagonal.c has the matrix and its products, tridiagonal_solver.c the systems
 * of a step and their elimination, tridiagonal_columns.c systems with many columns for known branches. */
#ifndef SIM_TRIDIAGONAL_H
#define SIM_TRIDIAGONAL_H

#include "sim/operator/chain_branches.h"

#include <float.h>

enum { TRIDIAGONAL_BLOCK = 128 }; /* number of columns that are solved together */
enum { TRIDIAGONAL_RUNS = 256 };

typedef struct Tridiagonal {
  Operator base;
  double *diagonal; /* [count] diagonal entries a_i */
  double *off;      /* [count] off-diagonal entries o_i between rows i and i + 1, 0 in the last row of the whole
                     * problem; NULL: all are 0 */
  /* entry that couples the last row of the previous rank to this rank's first row, as stored by that rank */
  double before;
  bool borrowed; /* whether the arrays belong to another operator */
} Tridiagonal;

/* Contributions of a rank's rows to the equations of its two interfaces. An interface is the first row of a rank other
 * than the first rank: one is before these rows, one behind them. Ranks exchange the contributions. */
typedef struct SchurContribution {
  /* for the interface before this rank: diagonal entry and right side after elimination of this rank's rows */
  double pivot, right;
  double far_pivot, far_right; /* for the interface after this rank: additions to its diagonal entry and to its right
                                * side */
  double cross;                /* coupling between the two interfaces */
  double held;
} SchurContribution;

typedef struct Interface {
  double inverse, reaction, scale, w; /* inverse pivot, reaction and velocity w of the interface's row; scale:
                                       * magnitude of the terms of the reaction */
} Interface;

typedef struct TridiagonalSolver {
  OperatorSolver base;
  double *inverse;   /* [count] inverse pivots 1/e_i */
  double *link;      /* [count] factors l_i = o_i / e_i of the elimination: off-diagonal entry over pivot */
  double *y;         /* [count] right sides y_i after the forward elimination (tridiagonal_solver.c) */
  signed char *slip; /* [count] branches for which `inverse` and y were computed */
  bool factored;     /* whether `inverse` and `link` are valid */
  int corrected;     /* the effect of the interface before this rank has been subtracted from y of the rows up to
                      * `corrected`; -1: of no row */
  struct {
    int first, last;
  } run[TRIDIAGONAL_RUNS + 1]; /* ranges of rows that the last elimination has changed */
  int runs;
  ChainBranches *branches;         /* search for branches; NULL: rows are not coupled */
  int rank, size;                  /* rank in the group, and number of ranks */
  int begin;                       /* index of the first row that is eliminated: 0, or 1 if row 0 is an interface */
  SchurContribution *contribution; /* [size] contributions; NULL on one rank, like interface */
  SchurContribution *columns;      /* [size][TRIDIAGONAL_BLOCK] contributions for many columns; NULL on one rank */
  Interface *interface; /* [size + 1] interface before each rank; the first and the last do not exist and are 0 */
} TridiagonalSolver;

static inline double tridiagonal_coupling(const Tridiagonal *t, int i) { return t->off ? t->off[i] : 0; }

/* Returns the coupling z_{i+1} to the interface (tridiagonal_solver.c) from z_i. Its magnitude decreases from row to
 * row, and it is set to 0 when it underflows. */
static inline double tridiagonal_border(const TridiagonalSolver *s, int i, double z) {
  z *= -s->link[i];
  return fabs(z) < DBL_MIN ? 0 : z;
}

/* Factors E with the sticking dofs (slip 0) held fixed. Returns SIM_BAD_PROBLEM unless all pivots e_i are > 0, as they
 * are for a positive definite E. The solver's y becomes invalid. */
SimStatus tridiagonal_factor(TridiagonalSolver *solver, const StepLaw *law, const signed char *slip);
/* Solves the interface equations, on every rank in the same way. share: [size] contributions; interface: [size + 1]. A
 * rank with a pivot <= 0 has contributed NaN. */
SimStatus tridiagonal_interfaces(const SchurContribution *share, Interface *interface, int size);

/* These functions implement those of OperatorOps for solvers. */
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
