/* The target of a request, as in its first line.
 *
 *     /jobs/tp1/files/summary.json  ->  WEB_FILE, name tp1, file summary.json
 *
 * No part of a target is used in a path before it is checked here: the name of a job by spool_is_name, a file by a
 * list. No such name needs a percent sign, so a path with one is refused, and so is an unknown key, or one given twice
 * that must not be repeated. */
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
  bool varies; /* ?vary=KEY=..; otherwise ?set=KEY=VALUE */
  char text[WEB_VALUE_SIZE];
} WebSetting;

typedef struct WebTarget {
  WebRoute route;
  char name[SPOOL_NAME_MAX];    /* of the job */
  SpoolFolder from;             /* ?from=: among several jobs of that name, the first in this state or a later one */
  char file[WEB_FILE_SIZE];     /* of the job, or of the page */
  char wanted[WEB_VALUE_SIZE];  /* ?name=: of a submitted job, as received; "": none */
  char command[WEB_VALUE_SIZE]; /* ?command=: of the service; "": none */
  int priority;                 /* ?priority= */
  int most;                     /* ?most=: maximum of waiting, and of ended jobs; default WEB_JOBS_MAX */
  WebSetting settings[WEB_SETTINGS_MAX]; /* [n_settings] of a submitted job */
  int n_settings;
} WebTarget;

/* Reads PATH[?QUERY]. Returns 200; 404: not found; or 400: invalid, with the reason in *why. */
int web_target_read(const char *text, WebTarget *target, const char **why);

/* Sets file to the k-th file of a job that is shown, from 0; returns false after the last. Names have at most one
 * folder. */
bool web_file_at(int k, char file[WEB_FILE_SIZE]);

/* Returns the Content-Type of a file by its name. */
const char *web_file_type(const char *file);

/* Whether text of that length is UTF-8 without control characters, except tabs and, if `lines`, ends of lines. */
bool web_text_is_plain(const char *text, size_t length, bool lines);

#endif
