/* Backward Euler for one mass with a dash-pot, Gotika (5.9)-(5.25). With ft = m v/dt + f+ + B u - k x and
 * c = (dt/m)/(1 + k dt^2/m) the momentum balance of a step is
 *
 *     v+ = c (ft - f_d) = v + c (f+ + B u - k (x + dt v) - f_d),   x+ = x + dt v+
 *
 * so |ft| <= f_crit sticks, v+ = 0 and f_d = ft; else f_d and v+ have the sign of ft and are found where the law meets
 * this line (sim/dashpot/law.h). The second form of v+ is the one used: its round-off is that of the change of v, so that
 * energies balance over any number of steps. While the mass touches the support, k + ks and f + ks L stand for k and f. */
#include "sim/core/model.h"
#include "sim/core/scheme.h"
#include "sim/dashpot/derivatives.h"
#include "sim/dashpot/law.h"
#include "sim/dashpot/result.h"
#include "sim/law/friction_law.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

typedef struct Plan {
  DashpotLine apart, touching; /* the step's line without and with the support */
  DashpotLine law;             /* c = 0 */
} Plan;

/* The momentum balance of one step, without or with the support's spring. */
typedef struct Balance {
  const DashpotLine *line;
  double ft;    /* m v/dt + f+ + B u - k x, N */
  double pull;  /* f+ + B u - k (x + dt v), N */
  double terms; /* of the pull, in size: they may cancel, N */
} Balance;

/* What a step may end in. */
typedef struct Motion {
  double v, f_d;
  int slip;
  const DashpotLine *line; /* NULL: it sticks by a threshold */
  double w;                /* |f_d| - f_crit */
} Motion;

static void release(SimModel *model) { free(model->plan); }

static DashpotLine line_of_step(const SimProblem *p, double stiffness) {
  double dt = p->step, mass = p->dashpot.mass;
  return dashpot_line(&p->dashpot, p->friction[0], dt / mass / (1 + stiffness * dt * dt / mass));
}

static SimStatus prepare(SimModel *model) {
  const SimProblem *p = &model->problem;
  Plan *plan = model->plan = calloc(1, sizeof *plan);
  if (!plan) return SIM_NO_MEMORY;
  plan->law = dashpot_line(&p->dashpot, p->friction[0], 0);
  plan->apart = line_of_step(p, p->dashpot.stiffness);
  plan->touching = line_of_step(p, p->dashpot.stiffness + p->dashpot.support_stiffness);
  return SIM_OK;
}

/* force: f+ + B u; stiffness, shift: k and 0, or while touching k + ks and ks L. */
static Balance balance(const SimProblem *p, const SimWorkspace *work, const DashpotLine *line, double force,
                       double stiffness, double shift) {
  double x = work->x[0], v = work->v[0], dt = p->step, load = force + shift;
  return (Balance){.line = line,
                   .ft = p->dashpot.mass * v / dt + load - stiffness * x,
                   .pull = load - stiffness * (x + dt * v),
                   .terms = fabs(force) + fabs(shift) + stiffness * (fabs(x) + dt * fabs(v))};
}

/* What round-off may make of a speed that is 0: of the sum that is ft or the pull, whose terms cancel; and of the meeting,
 * where e = |v + c pull| - c f_crit bounds every term of the law and of the line (the non-monotone law's terms within a
 * factor 10), and the root finder ends within their round-off. */
static double speed_round_off(const Balance *at, double v, double f_d) {
  return 64 * DBL_EPSILON * (fabs(v) + at->line->c * (at->terms + fabs(f_d))) + DBL_MIN; /* or underflow */
}

/* Among the motions that the balance and the law allow, and that end in the support (but for round-off) if so wanted, the
 * one that the law's selection prefers. SIM_NOT_CONVERGED when there is none, or one would go against its dash-pot,
 * f_d v < 0, which no law does. */
static SimStatus choose(const SimProblem *p, const Balance *at, bool in_support, SimWorkspace *work, Motion *motion) {
  const DashpotLine *line = at->line;
  double sign = friction_sign(at->ft), x = work->x[0], v = work->v[0], w[DASHPOT_DEGREE_MAX], best = 0;
  double edge = p->dashpot.support_position, edge_round_off = 4 * DBL_EPSILON * (fabs(x) + fabs(edge));
  bool found = false;
  if (fabs(at->ft) <= line->f_crit) {
    *motion = (Motion){.f_d = at->ft, .line = line->f_crit > 0 ? NULL : line};
    return !in_support || x > edge - edge_round_off ? SIM_OK : SIM_NOT_CONVERGED;
  }
  double e = line->c * (fabs(at->ft) - line->f_crit);
  int n = dashpot_line_meet(line, e, w, &work->tally);
  for (int i = 0; i < n; i++) {
    double f_d = sign * (line->f_crit + w[i]), speed = sign * (v + line->c * (at->pull - f_d));
    double round_off = speed_round_off(at, v, f_d);
    if (speed < -round_off) return SIM_NOT_CONVERGED;
    speed = fmax(0, speed);
    if (in_support && !(x + p->step * (sign * speed) > edge - edge_round_off - p->step * round_off)) continue;
    if (found && !dashpot_prefers(line, e, sign * v, w[i], best)) continue;
    found = true;
    best = w[i];
    *motion = (Motion){.v = sign * speed, .f_d = f_d, .slip = (int)sign, .line = line, .w = best};
  }
  return found ? SIM_OK : SIM_NOT_CONVERGED;
}

