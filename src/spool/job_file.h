/* What a job requests: by job.json, by the first line of its problem file, or by neither.
 *
 *     {"format": 1, "command": "sweep", "priority": 0, "settings": ["time.step=0.01"],
 *      "options": ["--vary", "model.friction=[5, 10]"], "file": "my-problems/tp1.yaml"}
 *
 *     # stiction: simulate
 *
 * All members except format are optional. Without a command in job.json, the first line of the problem file gives it;
 * without one there, it is `control`. The data come from any user, so options that a service does not allow are refused
 * here.
 *
 * A setting or a value of --vary may name a file, as a problem file may (`model.mass={file: M.mtx}`): the process that
 * runs the job looks for such names in all three. */
#ifndef SRC_SPOOL_JOB_FILE_H
#define SRC_SPOOL_JOB_FILE_H

#include "src/base/file_open.h"
#include "src/base/options.h"

#include <jansson.h>

enum { JOB_PRIORITY_MAX = 100, JOB_TEXT_MAX = 1 << 20 /* bytes of job.json */ };

typedef enum JobCommand { JOB_AS_FILE, JOB_CONTROL, JOB_SIMULATE, JOB_SWEEP, JOB_IDENTIFY, JOB_COMMANDS } JobCommand;

/* Names of the commands; "" for JOB_AS_FILE. */
extern const char *const job_command_names[JOB_COMMANDS];
/* Returns the command with this name; JOB_AS_FILE: not a command of the service. */
JobCommand job_command_find(const char *name);

typedef struct JobFile {
  JobCommand command;           /* JOB_AS_FILE only before the job is read */
  int priority;                 /* -100 to 100; larger ones first */
  char *settings[SETTINGS_MAX]; /* [n_settings] KEY=VALUE, as for --set; owned, like the rest */
  int n_settings;
  char *options[SETTINGS_MAX]; /* [n_options] of the command, one word each: "--vary=KEY=..", "--zip" */
  int n_options;
  char *file; /* name of the problem file where it was submitted; NULL: unknown */
} JobFile;

/* A text in memory. name: for diagnostics. */
typedef struct JobText {
  const char *name, *text; /* text NULL: absent */
  size_t size;
} JobText;

/* Reads job.json, if present, and the first line of a problem file; the rest may be missing. Returns 0; EXIT_USAGE with
 * an error for each mistake; or EXIT_INTERNAL, reported: no memory. Clear job in each case. */
int job_file_read(const JobText *json, const JobText *problem, Diagnostics *diagnostics, JobFile *job);

/* Reads FOLDER/job.json, if present, and FOLDER/problem.yaml in the same way. The folder must belong to the reader, so
 * that other users cannot change it. */
int job_file_load(const char *folder, Diagnostics *diagnostics, JobFile *job);

void job_file_clear(JobFile *job);

/* Adds a setting or option; the text is copied. Returns false if there are too many, or no memory. */
bool job_file_add(char **list, int *n, const char *text);

/* Checks that the options belong to the command and are allowed by a service; makes one word of each. name: for
 * diagnostics. Returns 0, EXIT_USAGE or EXIT_INTERNAL. job_file_read also calls this. */
int job_file_check_options(JobFile *job, const char *name, Diagnostics *diagnostics);

/* Returns job.json. A new reference; NULL if there is no memory. */
json_t *job_file_json(const JobFile *job);

#endif
