/* SPDX-License-Identifier: BSD-2-Clause */
/* Controls that vary in time, as stored in problem files and results. */
#ifndef SRC_PROBLEM_SAVED_CONTROL_H
#define SRC_PROBLEM_SAVED_CONTROL_H

#include "sim/internal.h"

#include <jansson.h>
#include <stdbool.h>

/* Returns the word of control.signal.kind for a kind of signal. */
const char *signal_name(SimSignal signal);

/* Returns a control with the given number of segments as in summary.json: its p numbers, or a list of them for each
 * segment. Infinities and NaNs become null. A new reference; NULL if there is no memory. */
json_t *signal_values(const SimProblem *sim, int segments, const double *control);

/* Returns the length of the directory's path in DIR or DIR:grid. */
size_t saved_control_directory(const char *given);

/* Reads the control of a results directory as the problem's variables u. For DIR this control is the refined answer,
 * outcome.refined.u of DIR/summary.json. If the file has no refined answer, or one that does not fit the problem's
 * segments, the control is outcome.u. For DIR:grid the control is always outcome.u. The problem may have a multiple of
 * the saved segments; then it gets the same u(t). A constant counts as one segment. any_end: u may belong to another T,
 * and its segments are stretched to the problem's. Returns false if no control fits; then message is the reason. */
enum { SAVED_CONTROL_MESSAGE_SIZE = 640 };
bool saved_control_read(const char *directory, const SimProblem *sim, bool any_end, double *control,
                        char message[SAVED_CONTROL_MESSAGE_SIZE]);

#endif
