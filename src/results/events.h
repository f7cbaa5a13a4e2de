/* events.csv: times at which degrees of freedom stick and slip.
 *
 * With up to INTERVALS_MAX degrees of freedom, one row per interval: dof,from,to,state and the dof's name if it has
 * one. State is stick, slip+ or slip- for dofs with friction; contact for a dash-pot's mass at its support; impact+,
 * contact+ or settled+ at the upper stop, with - at the lower. With more, one row per step: step,t,stick,slip+,slip-,
 * the numbers of dofs with friction in each state; events.h5 has the slips of each dof (src/results/slips.h). */
#ifndef SRC_EVENTS_H
#define SRC_EVENTS_H

#include "sim/group.h"
#include "src/base/problem.h"
#include "src/results/table.h"

typedef struct Events Events;

/* Words of the column `state`, NULL-terminated, and their numbers. */
enum { STATE_SLIP_BACK, STATE_STICK, STATE_SLIP_ON, STATE_CONTACT, STATE_STOPS /* the first of the states at stops */ };
extern const char *const event_states[];

enum { INTERVALS_MAX = 64 };

/* Opens the files. has_friction: [rows->count] whether a dof has friction; borrowed, like problem and rows. Collective,
 * like all functions here, over the ranks that share the rows; the first one writes. resumed: continues existing files
 * from the state `saved` by events_save on the first rank. Returns NULL on all ranks after reporting an error. */
Events *events_open(const Results *results, const Problem *problem, const SimRows *rows, const bool *has_friction,
                    bool resumed, const void *saved);

/* Saves the state as bytes [events_saved_size] on the first rank (NULL elsewhere), after writing its files to the disk.
 * d: number of all dofs. Returns 0, or -1 if this fails. */
size_t events_saved_size(int d);
int events_save(Events *events, void *bytes);

/* Adds the next time. Of SimStep uses n, t, slip and contact with few dofs, and x with many. force: [rows->count]
 * friction, N. */
void events_observe(Events *events, const SimStep *step, const double *force);
/* Adds an event from SimObserver.event; called before the step that follows it. */
void events_note(Events *events, double t, int dof, int slip);

/* Ends the last intervals. ended: the run will not be resumed. Returns 0, or -1 after reporting that a file could not
 * be written. NULL: 0. */
int events_close(Events *events, bool ended);

#endif
