/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/chain/chain.h"

#include "sim/chain/projection.h"
#include "sim/core/signal_mix.h"
#include "sim/friction/record.h"
#include "sim/law/friction_law.h"
#include "sim/operator/sparse.h"

#include <float.h>
#include <math.h>
#include <string.h>

const SimParameter chain_no_keys[] = {{0}};

ChainRows chain_rows(const SimModel *model, const SimWorkspace *work) {
  size_t n = (size_t)model->problem.d;
  double *s = work->scratch;
  return (ChainRows){.r = s,
                     .v_before = s + n,
                     .x_before = s + 2 * n,
                     .r_before = s + 3 * n,
                     .f = s + 4 * n,
                     .force = s + 5 * n,
                     .g = s + 6 * n,
                     .z = s + 7 * n,
                     .d = s + 8 * n,
                     .pivot = s + 9 * n,
                     .carry = s + 10 * n,
                     .stored_start = s + 11 * n};
}

int chain_massless(const SimProblem *p) {
  switch (p->chain.chain_case) {
  case SIM_CHAIN_QUASISTATIC: return p->d;
  case SIM_CHAIN_SEMI_DYNAMICAL: return p->d - 1;
  case SIM_CHAIN_DYNAMICAL: break;
  }
  return 0;
}

SimStatus chain_matrices(SimProblem *p) {
  memcpy(p->chain.held, p->chain.springs, ((size_t)p->d + 1) * sizeof *p->chain.held);
  if (p->chain.end == SIM_END_FREE) p->chain.held[p->d] = 0;
  p->system.storage = SIM_SPARSE;
  /* a string with this length has nodes at distances of 1 m */
  return sim_string_fill(p, p->d + 1.0, p->chain.node_mass, p->chain.held, p->friction);
}

/* Stores all entries of the matrices M and A, which vector lanes (sim/lanes) need, if memory has been allocated for
 * them. */
static void make_dense(SimModel *model) {
  SimSystem *q = &model->problem.system;
  if (!q->mass) {
    model->features ^= SIM_HAS(DENSE) | SIM_HAS(SPARSE);
    return;
  }
  q->storage = SIM_DENSE;
  sparse_entries(&q->sparse.mass, model->problem.d, q->mass);
  sparse_entries(&q->sparse.stiffness, model->problem.d, q->stiffness);
}

SimStatus chain_prepare_form(SimModel *model, OperatorSum matrix, double end, double ahead) {
  double h = model->problem.step;
  SimStatus status = chain_matrices(&model->problem);
  if (status != SIM_OK) return status;
  make_dense(model);
  const StepForm form = {.matrix = matrix,
                         .inertia = {.term = {{OPERATOR_MASS, 1 - end}}}, /* the weight is 0 if no node has mass */
                         .carry = 1,
                         .pull = h,
                         .force = h,
                         .ahead = h * ahead,
                         .behind = h * (1 - ahead),
                         .theta = end,
                         .fresh = 1,
                         .watch = chain_watch,
                         .start_back = chain_massless(&model->problem) > 0 ? form_start_back : NULL};
  return form_prepare(model, form);
}

SimStatus chain_prepare_masses(SimModel *model, double ahead) {
  SimProblem *p = &model->problem;
  return chain_massless(p) > 0 ? chain_matrices(p) : chain_prepare_form(model, operator_alone(OPERATOR_MASS), 0, ahead);
}

SimStatus chain_equip(const SimModel *model, SimWorkspace *work) {
  return model->plan ? form_equip(model, work) : SIM_OK;
}

/* Computes r = K V - F, the spring forces minus the load F, from the stiffness matrix K and the displacements V. For
 * nodes without mass, r is G of chain.h. */
static void residual(const SimModel *model, const SimWorkspace *work, const double *x, const double *force, double *r) {
  const SimProblem *p = &model->problem;
  const double *g = chain_rows(model, work).g;
  chain_multiply(p->d, p->chain.held, x, r);
  for (int i = 0; i < p->d; i++) r[i] = i < chain_massless(p) ? g[i] : r[i] - force[i];
}

static void load(const SimModel *model, SimWorkspace *work, long n, double *f) {
  const SimProblem *p = &model->problem;
  signal_instant(p, work, n, f);
  for (int i = 0; i < p->d; i++) f[i] += p->force[n * p->d + i];
}

