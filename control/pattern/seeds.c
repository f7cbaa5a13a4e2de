/* SPDX-License-Identifier: BSD-2-Clause */
/* Seeds: initial patterns of stick and slip. Each specifies the times in which the joints slip; no motion is needed to
 * compute them. */
#include "control/pattern/pattern.h"

#include "control/base/mix.h"

#include <math.h>
#include <stdint.h>

/* Choices of the times in which a seed lets a joint slip. ALL: towards its target all the time. FIRST, LAST: towards
 * its target in the first or the last five eighths of the time. PAST: past its target, and back in the last quarter.
 * NOT: at no time. AGAINST: all the time in the other direction. NOT and AGAINST are only for joints that have no
 * target or start at it. */
typedef enum Choice { ALL, FIRST, LAST, PAST, NOT, AGAINST, CHOICES } Choice;

/* if the choices of all joints can be combined to at most ALL_PATTERNS_MAX patterns, all of these are seeds. Otherwise
 * MIXED of them are selected */
enum { ALL_PATTERNS_MAX = 81, MIXED = 64 };

/* Returns the choices that a joint has, as a bit set. */
static unsigned choices_of(const PatternMotions *m, int joint) {
  if (!pattern_has_friction(m, joint)) return 1u << ALL;
  unsigned choices = 1u << ALL | 1u << FIRST | 1u << LAST;
  if (pattern_has_springs(m)) choices |= 1u << PAST;
  if (pattern_is_free(m, joint) || !pattern_way_to_target(m, joint)) choices |= 1u << NOT | 1u << AGAINST;
  return choices;
}

static int count_of(unsigned choices) {
  int n = 0;
  for (unsigned k = 0; k < CHOICES; k++) n += (choices >> k & 1) != 0;
  return n;
}

static Choice nth_choice(unsigned choices, int n) {
  for (int k = 0; k < CHOICES; k++)
    if (choices >> (unsigned)k & 1 && n-- == 0) return (Choice)k;
  return ALL;
}

static void add_slip(Pattern *pattern, int joint, int from, int to, int way) {
  if (from < to) pattern->slips[pattern->n++] = (PatternSlip){joint, from, to, way};
}

static void append_slip(const PatternMotions *m, Pattern *pattern, int joint, Choice choice) {
  int K = pattern->pieces, begin = pattern_first(m, joint), target = pattern_way_to_target(m, joint),
      start = pattern_way_at_start(m, joint);
  int way = target ? target : start ? start : 1, first = (5 * K + 7) / 8, last = (3 * K) / 8, quarter = K - (K + 3) / 4;
  if (choice == AGAINST) way = -way;
  if (start && start != way) { /* a joint that moves in the other direction at the start must first come to rest */
    int stop = (K + 7) / 8;
    add_slip(pattern, joint, 0, stop, start);
    if (choice != NOT) add_slip(pattern, joint, last > stop && choice == LAST ? last : stop, K, way);
    return;
  }
  if (start && choice == LAST) choice = ALL;
  if (choice == NOT && start) choice = FIRST;
  switch (choice) {
  case ALL:
  case AGAINST: add_slip(pattern, joint, begin, K, way); break;
  case FIRST: add_slip(pattern, joint, begin, first, way); break;
  case LAST: add_slip(pattern, joint, last, K, way); break;
  case PAST:
    add_slip(pattern, joint, begin, quarter, way);
    add_slip(pattern, joint, quarter, K, -way);
    break;
  case NOT:
  case CHOICES: break;
  }
}

bool pattern_seed(const PatternMotions *m, long k, Pattern *pattern) {
  int d = pattern_joints(m);
  double all = 1;
  for (int i = 0; i < d; i++) all *= count_of(choices_of(m, i));
  if (k >= (long)fmin(all, ALL_PATTERNS_MAX) && !(all > ALL_PATTERNS_MAX && k < CHOICES + MIXED)) return false;
  pattern->n = 0;
  long left = k;
  for (int i = 0; i < d; i++) {
    unsigned choices = choices_of(m, i);
    int n = count_of(choices), choice;
    if (all <= ALL_PATTERNS_MAX) {
      choice = (int)(left % n);
      left /= n;
    } else if (k < CHOICES) { /* in the first seeds all joints have the same choice */
      choice = choices >> (unsigned)k & 1 ? count_of(choices & ((1u << (unsigned)k) - 1)) : 0;
    } else {
      choice = (int)(ctl_mix((uint64_t)k * PATTERN_D + (uint64_t)i) % (uint64_t)n);
    }
    append_slip(m, pattern, i, nth_choice(choices, choice));
  }
  return true;
}
