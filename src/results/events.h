/* events.csv: who sticks and who slips, and when.
 *
 * Up to INTERVALS_MAX degrees of freedom one row an interval: dof,from,to,state (stick | slip+ | slip-, for the dofs with
 * friction; contact, of a dash-pot's mass with its support; of stops impact+, contact+, settled+, at the lower one -), and its name where it has one. Beyond, one row a step: step,t,stick,slip+,slip-, how many
 * of the dofs with friction do so; who does is in events.h5 (src/results/slips.h). */
#ifndef SRC_EVENTS_H
#define SRC_EVENTS_H

#include "sim/group.h"
#include "src/base/problem.h"
#include "src/results/table.h"

typedef struct Events Events;

/* The words of the column `state`, up to a NULL, and their numbers. */
enum { STATE_SLIP_BACK, STATE_STICK, STATE_SLIP_ON, STATE_CONTACT, STATE_STOPS /* the first of those of stops */ };
extern const char *const event_states[];

enum { INTERVALS_MAX = 64 };

/* has_friction: [rows->count] whether a dof has friction; borrowed, as problem and rows. Of ranks that share their rows all call all
 * of these, and the first one writes. resumed: files that are there go on, from the state saved, the first rank's of events_save.
 * NULL, on all, after telling. */
Events *events_open(const Results *results, const Problem *problem, const SimRows *rows, const bool *has_friction,
                    bool resumed, const void *saved);

/* Where it stands as bytes [events_saved_size], the first rank's (NULL elsewhere), with its files put on the disk so far. d: of all
 * rows. Returns 0, or -1 when it could not be. */
size_t events_saved_size(int d);
int events_save(Events *events, void *bytes);

/* The next instant: of SimStep n, t, slip and contact alone are used where there are few dofs, x besides where there are many. force:
 * [rows->count] of friction, N. */
void events_observe(Events *events, const SimStep *step, const double *force);
/* What SimObserver.event tells, before the step behind it. */
void events_note(Events *events, double t, int dof, int slip);

/* Ends the last intervals; ended: nobody will go on with them. Returns 0, or -1 after telling that a file could not be written.
 * NULL: 0. */
int events_close(Events *events, bool ended);

#endif
