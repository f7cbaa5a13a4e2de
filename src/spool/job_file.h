/* SPDX-License-Identifier: BSD-2-Clause */
/* What a job requests. It is given by job.json, by the first line of its problem file, or by neither.
 *
 *     {"format": 1, "command": "sweep", "priority": 0, "settings": ["time.step=0.01"],
 *      "options": ["--vary", "model.friction=[5, 10]"], "file": "my-problems/tp1.yaml"}
 *
 *     # stiction: simulate
 *
 * All members except format are optional. If job.json has no command, the first line of the problem file gives it.
 * If that line has none either, it is `control`. Any user may have written these data, so options that a service
 * does not allow are refused here.
 *
 * A problem file, a setting, or a value of --vary may name further files, e.g. `model.mass={file: M.mtx}`. The
 * process that runs the job checks such names in all three places. */
#ifndef SRC_SPOOL_JOB_FILE_H
#define SRC_SPOOL_JOB_FILE_H

#include "src/base/file_open.h"
#include "src/base/options.h"

#include <jansson.h>

enum { JOB_PRIORITY_MAX = 100, JOB_TEXT_MAX = 1 << 20 /* largest size of job.json, in bytes */ };

typedef enum JobCommand { JOB_AS_FILE, JOB_CONTROL, JOB_SIMULATE, JOB_SWEEP, JOB_IDENTIFY, JOB_COMMANDS } JobCommand;

/* Names of the commands; "" for JOB_AS_FILE. */
extern const char *const job_command_names[JOB_COMMANDS];
/* Returns the command with this name; JOB_AS_FILE if a service has no such command. */
JobCommand job_command_find(const char *name);

typedef struct JobFile {
  JobCommand command;           /* command of the job; JOB_AS_FILE before the job is read */
  int priority;                 /* -100 to 100; jobs with larger ones come first */
  char *settings[SETTINGS_MAX]; /* [n_settings] KEY=VALUE, as for --set; owned, like the members below */
  int n_settings;
  char *options[SETTINGS_MAX]; /* [n_options] options of the command, one word each: "--vary=KEY=..", "--zip" */
  int n_options;
  char *file; /* name that the problem file had where it was submitted; NULL: unknown */
} JobFile;

/* A text in memory. name: name of its file, for diagnostics. */
typedef struct JobText {
  const char *name, *text; /* text is NULL if the file does not exist */
  size_t size;
} JobText;

/* Reads job.json, if it exists, and the first line of a problem file, of which no more is needed. Returns 0; EXIT_USAGE
 * after adding an error for each mistake; or EXIT_INTERNAL after reporting lack of memory. Clear job in each case. */
int job_file_read(const JobText *json, const JobText *problem, Diagnostics *diagnostics, JobFile *job);

/* Reads FOLDER/job.json, if it exists, and FOLDER/problem.yaml as job_file_read does. The folder must belong to the
 * reader, so that other users cannot change it. */
int job_file_load(const char *folder, Diagnostics *diagnostics, JobFile *job);

void job_file_clear(JobFile *job);

/* Appends a copy of a text to a list of settings or options. Returns false if there are too many, or no memory. */
bool job_file_add(char **list, int *n, const char *text);

/* Checks that the options belong to the command and that a service allows them; makes one word of each option. name:
 * name of the file, for diagnostics. Returns 0, EXIT_USAGE or EXIT_INTERNAL. job_file_read also calls this. */
int job_file_check_options(JobFile *job, const char *name, Diagnostics *diagnostics);

/* Returns the content of job.json. A new reference; NULL if there is no memory. */
json_t *job_file_json(const JobFile *job);

#endif
