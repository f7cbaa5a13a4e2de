/* Tridiagonal matrices of one rank, and their LDL' sweeps with some dofs held at 0:
 *
 *     e_i = a_i - o_{i-1}^2 / e_{i-1},   y_i = r_i - o_{i-1} / e_{i-1} y_{i-1},   w_i = (y_i - o_i w_{i+1}) / e_i,
 *
 * where 1/e_i = 0 of a dof held keeps it out of its neighbours' sums; y_i - o_i w_{i+1} is then its reaction. */
#include "sim/sparse_law.h"

#include <stdlib.h>

typedef struct Tridiagonal {
  SparseOperator base;
  double *diagonal; /* [count] a */
  double *off;      /* [count] o_i between i and i + 1, the last one 0; NULL: all are 0 */
} Tridiagonal;

typedef struct Sweeps {
  SparseSolver base;
  double *inverse; /* [count] 1/e */
  double *y;       /* [count] */
  bool factored;   /* `inverse` is that of the branches which the next call comes with */
} Sweeps;

/* Rounding units that a sum of a few terms may be off by. */
static const double ROUND_OFF = 64 * DBL_EPSILON;

static bool narrow(const SimMatrix *m, int first, int count) {
  for (int i = 0; m->start && i < count; i++)
    for (int k = m->start[i]; k < m->start[i + 1]; k++)
      if (abs(m->column[k] - first - i) > 1) return false;
  return true;
}

bool sparse_is_tridiagonal(const SimProblem *p) {
  const SimSparse *s = &p->sparse;
  return narrow(&s->mass, s->first, s->count) && narrow(&s->stiffness, s->first, s->count) &&
         narrow(&s->damping, s->first, s->count);
}

static void add_diagonals(const SimSparse *s, const SimMatrix *m, double weight, double *diagonal, double *off) {
  if (weight == 0 || !m->start) return;
  for (int i = 0; i < s->count; i++)
    for (int k = m->start[i]; k < m->start[i + 1]; k++) {
      if (m->column[k] == s->first + i) diagonal[i] += weight * m->value[k];
      if (m->column[k] == s->first + i + 1) off[i] += weight * m->value[k];
    }
}

void sparse_diagonals(const SparseOperator *matrix, double *diagonal, double *off) {
  const SimSparse *s = &matrix->problem->sparse;
  const SparseWeights *weights = &matrix->weights;
  add_diagonals(s, &s->mass, weights->mass, diagonal, off);
  add_diagonals(s, &s->damping, weights->damping, diagonal, off);
  add_diagonals(s, &s->stiffness, weights->stiffness, diagonal, off);
}

static bool all_zero(const double *values, int count) {
  for (int i = 0; i < count; i++)
    if (values[i] != 0) return false;
  return true;
}

static void destroy(SparseOperator *matrix) {
  Tridiagonal *t = (Tridiagonal *)matrix;
  if (!t) return;
  free(t->diagonal);
  free(t->off);
  free(t);
}

static SimStatus create(const SimProblem *p, SparseWeights weights, SparseOperator **out) {
  const SimSparse *s = &p->sparse;
  size_t count = (size_t)s->count;
  Tridiagonal *t = calloc(1, sizeof *t);
  if (!t) return SIM_NO_MEMORY;
  *out = &t->base;
  *t = (Tridiagonal){.base = {.kernel = &sparse_tridiagonal, .problem = p, .weights = weights},
                     .diagonal = calloc(count + 1, sizeof(double)),
                     .off = calloc(count + 1, sizeof(double))};
  if (!t->diagonal || !t->off) return SIM_NO_MEMORY;
  sparse_diagonals(&t->base, t->diagonal, t->off);
  if (all_zero(t->off, s->count)) {
    free(t->off);
    t->off = NULL;
  }
  return SIM_OK;
}

/* (A x)_i at an end of the string. */
static double end_product(const Tridiagonal *t, const double *x, int i) {
  int last = t->base.problem->sparse.count - 1;
  double left = i > 0 ? t->off[i - 1] * x[i - 1] : 0, right = i < last ? t->off[i] * x[i + 1] : 0;
  return left + t->diagonal[i] * x[i] + right;
}

static void multiply(const SparseOperator *matrix, bool add, const double *restrict x, double *restrict y) {
  const Tridiagonal *t = (const Tridiagonal *)matrix;
  const double *restrict a = t->diagonal, *restrict o = t->off;
  int last = t->base.problem->sparse.count - 1;
  if (!o) {
    for (int i = 0; i <= last; i++) y[i] = (add ? y[i] : 0) + a[i] * x[i];
    return;
  }
  if (add)
    for (int i = 1; i < last; i++) y[i] += o[i - 1] * x[i - 1] + a[i] * x[i] + o[i] * x[i + 1];
  else
    for (int i = 1; i < last; i++) y[i] = o[i - 1] * x[i - 1] + a[i] * x[i] + o[i] * x[i + 1];
  y[0] = (add ? y[0] : 0) + end_product(t, x, 0);
  if (last > 0) y[last] = (add ? y[last] : 0) + end_product(t, x, last);
}

static void solver_destroy(SparseSolver *solver) {
  Sweeps *s = (Sweeps *)solver;
  if (!s) return;
  free(s->inverse);
  free(s->y);
  free(s);
}

