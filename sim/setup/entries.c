#include "sim/setup/entries.h"

#include "sim/core/scheme.h"
#include "sim/group.h"
#include "sim/setup/tables.h"

bool entries_wanted(const SimProblem *p) {
  bool sparse = p->kind == SIM_FRICTION && p->system.storage == SIM_SPARSE;
  return sparse && (p->scheme->entries || p->stops.present || p->springs[SIM_LINKS].pieces > 0);
}

void entries_check(Check *check) {
  const SimProblem *p = check->problem;
  const char *why = p->scheme->entries ? p->scheme->name : p->stops.present ? "model.stops" : "model.springs.links";
  if (!entries_wanted(p)) return;
  if (sim_group_size(p->group) > 1)
    check_complain(check, "model.matrices", "sparse on several ranks, with %s (expected one rank)", why);
  else if (p->d > ENTRIES_ROWS)
    check_complain(check, "model.matrices", "sparse, of %d degrees of freedom, with %s (expected at most %d)", p->d,
                   why, ENTRIES_ROWS);
}
