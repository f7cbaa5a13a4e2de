/* SPDX-License-Identifier: BSD-2-Clause */
/* A step of a DashpotForm. With ft = m v/dt + f + B u - k (x + dt before v) and c = (dt/m)/(1 + after k dt^2/m) its
 * balance of momentum is
 *
 *   v+ = c (ft - f_d) = v + c (f + B u - k (x + dt (before + after) v) - f_d)
 *
 * The mass sticks if |ft| <= f_crit: v+ = 0 and f_d = ft. Otherwise f_d and v+ have the sign of ft and are the
 * intersection of the dash-pot's law with this line (sim/dashpot/law.h). v+ is computed by the second form: its
 * round-off is that of the change of v, so that energies balance over any number of steps. While the mass touches the
 * support, k is replaced by k + ks and f by f + ks L. */
#include "sim/dashpot/form.h"
#include "sim/dashpot/result.h"
#include "sim/law/friction_law.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* A possible result of a step. */
typedef struct Motion {
  double x, v, f_d;
  int slip;
  const DashpotSide *side; /* constants without or with contact, for a mass that moves; NULL: the mass sticks below a
                            * threshold */
  double w;                /* excess w = |f_d| - f_crit of the dash-pot's force over the threshold, in N */
} Motion;

void dashpot_release(SimModel *model) { free(model->plan); }

static DashpotSide side_of(const SimProblem *p, double after, double stiffness, double shift) {
  double dt = p->step, mass = p->dashpot.mass, c = dt / mass / (1 + after * (stiffness * dt * dt / mass));
  return (DashpotSide){dashpot_line(&p->dashpot, p->friction[0], c), stiffness, shift};
}

SimStatus dashpot_prepare(SimModel *model, DashpotForm form) {
  const SimProblem *p = &model->problem;
  double dt = p->step, stiffness = p->dashpot.stiffness, support = p->dashpot.support_stiffness;
  DashpotPlan *plan = model->plan = malloc(sizeof *plan);
  if (!plan) return SIM_NO_MEMORY;
  *plan = (DashpotPlan){.form = form,
                        .after = dt * form.after,
                        .before = dt * form.before,
                        .reach = dt * (form.before + form.after),
                        .ahead = dt * form.ahead,
                        .behind = dt * (1 - form.ahead),
                        .apart = side_of(p, form.after, stiffness, 0),
                        .touching = side_of(p, form.after, stiffness + support, support * p->dashpot.support_position),
                        .law = dashpot_line(&p->dashpot, p->friction[0], 0)};
  return SIM_OK;
}

/* Returns the displacement x+ - x in a step from velocity v to velocity `next`. */
static double way(const DashpotPlan *plan, double v, double next) { return plan->ahead * next + plan->behind * v; }

/* Returns a bound of the rounding error of a speed that is exactly 0. One part is the error of the sum ft or of the
 * pull; `terms` is the sum of the magnitudes of its terms, in N. The other part is the error of the intersection of law
 * and line. There e = |v + c pull| - c f_crit bounds every term of the law and of the line (for the non-monotone law
 * within a factor 10), and the root finder stops within their rounding error. */
static double speed_round_off(double c, double terms, double v, double f_d) {
  return 64 * DBL_EPSILON * (fabs(v) + c * (terms + fabs(f_d))) + DBL_MIN; /* the last term covers underflow */
}

/* Selects one of the motions that satisfy the law and the balance of momentum, without or with contact (`side`).
 * required: only motions that end in the support, up to rounding, are considered. Returns SIM_NOT_CONVERGED if there is
 * none, or if it has f_d v < 0, which contradicts any law. force: f + B u. */
static SimStatus choose(const SimProblem *p, const DashpotSide *side, double force, bool in_support, SimWorkspace *work,
                        Motion *motion) {
  const DashpotPlan *plan = work->model->plan;
  const DashpotLine *line = &side->line;
  double x = work->x[0], v = work->v[0], k = side->stiffness, load = force + side->shift, w[DASHPOT_DEGREE_MAX];
  double ft = p->dashpot.mass * v / p->step + load - k * (x + plan->before * v), sign = friction_sign(ft), best = 0;
  double edge = p->dashpot.support_position, edge_round_off = 4 * DBL_EPSILON * (fabs(x) + fabs(edge));
  bool found = false;
  if (!isfinite(ft)) return SIM_NON_FINITE;
  if (fabs(ft) <= line->f_crit) {
    *motion = (Motion){.x = x + way(plan, v, 0), .f_d = ft, .side = line->f_crit > 0 ? NULL : side};
    return !in_support || motion->x > edge - edge_round_off ? SIM_OK : SIM_NOT_CONVERGED;
  }
  double pull = load - k * (x + plan->reach * v), e = line->c * (fabs(ft) - line->f_crit);
  double terms = fabs(force) + fabs(side->shift) + k * (fabs(x) + plan->reach * fabs(v));
  int n = dashpot_line_meet(line, e, w, &work->tally);
  for (int i = 0; i < n; i++) {
    double f_d = sign * (line->f_crit + w[i]), speed = sign * (v + line->c * (pull - f_d));
    double round_off = speed_round_off(line->c, terms, v, f_d);
    if (speed < -round_off) return SIM_NOT_CONVERGED;
    speed = fmax(0, speed);
    double next = x + way(plan, v, sign * speed);
    if (in_support && !(next > edge - edge_round_off - p->step * round_off)) continue;
    if (found && !dashpot_prefers(line, e, sign * v, w[i], best)) continue;
    found = true;
    best = w[i];
    *motion = (Motion){.x = next, .v = sign * speed, .f_d = f_d, .slip = (int)sign, .side = side, .w = best};
  }
  return found ? SIM_OK : SIM_NOT_CONVERGED;
}

