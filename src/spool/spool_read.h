/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads files of a spool safely, since any user may have written them. These functions follow no links, open only
 * regular files, limit their size, and never block. */
#ifndef SRC_SPOOL_READ_H
#define SRC_SPOOL_READ_H

#include "src/spool/spool_folders.h"

#include <dirent.h>
#include <jansson.h>
#include <sys/stat.h>

enum { SPOOL_JSON_MAX = 16 << 20 };

/* Opens the folder of a job; the caller closes it. Returns -1 if the folder is missing or there is no permission. */
int spool_open_job(const SpoolFolders *spool, SpoolFolder folder, const char *name);

/* Opens a file in a folder for reading, e.g. checkpoint/run.json. info: NULL if it is not needed. On failure returns -1
 * and sets errno; EINVAL means that it is not a regular file. */
int spool_open_file(int folder, const char *path, struct stat *info);

/* Works as spool_open_file, for files that will be shown to other users. Refuses files with several hard links, since
 * another link may be to a file that its owner does not share. */
int spool_open_shown(int folder, const char *path, struct stat *info);

/* Returns the text of a file of at most `most` bytes, NUL-terminated; the caller frees it. size: NULL if it is not
 * needed. Returns NULL if the file cannot be read or is longer, or if there is no memory. */
char *spool_read_text(int folder, const char *path, size_t most, size_t *size);

/* Works as spool_read_text, but for an open file, which is not closed. */
char *spool_read_open(int file, size_t most, size_t *size);

/* Returns the offset of the last complete line of a file with this size. Returns 0 if only the first line is complete,
 * or the last line is longer than 4096 bytes. */
off_t spool_last_line(int file, off_t size);

/* Reads a file as JSON, as safely as spool_read_text. The caller owns the reference. */
json_t *spool_read_json(int folder, const char *path);

/* Reads a file as JSON, which is opened by spool_open_shown. The caller owns the reference. */
json_t *spool_read_shown(int folder, const char *path);

/* Opens a folder for listing its entries from the first one. `folder` stays open; the caller closes the result. NULL on
 * failure. */
DIR *spool_open_names(int folder);

/* Sets name to the name of a user; if the user has no name, to the user's number. Returns name. */
enum { SPOOL_USER_SIZE = 64 };
const char *spool_user(uid_t user, char name[SPOOL_USER_SIZE]);

#endif
