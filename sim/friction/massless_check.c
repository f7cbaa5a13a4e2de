/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/friction/massless_check.h"

#include "sim/joint/rise.h"
#include "sim/law/friction_force.h"
#include "sim/operator/massless.h"

/* Returns the problem-file key of the law by which friction of dof i decreases with speed; NULL if it does not
 * decrease. */
static const char *what_falls(const SimProblem *p, int i) {
  const SimSystem *q = &p->system;
  bool rubs = p->friction[i] > 0 || friction_bias(p, i) != 0;
  if (q->gearbox.present && gearbox_level(p, i) > 0 && q->gearbox.beta[i] != 0) return "model.gearbox.beta";
  if (!rubs || q->stribeck == SIM_STRIBECK_NONE) return NULL;
  if (q->stribeck == SIM_STRIBECK_TABLE)
    return friction_table_steepest(&q->table, i) > 0 ? "model.friction_table" : NULL;
  return q->stribeck_beta[i] != 0 ? "model.stribeck.beta" : NULL;
}

/* Refuses a threshold that increases with position faster than the force of the row's springs. The dof would then jump
 * back and forth between two positions. */
static void check_rise(Check *check, int i) {
  const SimProblem *p = check->problem;
  RiseSpan span = p->rise.pieces ? rise_span(p, i) : (RiseSpan){-1, -1};
  if (span.from != i && span.to != i) return;
  double steepest = rise_steepest(p, i), stiffness = operator_diagonal(p, OPERATOR_STIFFNESS, i);
  if (steepest >= stiffness)
    check_complain(
        check, "model.friction_rise",
        "rises by %g N/m in row %d, without mass (expected less than %g N/m, its stiffness: else it has more than "
        "one place of balance)",
        steepest, p->first + i + 1, stiffness);
}

void friction_check_massless(Check *check) {
  const SimProblem *p = check->problem;
  for (int i = 0; i < p->count; i++) {
    if (!massless_dof(p, i)) continue;
    const char *key = what_falls(p, i);
    int row = p->first + i + 1, before = check->mistakes;
    if (key)
      check_complain(check, key, "entry %d: friction that depends on speed, without mass (expected none there)", row);
    check_rise(check, i);
    if (p->v0[i] != 0) check_complain(check, "model.v0", "entry %d is %g (expected 0 without mass)", row, p->v0[i]);
    if (p->stops.present && p->stops.restitution[i] != 0)
      check_complain(check, "model.stops.restitution", "entry %d is %g (expected 0 without mass)", row,
                     p->stops.restitution[i]);
    if (check->mistakes > before) return;
  }
}
