/* The files that a problem names, {file: M.mtx}, which have to travel with it. */
#ifndef SRC_SPOOL_JOB_INPUTS_H
#define SRC_SPOOL_JOB_INPUTS_H

#include "src/spool/job_file.h"
#include "src/spool/spool_folders.h"

typedef struct JobInput {
  char *key, *path;          /* model.mass.file, and where the file is; owned */
  char name[SPOOL_NAME_MAX]; /* that it travels under */
} JobInput;

typedef struct JobInputs {
  JobInput list[SPOOL_FILES_MAX];
  int n;
} JobInputs;

/* Finds them in a problem file with the job's settings, and adds to these one for each name that is another on the way: data/M.mtx becomes
 * M.mtx, the second file of that name 2-M.mtx. Told are {from: DIR}, results of another run, which do not travel, and files in values of
 * --vary; not what else is wrong with the file. Returns 0; EXIT_USAGE or EXIT_INTERNAL after telling. Clear it either way. */
int job_inputs_find(const char *path, JobFile *job, Diagnostics *diagnostics, JobInputs *inputs);
void job_inputs_clear(JobInputs *inputs);

#endif
