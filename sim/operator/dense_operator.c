/* SPDX-License-Identifier: BSD-2-Clause */
/* Operators with dense matrices, in one process. */
#include "sim/law/friction_force.h"
#include "sim/operator/columns.h"
#include "sim/operator/dense.h"
#include "sim/operator/lane_multiply.h"
#include "sim/operator/massless.h"
#include "sim/operator/sparse.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct DenseOperator {
  Operator base;
  double entries[]; /* [d][d] entries of the matrix */
} DenseOperator;

static const double *entries(const Operator *matrix) { return ((const DenseOperator *)matrix)->entries; }

const double *operator_entries(const Operator *matrix) {
  return matrix->ops == &operator_dense ? entries(matrix) : NULL;
}

void operator_transpose_entries(Operator *matrix) {
  double *all = ((DenseOperator *)matrix)->entries;
  int d = matrix->problem->d;
  for (int i = 0; i < d; i++)
    for (int j = 0; j < i; j++) {
      double other = all[i * d + j];
      all[i * d + j] = all[j * d + i];
      all[j * d + i] = other;
    }
}

const double *dense_part(const SimProblem *p, OperatorPart part) {
  return part == OPERATOR_MASS ? p->system.mass : part == OPERATOR_DAMPING ? p->system.damping : p->system.stiffness;
}

/* Adds the weighted sum of M, D and A to e. Returns SIM_OK or SIM_NO_MEMORY. */
static SimStatus add_sum(const SimProblem *p, const OperatorSum *sum, double *e) {
  double *light;
  SimStatus status = massless_sum_flags(p, sum, &light);
  for (int k = 0; k < OPERATOR_PARTS && status == SIM_OK; k++) {
    const double *part = dense_part(p, sum->term[k].part), weight = sum->term[k].weight;
    for (long i = 0; !light && weight != 0 && i < (long)p->d * p->d; i++) e[i] += weight * part[i];
    for (long i = 0; light && i < p->d; i++)
      for (long j = 0; j < p->d; j++)
        e[i * p->d + j] += massless_weight(sum, sum->term[k], light, (int)i, (int)j) * part[i * p->d + j];
  }
  free(light);
  return status;
}

static SimStatus allocate(const SimProblem *p, const OperatorSum *sum, double scale, Operator **out) {
  size_t square = (size_t)p->d * (size_t)p->d;
  DenseOperator *matrix = calloc(1, sizeof *matrix + square * sizeof(double));
  if (!matrix) return SIM_NO_MEMORY;
  matrix->base = (Operator){.ops = &operator_dense, .problem = p, .sum = *sum, .scale = scale};
  *out = &matrix->base;
  return SIM_OK;
}

static SimStatus create(const SimProblem *p, const OperatorSum *sum, Operator **out) {
  SimStatus status = allocate(p, sum, 1, out);
  return status == SIM_OK ? add_sum(p, sum, ((DenseOperator *)*out)->entries) : status;
}

static SimStatus scaled(const Operator *matrix, double scale, Operator **out) {
  const SimProblem *p = matrix->problem;
  SimStatus status = allocate(p, &matrix->sum, scale * matrix->scale, out);
  for (long i = 0; status == SIM_OK && i < (long)p->d * p->d; i++)
    ((DenseOperator *)*out)->entries[i] = scale * entries(matrix)[i];
  return status;
}

static void destroy(Operator *matrix) { free(matrix); }

static void multiply(const Operator *matrix, const double *x, double *y) {
  dense_multiply(matrix->problem->d, entries(matrix), x, y);
}

static void add(const Operator *matrix, double factor, const double *x, double *y) {
  int d = matrix->problem->d;
  for (int i = 0; i < d; i++) y[i] += factor * dense_dot(d, entries(matrix) + i * d, x);
}

static inline void difference(int d, const double *restrict a, const double *restrict x, const double *restrict b,
                              const double *restrict z, double *restrict y) {
  LANE_UNROLL for (int i = 0; i < d; i++) y[i] = lane_difference(d, a, lane_rows(x), b, lane_rows(z), 0, i, y[i]);
}

static void combine(OperatorLoad load, const Operator *a, const double *x, const Operator *b, const double *z,
                    double *y) {
  operator_take(load, a->problem->d, y);
#define DIFFERENCE(d) difference(d, entries(a), x, entries(b), z, y)
  DENSE_SIZED(a->problem->d, DIFFERENCE)
#undef DIFFERENCE
}

static void add_columns(const Operator *matrix, double factor, int n, int width, const double *x, double *y) {
  columns_multiply_add(matrix->problem->d, factor, entries(matrix), n, width, x, y);
}

const OperatorOps operator_dense = {.create = create,
                                    .scaled = scaled,
                                    .destroy = destroy,
                                    .multiply = multiply,
                                    .add = add,
                                    .combine = combine,
                                    .add_columns = add_columns};

double dense_check_seconds(const SimProblem *p) {
  const double *parts[] = {p->system.mass, p->system.stiffness, p->system.damping};
  double seconds = 0;
  int widths[3], most = 0;
  for (int i = 0; i < 3; i++) {
    widths[i] = dense_bandwidth(p->d, parts[i]);
    most = widths[i] > most ? widths[i] : most;
    seconds += dense_eigenvalue_seconds(p->d, widths[i]);
  }
  int of_model = widths[0] > widths[1] ? widths[0] : widths[1];
  return seconds + dense_eigenvalue_seconds(p->d, of_model) + dense_eigenvalue_seconds(p->d, most);
}

/* Returns the largest diagonal entry of a. It lies between the extreme eigenvalues of the submatrix of the nonzero
 * rows. */
static double largest_of_diagonal(int d, const double *a) {
  double most = 0;
  for (int i = 0; i < d; i++) most = fmax(most, a[(long)i * d + i]);
  return most;
}

