/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/event/inverse.h"

#include "sim/operator/columns.h"
#include "sim/operator/dense.h"

#include <stdlib.h>
#include <string.h>

/* FEW_INVERSES: number of inverses that are stored if there are more than EVENT_FEW_DOFS dofs and the inverse of M is a
 * full matrix. WIDEST: largest bandwidth with which M is factored as a band. */
enum { FEW_INVERSES = 2, WIDEST = 16 };

static bool is_banded(int d, const EventRows *mass) { return d > EVENT_FEW_DOFS && rows_width(d, mass) <= WIDEST; }

void inverse_choose(EventSystem *s) {
  int width = rows_width(s->d, &s->form);
  s->mass_is_diagonal = width == 0;
  s->mass_width = is_banded(s->d, &s->form) ? width : 0;
}

bool inverse_wants_all(int d, const double *mass) {
  return !dense_is_diagonal(d, mass) && !(d > EVENT_FEW_DOFS && dense_bandwidth(d, mass) <= WIDEST);
}

/* Returns the number of doubles that one inverse needs. */
static size_t size_of(const EventSystem *s) {
  size_t d = (size_t)s->d;
  return s->mass_is_diagonal ? d : s->mass_width ? d * (size_t)(s->mass_width + 1) : d * d;
}

SimStatus inverses_init(const EventSystem *s, EventInverses *inverses) {
  size_t d = (size_t)s->d, words = (d + 63) / 64;
  int slots = s->mass_is_diagonal ? 1 : d <= EVENT_FEW_DOFS || s->mass_width ? INVERSES : FEW_INVERSES;
  *inverses = (EventInverses){.words = (int)words, .slots = slots, .size = size_of(s)};
  inverses->set = calloc((size_t)slots * words, sizeof *inverses->set);
  inverses->inverse = calloc((size_t)(slots + 1) * inverses->size, sizeof *inverses->inverse);
  inverses->members = calloc(2 * d, sizeof *inverses->members);
  if (!inverses->set || !inverses->inverse || !inverses->members) return SIM_NO_MEMORY;
  inverses->part = inverses->inverse + (size_t)slots * inverses->size;
  return SIM_OK;
}

void inverses_clear(EventInverses *inverses) {
  free(inverses->set);
  free(inverses->inverse);
  free(inverses->members);
}

/* Returns the bits of a set of dofs, for the 64 dofs from number `from` on. */
static uint64_t word_of(int d, const signed char *set, int from) {
  uint64_t word = 0;
  for (int i = from; i < d && i < from + 64; i++) word |= (uint64_t)(set[i] != 0) << (i - from);
  return word;
}

/* Returns the slot in which the inverse for a set is stored, found by a hash of the set's bits, and stores these bits
 * there. *same: whether the slot already had this set. */
static int slot_of(int d, EventInverses *inverses, const signed char *set, bool *same) {
  uint64_t hash = 0;
  for (int w = 0; w < inverses->words; w++) hash = (hash ^ word_of(d, set, 64 * w)) * UINT64_C(0x9e3779b97f4a7c15);
  int slot = (int)((hash >> 60) % (uint64_t)inverses->slots);
  uint64_t *own = inverses->set + slot * inverses->words;
  *same = inverses->known[slot];
  for (int w = 0; w < inverses->words; w++) {
    uint64_t word = word_of(d, set, 64 * w);
    *same = *same && own[w] == word;
    own[w] = word;
  }
  return slot;
}

/* Computes row i of L in M_SS = L L': entries (i, i - width) .. (i, i), with 1/L_ii instead of L_ii; 0 for dofs outside
 * S. */
static void factor_band(const EventSystem *s, const signed char *set, double *l) {
  int w = s->mass_width, size = w + 1;
  for (int i = 0; i < s->d; i++) {
    double *row = l + (size_t)i * (size_t)size;
    memset(row, 0, (size_t)size * sizeof *row);
    if (!set[i]) continue;
    ROWS_EACH(&s->form, i, k, j) if (j <= i && set[j]) row[w + j - i] = s->form.entries.value[k];
    for (int j = i > w ? i - w : 0; j <= i; j++) {
      const double *other = l + (size_t)j * (size_t)size;
      double sum = row[w + j - i];
      for (int k = i > w ? i - w : 0; k < j; k++)
        if (j - k <= w) sum -= row[w + k - i] * other[w + k - j];
      row[w + j - i] = j < i ? sum * other[w] : 1 / sqrt(sum);
    }
  }
}

