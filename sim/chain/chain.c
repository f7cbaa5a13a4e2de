#include "sim/chain/chain.h"

#include "sim/chain/projection.h"
#include "sim/law/friction_law.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

int chain_massless(const SimProblem *p) {
  switch (p->chain.chain_case) {
  case SIM_CHAIN_QUASISTATIC: return p->d;
  case SIM_CHAIN_SEMI_DYNAMICAL: return p->d - 1;
  case SIM_CHAIN_DYNAMICAL: break;
  }
  return 0;
}

ChainRows chain_rows(const SimModel *model, const SimWorkspace *work) {
  size_t n = (size_t)model->problem.d;
  double *s = work->scratch;
  return (ChainRows){.g = s,
                     .z = s + n,
                     .d = s + 2 * n,
                     .pivot = s + 3 * n,
                     .carry = s + 4 * n,
                     .r = s + 5 * n,
                     .r_before = s + 6 * n,
                     .x_before = s + 7 * n,
                     .v_before = s + 8 * n,
                     .f = s + 9 * n,
                     .force = s + 10 * n,
                     .stored_start = s + 11 * n};
}

void chain_release(SimModel *model) {
  ChainPlan *plan = model->plan;
  if (!plan) return;
  free(plan->springs);
  free(plan);
}

void chain_held_springs(const SimProblem *p, double *springs) {
  memcpy(springs, p->chain.springs, ((size_t)p->d + 1) * sizeof *springs);
  if (p->chain.end == SIM_END_FREE) springs[p->d] = 0;
}

SimStatus chain_prepare(SimModel *model) {
  const SimProblem *p = &model->problem;
  ChainPlan *plan = model->plan = calloc(1, sizeof *plan);
  if (!plan) return SIM_NO_MEMORY;
  plan->springs = calloc((size_t)p->d + 1, sizeof(double));
  if (!plan->springs) return SIM_NO_MEMORY;
  chain_held_springs(p, plan->springs);
  plan->massless = chain_massless(p);
  return SIM_OK;
}

/* r = K V - F; G where nodes have no mass. */
static void residual(const SimModel *model, const SimWorkspace *work, double *r) {
  const ChainPlan *plan = model->plan;
  ChainRows at = chain_rows(model, work);
  chain_multiply(model->problem.d, plan->springs, work->x, r);
  for (int i = 0; i < model->problem.d; i++) r[i] = i < plan->massless ? at.g[i] : r[i] - at.force[i];
}

static void load(const SimModel *model, SimWorkspace *work, long n, double *f) {
  const SimProblem *p = &model->problem;
  for (int i = 0; i < p->d; i++) f[i] = p->force[n * p->d + i] + work->control_force[i];
}

void chain_begin(const SimModel *model, SimWorkspace *work, long n) {
  const SimProblem *p = &model->problem;
  const ChainPlan *plan = model->plan;
  ChainRows at = chain_rows(model, work);
  size_t size = (size_t)p->d * sizeof(double);
  memcpy(at.x_before, work->x, size);
  memcpy(at.v_before, work->v, size);
  if (work->watched || plan->massless < p->d) residual(model, work, at.r_before);
  memcpy(at.f, at.force, size);
  load(model, work, n, at.force);
}

void chain_kick(const SimModel *model, SimWorkspace *work) {
  const SimProblem *p = &model->problem;
  const ChainPlan *plan = model->plan;
  ChainRows at = chain_rows(model, work);
  for (int i = plan->massless; i < p->d; i++) {
    double m = p->chain.node_mass[i], b = m * work->v[i] - p->step * at.r_before[i];
    double threshold = p->step * p->friction[i], sign = friction_sign(b);
    bool stuck = threshold > 0 && fabs(b) <= threshold;
    work->v[i] = stuck ? 0 : (b - sign * threshold) / m;
    work->lambda[i] = stuck ? b / threshold : threshold > 0 ? sign : 0;
    work->slip[i] = stuck ? 0 : (signed char)sign;
  }
}

void chain_move(const SimModel *model, SimWorkspace *work, const double *w) {
  const ChainPlan *plan = model->plan;
  for (int i = plan->massless; i < model->problem.d; i++) work->x[i] += model->problem.step * w[i];
}

SimStatus chain_slide(const SimModel *model, SimWorkspace *work) {
  const SimProblem *p = &model->problem;
  const ChainPlan *plan = model->plan;
  ChainRows at = chain_rows(model, work);
  if (plan->massless == 0) return SIM_OK;
  ChainProjection projection = {plan->massless, plan->springs, p->friction, at.z};
  ChainSlide slide = {.slip = work->slip, .d = at.d, .g = at.g, .pivot = at.pivot, .carry = at.carry};
  if (chain_project(&projection, &slide)) return SIM_NON_FINITE;
  for (int i = 0; i < plan->massless; i++) {
    work->lambda[i] = p->friction[i] > 0 ? 0 - at.g[i] / p->friction[i] : 0;
    work->v[i] = at.d[i] / p->step;
  }
  work->tally.iterations += slide.sweeps;
  work->tally.residual = fmax(work->tally.residual, slide.residual);
  return SIM_OK;
}

SimStatus chain_follow(const SimModel *model, SimWorkspace *work) {
  const SimProblem *p = &model->problem;
  const ChainPlan *plan = model->plan;
  ChainRows at = chain_rows(model, work);
  int q = plan->massless;
  for (int i = 0; i < q; i++) at.z[i] = at.g[i] - (at.force[i] - at.f[i]);
  if (q > 0 && q < p->d) at.z[q - 1] -= plan->springs[q] * (work->x[q] - at.x_before[q]);
  SimStatus status = chain_slide(model, work);
  if (status != SIM_OK) return status;
  for (int i = 0; i < q; i++) work->x[i] += at.d[i];
  return SIM_OK;
}

