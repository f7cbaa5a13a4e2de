/* What is wanted of a job: by job.json, by the first line of its problem file, or by neither.
 *
 *     {"format": 1, "command": "sweep", "priority": 0, "settings": ["time.step=0.01"], "options": ["--vary", "model.friction=[5, 10]"],
 *      "file": "my-problems/tp1.yaml"}
 *
 *     # stiction: simulate
 *
 * Every member but format may be left out. Without a command in job.json the problem file's first line has it; without one there it is
 * `control`. All of this comes from anybody: what a service does not do for others is refused here.
 *
 * A setting or a value of --vary may name a file, like a problem file (`model.mass={file: M.mtx}`): who runs the job looks for such names
 * in all three. */
#ifndef SRC_SPOOL_JOB_FILE_H
#define SRC_SPOOL_JOB_FILE_H

#include "src/base/file_open.h"
#include "src/base/options.h"

#include <jansson.h>

enum { JOB_PRIORITY_MAX = 100, JOB_TEXT_MAX = 1 << 20 /* bytes of job.json */ };

typedef enum JobCommand { JOB_AS_FILE, JOB_CONTROL, JOB_SIMULATE, JOB_SWEEP, JOB_IDENTIFY, JOB_COMMANDS } JobCommand;

/* Their names; of JOB_AS_FILE "". */
extern const char *const job_command_names[JOB_COMMANDS];
/* The command of a name; JOB_AS_FILE: there is none that a service carries out. */
JobCommand job_command_find(const char *name);

typedef struct JobFile {
  JobCommand command;           /* JOB_AS_FILE only while it is made, never once it is read */
  int priority;                 /* -100 to 100; larger ones first */
  char *settings[SETTINGS_MAX]; /* [n_settings] KEY=VALUE, as of --set; owned, as the rest */
  int n_settings;
  char *options[SETTINGS_MAX]; /* [n_options] of the command, a word each: "--vary=KEY=..", "--zip" */
  int n_options;
  char *file; /* the problem file's name where it was submitted; NULL: not told */
} JobFile;

/* A text in memory. name: for diagnostics. */
typedef struct JobText {
  const char *name, *text; /* text: NULL: there is none */
  size_t size;
} JobText;

/* Reads job.json, if there is one, and the first line of a problem file, of which the rest need not be there. Returns 0; EXIT_USAGE, with
 * an error for each mistake; EXIT_INTERNAL (told): out of memory. Clear it either way. */
int job_file_read(const JobText *json, const JobText *problem, Diagnostics *diagnostics, JobFile *job);

/* Reads FOLDER/job.json, if it is there, and FOLDER/problem.yaml, likewise. The folder is the reader's own: nobody else can change it. */
int job_file_load(const char *folder, Diagnostics *diagnostics, JobFile *job);

void job_file_clear(JobFile *job);

/* One setting or option more; the text is copied. False: too many, or no memory. */
bool job_file_add(char **list, int *n, const char *text);

/* Looks whether the options are of the command, and ones that a service allows; puts each into one word. name: for diagnostics. Returns 0 or
 * EXIT_USAGE, EXIT_INTERNAL. job_file_read does so, too. */
int job_file_check_options(JobFile *job, const char *name, Diagnostics *diagnostics);

/* job.json. A new reference; NULL: no memory. */
json_t *job_file_json(const JobFile *job);

#endif
