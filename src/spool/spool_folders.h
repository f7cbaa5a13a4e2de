/* The folders of a service, as all that look into them or put something there know them, and what a job may be called.
 *
 *     SPOOL/incoming/FILE           a problem file (.yaml, .yml): a job
 *     SPOOL/incoming/NAME/          a packed job: problem.yaml, job.json (job_file.h), and the files that the problem names
 *     SPOOL/incoming/NAME.cancel    a wish to cancel NAME
 *     SPOOL/running|done|failed|cancelled/NAME/
 *
 * NAME is FILE less .yaml or .yml, with _ for all but letters, digits and -._ (and for a first . or -), cut to 100 bytes. A last
 * .cancel becomes _cancel. -2, -3, .. follow where there is such a job already. */
#ifndef SRC_SPOOL_FOLDERS_H
#define SRC_SPOOL_FOLDERS_H

#include "src/base/file_open.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <sys/stat.h>

enum {
  SPOOL_NAME_CUT = 100,                   /* bytes of a name without -2, -3, .. */
  SPOOL_NAME_MAX = 128,                   /* with these and the NUL */
  SPOOL_WAITING_MAX = SPOOL_NAME_MAX + 8, /* NAME.yaml */
  SPOOL_FILE_MAX = 16 << 20,              /* bytes of a problem file */
  SPOOL_FILES_MAX = 64,                   /* files that a packed job may have beside problem.yaml and job.json */
  SPOOL_JOB_MAX = 64 << 20                /* bytes of all files of a packed job */
};

typedef enum SpoolFolder {
  SPOOL_INCOMING,
  SPOOL_RUNNING,
  SPOOL_DONE,
  SPOOL_FAILED,
  SPOOL_CANCELLED,
  SPOOL_FOLDERS
} SpoolFolder;

extern const char *const spool_folder_names[SPOOL_FOLDERS];

#define SPOOL_PROBLEM "problem.yaml"
#define SPOOL_JOB     "job.json"
#define SPOOL_SUBMITTED                                                                                                \
  "submitted.json" /* {"user": 1000, "group": 1000, "at": 1700000000, "file": "tp1.yaml"}: whose a job is, since when, its problem file; "exit" of what has failed */
#define SPOOL_CANCEL ".cancel"

/* The NAME of a job that comes as FILE; without -2. */
void spool_job_name(const char *file, char name[SPOOL_NAME_MAX]);

/* name, the K-th of that name: name itself, name-2, name-3, .. */
void spool_numbered_name(const char *name, long k, char numbered[SPOOL_NAME_MAX]);

/* Whether a text, from whomever, can be the NAME of a job; if so, it is a single safe component of a path. */
bool spool_is_name(const char *text);

/* A file in a packed job, beside problem.yaml and job.json: it has the form of a NAME, and is neither of the two, nor one that results, or
 * the service, write there. */
bool spool_is_file_name(const char *text);

/* A spool that another process serves. A folder that is opened anew keeps its descriptor: one thread may do that while others use it. */
typedef struct SpoolFolders {
  char path[FILE_PATH_SIZE];         /* as it was named, without a last / */
  int self;                          /* descriptor */
  atomic_int folders[SPOOL_FOLDERS]; /* likewise; -1: it is not there */
} SpoolFolders;

/* Opens the folders, following no links behind `path`. Returns 0, or EXIT_USAGE after telling that this is no spool, which has incoming/
 * at least; to be closed either way. */
int spool_folders_open(SpoolFolders *spool, const char *path, Diagnostics *diagnostics);
void spool_folders_close(SpoolFolders *spool);

/* Opens those that were not there before, since a service makes them at its first start, and those in whose place there are others: what
 * somebody takes away it makes anew. */
void spool_folders_again(SpoolFolders *spool);

/* For how long (s) what has been moved, perhaps by another machine, may not be seen here: that depends on the file system. */
double spool_folders_delay(const SpoolFolders *spool);

/* The file or folder in incoming/ of a job of that name: NAME, NAME.yaml or NAME.yml, the first of these unless
 * another is our own. info: NULL: not wanted. False: none waits, or name is no name. */
bool spool_find_waiting(const SpoolFolders *spool, const char *name, char file[SPOOL_WAITING_MAX], struct stat *info);

/* Takes a folder away with the files that are in it, as far as they may be: no folders in it. */
void spool_remove_folder(int in, const char *name);

/* Whether two are one file, under whatever names. */
bool spool_is_same_file(const struct stat *a, const struct stat *b);

/* Where a job is, in `from`, or in a folder behind it. False: in none of these. */
bool spool_folders_find_from(const SpoolFolders *spool, const char *name, SpoolFolder from, SpoolFolder *folder);

/* Where a job that has begun or ended is. False: in none of running/ .. cancelled/. A job that is being moved is found. */
bool spool_folders_find(const SpoolFolders *spool, const char *name, SpoolFolder *folder);

/* The name that the next job that begins, or is taken back, as NAME gets: name, name-2, .., whichever is in none of these. */
void spool_free_name(const SpoolFolders *spool, const char *name, char result[SPOOL_NAME_MAX]);

#endif