/* Copies M to `part`. Dofs without mass get a mass that does not change the extreme eigenvalues. */
static void masses_part(const SimProblem *p, double *part) {
  massless_part(p, p->system.mass, false, largest_of_diagonal(p->d, p->system.mass), part);
}

/* Checks M of a model with dofs without mass, and the part of A for these dofs, which must determine their positions.
 * part: scratch of d^2. */
static void check_massless(Check *check, SimBounds *bounds, double *part) {
  const SimProblem *p = check->problem;
  double smallest, largest, most = largest_of_diagonal(p->d, p->system.mass);
  if (massless_count(p) == p->d) {
    check_complain(check, "model.mass", "0 (expected some mass)");
    return;
  }
  masses_part(p, part);
  check_matrix(check, "model.mass", part, true, &bounds->mass_min, &bounds->mass_max);
  most = largest_of_diagonal(p->d, p->system.stiffness);
  massless_part(p, p->system.stiffness, true, most, part);
  if (!check_found(check, "model.stiffness", "its eigenvalues",
                   dense_eigenvalue_range(p->d, part, &smallest, &largest)))
    return;
  if (!(smallest > 4 * p->d * DBL_EPSILON * most))
    check_complain(
        check, "model.stiffness",
        "smallest eigenvalue %.3g of the rows and columns without mass (expected positive definite: springs alone "
        "decide where these are)",
        smallest);
}

/* Checks M, which may be 0 in some rows and columns. */
static void check_mass(Check *check, SimBounds *bounds) {
  const SimProblem *p = check->problem;
  if (massless_count(p) == 0) {
    check_matrix(check, "model.mass", p->system.mass, true, &bounds->mass_min, &bounds->mass_max);
    return;
  }
  double *part = malloc((size_t)p->d * (size_t)p->d * sizeof *part);
  check->no_memory |= !part;
  if (part) check_massless(check, bounds, part);
  free(part);
}

bool dense_same_matrices(const SimProblem *a, const SimProblem *b) {
  const SimSystem *one = &a->system, *other = &b->system;
  if (a->kind != b->kind || a->d != b->d || one->storage != SIM_DENSE || other->storage != SIM_DENSE) return false;
  size_t size = (size_t)a->d * (size_t)a->d * sizeof(double);
  return memcmp(one->mass, other->mass, size) == 0 && memcmp(one->stiffness, other->stiffness, size) == 0 &&
         memcmp(one->damping, other->damping, size) == 0;
}

/* Whether M, A and D equal those of check->like, and A contains no springs with a law. */
static bool matrices_known(const Check *check) {
  const SimProblem *like = check->like;
  return like && !like->springs[SIM_ANCHORS].rows && !like->springs[SIM_LINKS].rows &&
         dense_same_matrices(check->problem, like);
}

void dense_check(Check *check, SimBounds *bounds) {
  const SimProblem *p = check->problem;
  double ignored;
  if (matrices_known(check)) {
    bounds->mass_min = check->like->bounds.mass_min;
    bounds->mass_max = check->like->bounds.mass_max;
    bounds->stiffness_max = check->like->bounds.stiffness_max;
    return;
  }
  check_mass(check, bounds);
  check_matrix(check, "model.stiffness", p->system.stiffness, false, &ignored, &bounds->stiffness_max);
  check_dissipation(check, "model.damping", p->system.damping);
}

/* Sets *squared to nu^2, where nu is the largest natural frequency, in rad/s, of the dofs with mass while the dofs
 * without mass are held at rest. parts: [2 d^2] scratch. */
static SimStatus find_frequency(const SimProblem *p, double *parts, double *squared) {
  const double *mass = p->system.mass, *stiffness = p->system.stiffness;
  if (massless_count(p) > 0) {
    double *masses = parts + (size_t)p->d * (size_t)p->d;
    massless_part(p, stiffness, false, 0, parts);
    masses_part(p, masses);
    stiffness = parts;
    mass = masses;
  }
  return dense_generalised_largest(p->d, stiffness, mass, squared);
}

SimStatus dense_bounds(Check *check, OperatorSum step, SimBounds *bounds) {
  const SimProblem *p = check->problem;
  int d = p->d;
  size_t square = (size_t)d * (size_t)d;
  double *matrix = calloc(2 * square, sizeof(double));
  if (!matrix) return SIM_NO_MEMORY;
  double *friction_squared = matrix + square;
  if (matrices_known(check))
    bounds->frequency_squared = check->like->bounds.frequency_squared;
  else
    check_found(check, "model.mass", "the eigenvalues of M^-1 A",
                find_frequency(p, matrix, &bounds->frequency_squared));
  bounds->frequency_squared = fmax(bounds->frequency_squared, 0);
  memset(matrix, 0, 2 * square * sizeof *matrix);
  check->no_memory |= add_sum(p, &step, matrix) != SIM_OK;
  for (int i = 0; i < d; i++) /* if a step's matrix contains M only, dofs without mass are omitted: their diagonal
                               * becomes 1 */
    if (matrix[(long)i * d + i] == 0) matrix[(long)i * d + i] = 1;
  /* the fixed-point iteration converges by the symmetric part of the matrix */
  if (!dense_is_symmetric(d, p->system.damping)) dense_symmetric_part(d, matrix, matrix);
  for (int i = 0; i < d; i++)
    friction_squared[i * d + i] = step.bounds && massless_dof(p, i) ? 0 : pow(friction_level(p, i), 2);
  check_found(check, "model.mass", "the eigenvalues of the step's operator",
              dense_generalised_largest(d, friction_squared, matrix, &bounds->delta));
  free(matrix);
  return check_status(check);
}
