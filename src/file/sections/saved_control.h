/* SPDX-License-Identifier: BSD-2-Clause */
/* Controls that vary in time, as stored in problem files and results. */
#ifndef SRC_PROBLEM_SAVED_CONTROL_H
#define SRC_PROBLEM_SAVED_CONTROL_H

#include "sim/internal.h"

#include <jansson.h>
#include <stdbool.h>

/* Returns the word of control.signal.kind for a kind of signal. */
const char *signal_name(SimSignal signal);

/* Returns the values of a control as JSON in the form of summary.json. They are p numbers for a constant control,
 * otherwise a list of p numbers for each segment. Infinities and NaNs become null. The caller owns the reference; NULL
 * if there is no memory. */
json_t *signal_values(const SimProblem *sim, int segments, const double *control);

/* Returns the length of the directory's path in a text DIR or DIR:grid. */
size_t saved_control_directory(const char *given);

/* Reads the control in a results directory and sets the problem's u to it. For DIR this is the refined control,
 * outcome.refined.u of DIR/summary.json. If the file has none, or one that does not fit the problem's segments, it is
 * outcome.u. For DIR:grid it is always outcome.u. If the problem has a multiple of the saved number of segments, it
 * gets the same u(t). A constant control counts as one segment. any_end: u may belong to another T, and its segments
 * are stretched to those of the problem. Returns false if no control fits, and sets message to the reason. */
enum { SAVED_CONTROL_MESSAGE_SIZE = 640 };
bool saved_control_read(const char *directory, const SimProblem *sim, bool any_end, double *control,
                        char message[SAVED_CONTROL_MESSAGE_SIZE]);

#endif
