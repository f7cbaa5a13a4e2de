/* Tridiagonal matrices, and their LDL' sweeps with some dofs held at 0:
 *
 *     e_i = a_i - o_{i-1}^2 / e_{i-1},   y_i = r_i - o_{i-1} / e_{i-1} y_{i-1},   w_i = (y_i - o_i w_{i+1}) / e_i,
 *
 * where 1/e_i = 0 of a dof held keeps it out of its neighbours' sums; y_i - o_i w_{i+1} is then its reaction.
 *
 * In a group each rank but the first leaves out its first row, the interface to the rank before, and eliminates the others at
 * the same time as all; its rows 1, 2, .. keep the coupling z_i to the interface (z_1 = o_0, z_{i+1} = -o_i / e_i z_i). What is
 * left is one row for each interface, tridiagonal again, which every rank solves for itself: one message per solve. */
#include "sim/operator/tridiagonal.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* Rounding units that a sum of a few terms may be off by. */
static const double ROUND_OFF = 64 * DBL_EPSILON;

static bool narrow(const SimMatrix *m, int first, int count) {
  for (int i = 0; m->start && i < count; i++)
    for (int k = m->start[i]; k < m->start[i + 1]; k++)
      if (abs(m->column[k] - first - i) > 1) return false;
  return true;
}

bool sparse_is_tridiagonal(const SimProblem *p) {
  const SimSparse *s = &p->system.sparse;
  return narrow(&s->mass, p->first, p->count) && narrow(&s->stiffness, p->first, p->count) &&
         narrow(&s->damping, p->first, p->count);
}

static void add_diagonals(const SimProblem *s, const SimMatrix *m, double weight, double *diagonal, double *off) {
  if (weight == 0 || !m->start) return;
  for (int i = 0; i < s->count; i++)
    for (int k = m->start[i]; k < m->start[i + 1]; k++) {
      if (m->column[k] == s->first + i) diagonal[i] += weight * m->value[k];
      if (m->column[k] == s->first + i + 1) off[i] += weight * m->value[k];
    }
}

void sparse_diagonals(const Operator *matrix, double *diagonal, double *off) {
  for (int k = 0; k < OPERATOR_PARTS; k++) {
    OperatorTerm term = matrix->sum.term[k];
    add_diagonals(matrix->problem, sparse_part(matrix->problem, term.part), term.weight, diagonal, off);
  }
}

/* Whether a row of any rank is coupled to another. */
static bool coupled(const SimProblem *p, const double *off) {
  double any = 0;
  for (int i = 0; i < p->count; i++)
    if (off[i] != 0) any = 1;
  sim_group_max(p->group, &any, 1);
  return any > 0;
}

static void destroy(Operator *matrix) {
  Tridiagonal *t = (Tridiagonal *)matrix;
  if (!t->borrowed) {
    free(t->diagonal);
    free(t->off);
  }
  free(t);
}

static SimStatus create(const SimProblem *p, const OperatorSum *sum, Operator **out) {
  size_t count = (size_t)p->count;
  Tridiagonal *t = calloc(1, sizeof *t);
  if (t) {
    *out = &t->base;
    *t = (Tridiagonal){.base = {.ops = &operator_tridiagonal, .problem = p, .sum = *sum, .scale = 1},
                       .diagonal = calloc(count + 1, sizeof(double)),
                       .off = calloc(count + 1, sizeof(double))};
  }
  SimStatus status = sim_group_agree(p->group, t && t->diagonal && t->off ? SIM_OK : SIM_NO_MEMORY);
  if (status != SIM_OK) return status;
  sparse_diagonals(&t->base, t->diagonal, t->off);
  double beyond;
  sim_group_neighbours(p->group, 1, t->off, &t->off[p->count - 1], &t->before, &beyond);
  if (!coupled(p, t->off)) {
    free(t->off);
    t->off = NULL;
  }
  return SIM_OK;
}

static SimStatus scaled(const Operator *matrix, double scale, Operator **out) {
  Tridiagonal *t = malloc(sizeof *t);
  if (!t) return SIM_NO_MEMORY;
  *t = *(const Tridiagonal *)matrix;
  t->base.scale *= scale;
  t->borrowed = true;
  *out = &t->base;
  return SIM_OK;
}

