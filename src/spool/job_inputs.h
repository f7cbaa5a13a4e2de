/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds the files that a problem names, as in {file: M.mtx}, so that they can be submitted with the problem. */
#ifndef SRC_SPOOL_JOB_INPUTS_H
#define SRC_SPOOL_JOB_INPUTS_H

#include "src/spool/job_file.h"
#include "src/spool/spool_folders.h"

typedef struct JobInput {
  char *key, *path;          /* key, e.g. model.mass.file, and path of the file; owned */
  char name[SPOOL_NAME_MAX]; /* name of the copy in the job's folder */
} JobInput;

typedef struct JobInputs {
  JobInput list[SPOOL_FILES_MAX];
  int n;
} JobInputs;

/* Finds the files that a problem file and the settings of its job name. If a file gets another name in the job's
 * folder, adds a setting with this name: data/M.mtx becomes M.mtx, and a second file with this name 2-M.mtx. Reports
 * {from: DIR}, since results of another run are not submitted, and files in values of --vary. Other errors of the file
 * are not reported here. Returns 0; or EXIT_USAGE or EXIT_INTERNAL after reporting an error. The caller clears inputs
 * in each case. */
int job_inputs_find(const char *path, JobFile *job, Diagnostics *diagnostics, JobInputs *inputs);
void job_inputs_clear(JobInputs *inputs);

#endif
