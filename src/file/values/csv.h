/* Files of numbers with commas between, as spreadsheets and loggers write them: lines from # on and empty ones say nothing. */
#ifndef SRC_CSV_H
#define SRC_CSV_H

#include "src/file/values/reader.h"

typedef struct Csv {
  FILE *stream;
  Place place;     /* of the line under way */
  const char *key; /* that names the file */
  Diagnostics *diagnostics;
  char *line; /* getline's */
  size_t room;
  bool broken; /* the file cannot be read on: told */
} Csv;

/* Opens the file that a key names. key: [NODE_PATH_SIZE] the caller's, as path and name are, for as long as it is open. False: told. */
bool csv_open(Csv *csv, Reader *reader, const Node *file, const char *path, char *key);
void csv_close(Csv *csv);

/* Tells a mistake in the line under way; returns false. */
bool csv_refuse(Csv *csv, const char *at, const char *text);
/* The next line that says something, and where that begins; NULL at the end, or told. */
char *csv_next(Csv *csv);
/* A number, and the comma after it if there is one; *more: whether there is. */
bool csv_number(char **from, double *value, bool *more);
/* How many fields a line has. */
int csv_fields(const char *line);

#endif
