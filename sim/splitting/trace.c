/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/splitting/trace.h"

#include "sim/core/scheme.h"
#include "sim/core/thresholds.h"
#include "sim/joint/springs.h"
#include "sim/joint/stops.h"
#include "sim/law/friction_force.h"
#include "sim/law/smooth_law.h"
#include "sim/operator/massless.h"
#include "sim/splitting/parameters.h"

#include <stdlib.h>
#include <string.h>

/* Numbers of vectors [d] that are stored per acceleration: for derivatives by M_ii and D_ii, for springs, and for
 * stops. */
enum { OF_WEIGHTS = 2, OF_SPRINGS = 2, OF_STOPS = 4 };

static bool wants(const SimColumn *columns, int n, SimDependence on) {
  for (int k = 0; k < n; k++)
    if (columns[k].on == on) return true;
  return false;
}

SimStatus splitting_trace_init(SplittingTrace *t, const SimModel *model, const SimColumn *columns, int n, long steps) {
  const SimProblem *p = &model->problem;
  const SplittingParameters *own = splitting_parameters(p);
  size_t d = (size_t)p->d;
  *t = (SplittingTrace){.d = p->d,
                        .substeps = p->scheme->runs * own->friction_substeps,
                        .first = own->friction_substeps,
                        .massless = massless_present(p) ? own->elastic_substeps : 0,
                        .accelerations = own->elastic ? 0 : own->elastic_substeps + 1,
                        .drops = friction_drops(p),
                        .rises = p->rise.pieces > 0,
                        .smooth = own->friction.multiplier == SIM_SMOOTH,
                        .table = wants(columns, n, SIM_ON_TABLE),
                        .weighs = wants(columns, n, SIM_ON_MASS) || wants(columns, n, SIM_ON_DAMPING),
                        .springs = model->springs != NULL,
                        .stops = p->stops.present,
                        .eta = own->eta};
  for (int on = SIM_ON_FRICTION; on <= SIM_ON_BETA; on++)
    if (wants(columns, n, (SimDependence)on)) t->on[t->wanted++] = (SimDependence)on;
  t->of_friction = d * (size_t)(t->drops + t->smooth + t->rises + 2 * t->table + t->wanted);
  t->of_elastic = d * (size_t)(OF_WEIGHTS * t->weighs + OF_SPRINGS * t->springs + OF_STOPS * t->stops);
  size_t frictions = (size_t)(t->substeps + t->massless);
  t->doubles = frictions * t->of_friction + (size_t)t->accelerations * t->of_elastic;
  t->chars = frictions * d + (size_t)t->accelerations;
  t->numbers = calloc((size_t)steps * t->doubles + 1, sizeof *t->numbers);
  t->branches = calloc((size_t)steps * t->chars + 1, sizeof *t->branches);
  t->room = calloc(2 * d, sizeof *t->room);
  return t->numbers && t->branches && t->room ? SIM_OK : SIM_NO_MEMORY;
}

void splitting_trace_clear(SplittingTrace *t) {
  free(t->numbers);
  free(t->branches);
  free(t->room);
}

void splitting_trace_turn(SplittingTrace *t, long k) {
  t->now = t->numbers + (size_t)k * t->doubles;
  t->branch = t->branches + (size_t)k * t->chars;
}

void splitting_trace_begin(SplittingTrace *t, long k) {
  splitting_trace_turn(t, k);
  t->friction = t->elastic = 0;
  memset(t->branch + (t->substeps + t->massless) * t->d, 0, (size_t)t->accelerations);
}

/* Assigns memory to an optional array of n doubles: returns *at and advances *at by n. If the array is not needed,
 * returns NULL. */
static double *take(bool there, size_t n, double **at) {
  double *part = *at;
  if (there) *at += n;
  return there ? part : NULL;
}

static FrictionTrace solve_of(const SplittingTrace *t, int k) {
  size_t d = (size_t)t->d;
  double *at = t->now + (size_t)k * t->of_friction;
  FrictionTrace f = {.slip = t->branch + (size_t)k * d};
  f.slope = take(t->drops, d, &at);
  f.rise = take(t->rises, d, &at);
  f.stiffness = take(t->smooth, d, &at);
  f.table = (StepTable *)take(t->table, 2 * d, &at);
  f.terms = at;
  return f;
}

