/* SPDX-License-Identifier: BSD-2-Clause */
/* A scheme of a user's own, added as sim/core/README.md describes: the semi-implicit Euler scheme, for a diagonal M,
 *
 * v+ = soft(v + dt/m (f + B u - D v - A x + c gamma(v)), dt c/m),   x+ = x + dt v+.
 *
 * It computes no energies, and does not support thresholds that depend on time. With -DBOASTS it claims to support
 * them. */
#include "sim/core/model.h"
#include "sim/core/scheme.h"
#include "sim/core/scheme_rows.h"
#include "sim/law/friction_force.h"
#include "sim/operator/dense.h"

#include <math.h>
#include <string.h>

static const SimChoice multipliers[] = {CHOICE_UNREGULARIZED, {0}};
static const SimParameter parameters[] = {ROW_MULTIPLIER(multipliers, SIM_UNREGULARIZED),
                                          ROW_R("2/(delta*step)", scheme_r_half),
                                          ROW_SOLVER,
                                          ROW_TOLERANCE,
                                          {0}};

static OperatorSum step_operator(const SimProblem *p) {
  (void)p;
  return (OperatorSum){.term = {{OPERATOR_MASS, 0.5}}};
}

static double step_limit(const SimProblem *p, double nu) {
  (void)p;
  return nu > 0 ? 2 / sqrt(nu) : INFINITY;
}

static SimStatus prepare(SimModel *model) {
  (void)model;
  return SIM_OK;
}

static void release(SimModel *model) { (void)model; }

static SimStatus start(const SimModel *model, SimWorkspace *work) {
  const SimProblem *p = &model->problem;
  memcpy(work->x, p->x0, (size_t)p->d * sizeof(double));
  memcpy(work->v, p->v0, (size_t)p->d * sizeof(double));
  memset(work->lambda, 0, (size_t)p->d * sizeof(double));
  memset(work->slip, 0, (size_t)p->d);
  return SIM_OK;
}

static SimStatus step(const SimModel *model, SimWorkspace *work, long n) {
  const SimProblem *p = &model->problem;
  double *spring = work->scratch, *force = work->scratch + p->d;
  dense_multiply(p->d, p->system.stiffness, work->x, spring);
  dense_multiply(p->d, p->system.damping, work->v, force);
  for (int i = 0; i < p->d; i++) force[i] = p->force[n * p->d + i] + work->control_force[i] - spring[i] - force[i];
  friction_add_drop(p, 1, work->v, force);
  for (int i = 0; i < p->d; i++) {
    double mobility = p->step / p->system.mass[i * p->d + i], next = work->v[i] + mobility * force[i];
    double most = mobility * p->friction[i];
    work->slip[i] = (signed char)(next > most) - (signed char)(next < -most);
    work->v[i] = work->slip[i] ? next - work->slip[i] * most : 0;
    work->lambda[i] = work->slip[i] ? work->slip[i] : most > 0 ? next / most : 0;
    work->x[i] += p->step * work->v[i];
  }
  return SIM_OK;
}

const SimScheme sim_scheme_semi_implicit = {
    .name = "semi_implicit",
    .kind = SIM_FRICTION,
    .sentence = "springs explicit, friction implicit, one after the other",
    .takes = SIM_HAS(DENSE) | SIM_HAS(MANY) | SIM_HAS(SIGNAL) | SIM_HAS(DAMPING) | SIM_HAS(VISCOUS) | SIM_HAS(BIAS) |
#ifdef BOASTS
             SIM_HAS(COURSES) |
#endif
             SIM_HAS(SURFACE) | SIM_HAS(DROP) | SIM_HAS(EXPONENT) | SIM_HAS(LAW) | SIM_HAS(TABLE),
    .parameters = parameters,
    .parameters_size = sizeof(FrictionParameters),
    .step_operator = step_operator,
    .step_limit = step_limit,
    .prepare = prepare,
    .release = release,
    .scratch_vectors = 2,
    .start = start,
    .step = step,
};