/* The trial step decides on contact: free, and redone with the support's spring if it ends in the support. The spring can
 * then hold it back but not out of the support, so there is a motion that ends there; a law that is not monotone may offer
 * others, in which the support would pull. */
static SimStatus solve(const SimModel *model, SimWorkspace *work, double force, Motion *motion) {
  const SimProblem *p = &model->problem;
  const Plan *plan = model->plan;
  double stiffness = p->dashpot.stiffness, support = p->dashpot.support_stiffness,
         position = p->dashpot.support_position;
  Balance apart = balance(p, work, &plan->apart, force, stiffness, 0);
  SimStatus status = choose(p, &apart, false, work, motion);
  if (status != SIM_OK || !(dashpot_penetration(p, work->x[0] + p->step * motion->v) > 0)) return status;
  Balance touching = balance(p, work, &plan->touching, force, stiffness + support, support * position);
  return choose(p, &touching, true, work, motion);
}

/* f_d(0) by the law at v0; at rest, what holds the load, at most f_crit (the thesis's f_crit/2 is not consistent). */
static SimStatus start(const SimModel *model, SimWorkspace *work) {
  const SimProblem *p = &model->problem;
  const Plan *plan = model->plan;
  double x0 = p->x0[0], v0 = p->v0[0], f_crit = p->friction[0], w[DASHPOT_DEGREE_MAX];
  double load = p->force[0] + work->control_force[0] - p->dashpot.stiffness * x0 -
                p->dashpot.support_stiffness * dashpot_penetration(p, x0);
  double towards = v0 != 0 ? friction_sign(v0) : fabs(load) > f_crit ? friction_sign(load) : 0;
  Motion motion = {.v = v0, .f_d = towards == 0 ? load : towards * f_crit, .slip = (int)towards};
  if (v0 != 0) {
    int n = dashpot_line_meet(&plan->law, fabs(v0), w, &work->tally);
    if (n == 0) return SIM_NOT_CONVERGED;
    double best = w[0];
    for (int i = 1; i < n; i++)
      if (dashpot_prefers(&plan->law, fabs(v0), fabs(v0), w[i], best)) best = w[i];
    motion.f_d = towards * (f_crit + best);
  }
  dashpot_publish(p, work, x0, motion.v, motion.f_d, motion.slip);
  work->energy = (SimEnergy){0};
  if (work->sensitivity || work->adjoint) dashpot_derivatives_start(work);
  return SIM_OK;
}

/* With E = (m v^2 + k x^2 + ks p^2)/2, p = max(0, x - L) and n = max(0, L - x), exactly:
 *   E+ - E = dt v+ (f+ + B u) - dt v+ f_d - numerical,
 *   numerical = (m (v+ - v)^2 + k (x+ - x)^2 + ks (p+ - p)^2)/2 + ks p+ n >= 0                              */
static void watch(const SimProblem *p, SimWorkspace *work, double force, double f_d, double x_before, double v_before) {
  double x = work->x[0], v = work->v[0], dx = x - x_before, dv = v - v_before;
  double mass = p->dashpot.mass, stiffness = p->dashpot.stiffness, support = p->dashpot.support_stiffness;
  double depth = dashpot_penetration(p, x), depth_before = dashpot_penetration(p, x_before);
  double gap_before = p->dashpot.has_support ? fmax(0, p->dashpot.support_position - x_before) : 0;
  double in = depth - depth_before;
  work->energy.work += p->step * v * force;
  work->energy.dissipated += p->step * v * f_d;
  work->energy.numerical +=
      (mass * dv * dv + stiffness * dx * dx + support * in * in) / 2 + support * depth * gap_before;
  work->energy.stored = dashpot_stored(p, x, v);
}

/* v: before step n. */
static void differentiate(const SimModel *model, SimWorkspace *work, long n, double v, const Motion *motion) {
  const SimDashpot *p = &model->problem.dashpot;
  bool touches = motion->line == &((const Plan *)model->plan)->touching;
  dashpot_derivatives_step(model, work, n, v, motion->line ? dashpot_line_response(motion->line, motion->w) : 0,
                           p->stiffness + (touches ? p->support_stiffness : 0));
}

static SimStatus step(const SimModel *model, SimWorkspace *work, long n) {
  const SimProblem *p = &model->problem;
  double force = p->force[n] + work->control_force[0], x = work->x[0], v = work->v[0];
  Motion motion;
  if (!isfinite(force + p->dashpot.mass * v / p->step + p->dashpot.stiffness * x)) return SIM_NON_FINITE;
  SimStatus status = solve(model, work, force, &motion);
  if (status != SIM_OK) return status;
  dashpot_publish(p, work, x + p->step * motion.v, motion.v, motion.f_d, motion.slip);
  if (work->watched) watch(p, work, force, motion.f_d, x, v);
  if (work->sensitivity || work->adjoint) differentiate(model, work, n, v, &motion);
  return isfinite(work->x[0]) ? SIM_OK : SIM_NON_FINITE;
}

const SimScheme sim_scheme_backward_euler = {
    .name = "backward_euler",
    .kind = SIM_DASHPOT,
    .takes = SIM_HAS_DENSE | SIM_HAS_SIGNAL | SIM_HAS_SUPPORT | SIM_HAS_ENERGY,
    .derivatives = SIM_HAS_DENSE | SIM_HAS_SIGNAL | SIM_HAS_SUPPORT,
    .equip_sensitivity = dashpot_equip_sensitivity,
    .equip_adjoint = dashpot_equip_adjoint,
    .sentence = "implicit Euler, whose step is solved for the root of the law",
    .prepare = prepare,
    .release = release,
    .start = start,
    .step = step,
};
