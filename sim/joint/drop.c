/* SPDX-License-Identifier: BSD-2-Clause */
/* Friction that decreases with speed, by a law or a table: C (lambda - gamma(x')). The formulas of the laws are in
 * sim/law. */
#include "sim/joint/laws.h"
#include "sim/law/friction_series.h"

/* Whether the law of gamma, the decrease of friction with speed, has an exponent for which no power series of gamma
 * along a motion is known. */
static bool is_odd(double exponent) { return exponent != 0 && exponent != 1 && exponent != 2; }

static SimFeatures features(const SimProblem *p) {
  const SimSystem *s = &p->system;
  if (s->stribeck == SIM_STRIBECK_TABLE) return SIM_HAS(TABLE);
  if (s->stribeck == SIM_STRIBECK_NONE) return 0;
  if (is_odd(s->stribeck_exponent)) return SIM_HAS(DROP) | SIM_HAS(EXPONENT);
  return friction_series(s->stribeck, s->stribeck_exponent) ? SIM_HAS(DROP) : SIM_HAS(DROP) | SIM_HAS(LAW);
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

static size_t table(const SimProblem *p) {
  const SimFrictionTable *t = &p->system.table;
  return (size_t)t->points * (size_t)t->columns * SIM_TABLE_ROW;
}

static const ProblemArray arrays[] = {{PROBLEM_ARRAY(system.stribeck_beta, joint_rows)},
                                      {PROBLEM_ARRAY(system.stribeck_epsilon, joint_rows)},
                                      {PROBLEM_ARRAY(system.table.rows, table)},
                                      {0}};

const JointLaw joint_law_drop = {.features = features, .arrays = arrays, .check = check};