/* Moves the last node, if it has mass, over a step by the formulas of the StepForm (sim/friction/form.h). */
static void kick(const SimModel *model, SimWorkspace *work, double ahead) {
  const SimProblem *p = &model->problem;
  ChainRows at = chain_rows(model, work);
  int i = chain_massless(p);
  if (i == p->d) return;
  double m = p->chain.node_mass[i], b = m * at.v_before[i] - p->step * at.r_before[i];
  double threshold = p->step * p->friction[i], sign = friction_sign(b);
  bool stuck = threshold > 0 && fabs(b) <= threshold;
  work->v[i] = stuck ? 0 : (b - sign * threshold) / m;
  work->lambda[i] = stuck ? b / threshold : threshold > 0 ? sign : 0;
  work->slip[i] = stuck ? 0 : (signed char)sign;
  work->x[i] += p->step * (ahead * work->v[i] + (1 - ahead) * at.v_before[i]);
}

void chain_begin(const SimModel *model, SimWorkspace *work, long n, double ahead) {
  ChainRows at = chain_rows(model, work);
  size_t size = (size_t)model->problem.d * sizeof(double);
  memcpy(at.x_before, work->x, size);
  memcpy(at.v_before, work->v, size);
  memcpy(at.f, at.force, size);
  residual(model, work, work->x, at.f, at.r_before);
  load(model, work, n, at.force);
  kick(model, work, ahead);
}

SimStatus chain_slide(const SimModel *model, SimWorkspace *work) {
  const SimProblem *p = &model->problem;
  ChainRows at = chain_rows(model, work);
  int q = chain_massless(p);
  if (q == 0) return SIM_OK;
  ChainProjection projection = {q, p->chain.held, p->friction, at.z};
  ChainSlide slide = {.slip = work->slip, .d = at.d, .g = at.g, .pivot = at.pivot, .carry = at.carry};
  if (chain_project(&projection, &slide)) return SIM_NON_FINITE;
  for (int i = 0; i < q; i++) {
    work->lambda[i] = p->friction[i] > 0 ? 0 - at.g[i] / p->friction[i] : 0;
    work->v[i] = at.d[i] / p->step;
  }
  work->tally.iterations += slide.sweeps;
  work->tally.residual = fmax(work->tally.residual, slide.residual);
  return SIM_OK;
}

static double stored(const SimProblem *p, const double *x, const double *v) {
  const double *k = p->chain.held;
  double sum = k[0] * x[0] * x[0];
  for (int i = 0; i < p->d; i++) {
    double stretch = (i + 1 < p->d ? x[i + 1] : 0) - x[i];
    sum += k[i + 1] * stretch * stretch;
    if (i >= chain_massless(p)) sum += p->chain.node_mass[i] * v[i] * v[i];
  }
  return sum / 2;
}

/* Adds the energies of a step. Let R = K V - F, h the length of the step, and dV, dW the changes of V and W. A step
 * changes V'K V / 2 by dV.(F + F+)/2 + dV.(R + R+)/2, where the first term is the work. It changes the kinetic energy
 * by -h (R + alpha lambda).(W + W+)/2, with R at t_{n-1}. So exactly
 *
 *   work = stored + dissipated + numerical,
 *   dissipated = alpha.|V+ - V| as the friction law gives it: h alpha |W+|,
 *   numerical = h (R + alpha lambda).(W + W+)/2 (nodes with mass) - dissipated - dV.(R + R+)/2.
 *
 * For `symplectic`, dynamical, with constant F: numerical = (|dW|^2_M - |dV|^2_K)/2. For `implicit_euler`: numerical =
 * -(|dW|^2_M + |dV|^2_K)/2 - h dW.alpha lambda, which is the energy that its explicit springs add. For `increment`:
 * numerical = d.(G+ - G)/2, with the displacement d of chain_slide; it is 0 for a slipping node that slipped before.
 * h = 0 stands for the slide at the start, which takes no time. */
void chain_account(const SimModel *model, SimWorkspace *work, double h) {
  const SimProblem *p = &model->problem;
  ChainRows at = chain_rows(model, work);
  int q = chain_massless(p);
  double done = 0, dissipated = 0, given = 0;
  if (!work->watched) return;
  residual(model, work, work->x, at.force, at.r);
  for (int i = 0; i < p->d; i++) {
    double dx = work->x[i] - at.x_before[i];
    double slid = i < q ? fabs(at.d[i]) : h * fabs(work->v[i]);
    done += dx * (at.f[i] + at.force[i]) / 2;
    dissipated += p->friction[i] * slid;
    given -= dx * (at.r_before[i] + at.r[i]) / 2;
    if (i >= q) given += h * (at.r_before[i] + p->friction[i] * work->lambda[i]) * (at.v_before[i] + work->v[i]) / 2;
  }
  work->energy.work += done;
  work->energy.dissipated += dissipated;
  work->energy.numerical += given - dissipated;
  work->energy.stored = stored(p, work->x, work->v) - *at.stored_start;
}