const double *event_inverse(const EventSystem *s, EventInverses *inverses, const signed char *set) {
  int d = s->d, n = 0;
  bool same;
  if (s->mass_is_diagonal) {
    for (int i = 0; i < d; i++) inverses->inverse[i] = set[i] ? 1 / s->form.diagonal[i] : 0;
    return inverses->inverse;
  }
  int slot = slot_of(d, inverses, set, &same);
  double *inverse = inverses->inverse + (size_t)slot * inverses->size;
  if (same) return inverse;
  inverses->known[slot] = true;
  if (s->mass_width) {
    factor_band(s, set, inverse);
    return inverse;
  }
  for (int i = 0; i < d; i++)
    if (set[i]) inverses->members[n++] = i;
  dense_invert_part(d, s->form.dense, n, inverses->members, inverses->part,
                    inverse); /* a submatrix of a positive definite matrix is positive definite */
  return inverse;
}

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* Computes (L L')^-1 x for n columns together. If `magnitudes`, computes an upper bound of |(L L')^-1| x instead: all
 * terms get the same sign, so that none cancel. */
ALWAYS_INLINE void substitute(int d, int w, int n, bool magnitudes, const double *l, double *x) {
  int size = w + 1;
  for (int i = 0; i < d; i++) {
    const double *row = l + (size_t)i * (size_t)size;
    for (int j = i > w ? i - w : 0; j < i; j++) {
      double entry = magnitudes ? -fabs(row[w + j - i]) : row[w + j - i];
      for (int c = 0; c < n; c++) x[i * n + c] -= entry * x[j * n + c];
    }
    for (int c = 0; c < n; c++) x[i * n + c] *= row[w];
  }
  for (int i = d - 1; i >= 0; i--) {
    const double *row = l + (size_t)i * (size_t)size;
    for (int c = 0; c < n; c++) x[i * n + c] *= row[w];
    for (int j = i > w ? i - w : 0; j < i; j++) {
      double entry = magnitudes ? -fabs(row[w + j - i]) : row[w + j - i];
      for (int c = 0; c < n; c++) x[j * n + c] -= entry * x[i * n + c];
    }
  }
}

void inverse_apply(const EventSystem *s, const double *inverse, const double *r, double *a) {
  int d = s->d;
  if (s->mass_width) {
    memcpy(a, r, (size_t)d * sizeof *a);
    substitute(d, s->mass_width, 1, false, inverse, a);
    return;
  }
  for (int i = 0; i < d; i++)
    a[i] = s->mass_is_diagonal ? inverse[i] * r[i] : dense_dot(d, inverse + (size_t)i * (size_t)d, r);
}

void inverse_apply_columns(const EventSystem *s, const double *inverse, const double *r, double *a) {
  enum { TOGETHER = COLUMNS_TOGETHER };
  int d = s->d;
  if (s->mass_width) {
    memcpy(a, r, (size_t)d * TOGETHER * sizeof *a);
    substitute(d, s->mass_width, TOGETHER, false, inverse, a);
    return;
  }
  if (!s->mass_is_diagonal) columns_multiply(d, inverse, TOGETHER, TOGETHER, r, a);
  for (int i = 0; i < d && s->mass_is_diagonal; i++)
    for (int c = i * TOGETHER; c < (i + 1) * TOGETHER; c++) a[c] = inverse[i] * r[c];
}

void inverse_bound(const EventSystem *s, const double *inverse, const double *r, double *a) {
  int d = s->d;
  if (s->mass_width) {
    memcpy(a, r, (size_t)d * sizeof *a);
    substitute(d, s->mass_width, 1, true, inverse, a);
    return;
  }
  for (int i = 0; i < d; i++) {
    a[i] = s->mass_is_diagonal ? inverse[i] * r[i] : 0;
    for (int j = 0; j < d && !s->mass_is_diagonal; j++) a[i] += fabs(inverse[(size_t)i * (size_t)d + (size_t)j]) * r[j];
  }
}
