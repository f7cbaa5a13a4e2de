/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the target in the first line of a request, e.g.
 *
 *   /jobs/tp1/files/summary.json  ->  WEB_FILE, name tp1, file summary.json
 *
 * Parts of a target are used in paths of files only after they are checked here: the name of a job by spool_is_name,
 * the name of a file by a list. Valid names contain no percent sign, so a path with one is refused. A query is refused
 * if it has an unknown key, or has a key twice that may occur only once. */
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
  bool varies; /* true: given as ?vary=KEY=..; false: given as ?set=KEY=VALUE */
  char text[WEB_VALUE_SIZE];
} WebSetting;

typedef struct WebTarget {
  WebRoute route;
  char name[SPOOL_NAME_MAX];    /* name of the job */
  SpoolFolder from;             /* ?from=: first folder in which the job is searched, in case that several jobs have
                                 * this name */
  char file[WEB_FILE_SIZE];     /* name of a file of the job or of the page */
  char wanted[WEB_VALUE_SIZE];  /* ?name=: requested name of a submitted job, as received; "": not given */
  char command[WEB_VALUE_SIZE]; /* ?command=: command of a submitted job; "": not given */
  int priority;                 /* ?priority=: priority of a submitted job */
  int most;                     /* ?most=: maximum number of waiting jobs, and of ended jobs, that are listed; default
                                 * WEB_JOBS_MAX */
  WebSetting settings[WEB_SETTINGS_MAX]; /* [n_settings] settings of a submitted job: ?set= and ?vary= */
  int n_settings;
} WebTarget;

/* Reads the target PATH[?QUERY]. Returns 200; 404 if there is no such target; or 400 if the target is invalid, and sets
 * *why to the reason. */
int web_target_read(const char *text, WebTarget *target, const char **why);

/* Sets file to the name of file number k, from 0, of all files of a job that may be shown. Returns false after the
 * last. A name has at most one folder before it. */
bool web_file_at(int k, char file[WEB_FILE_SIZE]);

/* Returns the Content-Type that belongs to the name of a file. */
const char *web_file_type(const char *file);

/* Returns whether a text of this length is UTF-8 without control characters. Tabs and, if `lines`, line ends are
 * allowed. */
bool web_text_is_plain(const char *text, size_t length, bool lines);

#endif
