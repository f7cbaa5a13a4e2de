/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/event/dashpot_residual.h"

#include "sim/dashpot/result.h"
#include "sim/event/residual.h"

#include <float.h>
#include <math.h>

/* Distances of test points from a segment's ends, and ratio of the distances of successive test points. The same
 * constants are in residual.c. */
static const double ASIDE = 1e-9, ASIDE_STEPS = 4e-9, FALL = 0.1;
/* Rounding errors that residuals may contain. ROUND_OFF: relative to the largest term of an equation. FORCE_ROUND_OFF:
 * of the external force, relative to its largest value in the whole motion. */
static const double ROUND_OFF = 16 * DBL_EPSILON, FORCE_ROUND_OFF = 256 * DBL_EPSILON;
static const double LEAST = DBL_MIN / DBL_EPSILON; /* a scale below this has lost digits to underflow, so that rounding
                                                    * errors are not relative to it */
enum { DECADES = 6, DOUBTS = 4 };

/* The largest residual of one kind in a segment, its time, in s, and the largest term, to which the residual is
 * relative. */
typedef struct Worst {
  double size, when, most;
} Worst;

typedef struct Examination {
  const DashpotSystem *system;
  const DashpotMotion *motion;
  Worst equation;        /* residual of the momentum equation m v' + .., N s per unit of the segment's variable z */
  Worst threshold;       /* violation of w >= 0 or, at rest, of |mu| <= f_crit, in N */
  Worst path, law;       /* path: residual of x' = s q, m per unit of the segment's variable z; law: residual of the law
                          * q = V(w), in m/s */
  double most_x, most_v; /* largest |x| and |v|, in m and m/s */
  double most_force;     /* largest force in N */
} Examination;

static void raise(Worst *worst, double size, double most, double t) {
  worst->most = fmax(worst->most, most);
  if (size <= worst->size || isnan(worst->size)) return;
  worst->size = size;
  worst->when = t;
}

/* Returns the value of a series at z, the segment's variable. *slope, if not NULL, becomes the derivative by z. */
static double value_at(const DashpotSegment *g, const double *series, double z, double *slope) {
  double sum = 0, rise = 0;
  for (int k = g->order; k >= 0; k--) {
    rise = rise * z + sum;
    sum = sum * z + series[k];
  }
  if (slope) *slope = rise;
  return sum;
}

/* Examines the law q = V(w). Its residual V(w) - q is relative to the largest term of the polynomial V. */
static void look_at_law(Examination *e, double w, double q, double t) {
  const DashpotLine *law = &e->system->law;
  double most = fabs(q), power = 1;
  for (int k = 1; k <= law->degree; k++) most = fmax(most, fabs(law->coefficient[k] * (power *= w)));
  raise(&e->law, fabs(dashpot_line_value(law, w) - q) - ROUND_OFF * most, most, t);
}

/* Returns the rounding error of the force f at the time t, in N. */
static double doubt_at(const DashpotMotion *m, double t) {
  double steep = 0;
  for (int k = 1; k <= m->driven.segment.force_order; k++) steep += k * fabs(m->force[k]);
  return FORCE_ROUND_OFF * m->most_force + ROUND_OFF * t / m->driven.segment.width * steep;
}

