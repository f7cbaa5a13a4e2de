/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/joint/threshold.h"
#include "sim/base/argument.h"

#include "sim/base/curve.h"
#include "sim/joint/laws.h"
#include "sim/joint/rise.h"
#include "sim/law/friction_force.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A negative threshold counts as rounding error if its magnitude is below this fraction of the largest threshold. */
static const double ROUND_OFF = 1e-12;

const double *threshold_piece(const SimProblem *p, double t) {
  size_t size = sim_piece_size(sim_threshold_courses(p));
  return curve_row(p->thresholds, p->threshold_pieces, size, t, true);
}

/* Returns the end of a row's piece of time, in s. */
static double end_of(const SimProblem *p, const double *row) {
  size_t size = sim_piece_size(sim_threshold_courses(p));
  return row + size < p->thresholds + (size_t)p->threshold_pieces * size ? row[size] : p->end;
}

/* Returns the value of time course number `course` of the thresholds at the fraction `part` of the row's piece, in N.
 * It may be negative by rounding error. */
static double course_at(const SimProblem *p, const double *row, int course, double part) {
  return curve_value((int)row[1], sim_threshold_courses(p), row + SIM_PIECE_HEAD, course, part);
}

/* Converts the thresholds of both directions to their mean (friction) and half their difference (bias). */
static void halve(double forward, double backward, double *friction, double *bias) {
  *friction = (forward + backward) / 2;
  *bias = (forward - backward) / 2;
}

/* Computes the thresholds of dof i at the fraction `part` of the row's piece, in N: the mean of both directions
 * (friction), and half their difference (bias). */
static void halves(const SimProblem *p, const double *row, double part, int i, double *friction, double *bias) {
  int column = p->threshold_columns == 1 ? 0 : i;
  double forward = fmax(course_at(p, row, column, part), 0);
  double backward = p->by_direction ? fmax(course_at(p, row, p->threshold_columns + column, part), 0) : forward;
  halve(forward, backward, friction, bias);
}

/* Returns the row of the piece that contains t; at the boundary of two pieces, the earlier one. *part: set to the
 * fraction of the piece that has elapsed at t. */
static const double *find(const SimProblem *p, double t, double *part) {
  size_t size = sim_piece_size(sim_threshold_courses(p));
  const double *row = curve_row(p->thresholds, p->threshold_pieces, size, t, false);
  *part = fmin((t - row[0]) / (end_of(p, row) - row[0]), 1);
  return row;
}

void threshold_at(const SimProblem *p, double t, double *friction, double *bias) {
  double part;
  const double *row = find(p, t, &part);
  for (int i = 0; i < p->count; i++)
    if (i && p->threshold_columns == 1) {
      friction[i] = friction[0];
      bias[i] = bias[0];
    } else
      halves(p, row, part, i, &friction[i], &bias[i]);
}

int threshold_series(const SimProblem *p, double t, double *friction, double *bias, double *end) {
  size_t size = (size_t)p->count * sizeof *friction;
  *end = p->end;
  if (!p->thresholds) {
    memcpy(friction, p->rise_base, size);
    memcpy(bias, p->rise_base + p->count, size);
    return 0;
  }
  const double *row = threshold_piece(p, t), *c = row + SIM_PIECE_HEAD;
  for (int k = 0; k <= (int)row[1]; k++, c += sim_threshold_courses(p))
    for (int i = 0; i < p->count; i++) {
      int column = p->threshold_columns == 1 ? 0 : i;
      double backward = c[p->by_direction ? p->threshold_columns + column : column];
      halve(c[column], backward, &friction[k * p->count + i], &bias[k * p->count + i]);
    }
  *end = end_of(p, row);
  return (int)row[1];
}

void threshold_of(const SimProblem *p, int i, double t, const double *x, double *friction, double *bias) {
  double part;
  *friction = p->rise.pieces ? p->rise_base[i] : p->friction[i];
  *bias = p->rise.pieces ? p->rise_base[p->count + i] : friction_bias(p, i);
  if (p->thresholds) {
    const double *row = find(p, t, &part);
    halves(p, row, part, i, friction, bias);
  }
  if (p->rise.pieces) *friction = rise_threshold(*friction, *bias, rise_at(p, x, i).value);
}

double stiction_friction_force(const SimProblem *p, int i, double t, const double *x, double v, double lambda) {
  if (!rise_varies(p)) return friction_force_of(p, i, v, lambda);
  double friction, bias;
  threshold_of(p, i, t, x, &friction, &bias);
  double sum = (friction + bias * friction_sign(lambda)) * lambda -
               (friction + bias * friction_sign(v)) * friction_gamma_of(p, i, v);
  if (p->system.gearbox.present) sum += gearbox_level(p, i) * lambda - gearbox_drop(p, i, v);
  return sum;
}

enum { SAMPLES = 64 };

/* Returns the largest value, among samples, of all time courses of thresholds in the piece of time to which `row`
 * belongs, in N. */
