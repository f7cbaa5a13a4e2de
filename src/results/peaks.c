/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/results/peaks.h"

#include "src/base/json_values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_X, GREATEST_X, LEAST_V, GREATEST_V, COUNT, FIRST, LAST, SLIP, NUMBERS };

struct Peaks {
  int d;
  double from;
  const bool *has_friction; /* [d] whether each dof has friction; borrowed */
  /* [NUMBERS][d] numbers of each dof. Among them, COUNT is the number of times at which it began to stick; FIRST and
   * LAST are the first and the last of these times, in s; SLIP is its present state. */
  double *numbers;
};

static double *of(const Peaks *peaks, int what) { return peaks->numbers + (size_t)what * (size_t)peaks->d; }

Peaks *peaks_create(int d, double from, const bool *has_friction, const char *saved) {
  Peaks *peaks = calloc(1, sizeof *peaks);
  if (!peaks) return NULL;
  *peaks = (Peaks){.d = d, .from = from, .has_friction = has_friction};
  peaks->numbers = calloc((size_t)NUMBERS * (size_t)d + 1, sizeof *peaks->numbers);
  if (!peaks->numbers) {
    free(peaks);
    return NULL;
  }
  for (int i = 0; i < d; i++) {
    of(peaks, LEAST_X)[i] = of(peaks, LEAST_V)[i] = INFINITY;
    of(peaks, GREATEST_X)[i] = of(peaks, GREATEST_V)[i] = -INFINITY;
  }
  if (saved) memcpy(peaks->numbers, saved, peaks_saved_size(d));
  return peaks;
}

void peaks_free(Peaks *peaks) {
  if (peaks) free(peaks->numbers);
  free(peaks);
}

size_t peaks_saved_size(int d) { return (size_t)NUMBERS * (size_t)d * sizeof(double); }

void peaks_save(const Peaks *peaks, char *bytes) { memcpy(bytes, peaks->numbers, peaks_saved_size(peaks->d)); }

void peaks_note(Peaks *peaks, double t, int dof, int slip) {
  double *now = of(peaks, SLIP) + dof;
  bool sticks = slip == 0 && *now != 0 && t > 0 && t >= peaks->from;
  *now = slip;
  if (!sticks || !peaks->has_friction[dof]) return;
  if (of(peaks, COUNT)[dof]++ == 0) of(peaks, FIRST)[dof] = t;
  of(peaks, LAST)[dof] = t;
}

void peaks_observe(Peaks *peaks, const SimStep *step) {
  double *least_x = of(peaks, LEAST_X), *greatest_x = of(peaks, GREATEST_X), *least_v = of(peaks, LEAST_V),
         *greatest_v = of(peaks, GREATEST_V), *slip = of(peaks, SLIP);
  for (int i = 0; i < peaks->d; i++)
    if (step->slip[i] != slip[i]) peaks_note(peaks, step->t, i, step->slip[i]);
  if (step->t < peaks->from) return;
  for (int i = 0; i < peaks->d; i++) {
    least_x[i] = fmin(least_x[i], step->x[i]);
    greatest_x[i] = fmax(greatest_x[i], step->x[i]);
    least_v[i] = fmin(least_v[i], step->v[i]);
    greatest_v[i] = fmax(greatest_v[i], step->v[i]);
  }
}

static double amplitude(const Peaks *peaks, int least, int i) {
  return 0.5 * (of(peaks, least + 1)[i] - of(peaks, least)[i]);
}

static double frequency(const Peaks *peaks, int i) {
  double count = of(peaks, COUNT)[i];
  return count >= 2 ? (count - 1) / (of(peaks, LAST)[i] - of(peaks, FIRST)[i]) : NAN;
}

/* Returns the extremes and amplitudes of x or v as JSON. least: LEAST_X for x, LEAST_V for v. */
static json_t *quantity(const Peaks *peaks, int least) {
  json_t *amplitudes = json_array();
  for (int i = 0; i < peaks->d; i++) json_array_append_new(amplitudes, json_finite(amplitude(peaks, least, i)));
  return json_pack("{s:o, s:o, s:o}", "least", echo_vector(peaks->d, of(peaks, least)), "greatest",
                   echo_vector(peaks->d, of(peaks, least + 1)), "amplitude", amplitudes);
}

json_t *peaks_json(const Peaks *peaks) {
  json_t *counts = json_array(), *frequencies = json_array();
  int largest = 0; /* index of the dof with the largest amplitude of x */
  for (int i = 0; i < peaks->d; i++) {
    json_array_append_new(counts, json_integer((json_int_t)of(peaks, COUNT)[i]));
    json_array_append_new(frequencies, json_finite(frequency(peaks, i)));
    if (amplitude(peaks, LEAST_X, i) > amplitude(peaks, LEAST_X, largest)) largest = i;
  }
  return json_pack("{s:f, s:o, s:o, s:o, s:o, s:{s:o, s:o}}", "from", peaks->from, "amplitude",
                   json_finite(amplitude(peaks, LEAST_X, largest)), "frequency", json_finite(frequency(peaks, largest)),
                   "x", quantity(peaks, LEAST_X), "v", quantity(peaks, LEAST_V), "sticks", "count", counts, "frequency",
                   frequencies);
}
