/* SPDX-License-Identifier: BSD-2-Clause */
/* A request to the web page, and the server that answers it. */
#ifndef SRC_WEB_REQUEST_H
#define SRC_WEB_REQUEST_H

#include "src/web/answer.h"
#include "src/web/connections.h"
#include "src/web/guard.h"
#include "src/web/jobs.h"
#include "src/web/reports.h"
#include "src/web/scratch.h"
#include "src/web/target.h"

#include <stdatomic.h>

struct MHD_Connection;

enum { WEB_WORK_MAX = 2, WEB_BODIES_MAX = 4 * SPOOL_FILE_MAX };

/* The server. One thread answers requests. Work that takes long is done by other threads, of which only a few exist at
 * a time and which run processes with limits. */
typedef struct Web {
  WebGuard guard;
  WebJobs jobs;
  WebConnections connections;
  char program[FILE_PATH_SIZE]; /* path of this program */
  WebScratch scratch;
  WebReports reports;
  size_t bodies;       /* size of all request bodies that are being received at present, in bytes */
  atomic_int working;  /* number of threads that do work which takes long */
  atomic_bool drawing; /* whether a report is being drawn */
  atomic_bool stopping;
} Web;

typedef enum WebMethod { WEB_GET, WEB_POST, WEB_DELETE, WEB_OTHER } WebMethod;

typedef struct WebRequest {
  Web *web;
  struct MHD_Connection *connection;
  WebConnection *place; /* entry of the request's connection */
  WebMethod method;     /* method of the request; HEAD is stored as GET */
  bool head;            /* whether the method is HEAD */
  char *text;           /* target of the request as received; owned */
  WebTarget target;
  bool judged, worked;
  bool endless; /* whether the body is too large to be read to its end */
  char *body;   /* [size] body of the request, NUL-terminated; owned */
  size_t size, room;
  WebAnswer answer;
} WebRequest;

/* Answers a request at once. */
void web_respond(WebRequest *request);

/* web_is_work returns whether answering the request takes long. If so, web_work answers it in a thread of its own, and
 * regularly checks web->stopping. */
bool web_is_work(WebRequest *request);
void web_work(WebRequest *request);

#endif
