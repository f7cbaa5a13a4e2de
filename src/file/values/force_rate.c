/* SPDX-License-Identifier: BSD-2-Clause */
/* Computes the rate of a force and checks that the force is the integral of its rate. */
#include "src/file/values/force_track.h"

#include <float.h>
#include <math.h>

/* Largest tolerated difference of a given rate from the computed one, relative to the largest rate of the track. */
#define RATE_TOLERANCE 1e-3

/* Largest tolerated errors of a scheme that sums h F', where h is the step and F' the rate of the force, relative to
 * the range of the force. DRIFT_MAX limits the whole sum. The scheme is of first order, so even for a smooth force the
 * sum differs from the force by h |F'(t) - F'(0)|/2; a tenth is the error for a sine with 31 steps per period.
 * BEYOND_MAX limits a single step: how far the change of the force is outside the interval between h F' at both ends of
 * the step. This distance is 0 if F' is monotone, 3e-4 for a sine with 31 steps, and the full height of a pulse inside
 * one step. */
#define DRIFT_MAX  0.1
#define BEYOND_MAX 0.01

typedef struct Rate {
  double value; /* the rate; NaN if it could not be computed */
  double gap;   /* difference of the two most similar approximations of the rate, without round-off */
} Rate;

/* Approximates f'(t) of a piece by a one-sided difference of fourth order with spacing e. The points are on the given
 * side (1 or -1) of t if they lie in [from, to], otherwise on the other side. Returns NAN if [from, to] is too short
 * for both. The formula uses differences to f(t), so the rate of a constant is exactly 0. Sets *noise to the estimated
 * round-off error. */
static double difference(Piece *piece, double t, double e, double side, double from, double to, double *noise) {
  static const double forward[] = {4, -3, 4. / 3, -1. / 4};
  bool ahead = t + 4 * e <= to, behind = t - 4 * e >= from;
  if (!ahead && !behind) return NAN;
  double towards = side > 0 ? (ahead ? 1 : -1) : (behind ? -1 : 1);
  double here = piece_value(piece, t), sum = 0, terms = 25. / 12 * fabs(here);
  for (int i = 1; i <= 4; i++) {
    double at = t + towards * i * e, value = piece_value(piece, at);
    sum += forward[i - 1] * (value - here);
    terms += fabs(forward[i - 1] * value);
  }
  *noise = 2 * DBL_EPSILON * terms / e;
  return towards * sum / e;
}

/* Computes f'(t) with spacings that decrease from the time step by factors of 4, until the round-off exceeds the
 * smallest difference between consecutive results. Of the two consecutive results with the smallest difference, returns
 * the one with the smaller spacing, which is 256 times more accurate and less disturbed by nearby kinks. */
static Rate rate_at(Piece *piece, double t, double step, double side, double from, double to) {
  /* number of spacings that are tried, each a quarter of the one before */
  enum { SPACINGS = 11 };
  Rate best = {NAN, 0};
  double before = NAN, gap = INFINITY;
  for (int j = 0; j < SPACINGS; j++, step /= 4) {
    double noise = 0, now = difference(piece, t, step, side, from, to, &noise);
    if (noise > gap) break;
    if (fabs(now - before) < gap) {
      gap = fabs(now - before);
      best = (Rate){now + 0.0, fmax(0, gap - 2 * noise)};
    }
    before = now;
  }
  return best;
}

/* How an expression behaves in an interval [a, b]: it has a finite rate, an infinite rate, or a jump. */
typedef enum Rise { FINITE, INFINITE_RATE, JUMP } Rise;

/* Finds the time at which an expression is least smooth by bisection, and narrows [a, b] to this time. The criterion is
 * the bend |f(a) - 2 f(m) + f(b)|, where m is the midpoint. When the interval is shortened, the bend decreases with the
 * square of the length if f is smooth, in proportion to the length at a kink, and with its square root at an infinite
 * rate as of sqrt; at a jump it is constant. Bends up to `least` are ignored. */
static Rise rise_within(Piece *piece, double *a, double *b, double least) {
  /* LEVELS: number of times that the interval is halved. LAST: number of last levels over which the decrease of the
   * bend is measured. */
  enum { LEVELS = 20, LAST = 8 };
  double f[5], start = 0, bend = 0, earlier = 0; /* f: values at a, at the three inner quarter points, and at b */
  for (int level = 0; level <= LEVELS; level++) {
    double quarter = (*b - *a) / 4;
    int most = 0;
    if (!(*a + quarter > *a && *b - quarter < *b)) break;
    for (int i = 0; i < 5; i++) {
      double t = i < 4 ? *a + i * quarter : *b;
      f[i] = piece_value(piece, t);
    }
    bend = 0;
    for (int i = 0; i < 3; i++) {
      double now = fabs(f[i] - 2 * f[i + 1] + f[i + 2]);
      if (!(now > bend)) continue;
      bend = now;
      most = i;
    }
    if (level == 0) start = bend;
    if (!(start > least)) return FINITE;
    *a += most * quarter;
    if (most < 2) *b = *a + 2 * quarter;
    if (level == LEVELS - LAST) earlier = bend;
  }
  /* In 8 halvings of the interval the bend changes by the factor 2^-8 at a kink, 2^-4 for sqrt, and 1 at a jump. */
  if (!(bend > 3e-4 * start) || bend < 0.02 * earlier) return FINITE;
  return bend > earlier / 4 ? JUMP : INFINITE_RATE;
}

