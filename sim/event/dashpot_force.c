/* SPDX-License-Identifier: BSD-2-Clause */
/* Forces on the mass of a dash-pot at the start of a segment. */
#include "sim/event/dashpot.h"

#include "sim/dashpot/result.h"

#include <float.h>
#include <math.h>

/* rounding error of the load, relative to the forces of which it is the sum */
static const double ROUND_OFF = 16 * DBL_EPSILON;

double dashpot_stiffness(const DashpotSystem *s, const DashpotMotion *m) {
  const SimProblem *p = dashpot_problem_of(s);
  const DashpotState *at = &m->at;
  bool touches = p->dashpot.has_support &&
                 (at->x > p->dashpot.support_position || (at->x == p->dashpot.support_position && at->slip > 0));
  return p->dashpot.stiffness + (touches ? p->dashpot.support_stiffness : 0);
}

double dashpot_doubt(const DashpotSystem *s, const DashpotMotion *m) {
  const SimProblem *p = dashpot_problem_of(s);
  double force = 0, f_crit = s->law.f_crit;
  for (int k = 0; k <= m->driven.segment.force_order; k++) force = fmax(force, fabs(m->force[k]));
  force += fabs(p->dashpot.stiffness * m->at.x) + p->dashpot.support_stiffness * dashpot_penetration(p, m->at.x);
  return EVENT_DOUBT * f_crit + ROUND_OFF * (force + f_crit + m->at.w);
}

double dashpot_load(const DashpotSystem *s, const DashpotMotion *m) {
  const SimProblem *p = dashpot_problem_of(s);
  double load =
      m->force[0] - p->dashpot.stiffness * m->at.x - p->dashpot.support_stiffness * dashpot_penetration(p, m->at.x);
  return m->at.mode == DASHPOT_STICKS ? load : dashpot_sign(m) * load - s->law.f_crit;
}

double dashpot_rise(const DashpotSystem *s, const DashpotMotion *m) {
  double stiffness = dashpot_stiffness(s, m);
  double push = m->driven.segment.force_order > 0 ? m->force[1] / m->driven.segment.width : 0;
  return dashpot_sign(m) * push - stiffness * m->at.q;
}
