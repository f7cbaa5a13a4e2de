/* Friction that drops with speed, by a law or a table: C (lambda - gamma(x')). The laws are in sim/law. */
#include "sim/joint/laws.h"

/* Whether the law has an exponent for which gamma along a motion has no known power series. */
static bool is_odd(double exponent) { return exponent != 0 && exponent != 1 && exponent != 2; }

static unsigned features(const SimProblem *p) {
  const SimSystem *s = &p->system;
  if (s->stribeck == SIM_STRIBECK_TABLE) return SIM_HAS_TABLE;
  if (s->stribeck == SIM_STRIBECK_NONE) return 0;
  return is_odd(s->stribeck_exponent) ? SIM_HAS_DROP | SIM_HAS_EXPONENT : SIM_HAS_DROP;
}

static void check(Check *check) {
  const SimProblem *p = check->problem;
  const SimSystem *s = &p->system;
  if (s->stribeck_exponent != 0 && s->stribeck != SIM_STRIBECK_EXPONENTIAL)
    check_complain(check, "model.stribeck.exponent", "with another law than exponential, which alone takes it");
  if (s->stribeck == SIM_STRIBECK_TABLE && s->table.columns != 1 &&
      (s->table.columns != p->d || s->storage == SIM_SPARSE))
    check_complain(check, "model.friction_table",
                   "of %d degrees of freedom (expected one table for all, or dense ones each)", s->table.columns);
}

const JointLaw joint_law_drop = {.features = features, .check = check};
