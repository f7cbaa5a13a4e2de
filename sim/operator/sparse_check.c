/* SPDX-License-Identifier: BSD-2-Clause */
/* Checks and bounds of sparse matrices, on one rank or a group. Computing eigenvalues would take too long, so the
 * bounds are Gershgorin's. If they do not prove that A and D are positive semi-definite, this is assumed; a step's
 * matrix that is not positive definite is detected by its factorisation. */
#include "sim/law/friction_force.h"
#include "sim/operator/massless.h"
#include "sim/operator/sparse.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* Checks that columns are ascending and in range, and that values are finite; reports the first error. Returns false if
 * there is one. */
static bool check_entries(Check *check, const char *key, const SimMatrix *m) {
  const SimProblem *s = check->problem;
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

static const char *way_out(bool damping) {
  return damping ? " (take model.matrices: dense, which may have such damping)" : "";
}

/* Checks that the part of the matrix between this rank's own rows is symmetric. */
static void check_symmetry(Check *check, const char *key, const SimMatrix *m) {
  const SimProblem *s = check->problem;
  double scale = 0;
  for (int k = 0; m->start && k < m->start[s->count]; k++) scale = fmax(scale, fabs(m->value[k]));
  for (int i = 0; m->start && i < s->count; i++)
    for (int k = m->start[i]; k < m->start[i + 1]; k++) {
      int j = m->column[k] - s->first;
      if (j < 0 || j >= s->count || fabs(m->value[k] - entry(m, j, s->first + i)) <= 1e-12 * scale) continue;
      check_complain(check, key, "not symmetric: entry (%d,%d) is %g, entry (%d,%d) is %g%s", s->first + i + 1,
                     m->column[k] + 1, m->value[k], m->column[k] + 1, s->first + i + 1, entry(m, j, s->first + i),
                     way_out(m == &s->system.sparse.damping));
      return;
    }
}

static const char *const keys[] = {
    [OPERATOR_MASS] = "model.mass", [OPERATOR_DAMPING] = "model.damping", [OPERATOR_STIFFNESS] = "model.stiffness"};

void sparse_check(Check *check, SimBounds *bounds) {
  (void)bounds;
  for (OperatorPart part = 0; part < OPERATOR_PARTS; part++) {
    const SimMatrix *m = sparse_part(check->problem, part);
    if (check_entries(check, keys[part], m)) check_symmetry(check, keys[part], m);
  }
}

/* Checks that the parts of the matrix that couple rows of different ranks are symmetric. Collective. */
static SimStatus check_symmetry_across(Check *check, OperatorPart part) {
  Operator *matrix = NULL;
  double asymmetry = 0;
  SimStatus status = operator_create(check->problem, (OperatorSum){.term = {{part, 1}}}, &matrix);
  if (status == SIM_OK) status = matrix->ops->asymmetry(matrix, &asymmetry);
  if (status == SIM_OK && !(asymmetry <= 1e-12 * matrix->norm))
    check_complain(check, keys[part], "not symmetric: a row and its column differ by %g%s", asymmetry,
                   way_out(part == OPERATOR_DAMPING));
  operator_destroy(matrix);
  return status;
}

/* Makes PETSc read its options for a matrix with the shape of the steps' matrices, and reports the first option that no
 * solver uses. Collective. */
static SimStatus check_options(Check *check, OperatorSum step) {
  Operator *matrix = NULL;
  OperatorSolver *solver = NULL;
  char name[64];
  SimStatus status = operator_create(check->problem, step, &matrix);
  if (status == SIM_OK) status = operator_petsc.solver_create(matrix, &solver);
  if (status == SIM_BAD_PROBLEM)
    check_complain(check, "model", "PETSc refuses its options -step_...");
  else if (status == SIM_OK && sparse_petsc_unused(name, sizeof name))
    check_complain(check, "model", "%s: no option of the solvers in use", name);
  operator_petsc.solver_destroy(solver);
  operator_destroy(matrix);
  return status;
}

/* Returns the sum of magnitudes of a row. *inner: its diagonal entry minus the magnitudes of the others. */
static double row_sum(const SimProblem *s, const SimMatrix *m, int i, double *inner) {
  double sum = 0, diagonal = 0;
  for (int k = m->start ? m->start[i] : 0; m->start && k < m->start[i + 1]; k++) {
    sum += fabs(m->value[k]);
    if (m->column[k] == s->first + i) diagonal = m->value[k];
  }
  *inner = diagonal - (sum - fabs(diagonal));
  return sum;
}

/* Reports the first row that no positive semi-definite matrix can have: with a negative diagonal entry, or with a zero
 * diagonal entry and another nonzero entry. If g_i = m_ii - sum_j |m_ij| >= 0 for all i, the matrix is positive
 * semi-definite; returns whether this is so. */
static bool check_semidefinite(Check *check, const char *key, const SimMatrix *m) {
  const SimProblem *s = check->problem;
  bool proven = true;
  for (int i = 0; i < s->count; i++) {
    double inner, sum = row_sum(s, m, i, &inner), diagonal = m->start ? entry(m, i, s->first + i) : 0;
    proven = proven && inner >= -1e-12 * sum;
    if (diagonal > 0 || sum == 0) continue;
    check_complain(check, key, "not positive semi-definite: entry (%d,%d) is %g", s->first + i + 1, s->first + i + 1,
                   diagonal);
    return false;
  }
  return proven;
}

/* Checks a row i without mass, where springs must determine the position. level: C_e of this dof
 * (sim/law/friction_force.h), in N. *delta: raised to the row's contribution, which is known if the row of A is
 * strictly diagonally dominant. Returns false, after reporting the error, if the row is invalid. */
static bool check_massless(Check *check, int i, double level, double weight, double *delta) {
  const SimProblem *p = check->problem;
  const SimMatrix *m = &p->system.sparse.stiffness;
  double own, sum = row_sum(p, m, i, &own), diagonal = m->start ? entry(m, i, p->first + i) : 0;
  bool dominant = own > 1e-9 * sum;
  if (!(diagonal > 0)) {
    check_complain(
        check, "model.mass",
        "row %d is 0, and %g on the diagonal of the stiffness (expected > 0: springs alone decide where it is)",
        p->first + i + 1, diagonal);
    return false;
  }
  if (level > 0 && dominant && weight > 0) *delta = fmax(*delta, level * level / (weight * own));
  return true;
}

/* Finds bounds of eigenvalues from the rows of the matrices (Gershgorin). If g_i = m_ii - sum_j |m_ij| > 0 for all rows
 * i of M, M is at least diag(g). So the eigenvalues of M^-1 A are at most max_i sum_j |a_ij| / g_i. A step has a matrix
 * E >= share M; the eigenvalues of E^-1 C^2 are at most max_i c_i^2 / (share g_i). For this bound, rows without mass
 * have g_i = a_ii - sum_j |a_ij|. */
static void find_bounds(Check *check, OperatorSum step, SimBounds *bounds) {
  const SimProblem *p = check->problem;
  const SimProblem *s = p;
  double share = operator_weight(step, OPERATOR_MASS), soft = operator_weight(step, OPERATOR_STIFFNESS);
  double mass_max = 0, stiffness_max = 0, nu = 0, delta = 0, mass_least = INFINITY;
  for (int i = 0; i < s->count; i++) {
    double inner, unused, mass = row_sum(s, &s->system.sparse.mass, i, &inner),
                          stiffness = row_sum(s, &s->system.sparse.stiffness, i, &unused), level = friction_level(p, i);
    stiffness_max = fmax(stiffness_max, stiffness);
    if (mass == 0) {
      if (!check_massless(check, i, step.bounds ? 0 : level, soft, &delta)) return;
      continue;
    }
    if (!(inner > 0)) {
      check_complain(check, "model.mass", "row %d is not diagonally dominant (expected a diagonal, lumped mass > 0)",
                     s->first + i + 1);
      return;
    }
    double ratio = stiffness / inner * p->step * p->step;
    if (inner < DBL_MIN || !isfinite(ratio * ratio)) {
      check_complain(check, "model.mass", "row %d: %g is out of proportion to the stiffness, %g", s->first + i + 1,
                     inner, stiffness);
      return;
    }
    mass_least = fmin(mass_least, inner);
    mass_max = fmax(mass_max, mass);
    nu = fmax(nu, stiffness / inner);
    delta = fmax(delta, level * level / (share * inner));
  }
  bool proven = check_semidefinite(check, "model.stiffness", &s->system.sparse.stiffness);
  proven = check_semidefinite(check, "model.damping", &s->system.sparse.damping) && proven;
  *bounds = (SimBounds){mass_least, mass_max, stiffness_max, nu, delta, INFINITY, proven, true, INFINITY, INFINITY};
}

static void share_bounds(const SimProblem *p, SimBounds *bounds) {
  double values[] = {-bounds->mass_min,         bounds->mass_max, bounds->stiffness_max,
                     bounds->frequency_squared, bounds->delta,    !bounds->semidefinite};
  sim_group_max(p->group, values, 6);
  *bounds = (SimBounds){-values[0], values[1],        values[2], values[3], values[4],
                        INFINITY,   !(values[5] > 0), true,      INFINITY,  INFINITY};
}

SimStatus sparse_bounds(Check *check, OperatorSum step, SimBounds *bounds) {
  const SimProblem *p = check->problem;
  bool needs_petsc = operator_ops(p) == &operator_petsc;
  if (needs_petsc && !sparse_petsc_ready())
    check_complain(check, "model", "a matrix like this one is solved with by PETSc, which has not been started");
  find_bounds(check, step, bounds);
  SimStatus status = sim_group_agree(p->group, check->mistakes ? SIM_BAD_PROBLEM : SIM_OK);
  double shared = p->count < p->d;
  sim_group_max(p->group, &shared, 1);
  for (OperatorPart part = 0; shared > 0 && part < OPERATOR_PARTS && status == SIM_OK; part++)
    status = check_symmetry_across(check, part);
  if (status == SIM_OK && sparse_petsc_chosen()) status = check_options(check, step);
  if (status == SIM_OK && check->mistakes) status = SIM_BAD_PROBLEM;
  status = sim_group_agree(p->group, status);
  if (status == SIM_OK) share_bounds(p, bounds);
  if (status != SIM_OK || bounds->mass_max > 0) return status;
  check_complain(check, "model.mass", "0 (expected some mass)");
  return SIM_BAD_PROBLEM;
}
