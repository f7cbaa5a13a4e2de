/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/event/dashpot.h"
#include "sim/law/friction_law.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The motion counts as being at a fold (an extremum of V) if w and mu differ from the fold's w by at most FOLDED
 * rounding errors, and by at most the fraction FOLD_PART of that w. */
static const double FOLDED = 1000, FOLD_PART = 1e-6;

/* Whether V has a maximum at the fold: folds are alternately maxima and minima, beginning with a maximum. */
static bool is_top(long fold) { return fold % 2 == 0; }

static long branch_of(const DashpotSystem *s, double w) {
  long branch = 0;
  while (branch < s->law.n_folds && s->law.fold[branch] < w) branch++;
  return branch;
}

static void slide(DashpotMotion *m, long branch, double w) {
  m->at.mode = DASHPOT_SLIDES;
  m->at.branch = branch;
  m->at.w = w;
}

/* Returns the index of the fold (extremum of V) at the speed q; -1: there is none. */
static long fold_at(const DashpotSystem *s, double q) {
  for (long j = 0; j < s->law.n_folds; j++)
    if (q == s->level[j]) return j;
  return -1;
}

/* Whether the force w, a solution of V(w) = q, is that of the given fold. Near a fold a small rounding error of q
 * causes a large error of w. */
static bool is_fold(const DashpotSystem *s, double w, long fold) {
  return labs(branch_of(s, w) - fold) <= 1 && fabs(w - s->law.fold[fold]) < 1e-3 * s->law.fold[fold];
}

/* Selects one of the solutions w of V(w) = q by the law's selection; solutions at folds are omitted. *far: the number
 * that the selection minimises, |w - mu| for `nearest_velocity`, else -w; INFINITY: there is no solution. */
static double take_w(const DashpotSystem *s, double q, double mu, double *far) {
  double w[DASHPOT_DEGREE_MAX], best = 0;
  StepTally tally = {0};
  int n = dashpot_line_meet(&s->law, q, w, &tally);
  long fold = fold_at(s, q);
  *far = INFINITY;
  for (int i = 0; i < n; i++) {
    double here = s->law.selection == SIM_NEAREST_VELOCITY ? fabs(w[i] - mu) : -w[i];
    if ((fold >= 0 && is_fold(s, w[i], fold)) || !(here < *far)) continue;
    *far = here;
    best = w[i];
  }
  return best;
}

void dashpot_level_bounds(const DashpotSystem *s, long fold, double bounds[2]) {
  double far, w = s->law.fold[fold], other = take_w(s, s->level[fold], w, &far);
  if (s->law.selection == SIM_NEAREST_VELOCITY) other = (w + other) / 2;
  bounds[0] = fmin(w, other);
  bounds[1] = fmax(w, other);
}

/* Returns the distance from the force w of a fold, in N, within which the motion counts as being at the fold. */
static double fold_room(const DashpotSystem *s, const DashpotMotion *m, long fold) {
  double doubt = dashpot_doubt(s, m);
  return fmax(doubt, fmin(FOLDED * doubt, FOLD_PART * s->law.fold[fold]));
}

/* Whether the motion enters the branch with decreasing V at a fold when mu passes the fold's w at the rate `rise`, N/s:
 * then m dV(w)/dt = mu - w has a solution dw/dt on that side of the fold. */
static bool falls_from(const DashpotSystem *s, long fold, double rise) {
  double b[DASHPOT_DEGREE_MAX + 1], mass = dashpot_problem_of(s)->dashpot.mass;
  memcpy(b, s->law.coefficient, sizeof b);
  polynomial_part(s->law.degree, 1, b, s->law.fold[fold], 1);
  return s->law.selection == SIM_NEAREST_VELOCITY && 1 + 8 * mass * b[2] * rise > 0;
}

/* Chooses the branch at speed at.q by the law's selection. At the speed of a fold, sets mode DASHPOT_LEVEL if the
 * motions on both sides lead back to this speed. */
static void choose(const DashpotSystem *s, DashpotMotion *m) {
  double mu = dashpot_load(s, m), far, other = take_w(s, m->at.q, mu, &far);
  long fold = fold_at(s, m->at.q);
  slide(m, branch_of(s, other), other);
  if (fold < 0) return;
  double w = s->law.fold[fold];
  if (s->law.selection == SIM_NEAREST_VELOCITY ? !(fabs(w - mu) < far) : !(-w < far)) return;
  bool top = is_top(fold), met = fabs(mu - w) <= fold_room(s, m, fold);
  double on = met ? dashpot_rise(s, m) : mu - w;
  bool back = top ? on < 0 : on > 0;
  if (back || (met && on != 0 && falls_from(s, fold, on))) {
    slide(m, top == back ? fold : fold + 1, w);
    if (met) m->at.mode = DASHPOT_DEPARTS;
    m->at.rest_order = met;
  } else if (top ? mu < other : mu > other) {
    m->at.mode = DASHPOT_LEVEL;
    m->at.branch = fold;
  }
}

/* Returns the index of the fold that both w and mu have reached; -1: none. Two branches end at a fold, so a branch must
 * be chosen. Small differences of w and mu from the fold are rounding error. */
