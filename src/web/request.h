/* A request, and the server that it comes to. */
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

/* One thread answers. What takes long is done by threads of its own, a few at a time, in processes that have limits. */
typedef struct Web {
  WebGuard guard;
  WebJobs jobs;
  WebConnections connections;
  char program[FILE_PATH_SIZE]; /* this program */
  WebScratch scratch;
  WebReports reports;
  size_t bodies;       /* bytes of all that is being submitted */
  atomic_int working;  /* threads */
  atomic_bool drawing; /* a report */
  atomic_bool stopping;
} Web;

typedef enum WebMethod { WEB_GET, WEB_POST, WEB_DELETE, WEB_OTHER } WebMethod;

typedef struct WebRequest {
  Web *web;
  struct MHD_Connection *connection;
  WebConnection *place; /* among the connections */
  WebMethod method;     /* HEAD is GET */
  bool head;            /* it is HEAD */
  char *text;           /* of its target, as it came; owned */
  WebTarget target;
  bool judged, worked;
  bool endless; /* its body is so large that it is not even read to its end */
  char *body;   /* [size] owned, with a NUL behind it */
  size_t size, room;
  WebAnswer answer;
} WebRequest;

/* Answers it now. */
void web_respond(WebRequest *request);

/* Whether that takes long: then web_work answers, in a thread of its own. It looks at web->stopping now and then. */
bool web_is_work(WebRequest *request);
void web_work(WebRequest *request);

#endif