/* A track, with the data that are needed to check its rate. */
typedef struct Checked {
  const Track *track;
  Reader *reader;
  const SimProblem *problem;
  double range; /* range of the force's values, in N */
  double least; /* smallest change of the force that is not neglected, in N */
  bool reported;
} Checked;

static const char *other_scheme(const SimProblem *problem) {
  return problem->chain.chain_case == SIM_CHAIN_QUASISTATIC ? "increment" : "symplectic";
}

static void report_jump(Checked *check, const Piece *piece, double left, double right, double t) {
  key_error(check->reader, piece->key,
            "a jump from %g to %g at t = %.9g, which %s, following the rate, would not see (expected scheme %s, or a "
            "continuous force)",
            left, right, t, sim_scheme_name(check->problem->scheme), other_scheme(check->problem));
  check->reported = true;
}

static void report_no_rate(Checked *check, const Piece *piece, double t) {
  key_error(
      check->reader, piece->key,
      "no finite derivative at t = %.9g, and %s follows the rate (expected scheme %s, or a force with a finite rate)",
      t, sim_scheme_name(check->problem->scheme), other_scheme(check->problem));
  check->reported = true;
}

static void check_between_pieces(Checked *check) {
  const Track *track = check->track;
  for (int i = 0; i + 1 < track->n && !check->reported; i++) {
    double t = track->pieces[i].until;
    if (!(t > 0 && t < check->problem->end)) continue;
    double left = piece_value(&track->pieces[i], t);
    double right = piece_value(&track->pieces[i + 1], t);
    if (fabs(right - left) > 1e-6 * (fabs(left) + fabs(right)))
      report_jump(check, &track->pieces[i + 1], left, right, t);
  }
}

/* Searches for a jump of the force in [from, to]. Each piece is divided into parts so short that the smooth change of f
 * in a part cannot hide a jump. */
static void check_step(Checked *check, double from, double to) {
  enum { PARTS = 8 };
  const Track *track = check->track;
  double tolerance = TRACK_TOLERANCE * check->problem->step;
  for (Piece *piece = track_piece(track, from, -tolerance); piece && !check->reported && from < to;
       piece = piece + 1 < track->pieces + track->n ? piece + 1 : NULL) {
    double end = fmin(to, piece->until);
    for (int i = 0; i < PARTS && !check->reported; i++) {
      double a = from + i * ((end - from) / PARTS), b = i + 1 < PARTS ? from + (i + 1) * ((end - from) / PARTS) : end;
      Rise rise = rise_within(piece, &a, &b, check->least);
      if (rise == INFINITE_RATE) report_no_rate(check, piece, b);
      if (rise == JUMP) report_jump(check, piece, piece_value(piece, a), piece_value(piece, b), b);
    }
    from = end;
  }
}

/* Computes the range of the force, and the smallest change that is not neglected. It is a fraction of the range, and
 * larger than round-off. */
static void find_range(Checked *check) {
  const SimProblem *problem = check->problem;
  double low = INFINITY, high = -INFINITY;
  for (long k = 0; k < sim_force_count(problem); k++) {
    double t = sim_force_time(problem, k);
    double force = piece_value(track_piece(check->track, t, TRACK_TOLERANCE * problem->step), t);
    low = fmin(low, force);
    high = fmax(high, force);
  }
  check->range = high - low;
  check->least = 1e-6 * (high - low) + 1e-9 * fmax(fabs(low), fabs(high));
}

/* Returns the rate at time t of the piece that holds on this side (1: right, -1: left) of t. */
static Rate rate_beside(const Track *track, const SimProblem *problem, double t, double side) {
  double tolerance = TRACK_TOLERANCE * problem->step;
  Piece *piece = side > 0 ? track_piece(track, t, -tolerance) : NULL;
  if (!piece) piece = track_piece(track, t, tolerance);
  double from = piece > track->pieces ? piece[-1].until : 0, to = fmin(piece->until, problem->end);
  return rate_at(piece, fmax(from, fmin(t, to)), problem->step, side, from, to);
}

/* Returns the distance of a given rate from the interval between the left and the right rate at t; 0 within it. At a
 * kink, any value in this interval is accepted. right: the right rate. */
static double contradiction(const Checked *check, double t, double given, double right) {
  double left = rate_beside(check->track, check->problem, t, -1).value;
  if (isnan(left)) left = right;
  return fmax(0, fmax(fmin(left, right) - given, given - fmax(left, right)));
}

/* The largest deviation found so far, and its time: at t, or between `from` and t. If several deviations are equal up
 * to round-off, the first is kept. */
typedef struct Worst {
  double size, from, t, found, given;
} Worst;

static void note(Worst *worst, Worst now) {
  if (now.size > (1 + RATE_TOLERANCE) * worst->size) *worst = now;
}

