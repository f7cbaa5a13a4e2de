#include "sim/model.h"
#include "sim/scheme.h"

static SimStatus prepare(SimModel *model) {
  (void)model;
  return SIM_BAD_PROBLEM;
}
static void release(SimModel *model) { (void)model; }

const SimScheme sim_scheme_sparse_centered = {
    .name = "centered",
    .kind = SIM_SPARSE,
    .keys = " alpha start multiplier epsilon r solver tolerance ",
    .multipliers = 1u << SIM_UNREGULARIZED | 1u << SIM_REGULARIZED,
    .default_multiplier = SIM_REGULARIZED,
    .relaxation = 2,
    .prepare = prepare,
    .release = release,
};
