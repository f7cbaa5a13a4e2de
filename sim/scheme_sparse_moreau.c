#include "sim/model.h"
#include "sim/scheme.h"

static SimStatus prepare(SimModel *model) {
  (void)model;
  return SIM_BAD_PROBLEM;
}
static void release(SimModel *model) { (void)model; }

const SimScheme sim_scheme_sparse_moreau = {
    .name = "moreau",
    .kind = SIM_SPARSE,
    .keys = " theta multiplier r solver tolerance ",
    .multipliers = 1u << SIM_UNREGULARIZED,
    .default_multiplier = SIM_UNREGULARIZED,
    .relaxation = 2,
    .prepare = prepare,
    .release = release,
};
