/* The results directory of a run. It is created after all input has been checked, and never overwritten without
 * --force. */
#ifndef SRC_RESULTS_H
#define SRC_RESULTS_H

#include "src/base/file_open.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct Results {
  Diagnostics *diagnostics;       /* receives errors; borrowed, NULL: none */
  char directory[FILE_PATH_SIZE]; /* "": nothing is written, for a run without stored results */
  int lock; /* descriptor of the lock file, -1: not held. It prevents two programs from using the same directory */
} Results;

/* Whether no files are to be written, neither trajectories nor summaries. Valid on the first rank. */
static inline bool results_nowhere(const Results *results) { return !*results->directory; }

/* Refuses a directory in which a folder (checkpoint, exact, figures, points, runs) is a symbolic link, as files
 * elsewhere could be written or removed. Returns 0, or EXIT_USAGE after reporting it. */
int results_check_folders(const Results *results);

/* Locks a file NAME of the directory; waits a while if it is locked. flags: O_CREAT, or 0 if the file must exist.
 * Returns the descriptor, which holds the lock until it is closed; -1 if the file cannot be opened (reported with
 * O_CREAT); -2 if another process has the lock (reported). */
int results_lock(const Results *results, const char *name, int flags);
#define RESULTS_LOCK "checkpoint/lock"

/* Creates the directory and its parents: `output`, or results/NAME for problem file DIR/NAME.yaml if output is NULL. An
 * existing directory must be empty; with force, its result files and figures are removed. results: its diagnostics must
 * be set. Returns 0 or EXIT_USAGE. */
int results_create(Results *results, const char *output, const char *problem_path, bool force);

/* Whether results_create would use the directory `directory`. */
bool results_is(const char *output, const char *problem_path, const char *directory);

/* Opens an existing results directory, or its folder `name`, which is created if missing, to write pictures and reports
 * into it. Returns 0, or EXIT_USAGE after reporting an error. */
int results_take(Results *results, const char *directory, const char *name);

/* Sets path to a file in the directory. Returns 0, or EXIT_USAGE after reporting that it is too long. */
int results_path(const Results *results, const char *name, char path[FILE_PATH_SIZE]);

/* Prepares a path for a library that would follow links and block on pipes: creates the file or, if `there`, checks
 * that it is a regular file. Returns false after reporting an error. */
bool results_clear_way(const Results *results, const char *name, bool there);

/* Creates a new file in the directory for writing. Returns NULL after reporting an error, e.g. if the name is a link or
 * a named pipe. */
FILE *results_open(const Results *results, const char *name);

/* Length and CRC-32 of a file at some time. Part of checkpoints: no padding. */
typedef struct ResultsMark {
  int64_t size;
  uint64_t sum;
} ResultsMark;

/* Opens an existing file and cuts it to a mark, to continue after it. Returns NULL after reporting an error, e.g. if
 * its bytes up to there are fewer or different. */
FILE *results_reopen(const Results *results, const char *name, const ResultsMark *saved);

/* Reports an error in a file; returns NULL. */
FILE *results_refuse(const Results *results, const char *name, const char *what);

/* Flushes a file to the disk and advances its mark, initially zeros, to its end. Returns 0, also for NULL, or -1. */
int results_sync(FILE *file, ResultsMark *mark);

/* Closes a file of results_open or results_reopen. Returns 0, or -1 after reporting that it could not be written
 * completely. Accepts NULL. */
int results_close(const Results *results, const char *name, FILE *file);

/* Writes a file atomically (temporary file, fsync, rename). Returns 0 or -1. */
int results_write(const Results *results, const char *name, const char *text);
int results_write_bytes(const Results *results, const char *name, const char *bytes, size_t size);

/* Finishes a file that was written under the name `part`: renames it if good, otherwise removes it. Returns 0, or -1
 * after reporting that it could not be written. */
int results_put(const Results *results, const char *part, const char *name, bool good);

/* Writes JSON atomically, with `digits` digits per number; json NULL: there was no memory for it. Returns 0, -1, or -2
 * without memory, which is reported. */
int results_write_json(const Results *results, const char *name, const json_t *json, int digits);

#endif