static long fold_met(const DashpotSystem *s, const DashpotMotion *m) {
  double mu = dashpot_load(s, m);
  for (long j = 0; j < s->law.n_folds; j++) {
    double room = fold_room(s, m, j);
    if (fabs(m->at.w - s->law.fold[j]) <= room && fabs(mu - s->law.fold[j]) <= room) return j;
  }
  return -1;
}

static void choose_at(const DashpotSystem *s, DashpotMotion *m, long fold) {
  m->at.q = s->level[fold];
  choose(s, m);
}

/* Decides what follows when w and 2 mu - w, on another branch, are equally near to mu. Sets mode DASHPOT_BETWEEN if the
 * motions on both branches lead back to this state; otherwise the motion continues on the other branch. */
static void leave_branch(const DashpotSystem *s, DashpotMotion *m) {
  DashpotState *at = &m->at;
  double w = at->w, other = 2 * dashpot_load(s, m) - w;
  long up = other > w ? 1 : -1, branch = at->branch, fold = fold_met(s, m);
  if (fold >= 0) {
    choose_at(s, m, fold);
    return;
  }
  at->mode = DASHPOT_BETWEEN;
  at->branch = up > 0 ? branch : branch - 1;
  if (dashpot_can_be_between(s, m)) return;
  slide(m, branch + up, other);
  at->ties = 1;
}

static void leave_level(const DashpotSystem *s, DashpotMotion *m) {
  DashpotState *at = &m->at;
  long fold = at->branch;
  double w = s->law.fold[fold], mu = dashpot_load(s, m), far, bounds[2];
  dashpot_level_bounds(s, fold, bounds);
  if (fabs(mu - w) < fabs(mu - (bounds[0] == w ? bounds[1] : bounds[0]))) {
    slide(m, is_top(fold) ? fold : fold + 1, w);
    at->mode = DASHPOT_DEPARTS;
    at->rest_order = 1;
    return;
  }
  double other = take_w(s, at->q, w, &far);
  slide(m, branch_of(s, other), other);
  if (s->law.selection == SIM_NEAREST_VELOCITY) {
    at->mode = DASHPOT_BETWEEN;
    at->branch = is_top(fold) ? fold + 1 : fold - 1;
  } else {
    at->rest_order = 1;
  }
}

/* Leaves mode DASHPOT_BETWEEN for one of its two branches. Before the call at.w is the w of the lower branch; the w of
 * the upper branch is 2 mu - at.w. */
static void leave_between(DashpotMotion *m) {
  const DashpotSegment *g = &m->segment;
  DashpotState *at = &m->at;
  double w = dashpot_at(g, g->w, m->part), mu = dashpot_at(g, g->mu, m->part);
  bool up = w > mu;
  slide(m, at->branch + up, up ? 2 * mu - at->w : at->w);
  at->ties = 2;
}

static void stick(DashpotMotion *m) {
  m->at.mode = DASHPOT_STICKS;
  m->at.slip = 0;
  m->at.rest_order = 0;
}

/* Decides for a mass at rest: it sticks if the load is within the threshold, otherwise it begins to slide. If the load
 * is at the threshold, its first nonzero time derivative decides. While the mass rests, only the force changes the
 * load. */
static void decide_rest(const DashpotSystem *s, DashpotMotion *m) {
  DashpotState *at = &m->at;
  at->q = at->w = 0;
  at->branch = at->ties = 0;
  stick(m);
  double load = dashpot_load(s, m), doubt = 4 * dashpot_doubt(s, m), beyond = fabs(load) - s->law.f_crit;
  double side = friction_sign(load);
  if (beyond < -doubt) return;
  for (int n = 1; beyond <= doubt; n++) {
    if (n > m->driven.segment.force_order) return;
    double rise = m->force[n];
    if (fabs(rise) <= doubt) continue;
    if (s->law.f_crit <= doubt) side = friction_sign(rise);
    if (side * rise < 0) return;
    at->rest_order = n;
    break;
  }
  slide(m, 0, 0);
  at->slip = (long)side;
  if (at->rest_order && s->law.degree && s->law.coefficient[1] == 0) at->mode = DASHPOT_DEPARTS;
}

/* Chooses the branch again if w and mu have reached a fold together, since sigma (dashpot.h) would become infinite
 * there. */
static void go_on(const DashpotSystem *s, DashpotMotion *m) {
  long fold = m->at.mode == DASHPOT_SLIDES ? fold_met(s, m) : -1;
  if (m->at.mode == DASHPOT_DEPARTS && m->part > 0) m->at.mode = DASHPOT_SLIDES;
  if (fold >= 0) choose_at(s, m, fold);
}

void dashpot_decide(const DashpotSystem *s, DashpotMotion *m) {
  switch (m->crossing) {
  case DASHPOT_GOES_ON:
  case DASHPOT_PAUSES:
  case DASHPOT_CONTACT: go_on(s, m); return;
  case DASHPOT_RESTS: decide_rest(s, m); return;
  case DASHPOT_TURNS:
    if (m->at.mode != DASHPOT_BETWEEN) {
      choose(s, m);
    } else {
      m->at.mode = DASHPOT_LEVEL;
      m->at.branch = m->fold;
    }
    return;
  case DASHPOT_JUMPED: choose(s, m); return;
  case DASHPOT_TIES: leave_branch(s, m); return;
  case DASHPOT_LEAVES: m->at.mode == DASHPOT_LEVEL ? leave_level(s, m) : leave_between(m); return;
  }
}