static double lower(const SimMatrix *m, int first) {
  for (int k = m->start ? m->start[0] : 0; m->start && k < m->start[1]; k++)
    if (m->column[k] == first - 1) return m->value[k];
  return 0;
}

static SimStatus asymmetry(const Operator *matrix, double *norm) {
  const Tridiagonal *t = (const Tridiagonal *)matrix;
  const SimProblem *p = matrix->problem;
  double entry = 0;
  for (int k = 0; k < OPERATOR_PARTS; k++)
    entry += matrix->sum.term[k].weight * lower(sparse_part(p, matrix->sum.term[k].part), p->first);
  *norm = fabs(entry - t->before);
  sim_group_max(p->group, norm, 1);
  return SIM_OK;
}

/* (A x)_i at an end of this rank's rows. */
static double end_product(const Tridiagonal *t, double factor, const double *x, const double *beyond, int i) {
  int last = t->base.problem->count - 1;
  double left = i > 0 ? t->off[i - 1] * (factor * x[i - 1]) : t->before * (factor * beyond[0]);
  return left + t->diagonal[i] * (factor * x[i]) + t->off[i] * (factor * (i < last ? x[i + 1] : beyond[1]));
}

/* y = (y or 0) + A (factor x), but for the rows at the ends. */
static inline void band(const Tridiagonal *t, double factor, bool add, const double *restrict x, double *restrict y) {
  const double *restrict a = t->diagonal, *restrict o = t->off;
  int count = t->base.problem->count;
  for (int i = o ? 1 : 0; i < (o ? count - 1 : count); i++) {
    double sum = o ? o[i - 1] * (factor * x[i - 1]) + a[i] * (factor * x[i]) + o[i] * (factor * x[i + 1])
                   : a[i] * (factor * x[i]);
    y[i] = add ? y[i] + sum : sum;
  }
}

static void ends(const Tridiagonal *t, double factor, bool add, const double *x, double *y) {
  int last = t->base.problem->count - 1;
  double beyond[2];
  if (!t->off) return;
  sim_group_neighbours(t->base.problem->group, 1, x, x + last, &beyond[0], &beyond[1]);
  y[0] = (add ? y[0] : 0) + end_product(t, factor, x, beyond, 0);
  if (last > 0) y[last] = (add ? y[last] : 0) + end_product(t, factor, x, beyond, last);
}

static void multiply(const Operator *matrix, const double *x, double *y) {
  const Tridiagonal *t = (const Tridiagonal *)matrix;
  band(t, matrix->scale, false, x, y);
  ends(t, matrix->scale, false, x, y);
}

static void add(const Operator *matrix, double factor, const double *x, double *y) {
  const Tridiagonal *t = (const Tridiagonal *)matrix;
  factor *= matrix->scale;
  if (factor == 1)
    band(t, 1, true, x, y);
  else
    band(t, factor, true, x, y);
  ends(t, factor, true, x, y);
}

static void solver_destroy(OperatorSolver *solver) {
  TridiagonalSolver *s = (TridiagonalSolver *)solver;
  if (!s) return;
  free(s->inverse);
  free(s->y);
  free(s->contribution);
  free(s->columns);
  free(s->interface);
  free(s);
}

static SimStatus solver_create(const Operator *matrix, OperatorSolver **out) {
  const SimProblem *sparse = matrix->problem;
  size_t count = (size_t)sparse->count;
  int rank = sim_group_rank(sparse->group), size = sim_group_size(sparse->group);
  TridiagonalSolver *s = calloc(1, sizeof *s);
  if (s) {
    *s = (TridiagonalSolver){.base = {.matrix = matrix}, .rank = rank, .size = size, .begin = rank > 0};
    s->inverse = calloc(count, sizeof(double));
    s->y = calloc(count, sizeof(double));
    if (size > 1) {
      s->contribution = calloc((size_t)size, sizeof *s->contribution);
      s->columns = calloc((size_t)size * TRIDIAGONAL_BLOCK, sizeof *s->columns);
      s->interface = calloc((size_t)size + 1, sizeof *s->interface);
    }
    *out = &s->base;
  }
  bool there = s && s->inverse && s->y && (size == 1 || (s->contribution && s->columns && s->interface));
  return sim_group_agree(sparse->group, there ? SIM_OK : SIM_NO_MEMORY);
}

