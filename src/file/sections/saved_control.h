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

/* Reads the control of a results directory as the problem's variables u. For DIR this is the refined answer,
 * outcome.refined.u of DIR/summary.json; if there is none, or it does not fit the problem's segments, outcome.u. For
 * DIR:grid it is always outcome.u. If the problem has a multiple of its segments, the same u(t) is given on these; a
 * constant counts as one segment. any_end: u may have another T, to which its segments are stretched. Returns false if no
 * control fits; message says why. */
enum { SAVED_CONTROL_MESSAGE_SIZE = 640 };
bool saved_control_read(const char *directory, const SimProblem *sim, bool any_end, double *control,
                        char message[SAVED_CONTROL_MESSAGE_SIZE]);

#endif
