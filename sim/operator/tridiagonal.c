/* Tridiagonal matrices, and their LDL' sweeps with some dofs held at 0:
 *
 *     e_i = a_i - o_{i-1}^2 / e_{i-1},   y_i = r_i - o_{i-1} / e_{i-1} y_{i-1},   w_i = (y_i - o_i w_{i+1}) / e_i,
 *
 * where 1/e_i = 0 of a dof held keeps it out of its neighbours' sums; y_i - o_i w_{i+1} is then its reaction.
 *
 * In a group each rank but the first leaves out its first row, the joint to the rank before, and eliminates the others at
 * the same time as all; its rows 1, 2, .. keep the coupling z_i to the joint (z_1 = o_0, z_{i+1} = -o_i / e_i z_i). What is
 * left is one row for each joint, tridiagonal again, which every rank solves for itself: one message per solve. */
#include "sim/law/branch_law.h"

#include <stdlib.h>

typedef struct Tridiagonal {
  SparseOperator base;
  double *diagonal; /* [count] a */
  double *off;      /* [count] o_i between i and i + 1, of the whole problem's last one 0; NULL: all are 0 */
  double before;    /* o between the rank before and this one's first row, as that rank has it */
} Tridiagonal;

/* What a rank's rows make of the joint in front of them and of the one behind, as it is sent round. */
typedef struct Share {
  double pivot, right;         /* the joint in front: its row, less what is eliminated here */
  double far_pivot, far_right; /* what is to be added to the joint behind */
  double cross;                /* between the two */
  double held;
} Share;

typedef struct Joint {
  double inverse, reaction, scale, w; /* as in a sweep; scale: the size of reaction's terms */
} Joint;

