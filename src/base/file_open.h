/* Opening files safely: the name may come from a user, and other processes may have replaced the file. */
#ifndef SRC_BASE_FILE_OPEN_H
#define SRC_BASE_FILE_OPEN_H

#include "src/base/diagnostics.h"

#include <jansson.h>
#include <stdio.h>
#include <sys/types.h>

enum { FILE_FAULT_SIZE = 128, FILE_PATH_SIZE = 4096, FILE_SIZE_MAX = 64 << 20 };

/* Opens a regular file for reading. On failure returns NULL and sets fault ("is not a file", "cannot be opened (No such
 * file or directory)"). Refuses named pipes, which would block until a writer opens them. errno is the system's error,
 * or 0 if the file is not a regular file. */
FILE *file_open(const char *path, char fault[FILE_FAULT_SIZE]);

/* Opens a regular file for reading and writing without truncating it. flags: O_CREAT creates it with that mode if it is
 * missing; O_APPEND. On failure returns -1 and sets fault as above. Refuses named pipes, which could block; links; and
 * files with several hard links, since the other name may belong to another user. */
int file_open_to_write(const char *path, int flags, mode_t mode, char fault[FILE_FAULT_SIZE]);

/* Reads a file as JSON; the caller releases it. On failure returns NULL and sets error's line, column and text. */
json_t *file_json(const char *path, json_error_t *error);

/* Returns a file's content, NUL-terminated; the caller frees it. Returns NULL and adds a diagnostic, as "document", if
 * it cannot be read or has more than FILE_SIZE_MAX bytes. */
char *file_read(const char *path, size_t *size, Diagnostics *diagnostics);

/* From now on file_beside accepts only files in the folder of this file. Returns false if there is no such folder, or
 * no memory. */
bool files_confine(const char *file);

/* Sets path to the file `name`, relative to the folder of `other`. Returns false if it is too long or outside the
 * confined folder. */
bool file_beside(const char *other, const char *name, char path[FILE_PATH_SIZE]);

#endif
