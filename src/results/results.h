/* The results directory of a run: made once everything else is known to be good, never overwritten unasked. */
#ifndef SRC_RESULTS_H
#define SRC_RESULTS_H

#include "src/base/file_open.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct Results {
  Diagnostics *diagnostics;       /* where mistakes are put; borrowed, NULL: nowhere */
  char directory[FILE_PATH_SIZE]; /* "": nowhere, for a run whose results nobody keeps */
  int lock;                       /* file, -1: not held. It keeps two programs from working in one directory */
} Results;

/* Whether nothing is to be written: trajectories and summaries are not, then. Of several ranks the first one knows. */
static inline bool results_nowhere(const Results *results) { return !*results->directory; }

/* Refuses a directory in which a name that is to be a folder (checkpoint, exact, figures, points, runs) is a link: what is written or
 * removed there would be elsewhere. Returns 0 or EXIT_USAGE after reporting it. */
int results_check_folders(const Results *results);

/* Takes the lock of the directory, its file NAME; waits a while for another to let go of it. flags: O_CREAT, or 0
 * for one that must be there. Returns the file, which holds it until it is closed; -1 when it cannot be opened (told, if
 * to be made), -2 when another holds it (told). */
int results_lock(const Results *results, const char *name, int flags);
#define RESULTS_LOCK "checkpoint/lock"

/* Makes the directory (and its parents): `output`, or results/NAME for problem file DIR/NAME.yaml when output
 * is NULL. One that is there already must be empty, unless force is given: then the result files in it, and the
 * figures of them, are removed. results: its diagnostics are set. Returns 0 or EXIT_USAGE. */
int results_create(Results *results, const char *output, const char *problem_path, bool force);

/* Whether results_create would take the directory `directory`. */
bool results_is(const char *output, const char *problem_path, const char *directory);

/* A results directory that is there, or its folder `name`, which is made if it is not, to write pictures and reports
 * into. Returns 0 or EXIT_USAGE after telling. */
int results_take(Results *results, const char *directory, const char *name);

/* The path of a file in the directory. Returns 0, or EXIT_USAGE after telling that it is too long. */
int results_path(const Results *results, const char *name, char path[FILE_PATH_SIZE]);

/* Before a library that follows links and waits for pipes opens a file of the directory: makes it, or, where it is `there`, sees
 * that it is a file. False after telling. */
bool results_clear_way(const Results *results, const char *name, bool there);

/* Opens a new file in the directory for writing; NULL after telling why not, as for a link or a named pipe of that name. */
FILE *results_open(const Results *results, const char *name);

/* How far a file has come: its size, and the CRC-32 of it. A part of checkpoints: no padding. */
typedef struct ResultsMark {
  int64_t size;
  uint64_t sum;
} ResultsMark;

/* Opens one that is there, cut to a mark, to go on behind it; NULL after telling why not, as where it has fewer bytes, or
 * others. */
FILE *results_reopen(const Results *results, const char *name, const ResultsMark *saved);

/* Tells what is wrong with a file; NULL. */
FILE *results_refuse(const Results *results, const char *name, const char *what);

/* Puts all of a file on the disk, and moves its mark, of zeros at first, on to the end. Returns 0, also for NULL, or -1. */
int results_sync(FILE *file, ResultsMark *mark);

/* Closes a file that results_open or results_reopen has opened. Returns 0, or -1 after telling that it could not be written in
 * full. A NULL file is not an error of its own. */
int results_close(const Results *results, const char *name, FILE *file);

/* Writes a whole file so that it is there in full or not at all (temporary file, fsync, rename). Returns 0 or
 * -1. */
int results_write(const Results *results, const char *name, const char *text);
int results_write_bytes(const Results *results, const char *name, const char *bytes, size_t size);

/* What has been written beside a file, as `part`, takes its place if it is good, or is removed. Returns 0, or -1 after reporting that
 * the file could not be written. */
int results_put(const Results *results, const char *part, const char *name, bool good);

/* Writes a JSON text likewise, its numbers with that many digits; json may be NULL: no memory for it. Returns 0, -1, or
 * -2 when out of memory (told). */
int results_write_json(const Results *results, const char *name, const json_t *json, int digits);

#endif