typedef struct Sweeps {
  SparseSolver base;
  double *inverse; /* [count] 1/e */
  double *y;       /* [count] */
  bool factored;   /* `inverse` is that of the branches which the next call comes with */
  int rank, size;  /* in the group */
  int begin;       /* the first row that is eliminated: 1 behind a joint */
  Share *share;    /* [size]; NULL of one rank alone, as joint */
  Joint *joint;    /* [size + 1] in front of each rank; the first and the last are none: 0 */
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

static double coupling(const Tridiagonal *t, int i) { return t->off ? t->off[i] : 0; }

/* Whether a row of any rank is coupled to another. */
static bool coupled(const SimProblem *p, const double *off) {
  double any = 0;
  for (int i = 0; i < p->sparse.count; i++)
    if (off[i] != 0) any = 1;
  sim_group_max(p->sparse.group, &any, 1);
  return any > 0;
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
  if (t) {
    *out = &t->base;
    *t = (Tridiagonal){.base = {.kernel = &sparse_tridiagonal, .problem = p, .weights = weights},
                       .diagonal = calloc(count + 1, sizeof(double)),
                       .off = calloc(count + 1, sizeof(double))};
  }
  SimStatus status = sim_group_agree(s->group, t && t->diagonal && t->off ? SIM_OK : SIM_NO_MEMORY);
  if (status != SIM_OK) return status;
  sparse_diagonals(&t->base, t->diagonal, t->off);
  double beyond[2];
  sim_group_neighbours(s->group, 0, t->off[s->count - 1], beyond);
  t->before = beyond[0];
  if (!coupled(p, t->off)) {
    free(t->off);
    t->off = NULL;
  }
  return SIM_OK;
}

static double lower(const SimMatrix *m, int first) {
  for (int k = m->start ? m->start[0] : 0; m->start && k < m->start[1]; k++)
    if (m->column[k] == first - 1) return m->value[k];
  return 0;
}

static SimStatus asymmetry(const SparseOperator *matrix, double *norm) {
  const Tridiagonal *t = (const Tridiagonal *)matrix;
  const SimSparse *s = &matrix->problem->sparse;
  const SparseWeights *weights = &matrix->weights;
  *norm = fabs(weights->mass * lower(&s->mass, s->first) + weights->damping * lower(&s->damping, s->first) +
               weights->stiffness * lower(&s->stiffness, s->first) - t->before);
  sim_group_max(s->group, norm, 1);
  return SIM_OK;
}

/* (A x)_i at an end of this rank's rows. */
static double end_product(const Tridiagonal *t, const double *x, const double *beyond, int i) {
  int last = t->base.problem->sparse.count - 1;
  double left = i > 0 ? t->off[i - 1] * x[i - 1] : t->before * beyond[0];
  return left + t->diagonal[i] * x[i] + t->off[i] * (i < last ? x[i + 1] : beyond[1]);
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
  double beyond[2];
  sim_group_neighbours(matrix->problem->sparse.group, x[0], x[last], beyond);
  y[0] = (add ? y[0] : 0) + end_product(t, x, beyond, 0);
  if (last > 0) y[last] = (add ? y[last] : 0) + end_product(t, x, beyond, last);
}

static void solver_destroy(SparseSolver *solver) {
  Sweeps *s = (Sweeps *)solver;
  if (!s) return;
  free(s->inverse);
  free(s->y);
  free(s->share);
  free(s->joint);
  free(s);
}

static SimStatus solver_create(const SparseOperator *matrix, SparseSolver **out) {
  const SimSparse *sparse = &matrix->problem->sparse;
  size_t count = (size_t)sparse->count;
  int rank = sim_group_rank(sparse->group), size = sim_group_size(sparse->group);
  Sweeps *s = calloc(1, sizeof *s);
  if (s) {
    *s = (Sweeps){.base = {.matrix = matrix}, .rank = rank, .size = size, .begin = rank > 0};
    s->inverse = calloc(count, sizeof(double));
    s->y = calloc(count, sizeof(double));
    if (size > 1) {
      s->share = calloc((size_t)size, sizeof *s->share);
      s->joint = calloc((size_t)size + 1, sizeof *s->joint);
    }
    *out = &s->base;
  }
  bool there = s && s->inverse && s->y && (size == 1 || (s->share && s->joint));
  return sim_group_agree(sparse->group, there ? SIM_OK : SIM_NO_MEMORY);
}

/* e_i > 0 throughout: the branch-free test for a positive definite E. */
static SimStatus factor(Sweeps *s, const SparseLaw *law, const SparseStep *step) {
  const Tridiagonal *t = (const Tridiagonal *)s->base.matrix;
  int d = t->base.problem->sparse.count;
  double e = 1, square = 0, least = INFINITY;
  for (int i = s->begin; i < d; i++) {
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
  for (int i = s->begin; i < d; i++) {
    double r = b[i];
    if (law) r -= sparse_branch(law, law->friction[i], step->slip[i], kept ? step->lambda_old[i] : 0).share;
    last = r - link * last;
    y[i] = last;
    link = t->off ? t->off[i] * inverse[i] : 0;
  }
}

/* z_{i+1}; it falls from row to row, and is left out once it is nothing. */
static double next_border(const Sweeps *s, const Tridiagonal *t, int i, double z) {
  z *= -coupling(t, i) * s->inverse[i];
  return fabs(z) < DBL_MIN ? 0 : z;
}

static Share own_share(const Sweeps *s, const SparseLaw *law, const SparseStep *step, const double *b) {
  const Tridiagonal *t = (const Tridiagonal *)s->base.matrix;
  int last = t->base.problem->sparse.count - 1;
  Share share = {0};
  if (s->begin) {
    SparseBranch branch = {0};
    if (law) branch = sparse_branch(law, law->friction[0], step->slip[0], step->lambda_old ? step->lambda_old[0] : 0);
    double pivot = t->diagonal[0] + branch.stiffness, right = b[0] - branch.share, z = coupling(t, 0);
    for (int i = 1; i <= last && z != 0; i++) {
      pivot -= z * z * s->inverse[i];
      right -= z * s->inverse[i] * s->y[i];
      z = next_border(s, t, i, z);
    }
    share = (Share){.pivot = pivot, .right = right, .cross = z, .held = branch.held};
  }
  if (last >= s->begin) {
    double link = coupling(t, last) * s->inverse[last];
    share.far_pivot = -coupling(t, last) * link;
    share.far_right = -link * s->y[last];
  }
  return share;
}

/* The joints' rows, on every rank alike. A rank that met a pivot which is not positive has sent NaN. */
static SimStatus solve_joints(const Share *share, Joint *joint, int size) {
  for (int k = 1; k < size; k++) {
    double link = share[k - 1].cross * joint[k - 1].inverse;
    double pivot = share[k].pivot + share[k - 1].far_pivot - share[k - 1].cross * link;
    double far = share[k - 1].far_right - link * joint[k - 1].reaction;
    if (!(pivot > 0)) return SIM_BAD_PROBLEM;
    joint[k].inverse = share[k].held > 0 ? 0 : 1 / pivot;
    joint[k].reaction = share[k].right + far;
    joint[k].scale = fabs(share[k].right) + fabs(far);
  }
  for (int k = size - 1; k > 0; k--) {
    double far = share[k].cross * joint[k + 1].w;
    joint[k].reaction -= far;
    joint[k].scale += fabs(far);
    joint[k].w = joint[k].inverse != 0 ? joint[k].inverse * joint[k].reaction : 0;
  }
  return SIM_OK;
}

/* All but the back substitution. *next: w behind this rank's last row. */
static SimStatus forward(Sweeps *s, const SparseLaw *law, const SparseStep *step, const double *b, double *next) {
  const Tridiagonal *t = (const Tridiagonal *)s->base.matrix;
  const SimSparse *sparse = &t->base.problem->sparse;
  SimStatus status = s->factored ? SIM_OK : factor(s, law, step);
  *next = 0;
  if (s->size == 1 && status != SIM_OK) return status;
  eliminate(s, law, step, b);
  if (s->size == 1) return SIM_OK;
  Share own = own_share(s, law, step, b);
  if (status != SIM_OK) own.pivot = own.far_pivot = NAN;
  sim_group_allgather(sparse->group, &own.pivot, sizeof own / sizeof(double), &s->share->pivot);
  status = solve_joints(s->share, s->joint, s->size);
  *next = s->joint[s->rank + 1].w;
  double z = s->begin ? coupling(t, 0) : 0, w = s->joint[s->rank].w;
  for (int i = 1; i < sparse->count && z != 0 && w != 0; i++) {
    s->y[i] -= z * w;
    z = next_border(s, t, i, z);
  }
  return status;
}

static SimStatus solve(SparseSolver *solver, const double *b, double *w) {
  Sweeps *s = (Sweeps *)solver;
  const Tridiagonal *t = (const Tridiagonal *)solver->matrix;
  double next;
  SimStatus status = forward(s, NULL, NULL, b, &next);
  if (status != SIM_OK) return status;
  for (int i = t->base.problem->sparse.count - 1; i >= s->begin; i--)
    w[i] = next = s->inverse[i] * (s->y[i] - (t->off ? t->off[i] * next : 0));
  if (s->begin) w[0] = s->joint[s->rank].w;
  return SIM_OK;
}

/* w, lambda and the next branch of a dof whose reaction is known, from terms of the size of `scale`. Returns whether the
 * branch is another. */
static inline bool land(const SparseLaw *law, const SparseStep *step, int i, double inverse, double reaction,
                        double scale) {
  double c = law->friction[i], round_off = ROUND_OFF * scale, old = 0, w = inverse != 0 ? inverse * reaction : 0;
  if (law->kept > 0) {
    old = step->lambda_old[i];
    round_off = ROUND_OFF + law->pull * c / law->kept * inverse * round_off;
  }
  step->w[i] = w;
  int slip = sparse_next_branch(law, c, step->slip[i], old, w, reaction, round_off, &step->lambda[i]);
  bool moved = slip != step->slip[i] && c > 0;
  step->slip[i] = (signed char)slip;
  return moved;
}

/* Back substitution, and each dof's next branch on the way; y becomes b - E w - share. */
static long substitute(Sweeps *s, const SparseLaw *law, const SparseStep *step, double next) {
  const Tridiagonal *t = (const Tridiagonal *)s->base.matrix;
  long changed = 0;
  for (int i = t->base.problem->sparse.count - 1; i >= s->begin; i--) {
    double far = t->off ? t->off[i] * next : 0, reaction = s->y[i] - far, scale = fabs(s->y[i]) + fabs(far);
    s->y[i] = reaction;
    changed += land(law, step, i, s->inverse[i], reaction, scale);
    next = step->w[i];
  }
  if (s->begin) {
    Joint own = s->joint[s->rank];
    s->inverse[0] = own.inverse;
    s->y[0] = own.reaction;
    changed += land(law, step, 0, own.inverse, own.reaction, own.scale);
  }
  return changed;
}

static SimStatus newton(SparseSolver *solver, const SparseLaw *law, const SparseStep *step, int round, long *changed) {
  Sweeps *s = (Sweeps *)solver;
  const Tridiagonal *t = (const Tridiagonal *)solver->matrix;
  double next;
  SimStatus status = forward(s, law, step, step->b, &next);
  if (status != SIM_OK) return status;
  *changed = substitute(s, law, step, next);
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
                                         .asymmetry = asymmetry,
                                         .solver_create = solver_create,
                                         .solver_destroy = solver_destroy,
                                         .forget = forget,
                                         .solve = solve,
                                         .newton = newton};
