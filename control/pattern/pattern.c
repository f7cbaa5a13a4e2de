#include "control/pattern/pattern.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A slip a piece and back in the next: more can be of no use. */
int pattern_slips_most(int d, int pieces) { return d * pieces; }

bool pattern_init(Pattern *pattern, int d, int pieces) {
  *pattern = (Pattern){.pieces = pieces};
  pattern->slips = malloc((size_t)(pattern_slips_most(d, pieces) + 1) * sizeof *pattern->slips);
  return pattern->slips;
}

void pattern_clear(Pattern *pattern) {
  free(pattern->slips);
  *pattern = (Pattern){0};
}

void pattern_copy(const Pattern *from, Pattern *to) {
  to->pieces = from->pieces;
  to->n = from->n;
  memcpy(to->slips, from->slips, (size_t)from->n * sizeof *to->slips);
}

bool pattern_same(const Pattern *a, const Pattern *b) {
  return a->pieces == b->pieces && a->n == b->n && memcmp(a->slips, b->slips, (size_t)a->n * sizeof *a->slips) == 0;
}

bool pattern_tidy(Pattern *pattern) {
  int n = 0;
  for (int k = 0; k < pattern->n; k++)
    if (pattern->slips[k].from != pattern->slips[k].to) pattern->slips[n++] = pattern->slips[k];
  pattern->n = n;
  for (int k = 0; k < n; k++) {
    const PatternSlip *slip = &pattern->slips[k], *before = k ? slip - 1 : NULL;
    if (slip->from < 0 || slip->to <= slip->from || slip->to > pattern->pieces) return false;
    if (before && (before->joint > slip->joint || (before->joint == slip->joint && before->to > slip->from))) return false;
  }
  return true;
}

void pattern_refine(Pattern *pattern, int factor) {
  pattern->pieces *= factor;
  for (int k = 0; k < pattern->n; k++) {
    pattern->slips[k].from *= factor;
    pattern->slips[k].to *= factor;
  }
}

/* Numbers -------------------------------------------------------------------------------------------------------------- */

enum { DIGITS = 33 }; /* of base 3 in a double's whole numbers */

bool pattern_pack(const Pattern *pattern, int d, int size, double *numbers) {
  long digits = (long)d * pattern->pieces;
  if ((digits + DIGITS - 1) / DIGITS + 1 > size) return false;
  signed char *ways = calloc((size_t)digits, 1);
  if (!ways) return false;
  for (int k = 0; k < pattern->n; k++)
    for (int piece = pattern->slips[k].from; piece < pattern->slips[k].to; piece++)
      ways[pattern->slips[k].joint * pattern->pieces + piece] = (signed char)pattern->slips[k].way;
  memset(numbers, 0, (size_t)size * sizeof *numbers);
  numbers[0] = pattern->pieces;
  for (long k = digits - 1; k >= 0; k--) numbers[1 + k / DIGITS] = 3 * numbers[1 + k / DIGITS] + ways[k] + 1;
  free(ways);
  return true;
}

bool pattern_unpack(Pattern *pattern, int d, int size, const double *numbers) {
  long digits = (long)d * pattern->pieces;
  if (numbers[0] != pattern->pieces || (digits + DIGITS - 1) / DIGITS + 1 > size) return false;
  pattern->n = 0;
  double left = 0;
  int last = 0;
  for (long k = 0; k < digits; k++) {
    int joint = (int)(k / pattern->pieces), piece = (int)(k % pattern->pieces);
    if (k % DIGITS == 0) left = numbers[1 + k / DIGITS];
    double rest = floor(left / 3);
    int way = (int)(left - 3 * rest) - 1;
    left = rest;
    if (way < -1 || way > 1) return false;
    if (way && piece > 0 && way == last)
      pattern->slips[pattern->n - 1].to++;
    else if (way)
      pattern->slips[pattern->n++] = (PatternSlip){joint, piece, piece + 1, way};
    last = way;
  }
  return true;
}
