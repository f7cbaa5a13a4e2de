/* SPDX-License-Identifier: BSD-2-Clause */
/* Records oscillations from a given time on: the minimum and maximum of each x and v at the ends of steps, and how
 * often each degree of freedom (dof) begins to stick. */
#ifndef SRC_RESULTS_PEAKS_H
#define SRC_RESULTS_PEAKS_H

#include "sim/internal.h"

#include <jansson.h>

typedef struct Peaks Peaks;

/* Creates the record for d degrees of freedom. from: time at which recording begins, in s; has_friction [d]: which
 * degrees of freedom can stick; saved: a state from which to continue, or NULL. Returns NULL if there is no memory. */
Peaks *peaks_create(int d, double from, const bool *has_friction, const char *saved);
void peaks_free(Peaks *peaks); /* may be NULL */

/* peaks_observe adds the end of a step, of which it uses x, v and slip. peaks_note adds a change between stick and slip
 * at a time t within a step. */
void peaks_observe(Peaks *peaks, const SimStep *step);
void peaks_note(Peaks *peaks, double t, int dof, int slip);

size_t peaks_saved_size(int d);
void peaks_save(const Peaks *peaks, char *bytes);

/* Returns the member `motion` of summary.json; unknown values are null. The amplitude is half the difference of maximum
 * and minimum. The frequency, in 1/s, is that of the times at which a dof begins to stick; it is known if there are at
 * least two. The caller owns the reference; NULL if there is no memory. */
json_t *peaks_json(const Peaks *peaks);

#endif