static double greatest_of(const SimProblem *p, const double *row) {
  double most = 0;
  for (int q = 0; q <= SAMPLES; q++)
    for (int c = 0; c < sim_threshold_courses(p); c++) most = fmax(most, course_at(p, row, c, (double)q / SAMPLES));
  return most;
}

/* Whether a time course of the thresholds is below `floor` anywhere in a row's piece. *where: set to the first such
 * time, in s. */
static bool is_below(const SimProblem *p, const double *row, double floor, double *where) {
  for (int q = 0; q <= SAMPLES; q++)
    for (int c = 0; c < sim_threshold_courses(p); c++) {
      double part = (double)q / SAMPLES;
      if (course_at(p, row, c, part) >= floor) continue;
      *where = row[0] + part * (end_of(p, row) - row[0]);
      return true;
    }
  return false;
}

/* Raises p->friction to the largest means of both directions' thresholds in a row's piece, from samples. */
static void raise_thresholds(SimProblem *p, const double *row) {
  for (int q = 0; q <= SAMPLES; q++)
    for (int i = 0; i < p->count; i++) {
      double friction, bias;
      halves(p, row, (double)q / SAMPLES, i, &friction, &bias);
      p->friction[i] = fmax(p->friction[i], friction);
    }
}

double threshold_least(const SimProblem *p, int i) {
  double least = INFINITY;
  size_t size = sim_piece_size(sim_threshold_courses(p));
  for (long k = 0; k < p->threshold_pieces; k++)
    for (int q = 0; q <= SAMPLES; q++) {
      double friction, bias;
      halves(p, p->thresholds + (size_t)k * size, (double)q / SAMPLES, i, &friction, &bias);
      least = fmin(least, friction - fabs(bias));
    }
  return least;
}

static void drop_thresholds(SimProblem *p) {
  free(p->thresholds);
  p->thresholds = NULL;
  p->threshold_pieces = p->threshold_columns = 0;
}

SimStatus stiction_problem_set_thresholds(SimProblem *p, int columns, const SimLoad *thresholds, int n,
                                          const double *breaks, double *where) {
  ARGUMENT(p && p->kind == SIM_FRICTION && p->scheme, "problem", "is NULL, or not one of SIM_FRICTION");
  ARGUMENT(columns >= 1, "columns", "is below 1");
  ARGUMENT(thresholds && thresholds->at, "thresholds", "is NULL, or no function");
  ARGUMENT(n >= 0 && (n == 0 || breaks), "breaks", "are NULL, or less than none");
  ARGUMENT_THERE(where);
  ARGUMENT(p->end > 0, "problem->end", "is not above 0");
  int courses = p->by_direction ? 2 * columns : columns;
  SimProblem made = {.d = courses, .count = courses, .end = p->end};
  drop_thresholds(p);
  SimStatus status = stiction_problem_set_pieces(&made, thresholds, n, breaks, where);
  p->thresholds = made.pieces;
  p->threshold_pieces = made.piece_count;
  p->threshold_columns = columns;
  for (int i = 0; i < p->count; i++) p->friction[i] = p->friction_bias[i] = 0;
  double most = 0;
  size_t size = sim_piece_size(courses);
  for (long k = 0; k < p->threshold_pieces && status == SIM_OK; k++) {
    most = fmax(most, greatest_of(p, p->thresholds + (size_t)k * size));
    raise_thresholds(p, p->thresholds + (size_t)k * size);
  }
  for (long k = 0; k < p->threshold_pieces && status == SIM_OK; k++)
    if (is_below(p, p->thresholds + (size_t)k * size, -ROUND_OFF * most, where)) status = SIM_BAD_PROBLEM;
  if (status != SIM_OK) drop_thresholds(p);
  return status;
}

static SimFeatures features(const SimProblem *p) {
  return (p->by_direction ? SIM_HAS(BIAS) : 0) | (p->thresholds ? SIM_HAS(COURSES) : 0);
}

static void check(Check *check) {
  const SimProblem *p = check->problem;
  if (p->thresholds && p->threshold_columns != 1 && (p->threshold_columns != p->d || p->system.storage == SIM_SPARSE))
    check_complain(check, "model.friction",
                   "that changes in time, of %d degrees of freedom (expected one for all, or dense ones each)",
                   p->threshold_columns);
  int i = 0;
  while (p->by_direction && i < p->count && fabs(p->friction_bias[i]) <= p->friction[i]) i++;
  if (p->by_direction && i < p->count)
    check_complain(check, "model.friction", "entry %d: a threshold is %g (expected >= 0)", p->first + i + 1,
                   p->friction[i] - fabs(p->friction_bias[i]));
}

static size_t courses(const SimProblem *p) {
  return (size_t)p->threshold_pieces * sim_piece_size(sim_threshold_courses(p));
}

static const ProblemArray arrays[] = {
    {PROBLEM_ARRAY(friction_bias, joint_rows)}, {PROBLEM_ARRAY(thresholds, courses)}, {0}};

const JointLaw joint_law_threshold = {.features = features, .arrays = arrays, .check = check};
