/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/core/signal_mix.h"

#include "sim/base/argument.h"
#include "sim/core/scheme.h"
#include "sim/law/friction_force.h"
#include "sim/operator/dense.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int stiction_problem_variables(const SimProblem *p) { return p->n_control * p->segments; }

/* A piecewise linear control has an additional node at the start of the first segment. A SignalMix refers to three
 * nodes, so up to two zero nodes follow the last one. */
int signal_nodes(const SimProblem *p) { return p->signal == SIM_CONSTANT ? 0 : p->segments + 2; }

bool signal_tabulated(const SimProblem *p) { return (p->force || p->pieces) && !p->group; }

/* Returns the weights of the nodes for the mean of u over the times from..to; if both are equal, for u just after this
 * time. The unit of time is T/(2 N S). One of the S segments then has 2 N units, one of the N steps 2 S, and all times
 * are integers. */
static SignalMix mean(const SimProblem *p, long from, long to) {
  long segment = 2 * p->steps, last = segment * p->segments;
  if (from < 0) from = 0;
  if (to > last) to = last;
  long k = from < last ? from / segment : p->segments - 1, border = (k + 1) * segment;
  long cut = to < border ? to : border;
  double length = (double)(to - from);
  double here = length > 0 ? (double)(cut - from) / length : 1, beyond = length > 0 ? (double)(to - cut) / length : 0;
  if (p->signal == SIM_PIECEWISE_CONSTANT) return (SignalMix){(int)k, {here, beyond, 0}};
  /* midpoint of the part of the interval in each of the two segments, relative to its segment */
  double middle = (double)(from + cut - 2 * k * segment) / (double)(2 * segment);
  double next = (double)(cut + to - 2 * border) / (double)(2 * segment);
  return (SignalMix){(int)k, {here * (1 - middle), here * middle + beyond * (1 - next), beyond * next}};
}

/* Returns the weights of the nodes for u at t_n, if the segments have unequal lengths. */
static SignalMix instant_of_lengths(const SimProblem *p, long n) {
  double t = n < p->steps ? (double)n * p->step : p->end;
  int k = 0;
  while (k + 1 < p->segments && p->starts[k + 1] <= t) k++;
  double part = (t - p->starts[k]) / (p->starts[k + 1] - p->starts[k]);
  return p->signal == SIM_PIECEWISE_CONSTANT ? (SignalMix){k, {1, 0, 0}} : (SignalMix){k, {1 - part, part, 0}};
}

static SignalMix instant(const SimProblem *p, long n) {
  return p->start_count ? instant_of_lengths(p, n) : mean(p, 2 * n * p->segments, 2 * n * p->segments);
}

SignalMix signal_step(const SimProblem *p, long n) {
  long half = p->segments, now = 2 * half * n;
  switch (p->scheme->span) {
  case SPAN_CENTRED: return mean(p, now - half, now + half);
  case SPAN_BEFORE: return instant(p, n ? n - 1 : 0);
  case SPAN_END: return instant(p, n);
  case SPAN_STEP: break;
  }
  return signal_within(p, n);
}

SignalMix signal_within(const SimProblem *p, long n) {
  long now = 2 * p->segments * n;
  return mean(p, n ? now - 2 * p->segments : 0, now);
}

double signal_share(const SimProblem *p, const SignalMix *step, int entry) {
  if (p->signal == SIM_CONSTANT) return 1;
  int own = entry / p->n_control + (p->signal == SIM_PIECEWISE_LINEAR) - step->node;
  return own >= 0 && own < 3 ? step->weight[own] : 0;
}

static void mix(const SignalMix *from, const double *nodes, int count, double *values) {
  const double *a = nodes + (long)from->node * count, *b = a + count, *c = b + count, *w = from->weight;
  for (int i = 0; i < count; i++) values[i] = w[0] * a[i] + w[1] * b[i] + w[2] * c[i];
}

/* Computes force = B u - bias - load of the gear box, in N, for `rows` dofs. */
static void control_force_of(const SimProblem *p, int rows, const double *u, double *force) {
  for (int i = 0; i < rows; i++)
    force[i] = dense_dot(p->n_control, p->control_matrix + (long)i * p->n_control, u) - friction_bias(p, i) -
               gearbox_load(p, i);
}

void signal_start(const SimModel *model, SimWorkspace *work, const double *control) {
  const SimProblem *p = &model->problem;
  int rows = p->count, nodes = signal_nodes(p), first = p->signal == SIM_PIECEWISE_LINEAR;
  size_t entries = (size_t)p->n_control;
  if (nodes == 0) {
    for (size_t i = 0; i < entries; i++) work->u[i] = control ? control[i] : 0;
    control_force_of(p, rows, work->u, work->control_force);
    return;
  }
  memset(work->node_u, 0, (size_t)nodes * entries * sizeof(double));
  if (control) memcpy(work->node_u + (size_t)first * entries, control, (size_t)p->segments * entries * sizeof *control);
  for (int k = 0; k < nodes && signal_tabulated(p); k++)
    control_force_of(p, rows, work->node_u + (size_t)k * entries, work->node_force + (long)k * rows);
  signal_force(model, work, 0);
}

void signal_force(const SimModel *model, SimWorkspace *work, long n) {
  const SimProblem *p = &model->problem;
  const SignalMix step = signal_step(p, n);
  if (signal_tabulated(p)) {
    mix(&step, work->node_force, p->count, work->control_force);
    return;
  }
  mix(&step, work->node_u, p->n_control, work->u);
  control_force_of(p, p->count, work->u, work->control_force);
}

void signal_show(const SimProblem *p, const SimWorkspace *work, long n) {
  if (p->signal == SIM_CONSTANT) return;
  const SignalMix now = instant(p, n);
  mix(&now, work->node_u, p->n_control, work->u);
}

void signal_instant(const SimProblem *p, const SimWorkspace *work, long n, double *force) {
  const SignalMix now = instant(p, n);
  if (p->signal == SIM_CONSTANT)
    memcpy(force, work->control_force, (size_t)p->count * sizeof *force);
  else
    mix(&now, work->node_force, p->count, force);
}

SimStatus sim_problem_set_lengths(SimProblem *p, const double *lengths) {
  ARGUMENT(p && p->segments >= 1, "problem", "is NULL, or has no segments");
  for (int k = 0; k < p->segments && lengths; k++)
    ARGUMENT(lengths[k] > 0 && isfinite(lengths[k]), "lengths", "has one that is not above 0 and finite");
  double *starts = lengths ? calloc((size_t)p->segments + 1, sizeof *starts) : NULL;
  if (lengths && !starts) return SIM_NO_MEMORY;
  free(p->starts);
  p->starts = starts;
  p->start_count = lengths ? p->segments + 1 : 0;
  if (!lengths) return SIM_OK;
  for (int k = 0; k < p->segments; k++) starts[k + 1] = starts[k] + lengths[k];
  p->end = starts[p->segments];
  if (p->steps >= 1) p->step = p->end / (double)p->steps;
  return SIM_OK;
}

void sim_signal_refine(SimSignal signal, int p, int segments, int times, const double *coarse, double *fine) {
  for (int k = 0; k < segments; k++)
    for (int part = 1; part <= times; part++)
      for (int i = 0; i < p; i++) {
        double end = coarse[k * p + i], start = k ? coarse[(k - 1) * p + i] : 0;
        if (signal == SIM_PIECEWISE_LINEAR && part < times) end = start + (end - start) * part / times;
        *fine++ = end;
      }
}
