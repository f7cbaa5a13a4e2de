/* Dense matrices, of one process. */
#include "sim/law/friction_force.h"
#include "sim/operator/columns.h"
#include "sim/operator/dense.h"
#include "sim/operator/lane_multiply.h"
#include "sim/operator/sparse.h"

#include <math.h>
#include <stdlib.h>

typedef struct DenseOperator {
  Operator base;
  double entries[]; /* [d][d] */
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

/* e += sum */
static void add_sum(const SimProblem *p, const OperatorSum *sum, double *e) {
  for (int k = 0; k < OPERATOR_PARTS; k++) {
    const double *part = dense_part(p, sum->term[k].part), weight = sum->term[k].weight;
    for (long i = 0; weight != 0 && i < (long)p->d * p->d; i++) e[i] += weight * part[i];
  }
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
  if (status == SIM_OK) add_sum(p, sum, ((DenseOperator *)*out)->entries);
  return status;
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

void dense_check(Check *check, SimBounds *bounds) {
  const SimProblem *p = check->problem;
  double ignored;
  check_matrix(check, "model.mass", p->system.mass, true, &bounds->mass_min, &bounds->mass_max);
  check_matrix(check, "model.stiffness", p->system.stiffness, false, &ignored, &bounds->stiffness_max);
  check_dissipation(check, "model.damping", p->system.damping);
}

SimStatus dense_bounds(Check *check, OperatorSum step, SimBounds *bounds) {
  const SimProblem *p = check->problem;
  int d = p->d;
  size_t square = (size_t)d * (size_t)d;
  double *matrix = calloc(2 * square, sizeof(double));
  if (!matrix) return SIM_NO_MEMORY;
  double *friction_squared = matrix + square;
  check_found(check, "model.mass", "the eigenvalues of M^-1 A",
              dense_generalised_largest(d, p->system.stiffness, p->system.mass, &bounds->frequency_squared));
  bounds->frequency_squared = fmax(bounds->frequency_squared, 0);
  add_sum(p, &step, matrix);
  if (!dense_is_symmetric(d, p->system.damping)) dense_symmetric_part(d, matrix, matrix); /* what a fixed point needs */
  for (int i = 0; i < d; i++) friction_squared[i * d + i] = pow(friction_level(p, i), 2);
  check_found(check, "model.mass", "the eigenvalues of the step's operator",
              dense_generalised_largest(d, friction_squared, matrix, &bounds->delta));
  free(matrix);
  return check_status(check);
}
