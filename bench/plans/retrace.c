/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/plans/retrace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Sets matrix to M + h D/2 + h^2 A/4, for the time step h. */
static void add_up(const Steps *s, double h, double *matrix) {
  for (int i = 0; i < s->d * s->d; i++) matrix[i] = s->mass[i] + h * s->damping[i] / 2 + h * h * s->stiffness[i] / 4;
}

/* Solves for v: (matrix v)_i in right_i - h c_i Sgn(v_i), by Gauss-Seidel sweeps over the rows i until round-off. */
static void solve(const Steps *s, double h, const double *matrix, const double *right, double *v) {
  enum { ROUNDS = 1000 };
  static const double DONE = 1e-15;
  for (int round = 0; round < ROUNDS; round++) {
    double change = 0, most = 0;
    for (int i = 0; i < s->d; i++) {
      double rest = right[i], c = h * s->friction[i];
      for (int j = 0; j < s->d; j++)
        if (j != i) rest -= matrix[i * s->d + j] * v[j];
      double now = fabs(rest) <= c ? 0 : (rest - copysign(c, rest)) / matrix[i * s->d + i];
      change = fmax(change, fabs(now - v[i]));
      most = fmax(most, fabs(now));
      v[i] = now;
    }
    if (change <= DONE * most) return;
  }
}

static void step(const Steps *s, double h, const double *matrix, const double *u, double *x, double *v) {
  double right[STEPS_DOFS], old[STEPS_DOFS];
  memcpy(old, v, (size_t)s->d * sizeof *old);
  for (int i = 0; i < s->d; i++) {
    right[i] = 0;
    for (int j = 0; j < s->d; j++) {
      int at = i * s->d + j;
      right[i] += s->mass[at] * v[j] - h * (s->stiffness[at] * (x[j] + h * v[j] / 4) + s->damping[at] * v[j] / 2);
    }
    for (int j = 0; j < s->p; j++) right[i] += h * s->matrix[i * s->p + j] * u[j];
  }
  solve(s, h, matrix, right, v);
  for (int i = 0; i < s->d; i++) x[i] += h * (old[i] + v[i]) / 2;
}

/* Sets u to the control in segment k, at the fraction `part` (0 to 1) of its length. */
static void control_at(const Steps *s, int k, double part, double *u) {
  for (int j = 0; j < s->p; j++) {
    double now = s->u[k * s->p + j], last = k ? s->u[(k - 1) * s->p + j] : 0;
    u[j] = s->linear ? last + part * (now - last) : now;
  }
}

void steps_run(const Steps *s, double *x, double *v, const StepsListener *listener) {
  enum { LEAST = 20 /* minimum number of steps in a segment */ };
  double end = 0, begin = 0, matrix[STEPS_DOFS * STEPS_DOFS], u[STEPS_DOFS];
  for (int k = 0; k < s->segments; k++) end += s->lengths[k];
  for (int k = 0; k < s->segments; begin += s->lengths[k++]) {
    int n = LEAST + (int)(STEPS * s->lengths[k] / end);
    double h = s->lengths[k] / n;
    add_up(s, h, matrix);
    for (int i = 0; i < n; i++) {
      control_at(s, k, (double)i / n, u);
      listener->hear(listener->context, begin + h * i, x, v, u);
      control_at(s, k, (i + 0.5) / n, u);
      step(s, h, matrix, u, x, v);
      control_at(s, k, (i + 1.0) / n, u);
      listener->hear(listener->context, begin + h * (i + 1), x, v, u);
    }
  }
}

/* Quantities on the way ----------------------------------------------------------------------------------------------- */

typedef struct Reading {
  const Problem *problem;
  const Steps *steps;
  const double *x0, *v0;
  const double *times; /* [quantities] time at which each quantity is evaluated, s */
  double *values, *last_y;
  double last_t, end;
} Reading;

/* Returns the value y of a quantity at one instant, before its shape is applied. */
static double line(const Reading *r, const CtlQuantity *q, double t, const double *x, const double *v,
                   const double *u) {
  double y = 0, slope;
  for (int i = 0; i < r->steps->d; i++) {
    if (q->of.x) y += q->of.x[i] * x[i];
    if (q->of.v) y += q->of.v[i] * v[i];
    if (q->of.from_x) y -= q->of.from_x[i] * r->x0[i];
    if (q->of.from_v) y -= q->of.from_v[i] * r->v0[i];
  }
  if (q->of.control) y *= u[q->of.control - 1];
  return q->of.reference ? y - q->of.reference(q->of.context, t, &slope) : y;
}