static void look(Examination *e, double z) {
  const DashpotSystem *s = e->system;
  const DashpotMotion *m = e->motion;
  const DashpotSegment *g = &m->segment;
  const SimDashpot *own = &dashpot_problem_of(s)->dashpot;
  double width = m->driven.segment.width, pace, going, rise, f, f_crit = s->law.f_crit;
  double t = m->at.t + width * value_at(g, g->clock, z, &pace), x = value_at(g, g->x, z, &going);
  double q = value_at(g, g->q, z, &rise), w = value_at(g, g->w, z, NULL), slip = (double)m->at.slip;
  pace *= width;
  instant_force(&s->event, &m->driven, m->examined, t, &f);
  double spring = own->stiffness * x, support = own->support_stiffness * dashpot_penetration(dashpot_problem_of(s), x);
  double load = f - spring - support, most = fmax(fmax(fabs(f), fabs(spring)), fmax(support, f_crit));
  double doubt = doubt_at(m, t);
  e->most_force = fmax(e->most_force, most + fabs(w));
  e->most_x = fmax(e->most_x, fabs(x));
  e->most_v = fmax(e->most_v, slip == 0 ? 0 : fabs(q));
  if (m->at.mode == DASHPOT_STICKS) {
    raise(&e->threshold, fabs(load) - f_crit - doubt, most, t);
    raise(&e->path, fabs(going), 0, t);
    return;
  }
  double left = own->mass * rise - (slip * load - f_crit - w) * pace;
  most = fmax(most, fabs(w)) * pace;
  raise(&e->equation, fabs(left) - (doubt + ROUND_OFF * most) * pace, fmax(most, own->mass * fabs(rise)), t);
  raise(&e->threshold, -w - doubt, fmax(fabs(w), f_crit), t);
  /* x may change so little in a segment that its series ends early; an error of the tolerance times |x| is accepted */
  raise(&e->path, fabs(going - slip * q * pace) - s->event.tolerance * fabs(x), fabs(q) * pace, t);
  raise(&e->law, -q, fabs(q), t);
  if (m->at.mode == DASHPOT_BETWEEN) {
    double mu = slip * load - f_crit, apart = sqrt(fmax(value_at(g, g->half, z, NULL), 0));
    look_at_law(e, mu - apart, q, t);
    look_at_law(e, mu + apart, q, t);
  } else if (s->law.degree > 0 && m->at.mode != DASHPOT_LEVEL)
    look_at_law(e, w, q, t);
}

static void conclude(const Examination *e, SimResidual *largest) {
  const Worst *const all[] = {&e->equation, &e->threshold, &e->path, &e->law};
  static const SimResidualOf of[] = {SIM_RESIDUAL_EQUATION, SIM_RESIDUAL_FRICTION, SIM_RESIDUAL_PATH, SIM_RESIDUAL_LAW};
  for (int k = 0; k < 4; k++) residual_raise(largest, all[k]->size / fmax(all[k]->most, LEAST), all[k]->when, 0, of[k]);
}

DashpotEnd dashpot_residual_examine(const DashpotSystem *s, DashpotMotion *m) {
  Examination e = {.system = s, .motion = m};
  const DashpotSegment *g = &m->segment;
  double width = m->driven.segment.width, lasts = value_at(g, g->clock, m->part, NULL);
  /* test points keep this distance from the segment's ends, where rounding of t might select the neighbouring piece of
   * the force */
  double aside = fmax(ASIDE, ASIDE_STEPS * dashpot_problem_of(s)->step / (width * lasts)) * m->part;
  double first = aside, last = m->part - aside;
  if (first < last) {
    look(&e, first + (last - first) * residual_anywhere(m->at.t));
    look(&e, first);
    look(&e, last);
    for (double near = FALL * m->part; near > pow(FALL, DECADES) * m->part; near *= FALL) {
      look(&e, first + near);
      look(&e, last - near);
    }
    conclude(&e, &m->at.residual);
  }
  m->at.fastest = fmax(m->at.fastest, e.most_v);
  return (DashpotEnd){.x = value_at(g, g->x, m->part, NULL),
                      .v = (double)m->at.slip * value_at(g, g->q, m->part, NULL),
                      .most_x = e.most_x,
                      .most_force = e.most_force};
}

/* Compares x and v at the start of a segment with those at the end of the previous one. If v is computed from w, which
 * may be a small difference of large forces, the effect of the rounding error of w is subtracted. */
void dashpot_residual_enter(const DashpotSystem *s, DashpotMotion *m, const DashpotEnd *before) {
  const DashpotSegment *g = &m->segment;
  double w = fmax(g->w[0], 0), wrong = DOUBTS * EVENT_DOUBT * before->most_force;
  double doubt = fabs(dashpot_line_value(&s->law, w + wrong) - dashpot_line_value(&s->law, w));
  double x = fabs(g->x[0] - before->x), v = fabs((double)m->at.slip * g->q[0] - before->v) - doubt;
  if (before->most_x > 0) residual_raise(&m->at.residual, x / before->most_x, m->at.t, 0, SIM_RESIDUAL_JUMP);
  if (m->at.fastest > 0) residual_raise(&m->at.residual, v / m->at.fastest, m->at.t, 0, SIM_RESIDUAL_JUMP);
}
