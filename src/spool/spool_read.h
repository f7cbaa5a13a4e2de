/* Reads files of a spool safely, as any user may have written them: follows no links, opens only regular files, limits
 * their size, and never blocks. */
#ifndef SRC_SPOOL_READ_H
#define SRC_SPOOL_READ_H

#include "src/spool/spool_folders.h"

#include <dirent.h>
#include <jansson.h>
#include <sys/stat.h>

enum { SPOOL_JSON_MAX = 16 << 20 };

/* Opens a job's folder, to be closed by the caller; -1: missing, or no permission. */
int spool_open_job(const SpoolFolders *spool, SpoolFolder folder, const char *name);

/* Opens a file of a folder, e.g. `checkpoint/run.json`, for reading; -1 on failure with errno set, EINVAL if it is not
 * a regular file. info: NULL: not needed. */
int spool_open_file(int folder, const char *path, struct stat *info);

/* The same for a file with content that is shown to other users: refuses files with several hard links, since the other
 * name may belong to a file that its owner has not shared. */
int spool_open_shown(int folder, const char *path, struct stat *info);

/* Returns the text of a file of at most `most` bytes, NUL-terminated; the caller frees it. size: NULL: not needed.
 * NULL: not readable, longer, or no memory. */
char *spool_read_text(int folder, const char *path, size_t most, size_t *size);

/* Reads an open file, which stays open. */
char *spool_read_open(int file, size_t most, size_t *size);

/* Position of the last complete line of a file with this size; 0: there is none after the first, or none within the
 * last 4096 bytes. */
off_t spool_last_line(int file, off_t size);

/* Reads a file as JSON, with the limits of spool_read_text; a new reference. */
json_t *spool_read_json(int folder, const char *path);

/* Reads JSON from a file opened by spool_open_shown. */
json_t *spool_read_shown(int folder, const char *path);

/* Opens a folder, which stays open, for listing from the start; the caller closes it. NULL on failure. */
DIR *spool_open_names(int folder);

/* Returns the name of a user, or its number if it has none, in name. */
enum { SPOOL_USER_SIZE = 64 };
const char *spool_user(uid_t user, char name[SPOOL_USER_SIZE]);

#endif
