/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the target in the first line of a request.
 *
 *     /jobs/tp1/files/summary.json  ->  WEB_FILE, name tp1, file summary.json
 *
 * A part of a target is used in a path only after it is checked here: the name of a job by spool_is_name, a file by
 * a list. Valid names contain no percent sign, so a path with one is refused. A query is refused if it has an
 * unknown key, or a key twice that may occur once. */
#ifndef SRC_WEB_TARGET_H
#define SRC_WEB_TARGET_H

#include "src/spool/spool_folders.h"

enum { WEB_FILE_SIZE = 64, WEB_VALUE_SIZE = 512, WEB_QUERY_MAX = 24, WEB_SETTINGS_MAX = 16, WEB_JOBS_MAX = 1000 };

typedef enum WebRoute {
  WEB_PAGE,   /* /, /page.js: files of the page */
  WEB_STATUS, /* /status */
  WEB_JOBS,   /* /jobs */
  WEB_JOB,    /* /jobs/NAME */
  WEB_FILES,  /* /jobs/NAME/files */
  WEB_FILE,   /* /jobs/NAME/files/FILE */
  WEB_SEARCH  /* /jobs/NAME/search */
} WebRoute;

typedef struct WebSetting {
  bool varies; /* true: ?vary=KEY=.., false: ?set=KEY=VALUE */
  char text[WEB_VALUE_SIZE];
} WebSetting;

typedef struct WebTarget {
  WebRoute route;
  char name[SPOOL_NAME_MAX];    /* name of the job */
  SpoolFolder from;             /* ?from=: if several jobs have this name, the first one from this folder on is meant */
  char file[WEB_FILE_SIZE];     /* name of a file of the job or of the page */
  char wanted[WEB_VALUE_SIZE];  /* ?name=: requested name of a submitted job, as received; "": none */
  char command[WEB_VALUE_SIZE]; /* ?command=: command of a submitted job; "": none */
  int priority;                 /* ?priority= */
  int most;                     /* ?most=: largest number of waiting jobs, and of ended jobs, that are listed;
                                 * default WEB_JOBS_MAX */
  WebSetting settings[WEB_SETTINGS_MAX]; /* [n_settings] settings of a submitted job */
  int n_settings;
} WebTarget;

/* Reads PATH[?QUERY]. Returns 200; 404 if there is no such target; or 400 if it is invalid, with the reason in *why. */
int web_target_read(const char *text, WebTarget *target, const char **why);

/* Sets file to file number k, from 0, of those of a job that are shown. Returns false after the last. A name has at
 * most one folder in front. */
bool web_file_at(int k, char file[WEB_FILE_SIZE]);

/* Returns the Content-Type of a file by its name. */
const char *web_file_type(const char *file);

/* Returns whether a text of that length is UTF-8 without control characters, except tabs and, if `lines`, line ends. */
bool web_text_is_plain(const char *text, size_t length, bool lines);

#endif