void chain_watch(const SimModel *model, SimWorkspace *work, const StepForce *f, long n) {
  const SimProblem *p = &model->problem;
  ChainRows at = chain_rows(model, work);
  (void)f; /* f is not needed, because the work takes the forces at both ends of the step */
  load(model, work, n - 1, at.f);
  residual(model, work, at.x_before, at.f, at.r_before);
  for (int i = 0; i < chain_massless(p); i++) {
    at.d[i] = p->step * work->v[i];
    at.g[i] = 0 - p->friction[i] * work->lambda[i];
  }
  load(model, work, n, at.force);
  chain_account(model, work, p->step);
}

/* Computes the reactions at both ends and the displacement x of the right end. Both reactions are positive for
 * compression, as in Bastien-Lamarque. At the left end F_0 = -k_0 v_1, (3.7a), with the displacements v_1, .., v_n. At
 * the right end F_{n+1} = k_n (v_n - x), (3.7b), (3.55b). If the right end is free, x = v_n - F_{n+1}/k_n, (3.13b). */
void chain_publish(const SimModel *model, SimWorkspace *work, long n) {
  const SimProblem *p = &model->problem;
  double k = p->chain.springs[p->d], last = work->x[p->d - 1];
  double given = p->chain.end_value ? p->chain.end_value[n] : 0;
  work->extra[0] = 0 - p->chain.springs[0] * work->x[0];
  switch (p->chain.end) {
  case SIM_END_CLAMPED:
  case SIM_END_DISPLACEMENT:
    work->extra[1] = k * (last - given);
    work->extra[2] = given;
    break;
  case SIM_END_FREE:
    work->extra[1] = given;
    work->extra[2] = k > 0 ? last - given / k : last; /* without a last spring the force at the end acts on node n */
    break;
  }
}

/* Updates the derivatives over the slide at the start, which is a step of the StepForm. After the slide its velocity
 * W = d/h is replaced by 0. */
static SimStatus differentiate_slide(const SimModel *model, SimWorkspace *work) {
  SimSensitivity *s = work->sensitivity;
  SimStatus status = s ? form_tangent_step(model, work, 0) : SIM_OK;
  if (s) memset(s->v, 0, (size_t)s->count * (size_t)s->width * sizeof *s->v);
  if (work->adjoint && status == SIM_OK) status = form_record_step(model, work, 0);
  friction_forget(&work->step);
  return status;
}

/* Starts the motion from the given V_0, W_0. lambda is sign(W_0) for moving nodes; for nodes at rest it is the static
 * friction that balances the load. There is one exception. If B u jumps at t = 0, the load on nodes without mass may
 * exceed their friction, because the data are checked for u = 0. Then these nodes slide immediately to a new
 * equilibrium, G = Proj(K V_0 - F(0) - B u), which is the state that observers get at t = 0. */
SimStatus chain_start(const SimModel *model, SimWorkspace *work) {
  const SimProblem *p = &model->problem;
  ChainRows at = chain_rows(model, work);
  size_t size = (size_t)p->d * sizeof(double);
  int q = chain_massless(p);
  memset(work->scratch, 0, CHAIN_VECTORS * size);
  memcpy(work->x, p->x0, size);
  memcpy(work->v, p->v0, size);
  memset(work->slip, 0, (size_t)p->d);
  load(model, work, 0, at.force);
  memcpy(at.f, at.force, size);
  memcpy(at.x_before, p->x0, size);
  chain_multiply(p->d, p->chain.held, p->x0, at.r_before);
  for (int i = 0; i < p->d; i++) {
    double bound = p->friction[i], slack = 16 * DBL_EPSILON * (fabs(at.r_before[i]) + fabs(at.force[i]));
    at.r_before[i] -= at.force[i];
    at.z[i] = at.r_before[i];
    /* friction holds the node, up to rounding */
    if (fabs(at.z[i]) <= bound + slack) at.z[i] = fmax(-bound, fmin(bound, at.z[i]));
  }
  SimStatus status = chain_slide(model, work);
  if (status != SIM_OK) return status;
  for (int i = 0; i < q; i++) work->x[i] += at.d[i];
  residual(model, work, work->x, at.force, at.r);
  for (int i = q; i < p->d; i++) {
    double bound = p->friction[i], sign = friction_sign(p->v0[i]);
    work->slip[i] = (signed char)sign;
    work->lambda[i] = !(bound > 0) ? 0 : sign != 0 ? sign : friction_project(0 - at.r[i] / bound);
  }
  work->energy = (SimEnergy){0};
  *at.stored_start = stored(p, p->x0, p->v0);
  friction_forget(&work->step);
  if (work->sensitivity) friction_tangent_start(model, work);
  if (work->adjoint) friction_record_start(work);
  if (q > 0) status = differentiate_slide(model, work);
  for (int i = 0; i < q; i++) work->v[i] = 0;
  chain_account(model, work, 0);
  return status;
}