static SimStatus solver_create(const SparseOperator *matrix, SparseSolver **out) {
  size_t count = (size_t)matrix->problem->sparse.count;
  Sweeps *s = calloc(1, sizeof *s);
  if (!s) return SIM_NO_MEMORY;
  *out = &s->base;
  *s = (Sweeps){
      .base = {.matrix = matrix}, .inverse = calloc(count, sizeof(double)), .y = calloc(count, sizeof(double))};
  return s->inverse && s->y ? SIM_OK : SIM_NO_MEMORY;
}

/* e_i > 0 throughout: the branch-free test for a positive definite E. */
static SimStatus factor(Sweeps *s, const SparseLaw *law, const SparseStep *step) {
  const Tridiagonal *t = (const Tridiagonal *)s->base.matrix;
  int d = t->base.problem->sparse.count;
  double e = 1, square = 0, least = INFINITY;
  for (int i = 0; i < d; i++) {
    SparseBranch branch = {0};
    if (law) branch = sparse_branch(law, law->friction[i], step->slip[i], 0);
    e = t->diagonal[i] + branch.stiffness - square / e;
    least = e < least ? e : least;
    s->inverse[i] = branch.held ? 0 : 1 / e;
    square = branch.held || !t->off ? 0 : t->off[i] * t->off[i];
  }
  s->factored = true;
  return least > 0 ? SIM_OK : SIM_BAD_PROBLEM;
}

/* y from the right sides b - share. */
static void eliminate(Sweeps *s, const SparseLaw *law, const SparseStep *step, const double *b) {
  const Tridiagonal *t = (const Tridiagonal *)s->base.matrix;
  int d = t->base.problem->sparse.count;
  double *restrict inverse = s->inverse, *restrict y = s->y, last = 0, link = 0;
  bool kept = law && law->kept > 0;
  for (int i = 0; i < d; i++) {
    double r = b[i];
    if (law) r -= sparse_branch(law, law->friction[i], step->slip[i], kept ? step->lambda_old[i] : 0).share;
    last = r - link * last;
    y[i] = last;
    link = t->off ? t->off[i] * inverse[i] : 0;
  }
}

static SimStatus solve(SparseSolver *solver, const double *b, double *w) {
  Sweeps *s = (Sweeps *)solver;
  const Tridiagonal *t = (const Tridiagonal *)solver->matrix;
  SimStatus status = s->factored ? SIM_OK : factor(s, NULL, NULL);
  if (status != SIM_OK) return status;
  eliminate(s, NULL, NULL, b);
  double next = 0;
  for (int i = t->base.problem->sparse.count - 1; i >= 0; i--)
    w[i] = next = s->inverse[i] * (s->y[i] - (t->off ? t->off[i] * next : 0));
  return SIM_OK;
}

/* Back substitution, and each dof's next branch on the way; y becomes b - E w - share. */
static long substitute(Sweeps *s, const SparseLaw *law, const SparseStep *step) {
  const Tridiagonal *t = (const Tridiagonal *)s->base.matrix;
  const double *restrict c = law->friction;
  double next = 0;
  long changed = 0;
  for (int i = t->base.problem->sparse.count - 1; i >= 0; i--) {
    double far = t->off ? t->off[i] * next : 0, reaction = s->y[i] - far;
    double round_off = ROUND_OFF * (fabs(s->y[i]) + fabs(far)), old = 0;
    if (law->kept > 0) {
      old = step->lambda_old[i];
      round_off = ROUND_OFF + law->pull * c[i] / law->kept * s->inverse[i] * round_off;
    }
    next = s->inverse[i] != 0 ? s->inverse[i] * reaction : 0;
    step->w[i] = next;
    s->y[i] = reaction;
    int slip = sparse_next_branch(law, c[i], step->slip[i], old, next, reaction, round_off, &step->lambda[i]);
    changed += slip != step->slip[i] && c[i] > 0;
    step->slip[i] = (signed char)slip;
  }
  return changed;
}

static SimStatus newton(SparseSolver *solver, const SparseLaw *law, const SparseStep *step, int round, long *changed) {
  Sweeps *s = (Sweeps *)solver;
  const Tridiagonal *t = (const Tridiagonal *)solver->matrix;
  SimStatus status = s->factored ? SIM_OK : factor(s, law, step);
  if (status != SIM_OK) return status;
  eliminate(s, law, step, step->b);
  *changed = substitute(s, law, step);
  if (*changed && t->off && !(law->kept > 0)) {
    SparseChain chain = {t->base.problem->sparse.count, t->diagonal, t->off, s->inverse, s->y};
    *changed += sparse_move_stretches(&chain, law, step, round);
  }
  s->factored = *changed == 0;
  return SIM_OK;
}

static void forget(SparseSolver *solver) { ((Sweeps *)solver)->factored = false; }

const SparseKernel sparse_tridiagonal = {.create = create,
                                         .destroy = destroy,
                                         .multiply = multiply,
                                         .solver_create = solver_create,
                                         .solver_destroy = solver_destroy,
                                         .forget = forget,
                                         .solve = solve,
                                         .newton = newton};
