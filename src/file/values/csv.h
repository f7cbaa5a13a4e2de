/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads files of comma-separated numbers, as spreadsheets and loggers write them. Empty lines and lines that start with
 * # are ignored. */
#ifndef SRC_CSV_H
#define SRC_CSV_H

#include "src/file/values/reader.h"

typedef struct Csv {
  FILE *stream;
  Place place;     /* position in the current line of the file, for diagnostics */
  const char *key; /* key in the problem file with the name of this file */
  Diagnostics *diagnostics;
  char *line; /* buffer of getline */
  size_t room;
  bool broken; /* whether reading has failed; the error has been reported */
} Csv;

/* Opens the file `path`, which the problem file names in the node `file`. key: buffer [NODE_PATH_SIZE] of the caller,
 * which is set to the path of the node. path and key must stay valid while the file is open. Returns false after
 * reporting an error. */
bool csv_open(Csv *csv, Reader *reader, const Node *file, const char *path, char *key);
void csv_close(Csv *csv);

/* Reports an error in the current line. Returns false. */
bool csv_refuse(Csv *csv, const char *at, const char *text);
/* Returns the start of the next line that is neither empty nor a comment. NULL at the end of the file, or after
 * reporting an error. */
char *csv_next(Csv *csv);
/* Reads a number, and the comma that may follow it, and advances *from. Sets *more to whether there is a comma. */
bool csv_number(char **from, double *value, bool *more);
/* Returns the number of fields in a line. */
int csv_fields(const char *line);

#endif
