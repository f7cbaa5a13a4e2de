/* Controls that vary in time, in problem files and results. */
#ifndef SRC_PROBLEM_SAVED_CONTROL_H
#define SRC_PROBLEM_SAVED_CONTROL_H

#include "sim/internal.h"

#include <jansson.h>
#include <stdbool.h>

/* The word of control.signal.kind. */
const char *signal_name(SimSignal signal);

/* A control of the problem's signal, in so many segments, as in summary.json: its p numbers, or a list of them for each segment. What
 * is not finite becomes null. A new reference; NULL: no memory. */
json_t *signal_values(const SimProblem *sim, int segments, const double *control);

/* How much of DIR or DIR:grid is the directory. */
size_t saved_control_directory(const char *given);

/* The control that a results directory holds as the problem's variables u: of DIR the refined answer, outcome.refined.u of DIR/summary.json, or,
 * where there is none, or the problem has other segments, outcome.u; of DIR:grid always the latter. Where the problem has a multiple of
 * its segments, the same u(t) in these; a constant is one piece. False: there is none that the problem can take; message says
 * why. */
enum { SAVED_CONTROL_MESSAGE_SIZE = 640 };
bool saved_control_read(const char *directory, const SimProblem *sim, double *control,
                        char message[SAVED_CONTROL_MESSAGE_SIZE]);

#endif