FrictionTrace splitting_friction(const SplittingTrace *t, int k) {
  return solve_of(t, k < t->first ? k : k + t->massless);
}

FrictionTrace splitting_balance(const SplittingTrace *t, int q) { return solve_of(t, t->first + q - 1); }

ElasticTrace splitting_elastic(const SplittingTrace *t, int q) {
  size_t d = (size_t)t->d;
  size_t frictions = (size_t)(t->substeps + t->massless);
  double *at = t->now + frictions * t->of_friction + (size_t)q * t->of_elastic;
  ElasticTrace e = {.struck = t->branch + frictions * d + q};
  e.a = take(t->weighs, d, &at);
  e.v = take(t->weighs, d, &at);
  e.springs = take(t->springs, 2 * d, &at);
  e.ends = take(t->stops, d, &at);
  e.moved = take(t->stops, d, &at);
  e.turned = take(t->stops, d, &at);
  e.change = take(t->stops, d, &at);
  return e;
}

/* Returns the number of traces of a workspace, and pointers to them. A sensitivity and an adjoint have one each, at the
 * start of their data. */
static int traces_of(const SimWorkspace *work, SplittingTrace *traces[2]) {
  int n = 0;
  if (work->sensitivity) traces[n++] = work->sensitivity->own;
  if (work->adjoint) traces[n++] = work->adjoint->own;
  return n;
}

void splitting_keep_friction(const SimModel *model, const SimWorkspace *work, const StepTerms *terms) {
  const SimProblem *p = thresholds_now(model, work);
  SplittingTrace *traces[2];
  for (int n = traces_of(work, traces); n-- > 0;) {
    SplittingTrace *t = traces[n];
    const FrictionTrace f = solve_of(t, t->friction++);
    memcpy(f.slip, work->slip, (size_t)t->d);
    for (int i = 0; i < t->d; i++) {
      double q = terms->force * friction_level(p, i);
      if (f.slope) f.slope[i] = terms->force * friction_drop_slope(p, i, terms->speed[i]);
      if (f.rise) f.rise[i] = step_rise(p, terms, work->thresholds->slope[i], i);
      if (f.stiffness) f.stiffness[i] = q > 0 ? q * smooth_law_slope(t->eta, work->v[i]) : 0;
      if (f.table) f.table[i] = step_table(p, terms, i);
      for (int k = 0; k < t->wanted; k++) f.terms[k * t->d + i] = step_term(p, terms, t->on[k], i);
    }
  }
}

void splitting_keep_acceleration(const SimModel *model, const SimWorkspace *work, const double *v, double reach,
                                 const double *a) {
  const SimStops *stops = &model->problem.stops;
  SplittingTrace *traces[2];
  for (int n = traces_of(work, traces); n-- > 0;) {
    SplittingTrace *t = traces[n];
    const ElasticTrace e = splitting_elastic(t, t->elastic++);
    if (e.springs) springs_slopes(model->springs, 0.5, work->x, work->x, e.springs, t->room);
    for (int i = 0; i < 2 * t->d && e.springs; i++) e.springs[i] += t->room[i];
    for (int i = 0; i < t->d; i++) {
      if (e.a) e.a[i] = a[i];
      if (e.v) e.v[i] = v[i] + reach * a[i];
      if (e.ends) e.ends[i] = stops_slope(stops, i, stops_pressed(stops, i, work->x[i]));
    }
  }
}

void splitting_keep_strike(const SimWorkspace *work, bool end, const double *mobility, const double *side,
                           const double *impulse, const double *moved, const double *turned) {
  SplittingTrace *traces[2];
  for (int n = traces_of(work, traces); n-- > 0;) {
    const SplittingTrace *t = traces[n];
    const ElasticTrace e = splitting_elastic(t, end ? 0 : t->elastic);
    *e.struck = 1;
    memset(e.change, 0, (size_t)t->d * sizeof *e.change);
    for (int i = 0; i < t->d; i++) {
      bool gets = side[i] != 0 && impulse[i] > 0;
      e.moved[i] = side[i] != 0 ? moved[i] : 1;
      e.turned[i] = gets ? turned[i] : NAN;
      for (int j = 0; j < t->d && gets; j++) e.change[j] -= side[i] * mobility[i * t->d + j] * impulse[i];
    }
  }
}