SimStatus tridiagonal_factor(TridiagonalSolver *s, const StepLaw *law, const signed char *slip) {
  const Tridiagonal *t = (const Tridiagonal *)s->base.matrix;
  int d = t->base.problem->count;
  double e = 1, square = 0, least = INFINITY;
  for (int i = s->begin; i < d; i++) {
    FrictionBranch branch = {0};
    if (law) branch = friction_branch(step_law_of(law, i), slip[i], 0);
    e = t->diagonal[i] + branch.stiffness - square / e;
    least = e < least ? e : least;
    s->inverse[i] = branch.held ? 0 : 1 / e;
    square = branch.held || !t->off ? 0 : t->off[i] * t->off[i];
  }
  s->factored = true;
  return least > 0 ? SIM_OK : SIM_BAD_PROBLEM;
}

/* y from the right sides b - share. */
static void eliminate(TridiagonalSolver *s, const StepLaw *law, const SparseStep *step, const double *b) {
  const Tridiagonal *t = (const Tridiagonal *)s->base.matrix;
  int d = t->base.problem->count;
  double *restrict inverse = s->inverse, *restrict y = s->y, last = 0, link = 0;
  bool kept = law && law->kept > 0;
  for (int i = s->begin; i < d; i++) {
    double r = b[i];
    if (law) r -= friction_branch(step_law_of(law, i), step->slip[i], kept ? step->lambda_old[i] : 0).share;
    last = r - link * last;
    y[i] = last;
    link = t->off ? t->off[i] * inverse[i] : 0;
  }
}

static SchurContribution own_contribution(const TridiagonalSolver *s, const StepLaw *law, const SparseStep *step,
                                          const double *b) {
  const Tridiagonal *t = (const Tridiagonal *)s->base.matrix;
  int last = t->base.problem->count - 1;
  SchurContribution share = {0};
  if (s->begin) {
    FrictionBranch branch = {0};
    if (law) branch = friction_branch(step_law_of(law, 0), step->slip[0], step->lambda_old ? step->lambda_old[0] : 0);
    double pivot = t->diagonal[0] + branch.stiffness, right = b[0] - branch.share, z = tridiagonal_coupling(t, 0);
    for (int i = 1; i <= last && z != 0; i++) {
      pivot -= z * z * s->inverse[i];
      right -= z * s->inverse[i] * s->y[i];
      z = tridiagonal_border(s, i, z);
    }
    share = (SchurContribution){.pivot = pivot, .right = right, .cross = z, .held = branch.held};
  }
  if (last >= s->begin) {
    double link = tridiagonal_coupling(t, last) * s->inverse[last];
    share.far_pivot = -tridiagonal_coupling(t, last) * link;
    share.far_right = -link * s->y[last];
  }
  return share;
}

SimStatus tridiagonal_interfaces(const SchurContribution *share, Interface *interface, int size) {
  for (int k = 1; k < size; k++) {
    double link = share[k - 1].cross * interface[k - 1].inverse;
    double pivot = share[k].pivot + share[k - 1].far_pivot - share[k - 1].cross * link;
    double far = share[k - 1].far_right - link * interface[k - 1].reaction;
    if (!(pivot > 0)) return SIM_BAD_PROBLEM;
    interface[k].inverse = share[k].held > 0 ? 0 : 1 / pivot;
    interface[k].reaction = share[k].right + far;
    interface[k].scale = fabs(share[k].right) + fabs(far);
  }
  for (int k = size - 1; k > 0; k--) {
    double far = share[k].cross * interface[k + 1].w;
    interface[k].reaction -= far;
    interface[k].scale += fabs(far);
    interface[k].w = interface[k].inverse != 0 ? interface[k].inverse * interface[k].reaction : 0;
  }
  return SIM_OK;
}

/* All but the back substitution. *next: w behind this rank's last row. */
static SimStatus forward(TridiagonalSolver *s, const StepLaw *law, const SparseStep *step, const double *b,
                         double *next) {
  const Tridiagonal *t = (const Tridiagonal *)s->base.matrix;
  const SimProblem *sparse = t->base.problem;
  SimStatus status = s->factored ? SIM_OK : tridiagonal_factor(s, law, step ? step->slip : NULL);
  *next = 0;
  if (s->size == 1 && status != SIM_OK) return status;
  eliminate(s, law, step, b);
  if (s->size == 1) return SIM_OK;
  SchurContribution own = own_contribution(s, law, step, b);
  if (status != SIM_OK) own.pivot = own.far_pivot = NAN;
  sim_group_allgather(sparse->group, &own.pivot, sizeof own / sizeof(double), &s->contribution->pivot);
  status = tridiagonal_interfaces(s->contribution, s->interface, s->size);
  *next = s->interface[s->rank + 1].w;
  double z = s->begin ? tridiagonal_coupling(t, 0) : 0, w = s->interface[s->rank].w;
  for (int i = 1; i < sparse->count && z != 0 && w != 0; i++) {
    s->y[i] -= z * w;
    z = tridiagonal_border(s, i, z);
  }
  return status;
}

