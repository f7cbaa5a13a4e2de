/* M x'' + D x' + A x + C lambda = f + B u with sparse matrices, on one rank or a group of them. Eigenvalues are out of
 * reach: the bounds are Gershgorin's, and positive definiteness of A and D is the caller's word (a step's matrix that is
 * not, is found out by its factorisation). */
#include "sim/check.h"
#include "sim/dense.h"
#include "sim/kind.h"
#include "sim/scheme.h"
#include "sim/sparse.h"

#include <math.h>
#include <stdlib.h>

/* Columns ascending and in range, values finite; tells the first that is not. */
static bool check_entries(Check *check, const char *key, const SimMatrix *m) {
  const SimSparse *s = &check->problem->sparse;
  for (int i = 0; m->start && i < s->count; i++)
    for (int k = m->start[i]; k < m->start[i + 1]; k++) {
      int row = s->first + i + 1, column = m->column[k] + 1;
      if (column < 1 || column > check->problem->d || (k > m->start[i] && m->column[k - 1] >= m->column[k]))
        check_complain(check, key, "row %d: column %d out of range or order", row, column);
      else if (!isfinite(m->value[k]))
        check_complain(check, key, "entry (%d,%d) is not finite", row, column);
      else
        continue;
      return false;
    }
  return true;
}

static double entry(const SimMatrix *m, int i, int column) {
  int low = m->start[i], high = m->start[i + 1];
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (m->column[middle] == column) return m->value[middle];
    if (m->column[middle] < column)
      low = middle + 1;
    else
      high = middle;
  }
  return 0;
}

/* Among this rank's own rows; between ranks, symmetry is the caller's word. */
static void check_symmetry(Check *check, const char *key, const SimMatrix *m) {
  const SimSparse *s = &check->problem->sparse;
  double scale = 0;
  for (int k = 0; m->start && k < m->start[s->count]; k++) scale = fmax(scale, fabs(m->value[k]));
  for (int i = 0; m->start && i < s->count; i++)
    for (int k = m->start[i]; k < m->start[i + 1]; k++) {
      int j = m->column[k] - s->first;
      if (j < 0 || j >= s->count || fabs(m->value[k] - entry(m, j, s->first + i)) <= 1e-12 * scale) continue;
      check_complain(check, key, "not symmetric: entry (%d,%d) is %g, entry (%d,%d) is %g", s->first + i + 1,
                     m->column[k] + 1, m->value[k], m->column[k] + 1, s->first + i + 1, entry(m, j, s->first + i));
      return;
    }
}

/* The row's sum of magnitudes; *inner: its diagonal entry less the others' magnitudes. */
static double row_sum(const SimSparse *s, const SimMatrix *m, int i, double *inner) {
  double sum = 0, diagonal = 0;
  for (int k = m->start ? m->start[i] : 0; m->start && k < m->start[i + 1]; k++) {
    sum += fabs(m->value[k]);
    if (m->column[k] == s->first + i) diagonal = m->value[k];
  }
  *inner = diagonal - (sum - fabs(diagonal));
  return sum;
}

/* With g_i = m_ii - sum_j |m_ij| > 0, M >= diag(g): so the eigenvalues of M^-1 A are at most max_i sum_j |a_ij| / g_i, and
 * those of E^-1 C^2, E >= step_mass M, at most max_i c_i^2 / (step_mass g_i). */
static void find_bounds(Check *check, SimBounds *bounds) {
  const SimProblem *p = check->problem;
  const SimSparse *s = &p->sparse;
  double mass_max = 0, stiffness_max = 0, nu = 0, delta = 0, mass_least = INFINITY;
  for (int i = 0; i < s->count; i++) {
    double inner, unused, mass = row_sum(s, &s->mass, i, &inner), stiffness = row_sum(s, &s->stiffness, i, &unused);
    if (!(inner > 0)) {
      check_complain(check, "model.mass", "row %d is not diagonally dominant (expected a diagonal, lumped mass > 0)",
                     s->first + i + 1);
      return;
    }
    mass_least = fmin(mass_least, inner);
    mass_max = fmax(mass_max, mass);
    stiffness_max = fmax(stiffness_max, stiffness);
    nu = fmax(nu, stiffness / inner);
    delta = fmax(delta, p->friction[i] * p->friction[i] / (p->scheme->step_mass * inner));
  }
  *bounds = (SimBounds){mass_least, mass_max, stiffness_max, nu, delta, INFINITY};
}

static void share_bounds(const SimProblem *p, SimBounds *bounds) {
  double values[] = {-bounds->mass_min, bounds->mass_max, bounds->stiffness_max, bounds->frequency_squared,
                     bounds->delta};
  group_max(p->sparse.group, values, 5);
  *bounds = (SimBounds){-values[0], values[1], values[2], values[3], values[4], scheme_step_limit(p, values[3])};
}

static SimStatus check(const SimProblem *p, const SimReport *report, int before, SimBounds *bounds) {
  Check c = {.problem = p, .report = report, .mistakes = before};
  const SimSparse *s = &p->sparse;
  const struct {
    const char *key;
    const SimMatrix *matrix;
  } matrix[] = {{"model.mass", &s->mass}, {"model.stiffness", &s->stiffness}, {"model.damping", &s->damping}};
  for (int k = 0; k < 3; k++)
    if (check_entries(&c, matrix[k].key, matrix[k].matrix)) check_symmetry(&c, matrix[k].key, matrix[k].matrix);
  check_values(&c, "model.friction", s->count, p->friction, 0);
  if (p->stribeck != SIM_STRIBECK_NONE) check_complain(&c, "model.stribeck", "not offered with sparse matrices");
  if (p->gearbox.present) check_complain(&c, "model.gearbox", "not offered with sparse matrices");
  bool needs_petsc = sparse_kernel(p) == &sparse_petsc; /* collective: whatever mistakes there are here */
  if (c.mistakes == before && needs_petsc && !sparse_petsc_ready())
    check_complain(&c, "model", "a matrix like this one is solved with by PETSc, which has not been started");
  if (c.mistakes == before) find_bounds(&c, bounds);
  SimStatus status = group_agree(s->group, c.mistakes ? SIM_BAD_PROBLEM : SIM_OK);
  if (status != SIM_OK) return status;
  share_bounds(p, bounds);
  if (p->step > bounds->step_limit)
    check_complain(&c, "time.step", "%g is beyond the scheme's stability, for which %g is safe", p->step,
                   bounds->step_limit);
  return c.mistakes ? SIM_BAD_PROBLEM : SIM_OK;
}

const SimKindOps sim_kind_sparse = {.name = "sparse", .check = check, .has_multiplier = true};
