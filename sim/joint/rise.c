/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/joint/rise.h"

#include "sim/base/argument.h"
#include "sim/group.h"
#include "sim/joint/laws.h"
#include "sim/joint/threshold.h"
#include "sim/law/friction_force.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 64 };
/* A negative threshold counts as rounding error if its magnitude is below this fraction of the largest threshold. */
static const double ROUND_OFF = 1e-12;

static CurvePoint at(Curve law, int i, double e) {
  const double *row = curve_row(law.rows, law.pieces, sim_curve_size(law.columns), e, true);
  return curve_point(law.columns, row, law.columns == 1 ? 0 : i, curve_part(row, e));
}

CurvePoint rise_at(const SimProblem *p, const double *x, int i) {
  const Curve law = rise_law(p);
  double e = rise_elongation(p, x, i), nearest = fmax(curve_lower(law), fmin(curve_upper(law), e));
  CurvePoint point = at(law, i, nearest);
  if (nearest != e) point.slope = 0;
  return point;
}

double rise_steepest(const SimProblem *p, int i) {
  const Curve law = rise_law(p);
  double most = 0;
  for (long piece = 0; piece < law.pieces; piece++) {
    const double *row = law.rows + (size_t)piece * sim_curve_size(law.columns);
    for (int k = 0; k <= SAMPLES; k++) {
      double part = curve_part(row, row[0] + row[1] * k / SAMPLES);
      most = fmax(most, fabs(curve_point(law.columns, row, law.columns == 1 ? 0 : i, part).slope));
    }
  }
  return most;
}

bool rise_inside(const SimProblem *p, const double *x) {
  const Curve law = rise_law(p);
  for (int i = 0; i < p->count; i++) {
    double e = rise_elongation(p, x, i);
    if (!(e >= curve_lower(law) && e <= curve_upper(law))) return false;
  }
  return true;
}

static void drop(SimProblem *p) {
  for (int i = 0; i < p->count && p->rise_base; i++) {
    p->friction[i] = p->rise_base[i];
    p->friction_bias[i] = p->rise_base[p->count + i];
  }
  free(p->rise.rows);
  free(p->rise_base);
  p->rise = (SimSpringLaw){0};
  p->rise_base = NULL;
}

/* Finds the smallest and the largest value of h, the part of the threshold of dof i that depends on an elongation,
 * among samples of each piece of its law. *where: elongation at the smallest value. */
static void extremes(Curve law, int i, double *least, double *most, double *where) {
  *least = INFINITY;
  *most = -INFINITY;
  for (long piece = 0; piece < law.pieces; piece++) {
    const double *row = law.rows + (size_t)piece * sim_curve_size(law.columns);
    for (int k = 0; k <= SAMPLES; k++) {
      double e = row[0] + row[1] * k / SAMPLES;
      double h = curve_point(law.columns, row, law.columns == 1 ? 0 : i, curve_part(row, e)).value;
      if (h < *least) *where = e;
      *least = fmin(*least, h);
      *most = fmax(*most, h);
    }
  }
}

/* Sets the problem's thresholds to their maxima over the range of the law. The given thresholds remain in p->rise_base.
 * Returns SIM_BAD_PROBLEM if the smallest threshold is negative, with *where set to its elongation. */
static SimStatus raise_thresholds(SimProblem *p, double *where) {
  for (int i = 0; i < p->count; i++) {
    p->rise_base[i] = p->friction[i];
    p->rise_base[p->count + i] = friction_bias(p, i);
  }
  for (int i = 0; i < p->count; i++) {
    double least, most, floor = p->thresholds ? threshold_least(p, i) : p->friction[i] - fabs(friction_bias(p, i));
    extremes(rise_law(p), i, &least, &most, where);
    p->friction[i] += most;
    p->friction_bias[i] = 0;
    if (floor + least < -ROUND_OFF * (floor + fabs(most))) return SIM_BAD_PROBLEM;
  }
  return SIM_OK;
}

SimStatus stiction_problem_set_rise(SimProblem *p, SimElongation of, int columns, const SimLoad *law, double lower,
                                    double upper, int n, const double *breaks, double *where) {
  ARGUMENT(p && p->kind == SIM_FRICTION && p->scheme, "problem", "is NULL, or not one of SIM_FRICTION");
  ARGUMENT((unsigned)of <= SIM_SPRING_BEHIND, "of", "is none of the enum's");
  ARGUMENT(law && law->at, "law", "is NULL, or no function");
  ARGUMENT(n >= 0 && (n == 0 || breaks), "breaks", "are NULL, or less than none");
  ARGUMENT_THERE(where);
  ARGUMENT(lower < upper, "lower", "is not below upper");
  drop(p);
  *where = lower;
  if (columns != 1 && columns != p->count) return SIM_BAD_PROBLEM;
  p->rise.columns = columns;
  p->rise_of = of;
  SimStatus status =
      curve_make(columns, law, &(PiecesCentres){0}, lower, upper, n, breaks, &p->rise.rows, &p->rise.pieces, where);
  if (status == SIM_OK) p->rise_base = calloc(2 * (size_t)p->count + 1, sizeof *p->rise_base);
  if (status == SIM_OK) status = p->rise_base ? raise_thresholds(p, where) : SIM_NO_MEMORY;
  if (status != SIM_OK) drop(p);
  return status;
}

static SimFeatures features(const SimProblem *p) { return p->rise.pieces > 0 ? SIM_HAS(RISE) : 0; }

static void check(Check *check) {
  const SimProblem *p = check->problem;
  if (p->rise.pieces == 0) return;
  double outside = !rise_inside(p, p->x0);
  sim_group_max(p->group, &outside, 1);
  if (p->rise_of != SIM_OWN_PLACE && p->d < 2)
    check_complain(check, "model.friction_rise.of", "of a spring, with one degree of freedom (expected place)");
  else if (p->rise_of != SIM_OWN_PLACE && stiction_group_size(p->group) > 1)
    check_complain(
        check, "model.friction_rise.of",
        "of a spring, on several ranks, which do not know each other's places (expected place, or one rank)");
  else if (outside > 0)
    check_complain(check, "model.friction_rise.range",
                   "x0 is beyond it (expected one that holds where the motion begins)");
}

static size_t rows(const SimProblem *p) { return joint_law_size(&p->rise); }
static size_t bases(const SimProblem *p) { return p->rise.pieces ? 2 * (size_t)p->count : 0; }

static const ProblemArray arrays[] = {{PROBLEM_ARRAY(rise.rows, rows)}, {PROBLEM_ARRAY(rise_base, bases)}, {0}};

const JointLaw joint_law_rise = {.features = features, .arrays = arrays, .check = check};
