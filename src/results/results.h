/* SPDX-License-Identifier: BSD-2-Clause */
/* Manages the results directory of a run. The directory is created after all input was checked. Existing results are
 * replaced only with --force. */
#ifndef SRC_RESULTS_H
#define SRC_RESULTS_H

#include "src/base/file_open.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct Results {
  Diagnostics *diagnostics;       /* receives errors; borrowed, NULL: none */
  char directory[FILE_PATH_SIZE]; /* path of the directory; "": the run stores no results, so nothing is written */
  int lock; /* descriptor of the lock file, which keeps other programs from using the directory; -1: not locked */
} Results;

/* Returns whether the run writes no files at all. Valid on the first rank. */
static inline bool results_nowhere(const Results *results) { return !*results->directory; }

/* Refuses a directory if one of its folders checkpoint, exact, figures, points or runs is a symbolic link, since files
 * outside the directory could then be written or removed. Returns 0, or EXIT_USAGE after reporting it. */
int results_check_folders(const Results *results);

/* Locks the file NAME in the directory; if it is locked already, waits a while. flags: O_CREAT creates a missing file;
 * 0: the file must exist. Returns the descriptor, which holds the lock until it is closed. Returns -1 if the file
 * cannot be opened (reported only with O_CREAT), and -2 after reporting that another process holds the lock. */
int results_lock(const Results *results, const char *name, int flags);
#define RESULTS_LOCK "checkpoint/lock"

/* Creates the directory and its missing parents. Its path is `output`; if that is NULL, results/NAME for a problem file
 * DIR/NAME.yaml. An existing directory must be empty; with force, result files and figures in it are removed.
 * results->diagnostics must be set before. Returns 0 or EXIT_USAGE. */
int results_create(Results *results, const char *output, const char *problem_path, bool force);

/* Returns whether results_create with these arguments would use the directory `directory`. */
bool results_is(const char *output, const char *problem_path, const char *directory);

/* Opens an existing results directory in order to write pictures and reports into it. If name is not NULL, opens the
 * folder of this name in it, which is created if it is missing. Returns 0, or EXIT_USAGE after reporting an error. */
int results_take(Results *results, const char *directory, const char *name);

/* Sets path to the path of a file in the directory. Returns 0, or EXIT_USAGE after reporting that the path is too
 * long. */
int results_path(const Results *results, const char *name, char path[FILE_PATH_SIZE]);

/* Makes a path safe for a library that would follow links and block on pipes. Creates the file or, if `there`, checks
 * that it is a regular file. Returns false after reporting an error. */
bool results_clear_way(const Results *results, const char *name, bool there);

/* Creates a new file in the directory for writing. Returns NULL after reporting an error, e.g. if the name is a link or
 * a named pipe. */
FILE *results_open(const Results *results, const char *name);

/* Length and CRC-32 of a file at some time. The struct is part of checkpoints, so it has no padding. */
typedef struct ResultsMark {
  int64_t size;
  uint64_t sum;
} ResultsMark;

/* Opens an existing file, cuts it to the length of the mark `saved`, and continues there. Returns NULL after reporting
 * an error, e.g. if the file is shorter or its checksum differs. */
FILE *results_reopen(const Results *results, const char *name, const ResultsMark *saved);

/* Reports an error in a file; returns NULL. */
FILE *results_refuse(const Results *results, const char *name, const char *what);

/* Flushes a file to the disk, and moves its mark to the end of the file. The mark must be zero before the first call.
 * Returns 0 or -1. If file is NULL, returns 0. */
int results_sync(FILE *file, ResultsMark *mark);

/* Closes a file that results_open or results_reopen has opened. Returns 0, or -1 after reporting that it could not be
 * written completely. If file is NULL, returns 0. */
int results_close(const Results *results, const char *name, FILE *file);

/* Writes a file atomically: writes a temporary file, flushes it to the disk and renames it. Returns 0, or -1 after
 * reporting an error. */
int results_write(const Results *results, const char *name, const char *text);
int results_write_bytes(const Results *results, const char *name, const char *bytes, size_t size);

/* Completes a file that was written under the temporary name `part`. If `good`, renames it to `name`; otherwise removes
 * it. Returns 0, or -1 after reporting that it could not be written. */
int results_put(const Results *results, const char *part, const char *name, bool good);

/* Writes JSON atomically, with `digits` digits per number. json is NULL if there was no memory for it. Returns 0, -1,
 * or -2 after reporting a lack of memory. */
int results_write_json(const Results *results, const char *name, const json_t *json, int digits);

#endif
