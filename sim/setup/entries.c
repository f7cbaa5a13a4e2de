/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/setup/entries.h"

#include "sim/core/scheme.h"

#include <string.h>

SimStatus entries_copy(const SimMatrix *from, int rows, SimMatrix *to) {
  *to = (SimMatrix){0};
  if (!from->start) return SIM_OK;
  size_t entries = (size_t)from->start[rows];
  SimStatus status = sim_matrix_alloc(to, rows, (long)entries);
  if (status != SIM_OK) return status;
  memcpy(to->start, from->start, ((size_t)rows + 1) * sizeof *from->start);
  if (entries) memcpy(to->column, from->column, entries * sizeof *from->column);
  if (entries) memcpy(to->value, from->value, entries * sizeof *from->value);
  return SIM_OK;
}

bool entries_wanted(const SimProblem *p) {
  bool sparse = p->kind == SIM_FRICTION && p->system.storage == SIM_SPARSE;
  return sparse && (p->scheme->entries || p->stops.present || p->springs[SIM_LINKS].pieces > 0);
}

void entries_check(Check *check) {
  const SimProblem *p = check->problem;
  const char *why = p->scheme->entries ? p->scheme->name : p->stops.present ? "model.stops" : "model.springs.links";
  if (!entries_wanted(p)) return;
  if (stiction_group_size(p->group) > 1)
    check_complain(check, "model.matrices", "sparse on several ranks, with %s (expected one rank)", why);
  else if (p->d > ENTRIES_ROWS)
    check_complain(check, "model.matrices", "sparse, of %d degrees of freedom, with %s (expected at most %d)", p->d,
                   why, ENTRIES_ROWS);
}