/* The force at one time of the grid, and its rate. */
typedef struct Sample {
  double t, force;
  double rate; /* computed rate */
  double used; /* the rate that the scheme uses: the computed or the given one */
  double sum;  /* sum of the products of the time step h and `used` up to this time */
} Sample;

/* Updates the largest deviation of the force from the sum of h F', where h is the step and F' the rate of the force.
 * The deviation within a step is divided by BEYOND_MAX, that of the whole sum by DRIFT_MAX, so that both can be
 * compared; N. */
static void follow(Worst *worst, const Sample *first, const Sample *before, Sample *now) {
  double h = now->t - before->t, rise = now->force - before->force, a = h * before->used, b = h * now->used;
  double beyond = fmax(0, fmax(rise - fmax(a, b), fmin(a, b) - rise)), change = now->force - first->force;
  now->sum = before->sum + a;
  note(worst, (Worst){beyond / BEYOND_MAX, before->t, now->t, a, rise});
  note(worst, (Worst){fabs(change - now->sum) / DRIFT_MAX, first->t, now->t, now->sum, change});
}

static void report_drift(Checked *check, const Worst *drift) {
  key_error(check->reader, track_piece(check->track, drift->t, TRACK_TOLERANCE * check->problem->step)->key,
            "the step does not resolve the force, and %s follows its rate: from t = %.9g to %.9g it changes by %g, by "
            "the rates at the steps by %g (expected a smaller step, or scheme %s)",
            sim_scheme_name(check->problem->scheme), drift->from, drift->t, drift->given, drift->found,
            other_scheme(check->problem));
}

/* Compares the computed rates at the times of the grid with the changes of the force. If rates are given, which are
 * then already in the table, also compares them with the computed ones; otherwise writes the computed rates into the
 * table. */
static void rate_track(Checked *check, const Track *given, int columns, double *table) {
  const Track *track = check->track;
  const SimProblem *problem = check->problem;
  Worst gap = {0}, miss = {0}, drift = {0};
  Sample first = {0}, before = {0};
  double largest = 0;
  find_range(check);
  for (long k = 0; k < sim_force_count(problem) && !check->reported; k++) {
    track_show(track, check->reader, k, sim_force_count(problem));
    double t = sim_force_time(problem, k), *entry = &table[(size_t)k * (size_t)columns];
    Piece *piece = track_piece(track, t, TRACK_TOLERANCE * problem->step);
    Rate rate = rate_beside(track, problem, t, 1);
    if (!given) *entry = rate.value;
    Sample now = {.t = t, .force = piece_value(piece, t), .rate = rate.value, .used = *entry};
    double summed = (before.rate + now.rate) / 2 * (t - before.t);
    if (k > 0 && !(fabs(now.force - before.force - summed) <= check->least)) check_step(check, before.t, t);
    if (!isfinite(now.rate) && !check->reported) report_no_rate(check, piece, t);
    if (given) note(&miss, (Worst){contradiction(check, t, now.used, now.rate), t, t, now.rate, now.used});
    note(&gap, (Worst){.size = rate.gap, .t = t});
    if (k == 0)
      first = now;
    else
      follow(&drift, &first, &before, &now);
    largest = fmax(largest, fmax(fabs(now.rate), fabs(now.used)));
    before = now;
  }
  if (check->reported) return;
  if (gap.size > RATE_TOLERANCE * largest)
    report_no_rate(check, track_piece(track, gap.t, TRACK_TOLERANCE * problem->step), gap.t);
  else if (miss.size > RATE_TOLERANCE * largest)
    key_error(check->reader, given->key,
              "%g at t = %.9g, where the force has the rate %g (expected the derivative of the force)", miss.given,
              miss.t, miss.found);
  else if (drift.size > check->range + check->least / BEYOND_MAX)
    report_drift(check, &drift);
}

/* Returns whether a track has values at all times of the grid. Missing values have already been reported. */
static bool has_values(const Track *track, const SimProblem *problem) {
  for (int i = 0; i < track->n; i++)
    if (track->pieces[i].reported) return false;
  return !track->wrong && track_piece(track, problem->end, TRACK_TOLERANCE * problem->step);
}

void force_tabulate_rate(const Force *force, const Force *rate, Reader *reader, const SimProblem *problem, int columns,
                         int wanted, double *table) {
  if ((force->listed && force->n != columns) || (rate && rate->listed && rate->n != columns)) return;
  bool one = !force->listed && !(rate && rate->listed);
  for (int i = 0; i < (one ? 1 : wanted); i++) {
    const Track *track = &force->tracks[force->listed ? i : 0];
    const Track *given = rate ? &rate->tracks[rate->listed ? i : 0] : NULL;
    if (!has_values(track, problem) || (given && given->wrong)) continue;
    if (given) track_tabulate(given, reader, problem, FROM_THE_RIGHT, columns, table + i);
    if (given && !has_values(given, problem)) continue;
    Checked check = {.track = track, .reader = reader, .problem = problem};
    check_between_pieces(&check);
    if (!check.reported) rate_track(&check, given, columns, table + i);
  }
  if (one) track_repeat(problem, columns, wanted, table);
}
