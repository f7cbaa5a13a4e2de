/* Samples measured over time, read from a CSV file and interpolated:
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

/* Reads {file: NAME, interpolation: linear or cubic}; cubic is monotone between samples with a continuous slope
 * (Fritsch, Butland). Returns NULL after reporting errors, with the lines of the file. */
Samples *samples_read(Reader *reader, Node *node);
/* Reads {file: NAME} in the same way, with linear interpolation. */
Samples *samples_read_numbers(Reader *reader, Node *node);
void samples_destroy(Samples *samples); /* NULL: does nothing */

int samples_columns(const Samples *samples); /* without t */
long samples_count(const Samples *samples);
double samples_time(const Samples *samples, long k);

/* Value of a column at time t; constant before the first and after the last sample. */
double samples_at(const Samples *samples, int column, double t);

/* Returns the node as written, with a checksum of all numbers. A problem file with this checksum refuses a file with
 * other numbers. NULL if there is no memory. */
json_t *samples_echo(const Samples *samples);

#endif
