/* SPDX-License-Identifier: BSD-2-Clause */
/* A local search over patterns. It shifts the ends of slips while the least effort falls. */
#include "control/pattern/pattern.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double COST_REDUCTION = 1e-9; /* a move must reduce J by at least this fraction */
enum {
  MOVES_MAX = 400 /* maximum number of shifts in one search */,
  ALL_ENDS_SLIPS = 8 /* up to this number of slips the search tries to move all ends */,
  ALL_PAIRS_SLIPS = 4 /* up to this number of slips the search tries to move all pairs of ends */
};
enum {
  PAIRS_PIECES = 32 /* with more pieces than this the search shifts no pairs of ends, since pairs were shifted when
                     * there were half as many pieces */
};

/* A move shifts one end of a slip by `by` pieces. End number 2 k is the beginning of slip k, 2 k + 1 its end. */
typedef struct Move {
  int end, by;
} Move;

typedef struct Shift {
  PatternMotions *motions;
  Pattern *best, trial; /* best pattern so far; candidate */
  double J;             /* least effort J of the best pattern */
  /* [4 slips_most] whether a small change of u can shift an end. Index 2 e for end number e: to an earlier time; index
   * 2 e + 1: to a later time */
  bool *loose;
} Shift;

static int *end_of(const Pattern *pattern, int end) {
  PatternSlip *slip = &pattern->slips[end / 2];
  return end % 2 ? &slip->to : &slip->from;
}

/* Whether a joint is close to a change between stick and slip in a piece (pattern_room). */
static bool is_loose(const Shift *s, int joint, int piece) {
  static const double LOOSE_ROOM = 0.02;
  return piece >= 0 && piece < s->best->pieces && pattern_room(s->motions, joint, piece) < LOOSE_ROOM;
}

/* Finds the ends that a small change of u can shift (loose ends), for the best pattern, which has just been solved. A
 * slip can become longer if the joint is at its threshold where it sticks in the next piece. A slip can become shorter
 * if the joint is nearly at rest one piece before the end or after the beginning of the slip. With few slips all ends
 * are tried, since larger shifts may reach a lower J. */
static void look_at_ends(Shift *s) {
  for (int k = 0; k < s->best->n; k++) {
    const PatternSlip *slip = &s->best->slips[k];
    bool *loose = s->loose + 4 * k;
    if (s->best->n <= ALL_ENDS_SLIPS) {
      memset(loose, true, 4);
      continue;
    }
    loose[0] = is_loose(s, slip->joint, slip->from - 1);
    loose[1] = is_loose(s, slip->joint, slip->from);
    loose[2] = is_loose(s, slip->joint, slip->to - 2);
    loose[3] = is_loose(s, slip->joint, slip->to);
  }
}

/* Makes n moves in the best pattern, and keeps the result if J is lower. Returns whether J is lower. */
static bool try_moves(Shift *s, int n, const Move *moves) {
  pattern_copy(s->best, &s->trial);
  for (int k = 0; k < n; k++) *end_of(&s->trial, moves[k].end) += moves[k].by;
  if (!pattern_tidy(&s->trial)) return false;
  if (!(pattern_less_effort(s->motions, &s->trial, s->J) < (1 - COST_REDUCTION) * s->J)) return false;
  /* the pattern must be solved again, since look_at_ends needs its motion */
  s->J = pattern_effort(s->motions, &s->trial, NULL);
  pattern_copy(&s->trial, s->best);
  look_at_ends(s);
  return true;
}

/* Tries to move each end by one piece, earlier and later. Repeats each move while J falls. Returns whether J has
 * fallen. */
static bool try_singles(Shift *s) {
  bool better = false;
  for (int size = pattern_parts(s->motions); size >= 1; size /= 2)
    for (int end = 0; end < 2 * s->best->n; end++)
      for (int by = -size; by <= size; by += 2 * size)
        while (end < 2 * s->best->n && s->loose[2 * end + (by > 0)] && try_moves(s, 1, &(Move){end, by})) better = true;
  return better;
}

/* Whether two ends should be moved together: ends of one slip, neighbouring ends, or ends of one joint; with few slips
 * all pairs of ends. */
static bool ends_belong(const Pattern *pattern, int a, int b) {
  const PatternSlip *one = &pattern->slips[a / 2], *other = &pattern->slips[b / 2];
  int apart = *end_of(pattern, a) - *end_of(pattern, b);
  return one == other || (abs(apart) <= 1 && (one->joint == other->joint || pattern->n <= ALL_ENDS_SLIPS));
}

static bool try_pairs(Shift *s, bool all) {
  for (int a = 0; a < 2 * s->best->n; a++)
    for (int b = a + 1; b < 2 * s->best->n; b++)
      for (int k = 0; k < 4 && (all || ends_belong(s->best, a, b)); k++)
        if (try_moves(s, 2, (const Move[]){{a, k & 1 ? 1 : -1}, {b, k & 2 ? 1 : -1}})) return true;
  return false;
}

double pattern_shift(PatternMotions *motions, Pattern *pattern) {
  Shift s = {.motions = motions, .best = pattern, .J = pattern_effort(motions, pattern, NULL)};
  if (!isfinite(s.J)) return s.J;
  s.loose = calloc(4 * (size_t)pattern_slips_most(pattern_joints(motions), pattern->pieces) + 4, sizeof *s.loose);
  if (!s.loose || !pattern_init(&s.trial, pattern_joints(motions), pattern->pieces)) {
    free(s.loose);
    pattern_fail(motions);
    return s.J;
  }
  look_at_ends(&s);
  for (int round = 0; round < MOVES_MAX && pattern_status(motions) == SIM_OK; round++)
    if (!try_singles(&s) && !(pattern->pieces <= PAIRS_PIECES && try_pairs(&s, pattern->n <= ALL_PAIRS_SLIPS))) break;
  free(s.loose);
  pattern_clear(&s.trial);
  return s.J;
}
