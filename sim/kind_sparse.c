/* M x'' + D x' + A x + C lambda = f + B u with sparse matrices, on one rank or a group of them. */
#include "sim/check.h"
#include "sim/kind.h"

static SimStatus check(const SimProblem *p, const SimReport *report, int before, SimBounds *bounds) {
  Check c = {.problem = p, .report = report, .mistakes = before};
  (void)bounds;
  check_complain(&c, "model.kind", "sparse models are still to come");
  return SIM_BAD_PROBLEM;
}

const SimKindOps sim_kind_sparse = {.name = "sparse", .check = check, .has_multiplier = true};
