/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads samples that were measured over time from a CSV file, and interpolates between them:
 *
 *     # any comment
 *     t, motor 1, motor 2
 *     0, 1.5, -2
 *     0.1, 1.6, -2.5
 *
 * The first line may have names. t must increase. */
#ifndef SRC_SAMPLES_H
#define SRC_SAMPLES_H

#include "src/file/values/reader.h"

typedef struct Samples Samples;

/* Reads {file: NAME, interpolation: linear, cubic or hold}. The cubic interpolation (Fritsch and Butland) has a
 * continuous slope and is monotone between samples. With hold, each value holds until the next sample. Returns NULL
 * after reporting errors with their lines in the file. */
Samples *samples_read(Reader *reader, Node *node);
/* Reads {file: NAME} as samples_read does, with linear interpolation. */
Samples *samples_read_numbers(Reader *reader, Node *node);
void samples_destroy(Samples *samples); /* NULL is allowed */

int samples_columns(const Samples *samples); /* number of columns without that of t */
long samples_count(const Samples *samples);
double samples_time(const Samples *samples, long k);

/* Returns the value of a column at time t. It is constant before the first sample and after the last one. */
double samples_at(const Samples *samples, int column, double t);

/* Returns the node as written, together with a checksum of all numbers in the file that it names. If the result is read
 * as part of a problem file, a file with other numbers is refused. NULL if there is no memory. */
json_t *samples_echo(const Samples *samples);

#endif
