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

#include <stdbool.h>

enum {
  SPOOL_NAME_CUT = 100,      /* bytes of a name without -2, -3, .. */
  SPOOL_NAME_MAX = 128,      /* with these and the NUL */
  SPOOL_FILE_MAX = 16 << 20, /* bytes of a problem file */
  SPOOL_FILES_MAX = 64,      /* files that a packed job may have beside problem.yaml and job.json */
  SPOOL_JOB_MAX = 64 << 20   /* bytes of all files of a packed job */
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

/* A spool that another process serves. */
typedef struct SpoolFolders {
  char path[FILE_PATH_SIZE];        /* as it was named, without a last / */
  int self, folders[SPOOL_FOLDERS]; /* descriptors; -1: it is not there */
} SpoolFolders;

/* Opens the folders, following no links behind `path`. Returns 0, or EXIT_USAGE after telling that this is no spool, which has incoming/
 * at least; to be closed either way. */
int spool_folders_open(SpoolFolders *spool, const char *path, Diagnostics *diagnostics);
void spool_folders_close(SpoolFolders *spool);

/* Opens those that were not there before: a service makes them at its first start. */
void spool_folders_again(SpoolFolders *spool);

/* Where a job is, in `from`, or in a folder behind it. False: in none of these. from: running/ or one behind it. */
bool spool_folders_find_from(const SpoolFolders *spool, const char *name, SpoolFolder from, SpoolFolder *folder);

/* Where a job that has begun or ended is. False: in none of running/ .. cancelled/. A job that is being moved is found. */
bool spool_folders_find(const SpoolFolders *spool, const char *name, SpoolFolder *folder);

#endif
