/* What a request is about: its target, as it stands in the request's first line.
 *
 *     /jobs/tp1/files/summary.json  ->  WEB_FILE, name tp1, file summary.json
 *
 * Nothing of a target becomes a part of a path before it has been found here: the name of a job is one by spool_is_name, a file is one of a
 * list. No such name needs a percent sign: a path with one is refused, and so is an unknown key, or one given twice
 * that is not to be repeated. */
#ifndef SRC_WEB_TARGET_H
#define SRC_WEB_TARGET_H

#include "src/spool/spool_folders.h"

enum { WEB_FILE_SIZE = 64, WEB_VALUE_SIZE = 512, WEB_QUERY_MAX = 24, WEB_WISHES_MAX = 16, WEB_JOBS_MAX = 1000 };

typedef enum WebRoute {
  WEB_PAGE,   /* /, /page.js: what the page consists of */
  WEB_STATUS, /* /status */
  WEB_JOBS,   /* /jobs */
  WEB_JOB,    /* /jobs/NAME */
  WEB_FILES,  /* /jobs/NAME/files */
  WEB_FILE,   /* /jobs/NAME/files/FILE */
  WEB_SEARCH  /* /jobs/NAME/search */
} WebRoute;

typedef struct WebWish {
  bool varies; /* ?vary=KEY=..; else ?set=KEY=VALUE */
  char text[WEB_VALUE_SIZE];
} WebWish;

typedef struct WebTarget {
  WebRoute route;
  char name[SPOOL_NAME_MAX];      /* of the job */
  SpoolFolder from;               /* ?from=: of several of that name the first in this state, or behind it */
  char file[WEB_FILE_SIZE];       /* of the job, or of the page */
  char wanted[WEB_VALUE_SIZE];    /* ?name=: of a job that is submitted, as it came; "": none */
  char command[WEB_VALUE_SIZE];   /* ?command=: one of a service; "": none */
  int priority;                   /* ?priority= */
  int most;                       /* ?most=: jobs that wait, and that have ended; else WEB_JOBS_MAX */
  WebWish wishes[WEB_WISHES_MAX]; /* [n_wishes] of a job that is submitted */
  int n_wishes;
} WebTarget;

/* Reads PATH[?QUERY]. Returns 200; 404: nothing is there; 400: what nobody asks for by mistake, with *why, a text to be told. */
int web_target_read(const char *text, WebTarget *target, const char **why);

/* The k-th file of a job that is shown, from 0, into file; false: no more. Names have at most one folder. */
bool web_file_at(int k, char file[WEB_FILE_SIZE]);

/* What a file is, by its name: for Content-Type. */
const char *web_file_type(const char *file);

/* Whether text of that length is UTF-8 without control characters, but for tabs and ends of lines where `lines`. */
bool web_text_is_plain(const char *text, size_t length, bool lines);

#endif