static SimStatus solve(OperatorSolver *solver, const double *b, double *w) {
  TridiagonalSolver *s = (TridiagonalSolver *)solver;
  const Tridiagonal *t = (const Tridiagonal *)solver->matrix;
  double next;
  SimStatus status = forward(s, NULL, NULL, b, &next);
  if (status != SIM_OK) return status;
  for (int i = t->base.problem->count - 1; i >= s->begin; i--)
    w[i] = next = s->inverse[i] * (s->y[i] - (t->off ? t->off[i] * next : 0));
  if (s->begin) w[0] = s->interface[s->rank].w;
  return SIM_OK;
}

/* w, lambda and the next branch of a dof whose reaction is known, from terms of the size of `scale`. Returns whether the
 * branch is another. */
static inline bool land(const StepLaw *law, const SparseStep *step, int i, double inverse, double reaction,
                        double scale) {
  double c = law->friction[i], round_off = ROUND_OFF * scale, old = 0, w = inverse != 0 ? inverse * reaction : 0;
  if (law->kept > 0) {
    old = step->lambda_old[i];
    round_off = ROUND_OFF + law->projection_weight * c / law->kept * inverse * round_off;
  }
  step->w[i] = w;
  int slip = friction_next_branch(step_law_of(law, i), step->slip[i], old, w, reaction, round_off, &step->lambda[i]);
  bool moved = slip != step->slip[i] && c > 0;
  step->slip[i] = (signed char)slip;
  return moved;
}

/* Back substitution, and each dof's next branch on the way; y becomes b - E w - share. */
static long substitute(TridiagonalSolver *s, const StepLaw *law, const SparseStep *step, double next) {
  const Tridiagonal *t = (const Tridiagonal *)s->base.matrix;
  long changed = 0;
  for (int i = t->base.problem->count - 1; i >= s->begin; i--) {
    double far = t->off ? t->off[i] * next : 0, reaction = s->y[i] - far, scale = fabs(s->y[i]) + fabs(far);
    s->y[i] = reaction;
    changed += land(law, step, i, s->inverse[i], reaction, scale);
    next = step->w[i];
  }
  if (s->begin) {
    Interface own = s->interface[s->rank];
    s->inverse[0] = own.inverse;
    s->y[0] = own.reaction;
    changed += land(law, step, 0, own.inverse, own.reaction, own.scale);
  }
  return changed;
}

static SimStatus newton(OperatorSolver *solver, const StepLaw *law, const SparseStep *step, int round, long *changed) {
  TridiagonalSolver *s = (TridiagonalSolver *)solver;
  const Tridiagonal *t = (const Tridiagonal *)solver->matrix;
  double next;
  SimStatus status = forward(s, law, step, step->b, &next);
  if (status != SIM_OK) return status;
  *changed = substitute(s, law, step, next);
  if (*changed && t->off && !(law->kept > 0)) {
    SparseChain chain = {t->base.problem->count, t->diagonal, t->off, s->inverse, s->y};
    *changed += sparse_move_stick_front(&chain, law, step, round);
  }
  s->factored = *changed == 0;
  return SIM_OK;
}

static void forget(OperatorSolver *solver) { ((TridiagonalSolver *)solver)->factored = false; }

const OperatorOps operator_tridiagonal = {.create = create,
                                          .scaled = scaled,
                                          .destroy = destroy,
                                          .multiply = multiply,
                                          .add = add,
                                          .add_difference = sparse_add_difference,
                                          .add_columns = tridiagonal_add_columns,
                                          .asymmetry = asymmetry,
                                          .solver_create = solver_create,
                                          .solver_destroy = solver_destroy,
                                          .forget = forget,
                                          .solve = solve,
                                          .newton = newton,
                                          .solve_columns = tridiagonal_solve_columns};
