/* How far a motion swings, from a time on: the least and the greatest of each x and v at the ends of its steps, and how often each degree
 * of freedom comes to stick. */
#ifndef SRC_RESULTS_PEAKS_H
#define SRC_RESULTS_PEAKS_H

#include "sim/internal.h"

#include <jansson.h>

typedef struct Peaks Peaks;

/* Of d degrees of freedom, from the time `from` on, s; has_friction [d]: which of them can stick. saved: a state to go on from, or NULL.
 * NULL: no memory. */
Peaks *peaks_create(int d, double from, const bool *has_friction, const char *saved);
void peaks_free(Peaks *peaks); /* may be NULL */

/* The end of a step, whose x, v and slip are of all degrees of freedom; what comes to stick, or to slip, between two. */
void peaks_observe(Peaks *peaks, const SimStep *step);
void peaks_note(Peaks *peaks, double t, int dof, int slip);

size_t peaks_saved_size(int d);
void peaks_save(const Peaks *peaks, char *bytes);

/* `motion` of summary.json, in which what is not known is null: the amplitude is half of greatest less least, the frequency that of
 * the instants at which a dof comes to stick, 1/s, of two or more. A new reference; NULL: no memory. */
json_t *peaks_json(const Peaks *peaks);

#endif
