/* The files that a problem names, {file: M.mtx}, which are submitted with it. */
#ifndef SRC_SPOOL_JOB_INPUTS_H
#define SRC_SPOOL_JOB_INPUTS_H

#include "src/spool/job_file.h"
#include "src/spool/spool_folders.h"

typedef struct JobInput {
  char *key, *path;          /* model.mass.file, and the path of the file; owned */
  char name[SPOOL_NAME_MAX]; /* name in the job's folder */
} JobInput;

typedef struct JobInputs {
  JobInput list[SPOOL_FILES_MAX];
  int n;
} JobInputs;

/* Finds these files in a problem file with the job's settings. Adds a setting for each file with a changed name:
 * data/M.mtx becomes M.mtx, a second file of this name 2-M.mtx. Reports {from: DIR}, results of another run, which are
 * not submitted, and files in values of --vary; other errors of the file are not reported. Returns 0; EXIT_USAGE or
 * EXIT_INTERNAL after reporting an error. Clear inputs in each case. */
int job_inputs_find(const char *path, JobFile *job, Diagnostics *diagnostics, JobInputs *inputs);
void job_inputs_clear(JobInputs *inputs);

#endif
