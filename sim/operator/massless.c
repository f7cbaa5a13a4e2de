/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/operator/massless.h"

#include "sim/group.h"
#include "sim/operator/dense.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool has_no_entry(const SimMatrix *m, int i) {
  bool none = true;
  for (int k = m->start ? m->start[i] : 0; m->start && k < m->start[i + 1]; k++) none = none && m->value[k] == 0;
  return none;
}

bool massless_dof(const SimProblem *p, int i) {
  if (p->system.storage == SIM_SPARSE) return has_no_entry(&p->system.sparse.mass, i);
  if (!p->system.mass) return false;
  const double *row = p->system.mass + (long)i * p->d;
  if (row[i] != 0) return false;
  bool none = true;
  for (int j = 0; j < p->d; j++) none = none && row[j] == 0;
  return none;
}

SimStatus massless_flags(const SimProblem *p, double **light) {
  *light = calloc((size_t)p->d, sizeof **light);
  SimStatus status = sim_group_agree(p->group, *light ? SIM_OK : SIM_NO_MEMORY);
  if (status != SIM_OK) return status;
  for (int i = 0; i < p->count; i++) (*light)[p->first + i] = massless_dof(p, i);
  sim_group_max(p->group, *light, p->d);
  return SIM_OK;
}

SimStatus massless_sum_flags(const SimProblem *p, const OperatorSum *sum, double **light) {
  *light = NULL;
  return sum->apart ? massless_flags(p, light) : SIM_OK;
}

/* Whether D couples row i to any dof or, if to_masses, to a dof of this rank with mass. */
static bool has_damper(const SimProblem *p, int i, bool to_masses) {
  const SimMatrix *m = &p->system.sparse.damping;
  const double *damping = p->system.damping;
  bool any = false;
  if (p->system.storage == SIM_SPARSE) {
    for (int k = m->start ? m->start[i] : 0; m->start && k < m->start[i + 1] && !any; k++) {
      int j = m->column[k] - p->first;
      any = m->value[k] != 0 && (!to_masses || (j >= 0 && j < p->count && !massless_dof(p, j)));
    }
    return any;
  }
  for (int j = 0; j < p->d && !any; j++)
    any = (damping[(long)i * p->d + j] != 0 || damping[(long)j * p->d + i] != 0) && !(to_masses && massless_dof(p, j));
  return any;
}

/* Whether row i, which has no mass, has damping. */
static bool massless_damped(const SimProblem *p, int i) { return has_damper(p, i, false); }

int massless_count(const SimProblem *p) {
  int count = 0;
  for (int i = 0; i < p->count; i++) count += massless_dof(p, i);
  return count;
}

bool massless_present(const SimProblem *p) {
  double count = massless_count(p);
  sim_group_max(p->group, &count, 1);
  return count > 0;
}

static int refuse(const SimProblem *p, const SimReport *report, int i, const char *key, const char *schemes) {
  return sim_complain(report, key, "of row %d, without mass (expected none there, or the scheme %s)", p->first + i + 1,
                      schemes);
}

int massless_refuse_ends(const SimProblem *p, const SimReport *report) {
  for (int i = 0; i < p->count && p->stops.present; i++)
    if (massless_dof(p, i) && !(isnan(p->stops.lower[i]) && isnan(p->stops.upper[i])))
      return refuse(p, report, i, "model.stops", "moreau");
  return 0;
}

/* Returns the key that causes the damping of row i with dense storage: model.viscous if viscous friction alone makes
 * the row of D nonzero, otherwise model.damping. */
static const char *damping_key(const SimProblem *p, int i) {
  bool drags = p->drags && p->system.storage == SIM_DENSE && p->viscous[i] > 0;
  return drags && p->system.damping[(long)i * p->d + i] == p->viscous[i] ? "model.viscous" : "model.damping";
}

int massless_refuse_damping(const SimProblem *p, const SimReport *report) {
  for (int i = 0; i < p->count; i++)
    if (massless_dof(p, i) && massless_damped(p, i))
      return refuse(p, report, i, damping_key(p, i), "moreau or centered");
  return 0;
}

int massless_refuse_dampers(const SimProblem *p, const SimReport *report) {
  for (int i = 0; i < p->count; i++)
    if (massless_dof(p, i) && has_damper(p, i, true))
      return sim_complain(report, "model.damping",
                          "between row %d, without mass, and one with it (expected none, or the scheme moreau or "
                          "centered)",
                          p->first + i + 1);
  return 0;
}

void massless_part(const SimProblem *p, const double *a, bool of_massless, double diagonal, double *part) {
  long d = p->d;
  /* the diagonal marks the selected dofs until the next loop has ended */
  for (int i = 0; i < d; i++) part[i * (d + 1)] = massless_dof(p, i) == of_massless;
  for (long i = 0; i < d; i++)
    for (long j = 0; j < d; j++)
      if (i != j) part[i * d + j] = part[i * (d + 1)] != 0 && part[j * (d + 1)] != 0 ? a[i * d + j] : 0;
  for (long i = 0; i < d; i++) part[i * (d + 1)] = part[i * (d + 1)] != 0 ? a[i * (d + 1)] : diagonal;
}

SimStatus massless_follow(const SimProblem *p, double *part) {
  long d = p->d, square = d * d;
  const double *stiffness = dense_part(p, OPERATOR_STIFFNESS);
  double *room = calloc((size_t)(2 * square), sizeof *room), *inverse = room + square;
  int *members = calloc((size_t)d, sizeof *members), count = 0;
  SimStatus status = room && members ? SIM_OK : SIM_NO_MEMORY;
  memset(part, 0, (size_t)square * sizeof *part);
  for (int i = 0; i < d && members; i++)
    if (massless_dof(p, i)) members[count++] = i;
  if (status == SIM_OK && dense_invert_part((int)d, stiffness, count, members, room, inverse)) status = SIM_BAD_PROBLEM;
  for (long i = 0; i < d && status == SIM_OK; i++)
    for (int k = 0; k < count && !massless_dof(p, (int)i); k++) {
      double share = dense_dot((int)d, stiffness + i * d, inverse + (long)members[k] * d);
      for (int j = 0; j < d; j++)
        if (!massless_dof(p, j)) part[i * d + j] += share * stiffness[(long)members[k] * d + j];
    }
  free(room);
  free(members);
  return status;
}

static void set_light(int d, const double *light, double diagonal, double *matrix) {
  for (long i = 0; i < d; i++)
    for (long j = 0; j < d; j++)
      if (light[i] > 0 || light[j] > 0) matrix[i * d + j] = i == j ? diagonal : 0;
}

SimStatus massless_invert(int d, const double *light, double *matrix, double *inverse) {
  if (light) set_light(d, light, 1, matrix);
  SimStatus status = dense_invert(d, matrix, inverse);
  if (light) set_light(d, light, 0, inverse);
  return status;
}
