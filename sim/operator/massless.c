#include "sim/operator/massless.h"

#include "sim/group.h"
#include "sim/operator/operator.h"

static bool has_no_entry(const SimMatrix *m, int i) {
  bool none = true;
  for (int k = m->start ? m->start[i] : 0; m->start && k < m->start[i + 1]; k++) none = none && m->value[k] == 0;
  return none;
}

bool massless_dof(const SimProblem *p, int i) {
  if (p->kind != SIM_FRICTION) return false;
  if (p->system.storage == SIM_SPARSE) return has_no_entry(&p->system.sparse.mass, i);
  const double *row = p->system.mass + (long)i * p->d;
  if (row[i] != 0) return false;
  bool none = true;
  for (int j = 0; j < p->d; j++) none = none && row[j] == 0;
  return none;
}

bool massless_damped(const SimProblem *p, int i) {
  if (p->system.storage == SIM_SPARSE) return !has_no_entry(&p->system.sparse.damping, i);
  for (int j = 0; j < p->d; j++)
    if (p->system.damping[(long)i * p->d + j] != 0 || p->system.damping[(long)j * p->d + i] != 0) return true;
  return false;
}

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

void massless_part(const SimProblem *p, const double *a, bool of_massless, double diagonal, double *part) {
  long d = p->d;
  for (int i = 0; i < d; i++) part[i * (d + 1)] = massless_dof(p, i) == of_massless; /* a mark, until the end */
  for (long i = 0; i < d; i++)
    for (long j = 0; j < d; j++)
      if (i != j) part[i * d + j] = part[i * (d + 1)] != 0 && part[j * (d + 1)] != 0 ? a[i * d + j] : 0;
  for (long i = 0; i < d; i++) part[i * (d + 1)] = part[i * (d + 1)] != 0 ? a[i * (d + 1)] : diagonal;
}
