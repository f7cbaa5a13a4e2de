/* SPDX-License-Identifier: BSD-2-Clause */
/* The folders of a service, for programs that read them or submit jobs, and the valid names of jobs.
 *
 *   SPOOL/incoming/FILE           a job that is a problem file (.yaml, .yml)
 *   SPOOL/incoming/NAME/          a packed job: problem.yaml, job.json (job_file.h), and files that the problem names
 *   SPOOL/incoming/NAME.cancel    a request to cancel the job NAME
 *   SPOOL/running|done|failed|cancelled/NAME/
 *
 * NAME is derived from FILE as follows. The ending .yaml or .yml is dropped, and an ending .cancel becomes _cancel. A
 * leading . or -, and all characters except letters, digits and -._ become _. The name is cut to 100 bytes. If a job of
 * this name exists, -2, -3, .. is appended. */
#ifndef SRC_SPOOL_FOLDERS_H
#define SRC_SPOOL_FOLDERS_H

#include "src/base/file_open.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <sys/stat.h>

enum {
  SPOOL_NAME_CUT = 100,                   /* maximum length of a name in bytes, without -2, -3, .. */
  SPOOL_NAME_MAX = 128,                   /* size of a buffer for a name with such a number and the NUL */
  SPOOL_WAITING_MAX = SPOOL_NAME_MAX + 8, /* size of a buffer for NAME.yaml or NAME.cancel */
  SPOOL_FILE_MAX = 16 << 20,              /* maximum size of a problem file, in bytes */
  SPOOL_FILES_MAX = 64,                   /* maximum number of files of a packed job, not counting problem.yaml and
                                           * job.json */
  SPOOL_JOB_MAX = 64 << 20                /* maximum size of all files of a packed job together, in bytes */
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
/* Name of a file in a job's folder, which has the submitter, the time of submission, and the name of the problem file;
 * for a failed job also "exit". Example: {"user": 1000, "group": 1000, "at": 1700000000, "file": "tp1.yaml"} */
#define SPOOL_SUBMITTED "submitted.json"
#define SPOOL_CANCEL    ".cancel"

/* Sets name to the NAME of a job that was submitted as FILE, without a number -2, -3, .. */
void spool_job_name(const char *file, char name[SPOOL_NAME_MAX]);

/* Sets numbered to the k-th of the names that jobs with the same NAME get: name, name-2, name-3, .. */
void spool_numbered_name(const char *name, long k, char numbered[SPOOL_NAME_MAX]);

/* Returns whether a text is a valid NAME of a job. A valid name is a single part of a path, so it cannot lead out of a
 * folder. */
bool spool_is_name(const char *text);

/* Returns whether a text is a valid name of a file in a packed job. It must have the form of a NAME, and must not be
 * problem.yaml, job.json, or the name of a file that the service or a run writes there. */
bool spool_is_file_name(const char *text);

/* A spool that another process serves. When a folder is opened again, its descriptor keeps its number, so one thread
 * can open folders again while others use them. */
typedef struct SpoolFolders {
  char path[FILE_PATH_SIZE];         /* path of SPOOL as passed by the user */
  int self;                          /* descriptor of SPOOL */
  atomic_int folders[SPOOL_FOLDERS]; /* descriptors of the folders in SPOOL; -1: the folder is missing */
} SpoolFolders;

/* Opens the folders of the spool. Links below `path` are not followed. Returns 0, or EXIT_USAGE after reporting that
 * this is not a spool, since it has no folder incoming/. The caller closes the spool in each case. */
int spool_folders_open(SpoolFolders *spool, const char *path, Diagnostics *diagnostics);
void spool_folders_close(SpoolFolders *spool);

/* Opens the folders that have been created or replaced since they were last opened. A service creates folders when it
 * first starts, and creates removed ones again. */
void spool_folders_again(SpoolFolders *spool);

/* Returns the time in s during which changes made by other machines may not be visible here. It depends on the file
 * system. */
double spool_folders_delay(const SpoolFolders *spool);

/* Finds the waiting job with this name in incoming/: NAME, NAME.yaml or NAME.yml. If there are several, prefers the job
 * that belongs to this user. file: set to the name of the entry. info: NULL if it is not needed. Returns false if no
 * such job waits, or the name is invalid. */
bool spool_find_waiting(const SpoolFolders *spool, const char *name, char file[SPOOL_WAITING_MAX], struct stat *info);

/* Removes a folder with its files, as far as permissions allow. The folder must not contain folders. */
void spool_remove_folder(int in, const char *name);

/* Returns whether two files are the same, even if their names differ. */
bool spool_is_same_file(const struct stat *a, const struct stat *b);

/* Finds the folder in which a job is, beginning with the folder `from` in the order of SpoolFolder. Returns false if
 * the job is not found. */
bool spool_folders_find_from(const SpoolFolders *spool, const char *name, SpoolFolder from, SpoolFolder *folder);

/* Finds the folder in which a job is that has begun or ended. Finds it even while the job is being moved. Returns false
 * if there is no such job. */
bool spool_folders_find(const SpoolFolders *spool, const char *name, SpoolFolder *folder);

/* Chooses the name for a job that begins or is cancelled. It is the first of name, name-2, name-3, .. that no job in
 * running/, done/, failed/ or cancelled/ has. */
void spool_free_name(const SpoolFolders *spool, const char *name, char result[SPOOL_NAME_MAX]);

#endif
