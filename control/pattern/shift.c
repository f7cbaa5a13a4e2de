/* A search over patterns: ends of slips are moved while the least effort falls. */
#include "control/pattern/pattern.h"

#include <math.h>
#include <stdlib.h>

static const double LESS = 1e-9; /* part of J that is worth a move */
enum { ROUNDS = 400 /* moves at most */ };

/* An end of a slip, moved: end 2 k of slip k is its beginning, 2 k + 1 its end. */
typedef struct Move {
  int end, by;
} Move;

typedef struct Shift {
  PatternMotions *motions;
  Pattern *best, trial; /* the best so far; another */
  double J;             /* of the best */
} Shift;

static int *end_of(const Pattern *pattern, int end) {
  PatternSlip *slip = &pattern->slips[end / 2];
  return end % 2 ? &slip->to : &slip->from;
}

/* Takes the best, moved, if it is better. */
static bool try(Shift *s, int n, const Move *moves) {
  pattern_copy(s->best, &s->trial);
  for (int k = 0; k < n; k++) *end_of(&s->trial, moves[k].end) += moves[k].by;
  if (!pattern_tidy(&s->trial)) return false;
  double J = pattern_effort(s->motions, &s->trial, NULL);
  if (!(J < (1 - LESS) * s->J)) return false;
  s->J = J;
  pattern_copy(&s->trial, s->best);
  return true;
}

/* Each end a piece sooner, and later; what is better is moved on as far as it gets better. */
static bool try_singles(Shift *s) {
  bool better = false;
  for (int end = 0; end < 2 * s->best->n; end++)
    for (int by = -1; by <= 1; by += 2)
      while (end < 2 * s->best->n && try(s, 1, &(Move){end, by})) better = true;
  return better;
}

/* Whether two ends are worth moving together: they are of one slip, at one time, or beside each other in it. */
static bool belong(const Pattern *pattern, int a, int b) {
  int apart = *end_of(pattern, a) - *end_of(pattern, b);
  return a / 2 == b / 2 || abs(apart) <= 1;
}

static bool try_pairs(Shift *s, bool all) {
  for (int a = 0; a < 2 * s->best->n; a++)
    for (int b = a + 1; b < 2 * s->best->n; b++)
      for (int k = 0; k < 4 && (all || belong(s->best, a, b)); k++)
        if (try(s, 2, (const Move[]){{a, k & 1 ? 1 : -1}, {b, k & 2 ? 1 : -1}})) return true;
  return false;
}

double pattern_shift(PatternMotions *motions, Pattern *pattern) {
  enum { FEW = 4 /* slips of which all pairs of ends are tried */ };
  Shift s = {.motions = motions, .best = pattern, .J = pattern_effort(motions, pattern, NULL)};
  if (!isfinite(s.J) || !pattern_init(&s.trial, pattern_joints(motions), pattern->pieces)) return s.J;
  for (int round = 0; round < ROUNDS; round++)
    if (!try_singles(&s) && !try_pairs(&s, pattern->n <= FEW)) break;
  pattern_clear(&s.trial);
  return s.J;
}
