/* SPDX-License-Identifier: BSD-2-Clause */
/* What a job requests: command, priority, settings and options. The request is in job.json or in the first line of the
 * problem file; both may be missing.
 *
 *   {"format": 1, "command": "sweep", "priority": 0, "settings": ["time.step=0.01"],
 *    "options": ["--vary", "model.friction=[5, 10]"], "file": "my-problems/tp1.yaml"}
 *
 *   # stiction: simulate
 *
 * All members except format are optional. If job.json has no command, the first line of the problem file gives it. If
 * that line has none either, the command is `control`. Any user may have written these data, so options that a service
 * does not allow are refused here.
 *
 * A problem file, a setting, or a value of --vary may name further files, e.g. `model.mass={file: M.mtx}`. Such names
 * are checked in all three places by the process that runs the job. */
#ifndef SRC_SPOOL_JOB_FILE_H
#define SRC_SPOOL_JOB_FILE_H

#include "src/base/file_open.h"
#include "src/base/options.h"

#include <jansson.h>

enum { JOB_PRIORITY_MAX = 100, JOB_TEXT_MAX = 1 << 20 /* maximum size of job.json, in bytes */ };

typedef enum JobCommand { JOB_AS_FILE, JOB_CONTROL, JOB_SIMULATE, JOB_SWEEP, JOB_IDENTIFY, JOB_COMMANDS } JobCommand;

/* Names of the commands; "" for JOB_AS_FILE. */
extern const char *const job_command_names[JOB_COMMANDS];
/* Returns the command with this name; JOB_AS_FILE if a service does not support it. */
JobCommand job_command_find(const char *name);

typedef struct JobFile {
  JobCommand command;           /* command of the job; JOB_AS_FILE until the request has been read */
  int priority;                 /* priority, -100 to 100; jobs with a larger one come first */
  char *settings[SETTINGS_MAX]; /* [n_settings] texts KEY=VALUE, as for --set; owned, as are the members below */
  int n_settings;
  char *options[SETTINGS_MAX]; /* [n_options] options of the command, each one word with its value, e.g. "--vary=KEY=.."
                                * or "--zip" */
  int n_options;
  char *file; /* path of the problem file where it was submitted; NULL: unknown */
} JobFile;

/* A text in memory. name: name of its file, for diagnostics. */
typedef struct JobText {
  const char *name, *text; /* text is NULL if the file does not exist */
  size_t size;
} JobText;

/* Reads job.json, if it exists, and the first line of a problem file. problem: this line is sufficient. Returns 0;
 * EXIT_USAGE after adding an error for each mistake; or EXIT_INTERNAL after reporting a lack of memory. The caller
 * clears job in each case. */
int job_file_read(const JobText *json, const JobText *problem, Diagnostics *diagnostics, JobFile *job);

/* Works as job_file_read for FOLDER/job.json, if it exists, and FOLDER/problem.yaml. The folder must belong to this
 * process's user, so that other users cannot change it. */
int job_file_load(const char *folder, Diagnostics *diagnostics, JobFile *job);

void job_file_clear(JobFile *job);

/* Appends a copy of a text to a list of settings or options. Returns false if the list is full, or there is no
 * memory. */
bool job_file_add(char **list, int *n, const char *text);

/* Checks that the options belong to the command and that a service allows them. Joins each option and its value to one
 * word. name: name of the file, for diagnostics. Returns 0, EXIT_USAGE or EXIT_INTERNAL. job_file_read calls this
 * function, too. */
int job_file_check_options(JobFile *job, const char *name, Diagnostics *diagnostics);

/* Returns the content of job.json for this job. The caller owns the reference; NULL if there is no memory. */
json_t *job_file_json(const JobFile *job);

#endif
