/* Slips of many degrees of freedom, one by one: events.h5.
 *
 * A slip is what events.csv of few has as an interval slip+ or slip-: of a dof with friction, from the step before the first
 * at which it slips that way to the first at which it does so no more, or to the end of the run. Each rank follows its own rows.
 * Now and then, after steps that do not depend on how many ranks there are, the first one gathers the slips that have ended into
 * events.part, in the order of (end, dof); when the run ends or stops, they become events.h5 (src/results/slips_file.h). */
#ifndef SRC_RESULTS_SLIPS_H
#define SRC_RESULTS_SLIPS_H

#include "sim/group.h"
#include "src/base/problem.h"
#include "src/results/results.h"

typedef struct Slips Slips;

/* All ranks that share the rows call all of these. problem, rows and has_friction [rows->count]: borrowed. resumed: on from the
 * state saved, the first rank's; else saved is NULL. NULL, on all, after telling. */
Slips *slips_open(const Results *results, const Problem *problem, const SimRows *rows, const bool *has_friction,
                  bool resumed, const void *saved);

/* Where they stand as bytes [slips_saved_size], the first rank's (NULL elsewhere), with their file put on the disk so far.
 * Returns 0, or -1, on all. d: of all rows. */
size_t slips_saved_size(int d);
int slips_save(Slips *slips, void *bytes);

/* The next instant. force: [rows->count] of friction, N. Returns how many slips of this rank wait to be gathered. */
long slips_observe(Slips *slips, const SimStep *step, const double *force);
/* waiting: those of all ranks. Gathers them when there are enough. */
void slips_gather(Slips *slips, double waiting);

/* Writes events.h5; those under way end at the last instant seen. ended: nobody will go on with them. Returns 0, or -1, on all,
 * after telling that it could not be written. NULL: 0. */
int slips_close(Slips *slips, bool ended);

#endif