static double stored(const SimModel *model, const double *x, const double *v) {
  const SimProblem *p = &model->problem;
  const ChainPlan *plan = model->plan;
  double sum = plan->springs[0] * x[0] * x[0];
  for (int i = 0; i < p->d; i++) {
    double stretch = (i + 1 < p->d ? x[i + 1] : 0) - x[i];
    sum += plan->springs[i + 1] * stretch * stretch;
    if (i >= plan->massless) sum += p->chain.node_mass[i] * v[i] * v[i];
  }
  return sum / 2;
}

/* With R = K V - F, a step changes V'K V / 2 by dV.(F + F+)/2 + dV.(R + R+)/2, of which the first is the work; the
 * kinetic energy by -h (R + alpha lambda).(W + W+)/2, R of t_{n-1}, see chain_kick. So exactly
 *
 *   work = stored + dissipated + numerical,   dissipated = alpha.|V+ - V| as the friction law sees it: h alpha |W+|,
 *   numerical = h (R + alpha lambda).(W + W+)/2 (nodes with mass) - dissipated - dV.(R + R+)/2:
 *
 * `symplectic`, dynamical, constant F: (|dW|^2_M - |dV|^2_K)/2; `implicit_euler`: -(|dW|^2_M + |dV|^2_K)/2 - h
 * dW.alpha lambda, the energy that its explicit springs bring in; `increment`: d.(G+ - G)/2, nothing where a slipping
 * node has slipped before. h = 0: the slide at the start, which takes no time. */
static void watch(const SimModel *model, SimWorkspace *work, double h) {
  const SimProblem *p = &model->problem;
  const ChainPlan *plan = model->plan;
  ChainRows at = chain_rows(model, work);
  double done = 0, dissipated = 0, given = 0;
  residual(model, work, at.r);
  for (int i = 0; i < p->d; i++) {
    double dx = work->x[i] - at.x_before[i];
    double slid = i < plan->massless ? fabs(at.d[i]) : h * fabs(work->v[i]);
    done += dx * (at.f[i] + at.force[i]) / 2;
    dissipated += p->friction[i] * slid;
    given -= dx * (at.r_before[i] + at.r[i]) / 2;
    if (i >= plan->massless)
      given += h * (at.r_before[i] + p->friction[i] * work->lambda[i]) * (at.v_before[i] + work->v[i]) / 2;
  }
  work->energy.work += done;
  work->energy.dissipated += dissipated;
  work->energy.numerical += given - dissipated;
  work->energy.stored = stored(model, work->x, work->v) - *at.stored_start;
}

/* Both reactions are compressions counted positive, as in the paper: F_0 = -k_0 v_1, (3.7a), on the left end; F_{n+1}
 * = k_n (v_n - x), (3.7b), (3.55b), on the right one; x its displacement, v_n - F_{n+1}/k_n where free, (3.13b). */
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
    work->extra[2] = k > 0 ? last - given / k : last; /* no last spring: the force acts on node n */
    break;
  }
}

void chain_end(const SimModel *model, SimWorkspace *work, long n) {
  chain_publish(model, work, n);
  if (work->watched) watch(model, work, model->problem.step);
}

/* V_0, W_0 as given, but for nodes without mass that no friction could hold there: B u jumps at t = 0, which the
 * check of the data, made for u = 0, knows nothing of. The chain then slides to rest at once, G = Proj(K V_0 - F(0) -
 * B u), and t = 0 shows it after that. Nodes with mass: lambda = sign(W_0), and at rest the static friction that
 * holds the load. */
SimStatus chain_start(const SimModel *model, SimWorkspace *work) {
  const SimProblem *p = &model->problem;
  const ChainPlan *plan = model->plan;
  ChainRows at = chain_rows(model, work);
  memset(work->scratch, 0, (CHAIN_VECTORS * (size_t)p->d + 1) * sizeof(double));
  memcpy(work->x, p->x0, (size_t)p->d * sizeof(double));
  memcpy(work->v, p->v0, (size_t)p->d * sizeof(double));
  memset(work->slip, 0, (size_t)p->d);
  load(model, work, 0, at.force);
  memcpy(at.f, at.force, (size_t)p->d * sizeof(double));
  memcpy(at.x_before, p->x0, (size_t)p->d * sizeof(double));
  chain_multiply(p->d, plan->springs, p->x0, at.r_before);
  for (int i = 0; i < p->d; i++) {
    double bound = p->friction[i], slack = 16 * DBL_EPSILON * (fabs(at.r_before[i]) + fabs(at.force[i]));
    at.r_before[i] -= at.force[i];
    at.z[i] = at.r_before[i];
    if (fabs(at.z[i]) <= bound + slack) at.z[i] = fmax(-bound, fmin(bound, at.z[i])); /* held, but for round-off */
  }
  SimStatus status = chain_slide(model, work);
  if (status != SIM_OK) return status;
  for (int i = 0; i < plan->massless; i++) {
    work->x[i] += at.d[i];
    work->v[i] = 0;
  }
  residual(model, work, at.r);
  for (int i = plan->massless; i < p->d; i++) {
    double bound = p->friction[i], sign = friction_sign(p->v0[i]);
    work->slip[i] = (signed char)sign;
    work->lambda[i] = !(bound > 0) ? 0 : sign != 0 ? sign : friction_project(0 - at.r[i] / bound);
  }
  work->energy = (SimEnergy){0};
  *at.stored_start = stored(model, p->x0, p->v0);
  chain_publish(model, work, 0);
  if (work->watched) watch(model, work, 0);
  return SIM_OK;
}
