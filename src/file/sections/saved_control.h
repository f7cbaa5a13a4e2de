/* Time-varying controls stored in problem files and results. */
#ifndef SRC_PROBLEM_SAVED_CONTROL_H
#define SRC_PROBLEM_SAVED_CONTROL_H

#include "sim/internal.h"

#include <jansson.h>
#include <stdbool.h>

/* Returns the word for control.signal.kind. */
const char *signal_name(SimSignal signal);

/* Returns a control of the problem's signal with the given number of segments, as in summary.json: its p numbers, or a
 * list of them for each segment. Infinities and NaNs become null. A new reference; NULL if there is no memory. */
json_t *signal_values(const SimProblem *sim, int segments, const double *control);

/* Length of the directory in DIR or DIR:grid. */
size_t saved_control_directory(const char *given);

/* The control that a results directory holds as the problem's variables u: of DIR the refined answer, outcome.refined.u of DIR/summary.json, or,
 * where there is none, or the problem has other segments, outcome.u; of DIR:grid always the latter. Where the problem has a multiple of
 * its segments, the same u(t) in these; a constant is one piece. False: there is none that the problem can take; message says
 * why. any_end: u may be of another T, over which its segments are stretched. */
enum { SAVED_CONTROL_MESSAGE_SIZE = 640 };
bool saved_control_read(const char *directory, const SimProblem *sim, bool any_end, double *control,
                        char message[SAVED_CONTROL_MESSAGE_SIZE]);

#endif
