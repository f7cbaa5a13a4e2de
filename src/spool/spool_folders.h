/* SPDX-License-Identifier: BSD-2-Clause */
/* The folders of a service, for programs that read them or submit jobs, and the valid names of jobs.
 *
 *     SPOOL/incoming/FILE           a job: a problem file (.yaml, .yml)
 *     SPOOL/incoming/NAME/          a packed job: problem.yaml, job.json (job_file.h), and the files that the problem names
 *     SPOOL/incoming/NAME.cancel    a request to cancel NAME
 *     SPOOL/running|done|failed|cancelled/NAME/
 *
 * NAME is derived from FILE: the ending .yaml or .yml is dropped, all characters except letters, digits and -._
 * become _, as does a leading . or -, and the name is cut to 100 bytes. An ending .cancel becomes _cancel. If such a
 * job exists, -2, -3, .. is appended. */
#ifndef SRC_SPOOL_FOLDERS_H
#define SRC_SPOOL_FOLDERS_H

#include "src/base/file_open.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <sys/stat.h>

enum {
  SPOOL_NAME_CUT = 100,                   /* longest name in bytes, without -2, -3, .. */
  SPOOL_NAME_MAX = 128,                   /* buffer size for a name with such a number and the NUL */
  SPOOL_WAITING_MAX = SPOOL_NAME_MAX + 8, /* buffer size for NAME.yaml or NAME.cancel */
  SPOOL_FILE_MAX = 16 << 20,              /* largest size of a problem file, in bytes */
  SPOOL_FILES_MAX = 64,                   /* largest number of files of a packed job, without problem.yaml and
                                           * job.json */
  SPOOL_JOB_MAX = 64 << 20                /* largest size of all files of a packed job together, in bytes */
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
/* File in a job's folder: {"user": 1000, "group": 1000, "at": 1700000000, "file": "tp1.yaml"}. It holds the submitter,
 * the time, and the name of the problem file; for a failed job also "exit". */
#define SPOOL_SUBMITTED "submitted.json"
#define SPOOL_CANCEL    ".cancel"

/* Sets name to the NAME of a job submitted as FILE, without a number -2 .. */
void spool_job_name(const char *file, char name[SPOOL_NAME_MAX]);

/* Sets numbered to the k-th name of jobs with the same name: name itself, name-2, name-3, .. */
void spool_numbered_name(const char *name, long k, char numbered[SPOOL_NAME_MAX]);

/* Returns whether a text is a valid NAME of a job. Such a name is a single component of a path, so it cannot lead out
 * of a folder. */
bool spool_is_name(const char *text);

/* Returns whether a text is a valid name of a file in a packed job. It must have the form of a NAME. It must not be
 * problem.yaml, job.json, or a file that the service or a run writes there. */
bool spool_is_file_name(const char *text);

/* A spool that another process serves. A folder that is opened again keeps its descriptor, so one thread can do this
 * while others use it. */
typedef struct SpoolFolders {
  char path[FILE_PATH_SIZE];         /* path of SPOOL as the user has given it */
  int self;                          /* descriptor of SPOOL */
  atomic_int folders[SPOOL_FOLDERS]; /* descriptors of its folders; -1: missing */
} SpoolFolders;

/* Opens the folders of the spool; links below `path` are not followed. Returns 0, or EXIT_USAGE after reporting that
 * this is not a spool; a spool has at least incoming/. Close it in each case. */
int spool_folders_open(SpoolFolders *spool, const char *path, Diagnostics *diagnostics);
void spool_folders_close(SpoolFolders *spool);

/* Opens folders that were missing before, since a service creates them when it first starts, and folders that were
 * replaced, since a service creates removed ones again. */
void spool_folders_again(SpoolFolders *spool);

/* Returns the time in s during which changes made by other machines may not be visible here. It depends on the file
 * system. */
double spool_folders_delay(const SpoolFolders *spool);

/* Finds the waiting job of this name in incoming/: NAME, NAME.yaml or NAME.yml. If there are several, prefers this
 * user's. info: NULL if it is not needed. Returns false if no such job waits, or the name is invalid. */
bool spool_find_waiting(const SpoolFolders *spool, const char *name, char file[SPOOL_WAITING_MAX], struct stat *info);

/* Removes a folder and its files, as far as permitted. It must not contain folders. */
void spool_remove_folder(int in, const char *name);

/* Returns whether two entries, which may have different names, are the same file. */
bool spool_is_same_file(const struct stat *a, const struct stat *b);

/* Finds the folder of a job, searching from `from` on in the order of SpoolFolder. Returns false if there is none. */
bool spool_folders_find_from(const SpoolFolders *spool, const char *name, SpoolFolder from, SpoolFolder *folder);

/* Finds the folder of a job that has begun or ended, even while the job is being moved. Returns false if there is
 * none. */
bool spool_folders_find(const SpoolFolders *spool, const char *name, SpoolFolder *folder);

/* Chooses the name for a job that begins or is cancelled: the first of name, name-2, .. that no job in running/, done/,
 * failed/ or cancelled/ has. */
void spool_free_name(const SpoolFolders *spool, const char *name, char result[SPOOL_NAME_MAX]);

#endif
