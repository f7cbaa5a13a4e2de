/* Files that are read, whoever names them, and files that are written, whoever has put something in their place. */
#ifndef SRC_BASE_FILE_OPEN_H
#define SRC_BASE_FILE_OPEN_H

#include "src/base/diagnostics.h"

#include <jansson.h>
#include <stdio.h>
#include <sys/types.h>

enum { FILE_FAULT_SIZE = 128, FILE_PATH_SIZE = 4096, FILE_SIZE_MAX = 64 << 20 };

/* Opens a file for reading. NULL, and what is wrong ("is not a file", "cannot be opened (No such file or directory)"), for
 * one that cannot be, and for what is no regular file: a named pipe would keep us waiting for a writer. errno then tells
 * the former, and is 0 for the latter. */
FILE *file_open(const char *path, char fault[FILE_FAULT_SIZE]);

/* Opens a file for reading and writing, as it is. flags: O_CREAT, to be made with that mode if it is not there; O_APPEND.
 * -1, and what is wrong, as above: for what is no regular file, which could keep us waiting for its reader; for a link and
 * for a file with a second name, which lead to files that are not ours to change. */
int file_open_to_write(const char *path, int flags, mode_t mode, char fault[FILE_FAULT_SIZE]);

/* Reads a file as JSON, to be released; NULL, and where and what is wrong in error's line, column and text. */
json_t *file_json(const char *path, json_error_t *error);

/* A file's content, NUL-terminated, to be freed; NULL when it cannot be read or has more than FILE_SIZE_MAX bytes: then that
 * is put into diagnostics, as "document". */
char *file_read(const char *path, size_t *size, Diagnostics *diagnostics);

/* From now on file_beside tells of no other files than those in the folder of this one. False: there is no such folder, or no memory. */
bool files_confine(const char *file);

/* The path of a file named relative to the folder of another; false: too long, or not where all are confined to. */
bool file_beside(const char *other, const char *name, char path[FILE_PATH_SIZE]);

#endif
