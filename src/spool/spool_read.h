/* Files of a spool as anybody may have left them there: no links are followed, only regular files are opened, none is read beyond its
 * limit, and none is waited for. */
#ifndef SRC_SPOOL_READ_H
#define SRC_SPOOL_READ_H

#include "src/spool/spool_folders.h"

#include <dirent.h>
#include <jansson.h>
#include <sys/stat.h>

enum { SPOOL_JSON_MAX = 16 << 20 };

/* A job's folder; -1: it is not there, or may not be looked into. To be closed. */
int spool_open_job(const SpoolFolders *spool, SpoolFolder folder, const char *name);

/* A file of a folder, `checkpoint/run.json` say, for reading; -1: errno tells why, EINVAL of what is no file. info: NULL: not wanted. */
int spool_open_file(int folder, const char *path, struct stat *info);

/* Likewise, one whose contents are told to others than who may read it: of a single name. Another may be somebody else's file, whose owner does
 * not see this one. */
int spool_open_shown(int folder, const char *path, struct stat *info);

/* Its text up to so many bytes, NUL-terminated, to be freed. size: NULL: not wanted. NULL: there is none that can be read, it is longer, or
 * no memory. */
char *spool_read_text(int folder, const char *path, size_t most, size_t *size);

/* Likewise, of one that has been opened, and stays so. */
char *spool_read_open(int file, size_t most, size_t *size);

/* Where the last whole line of a file of so many bytes begins; 0: there is none behind the first, or none in the last 4096 bytes. */
off_t spool_last_line(int file, off_t size);

/* A file's text as spool_read_text has it, as JSON; a new reference. */
json_t *spool_read_json(int folder, const char *path);

/* Likewise, opened by spool_open_shown. */
json_t *spool_read_shown(int folder, const char *path);

/* A folder, which stays open, from its first name on. To be closed; NULL: it could not be opened. */
DIR *spool_open_names(int folder);

/* Who owns what a stat has told: a user's name, or a number; returns name. */
enum { SPOOL_USER_SIZE = 64 };
const char *spool_user(uid_t user, char name[SPOOL_USER_SIZE]);

#endif
