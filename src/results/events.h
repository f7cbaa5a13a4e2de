/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes events.csv, which lists when degrees of freedom (dofs) stick and slip.
 *
 * With up to INTERVALS_MAX dofs, the file has one row per interval: dof, from, to, state, and the name of the dof if it
 * has one. The state is
 * - stick, slip+ or slip- for dofs with friction;
 * - contact for the mass of a dash-pot at its support;
 * - impact+, contact+ or settled+ at the upper stop, and impact-, contact- or settled- at the lower one.
 *
 * With more dofs, it has one row per step: step, t, stick, slip+, slip-. The last three are the numbers of dofs with
 * friction in each state. The slips of each dof are then written to events.h5 (src/results/slips.h). */
#ifndef SRC_EVENTS_H
#define SRC_EVENTS_H

#include "sim/group.h"
#include "src/base/problem.h"
#include "src/results/table.h"

typedef struct Events Events;

/* event_states has the words of the column `state`, NULL-terminated. The enum has their indices; the states at stops
 * have the indices from STATE_STOPS on. */
enum { STATE_SLIP_BACK, STATE_STICK, STATE_SLIP_ON, STATE_CONTACT, STATE_STOPS };
extern const char *const event_states[];

enum { INTERVALS_MAX = 64 };

/* Opens the files. has_friction: [rows->count] whether each dof has friction; borrowed, as are problem and rows.
 * resumed: existing files are continued from the state `saved`, which events_save has written and only the first rank
 * has. Collective, like all functions here, over the ranks that share the rows; the first rank writes. Returns NULL on
 * all ranks after reporting an error. */
Events *events_open(const Results *results, const Problem *problem, const SimRows *rows, const bool *has_friction,
                    bool resumed, const void *saved);

/* events_save flushes the files to the disk, and writes the state to bytes [events_saved_size] on the first rank; bytes
 * is NULL on other ranks. Returns 0, or -1 if this fails. d: number of all dofs. */
size_t events_saved_size(int d);
int events_save(Events *events, void *bytes);

/* Adds the next instant of the motion. Of the step, n, t, slip and contact are used, and with many dofs x, too. force:
 * [rows->count] friction force in N. */
void events_observe(Events *events, const SimStep *step, const double *force);
/* Adds an event that SimObserver.event has reported. Must be called before the step that contains the event is
 * added. */
void events_note(Events *events, double t, int dof, int slip);

/* Ends the last intervals and closes the files. ended: the run will not be resumed. Returns 0, or -1 after reporting
 * that a file could not be written. If events is NULL, returns 0. */
int events_close(Events *events, bool ended);

#endif