/* Solves a step. A trial step without contact decides whether there is contact. If it ends in the support, the step is
 * repeated with the support's spring. That spring can decelerate the mass, but not push it out of the support, so there
 * is a motion that ends there. With a non-monotone law there may also be motions in which the support would pull. */
static SimStatus solve(const SimModel *model, SimWorkspace *work, double force, Motion *motion) {
  const SimProblem *p = &model->problem;
  const DashpotPlan *plan = model->plan;
  SimStatus status = choose(p, &plan->apart, force, false, work, motion);
  if (status != SIM_OK || !(dashpot_penetration(p, motion->x) > 0)) return status;
  return choose(p, &plan->touching, force, true, work, motion);
}

/* Starts a rollout. The force f_d(0) of the dash-pot follows from the law at v0. At rest it is the force that balances
 * the load, at most f_crit (the thesis has f_crit/2, which is not consistent). */
SimStatus dashpot_start(const SimModel *model, SimWorkspace *work) {
  const SimProblem *p = &model->problem;
  const DashpotPlan *plan = model->plan;
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

/* Adds the energies of a step. With E = (m v^2 + k x^2 + ks p^2)/2, p = max(0, x - L), n = max(0, L - x), dx = x+ - x
 * and dv = v+ - v, exactly:
 *
 *   E+ - E = dx (f + B u) - dt v+ f_d - numerical,
 *   numerical = (ahead - 1/2) m dv^2 - (1 - ahead) dt dv f_d + k dx (y - x - dx/2) + ks (p+ - p)^2/2 + ks p+ n
 *
 * y is the position at which the springs act (form.h). The terms with ks are those of the support, for y = x+. For
 * backward_euler no term of `numerical` is negative. */
static void watch(const SimProblem *p, SimWorkspace *work, double force, double f_d, double x_before, double v_before) {
  const DashpotPlan *plan = work->model->plan;
  double x = work->x[0], v = work->v[0], dx = way(plan, v_before, v), dv = v - v_before, ahead = plan->form.ahead;
  double depth = dashpot_penetration(p, x), in = depth - dashpot_penetration(p, x_before);
  double gap_before = p->dashpot.has_support ? fmax(0, p->dashpot.support_position - x_before) : 0;
  double pulled = plan->after * v + plan->before * v_before; /* y - x */
  work->energy.work += dx * force;
  work->energy.dissipated += p->step * v * f_d;
  work->energy.numerical += (ahead - 0.5) * p->dashpot.mass * dv * dv - (1 - ahead) * p->step * dv * f_d +
                            p->dashpot.stiffness * dx * (pulled - dx / 2) +
                            p->dashpot.support_stiffness * (in * in / 2 + depth * gap_before);
  work->energy.stored = dashpot_stored(p, x, v);
}

SimStatus dashpot_step(const SimModel *model, SimWorkspace *work, long n) {
  const SimProblem *p = &model->problem;
  const DashpotPlan *plan = model->plan;
  double end = plan->form.end, x = work->x[0], v = work->v[0];
  double force = end * p->force[n] + (1 - end) * p->force[n - 1] + work->control_force[0];
  Motion motion;
  SimStatus status = solve(model, work, force, &motion);
  if (status != SIM_OK) return status;
  dashpot_publish(p, work, motion.x, motion.v, motion.f_d, motion.slip);
  if (work->watched) watch(p, work, force, motion.f_d, x, v);
  if (work->sensitivity || work->adjoint) {
    DashpotMap map = {.stiffness = p->dashpot.stiffness};
    if (motion.side) map = (DashpotMap){dashpot_line_response(&motion.side->line, motion.w), motion.side->stiffness};
    dashpot_derivatives_step(model, work, n, v, map);
  }
  return isfinite(work->x[0]) ? SIM_OK : SIM_NON_FINITE;
}
