/* SPDX-License-Identifier: BSD-2-Clause */
/* Opens files safely. Their names may come from a user, and other processes may replace the files at any time. */
#ifndef SRC_BASE_FILE_OPEN_H
#define SRC_BASE_FILE_OPEN_H

#include "src/base/diagnostics.h"

#include <jansson.h>
#include <stdio.h>
#include <sys/types.h>

enum { FILE_FAULT_SIZE = 128, FILE_PATH_SIZE = 4096, FILE_SIZE_MAX = 64 << 20 };

/* Opens a regular file for reading. On failure returns NULL and sets fault, e.g. to "is not a file" or "cannot be
 * opened (No such file or directory)". errno is then the system's error, or 0 if the file is not a regular file.
 * Refuses named pipes, which would block until a writer opens them. */
FILE *file_open(const char *path, char fault[FILE_FAULT_SIZE]);

/* Opens a regular file for reading and writing without truncating it, and returns its descriptor. Possible flags:
 * O_CREAT, which creates a missing file with this mode, and O_APPEND. On failure returns -1 and sets fault as file_open
 * does. Refuses three kinds of file: named pipes, which could block; links; and files with several hard links, since
 * another name of the file may belong to another user. */
int file_open_to_write(const char *path, int flags, mode_t mode, char fault[FILE_FAULT_SIZE]);

/* Parses a file as JSON and returns the value, which the caller releases. On failure returns NULL and sets line, column
 * and text of `error`. */
json_t *file_json(const char *path, json_error_t *error);

/* Returns the content of a file, NUL-terminated; the caller frees it. If the file cannot be read or has more than
 * FILE_SIZE_MAX bytes, returns NULL and adds a diagnostic for the key "document". */
char *file_read(const char *path, size_t *size, Diagnostics *diagnostics);

/* Makes file_beside refuse files outside the folder of this file, until the process ends. Returns false if there is no
 * such folder or no memory. */
bool files_confine(const char *file);

/* Sets path to the path of the file `name`, which is relative to the folder of `other`. Returns false if the path is
 * too long or outside the folder set by files_confine. */
bool file_beside(const char *other, const char *name, char path[FILE_PATH_SIZE]);

#endif
