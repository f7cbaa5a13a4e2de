/* The folders of a service as seen by programs that read them or submit jobs, and valid names of jobs.
 *
 *     SPOOL/incoming/FILE           a problem file (.yaml, .yml): a job
 *     SPOOL/incoming/NAME/          a packed job: problem.yaml, job.json (job_file.h), and the files that the problem names
 *     SPOOL/incoming/NAME.cancel    a request to cancel NAME
 *     SPOOL/running|done|failed|cancelled/NAME/
 *
 * NAME is FILE without .yaml or .yml, with _ for all characters except letters, digits and -._ (and for a leading . or
 * -), cut to 100 bytes. A trailing .cancel becomes _cancel. -2, -3, .. are appended if there is already such a job. */
#ifndef SRC_SPOOL_FOLDERS_H
#define SRC_SPOOL_FOLDERS_H

#include "src/base/file_open.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <sys/stat.h>

enum {
  SPOOL_NAME_CUT = 100,                   /* bytes of a name without -2, -3, .. */
  SPOOL_NAME_MAX = 128,                   /* including these and the NUL */
  SPOOL_WAITING_MAX = SPOOL_NAME_MAX + 8, /* for NAME.yaml */
  SPOOL_FILE_MAX = 16 << 20,              /* bytes of a problem file */
  SPOOL_FILES_MAX = 64,                   /* files of a packed job in addition to problem.yaml and job.json */
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
/* {"user": 1000, "group": 1000, "at": 1700000000, "file": "tp1.yaml"}: the submitter, the time, the problem file; and
 * "exit" of a failed job. */
#define SPOOL_SUBMITTED "submitted.json"
#define SPOOL_CANCEL    ".cancel"

/* Sets name to the NAME of a job submitted as FILE, without -2. */
void spool_job_name(const char *file, char name[SPOOL_NAME_MAX]);

/* The K-th job with a name: name itself, name-2, name-3, .. */
void spool_numbered_name(const char *name, long k, char numbered[SPOOL_NAME_MAX]);

/* Whether any text is a valid NAME of a job; it is then a single safe component of a path. */
bool spool_is_name(const char *text);

/* Whether a text is a valid name of a file in a packed job: it has the form of a NAME, and is neither problem.yaml,
 * job.json, nor a file that the service or a run writes there. */
bool spool_is_file_name(const char *text);

/* A spool served by another process. A folder that is reopened keeps its descriptor, so one thread can do this while
 * others use it. */
typedef struct SpoolFolders {
  char path[FILE_PATH_SIZE];         /* as given by the user */
  int self;                          /* descriptor */
  atomic_int folders[SPOOL_FOLDERS]; /* descriptors; -1: missing */
} SpoolFolders;

/* Opens the folders without following links below `path`. Returns 0, or EXIT_USAGE after reporting that this is not a
 * spool, which has at least incoming/. Close it in each case. */
int spool_folders_open(SpoolFolders *spool, const char *path, Diagnostics *diagnostics);
void spool_folders_close(SpoolFolders *spool);

/* Opens folders that were missing before, as a service creates them at its first start, and folders that were replaced,
 * as it recreates removed ones. */
void spool_folders_again(SpoolFolders *spool);

/* Time in s during which changes by other machines may not be visible here; it depends on the file system. */
double spool_folders_delay(const SpoolFolders *spool);

/* Finds the waiting job of this name in incoming/: NAME, NAME.yaml or NAME.yml, preferring this user's. info: NULL: not
 * needed. Returns false if no job waits, or the name is invalid. */
bool spool_find_waiting(const SpoolFolders *spool, const char *name, char file[SPOOL_WAITING_MAX], struct stat *info);

/* Removes a folder with its files, as far as permitted; it must not contain folders. */
void spool_remove_folder(int in, const char *name);

/* Whether two entries are the same file, under whatever names. */
bool spool_is_same_file(const struct stat *a, const struct stat *b);

/* Finds the folder of a job in `from` or a later folder. Returns false if there is none. */
bool spool_folders_find_from(const SpoolFolders *spool, const char *name, SpoolFolder from, SpoolFolder *folder);

/* Finds the folder of a job that has begun or ended, running/ .. cancelled/, even while it is moved. Returns false if
 * there is none. */
bool spool_folders_find(const SpoolFolders *spool, const char *name, SpoolFolder *folder);

/* Chooses the name for a job NAME that begins or is cancelled: the first of name, name-2, .. that is not used in these
 * folders. */
void spool_free_name(const SpoolFolders *spool, const char *name, char result[SPOOL_NAME_MAX]);

#endif
