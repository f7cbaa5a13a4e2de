/* events.csv: who sticks and who slips, and when.
 *
 * Up to INTERVALS_MAX degrees of freedom one row an interval: dof,from,to,state (stick | slip+ | slip-, for the dofs with
 * friction; contact, of a dash-pot's mass with its support). Beyond, one row a step: step,t,stick,slip+,slip-, how many
 * of the dofs with friction do so. */
#ifndef SRC_EVENTS_H
#define SRC_EVENTS_H

#include "sim/group.h"
#include "src/results/results.h"

typedef struct Events Events;

enum { INTERVALS_MAX = 64 };

/* has_friction: [rows->count] whether a dof has friction; borrowed, as rows. Of ranks that share their rows all call all of these,
 * and the first one writes. saved: of events_save, whose file goes on; NULL: a new one. NULL after telling. */
Events *events_open(const Results *results, const SimRows *rows, const bool *has_friction, const void *saved);

/* Where it stands as bytes [events_saved_size], with its file put on the disk so far. The first rank alone. d: of all rows.
 * Returns 0, or -1 when it could not be. */
size_t events_saved_size(int d);
int events_save(Events *events, void *bytes);

/* The next instant: of SimStep n, t, slip and contact alone are used. */
void events_observe(Events *events, const SimStep *step);
/* What SimObserver.event tells, before the step behind it. */
void events_note(Events *events, double t, int dof, int slip);

/* Ends the last intervals. Returns 0, or -1 after telling that the file could not be written. NULL: 0. */
int events_close(Events *events);

#endif
