/* Numbers measured over time, from a CSV file, and what lies between them:
 *
 *     # any comment
 *     t, motor 1, motor 2
 *     0, 1.5, -2
 *     0.1, 1.6, -2.5
 *
 * A line of names may come first. t increases. */
#ifndef SRC_SAMPLES_H
#define SRC_SAMPLES_H

#include "src/file/values/reader.h"

typedef struct Samples Samples;

/* Reads {file: NAME, interpolation: linear or cubic}; cubic: monotone between two samples, with a continuous slope (Fritsch,
 * Butland). NULL: mistakes have been told, those of the file at its lines. */
Samples *samples_read(Reader *reader, Node *node);
/* The same of {file: NAME} alone, linear. */
Samples *samples_read_numbers(Reader *reader, Node *node);
void samples_destroy(Samples *samples); /* NULL: nothing */

int samples_columns(const Samples *samples); /* besides t */
long samples_count(const Samples *samples);
double samples_time(const Samples *samples, long k);

/* A column's value; before the first sample, and after the last, what is there. */
double samples_at(const Samples *samples, int column, double t);

/* As it was written, with a checksum of all numbers: where that stands in a problem file, another file's content is refused.
 * NULL: no memory. */
json_t *samples_echo(const Samples *samples);

#endif