static double shaped(SimShape shape, double y) {
  return shape == SIM_SHAPE_SQUARE  ? y * y
         : shape == SIM_SHAPE_SIZE  ? fabs(y)
         : shape == SIM_SHAPE_PLAIN ? y
                                    : fmax(0, y);
}

/* Returns u'N u for the effort, or the sum of |u_j| for the fuel. */
static double cost(const Reading *r, CtlRead read, const double *u) {
  const double *N = r->problem->control.weight;
  int p = r->steps->p;
  double sum = 0;
  for (int i = 0; i < p; i++) {
    if (read == CTL_READ_FUEL) sum += fabs(u[i]);
    for (int j = 0; j < p && read == CTL_READ_EFFORT; j++) sum += u[i] * N[i * p + j] * u[j];
  }
  return sum;
}

static void hear(void *context, double t, const double *x, const double *v, const double *u) {
  Reading *r = context;
  double h = t - r->last_t;
  for (int k = 0; k < r->problem->plan->quantities; k++) {
    const CtlQuantity *q = &r->problem->plan->quantity[k];
    bool motion = q->read == CTL_READ_MOTION, late = q->read == CTL_READ_LATE,
         sums = !late && (!motion || q->of.way == SIM_INTEGRAL);
    double y = motion ? line(r, q, t, x, v, u) : cost(r, q->read, u), side = q->role == CTL_ROLE_AT_LEAST ? -1 : 1;
    if (motion && q->of.way == SIM_INTEGRAL) y = shaped(q->of.shape, y);
    if (sums) r->values[k] += h * (y + r->last_y[k]) / 2;
    if (late) r->values[k] = r->times[k] - t;
    if (motion && q->of.way == SIM_END_TIME) r->values[k] = t;
    if (motion && q->of.way == SIM_AT_END) r->values[k] = y;
    if (motion && q->of.way == SIM_LARGEST) r->values[k] = t > 0 ? side * fmax(side * y, side * r->values[k]) : y;
    if (motion && q->of.way == SIM_AT_TIME && h > 0 && r->last_t < r->times[k]) {
      double part = fmin(1, (r->times[k] - r->last_t) / h);
      r->values[k] = r->last_y[k] + part * (y - r->last_y[k]);
    }
    if (motion && q->of.way == SIM_AT_TIME && t <= 0) r->values[k] = y;
    r->last_y[k] = y;
  }
  r->last_t = t;
}

bool retrace(const Problem *problem, const SimProblem *motion, const double *u, double *values) {
  const MotionPlan *plan = problem->plan;
  size_t n = (size_t)plan->quantities, d = (size_t)motion->d;
  double x[STEPS_DOFS], v[STEPS_DOFS];
  double *room = calloc(2 * n + (size_t)motion->segments, sizeof *room);
  if (!room) return false;
  double *times = room + n, *lengths = room + 2 * n;
  for (int k = 0; k < motion->segments; k++)
    lengths[k] =
        motion->start_count ? motion->starts[k + 1] - motion->starts[k] : motion->end / (double)motion->segments;
  for (size_t k = 0; k < n; k++) {
    const CtlQuantity *q = &plan->quantity[k];
    times[k] = q->time ? u[problem->control.n + q->time - 1] : q->of.time;
  }
  const Steps steps = {motion->d,
                       motion->n_control,
                       motion->segments,
                       motion->system.mass,
                       motion->system.stiffness,
                       motion->system.damping,
                       motion->control_matrix,
                       motion->friction,
                       motion->signal == SIM_PIECEWISE_LINEAR,
                       lengths,
                       u};
  memcpy(x, motion->x0, d * sizeof *x);
  memcpy(v, motion->v0, d * sizeof *v);
  memset(values, 0, n * sizeof *values);
  Reading reading = {.problem = problem,
                     .steps = &steps,
                     .x0 = motion->x0,
                     .v0 = motion->v0,
                     .times = times,
                     .values = values,
                     .last_y = room,
                     .end = motion->end};
  const StepsListener listener = {hear, &reading};
  steps_run(&steps, x, v, &listener);
  free(room);
  return true;
}
