/* SPDX-License-Identifier: BSD-2-Clause */
/* Records oscillation amplitudes from a given time on: minimum and maximum of each x and v at the ends of steps, and
 * how often each degree of freedom starts to stick. */
#ifndef SRC_RESULTS_PEAKS_H
#define SRC_RESULTS_PEAKS_H

#include "sim/internal.h"

#include <jansson.h>

typedef struct Peaks Peaks;

/* Creates the record for d degrees of freedom. from: time from which it counts, in s; has_friction [d]: which degrees
 * of freedom can stick; saved: a state to continue from, or NULL. Returns NULL if there is no memory. */
Peaks *peaks_create(int d, double from, const bool *has_friction, const char *saved);
void peaks_free(Peaks *peaks); /* may be NULL */

/* peaks_observe adds the end of a step, with x, v and slip of all degrees of freedom. peaks_note adds a change to stick
 * or slip between two steps. */
void peaks_observe(Peaks *peaks, const SimStep *step);
void peaks_note(Peaks *peaks, double t, int dof, int slip);

size_t peaks_saved_size(int d);
void peaks_save(const Peaks *peaks, char *bytes);

/* Returns the member `motion` of summary.json; unknown values are null. The amplitude is half of maximum minus minimum.
 * The frequency, in 1/s, is that of the times at which a dof starts to stick, of which it needs at least two. A new
 * reference; NULL if there is no memory. */
json_t *peaks_json(const Peaks *peaks);

#endif
