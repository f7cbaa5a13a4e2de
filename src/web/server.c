/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/web/web.h"

#include "control/base/clock.h"
#include "src/process/stop_signal.h"
#include "src/web/listen.h"
#include "src/web/mhd_library.h"
#include "src/web/request.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* HEADERS_MAX: memory of a connection for headers, in bytes. IDLE_SECONDS: time after which an idle connection is
 * closed. LOOK_NS: time between two checks for a signal, in ns. */
enum { HEADERS_MAX = 32 << 10, IDLE_SECONDS = 30, LOOK_NS = 200000000 };

/* Content security policies. The page may use its own files. All other answers may neither run nor load anything. */
#define CSP_COMMON "frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
static const char csp_page[] =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; " CSP_COMMON;
static const char csp_data[] = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; " CSP_COMMON;

/* Sending answers -------------------------------------------------------------------------------------------------- */

static ssize_t no_body(void *context, uint64_t at, char *buffer, size_t most) {
  (void)context, (void)at, (void)buffer, (void)most;
  return MHD_CONTENT_READER_END_OF_STREAM;
}

static struct MHD_Response *new_response(const WebAnswer *a) {
  if (a->unsized) return MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 1, no_body, NULL, NULL);
  if (a->file >= 0) return MHD_create_response_from_fd(a->size, a->file);
  return MHD_create_response_from_buffer(a->size, a->bytes,
                                         a->lasting ? MHD_RESPMEM_PERSISTENT : MHD_RESPMEM_MUST_FREE);
}

static enum MHD_Result queue(WebRequest *r) {
  WebAnswer *a = &r->answer;
  struct MHD_Response *response = new_response(a);
  if (!response) return MHD_NO;
  a->file = -1; /* the response now owns the file and the bytes */
  a->bytes = NULL;
  const char *const headers[][2] = {{"Content-Type", a->type},
                                    {"Content-Security-Policy", a->page ? csp_page : csp_data},
                                    {"X-Content-Type-Options", "nosniff"},
                                    {"X-Frame-Options", "DENY"},
                                    {"Referrer-Policy", "no-referrer"},
                                    {"Cross-Origin-Resource-Policy", "same-origin"},
                                    {"Cross-Origin-Opener-Policy", "same-origin"},
                                    {"Cache-Control", *a->tag ? "no-cache" : "no-store"},
                                    {"ETag", *a->tag ? a->tag : NULL},
                                    {"Allow", a->allow},
                                    {"WWW-Authenticate", a->status == 401 ? "Bearer" : NULL}};
  for (size_t k = 0; k < sizeof headers / sizeof *headers; k++)
    if (headers[k][1]) MHD_add_response_header(response, headers[k][0], headers[k][1]);
  enum MHD_Result result = MHD_queue_response(r->connection, a->status, response);
  MHD_destroy_response(response);
  web_connections_set(&r->web->connections, r->place, WEB_ANSWERING);
  return result;
}

static void *work_thread(void *context) {
  WebRequest *r = context;
  Web *web = r->web;
  web_work(r);
  r->worked = true;
  MHD_resume_connection(r->connection);
  atomic_fetch_sub(&web->working, 1); /* must be the last step, since the server is freed when no thread is working */
  return NULL;
}

static enum MHD_Result begin_work(WebRequest *r) {
  pthread_t thread;
  pthread_attr_t detached;
  bool free_place = atomic_fetch_add(&r->web->working, 1) < WEB_WORK_MAX && !atomic_load(&r->web->stopping);
  bool begun = false, suspended = free_place && pthread_attr_init(&detached) == 0;
  if (suspended) {
    web_connections_set(&r->web->connections, r->place, WEB_WORKING);
    MHD_suspend_connection(r->connection);
    begun = pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED) == 0 &&
            pthread_create(&thread, &detached, work_thread, r) == 0;
    if (!begun) MHD_resume_connection(r->connection);
    pthread_attr_destroy(&detached);
  }
  if (begun) return MHD_YES;
  atomic_fetch_sub(&r->web->working, 1);
  r->worked = true;
  web_answer_error(&r->answer, 503, "too much is under way: try again in a few seconds");
  return suspended ? MHD_YES : queue(r); /* when the connection is resumed, the library calls this function again */
}

static enum MHD_Result finish(WebRequest *r) {
  const char *known = MHD_lookup_connection_value(r->connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_IF_NONE_MATCH);
  if (!r->answer.status && !r->worked && web_is_work(r)) return begin_work(r);
  if (!r->answer.status) web_respond(r);
  web_answer_spare(&r->answer, known);
  return queue(r);
}

/* Receiving requests ----------------------------------------------------------------------------------------------- */

typedef struct Header {
  const char *name, *value;
  bool twice;
} Header;

static enum MHD_Result look_at_header(void *context, enum MHD_ValueKind kind, const char *name, const char *value) {
  Header *wanted = context;
  (void)kind;
  if (strcasecmp(name, wanted->name) != 0) return MHD_YES;
  wanted->twice |= wanted->value != NULL;
  wanted->value = value;
  return MHD_YES;
}

/* Returns the value of a header; NULL if the request does not have it. Sets *twice to true if it occurs more than
 * once. */
static const char *header(struct MHD_Connection *connection, const char *name, bool *twice) {
  Header wanted = {.name = name};
  MHD_get_connection_values(connection, MHD_HEADER_KIND, look_at_header, &wanted);
  *twice |= wanted.twice;
  return wanted.value;
}

static WebMethod method_of(const char *method) {
  if (strcmp(method, "GET") == 0 || strcmp(method, "HEAD") == 0) return WEB_GET;
  if (strcmp(method, "POST") == 0) return WEB_POST;
  return strcmp(method, "DELETE") == 0 ? WEB_DELETE : WEB_OTHER;
}

/* Returns NULL if the target of the request allows its method; otherwise the methods that the target allows. */
static const char *other_methods(const WebRequest *r) {
  bool jobs = r->target.route == WEB_JOBS, job = r->target.route == WEB_JOB;
  bool good = r->method == WEB_GET || (r->method == WEB_POST && jobs) || (r->method == WEB_DELETE && job);
  return good ? NULL : jobs ? "GET, HEAD, POST" : job ? "GET, HEAD, DELETE" : "GET, HEAD";
}

static void refuse(WebRequest *r, int status, const char *why) {
  web_answer_error(&r->answer, (unsigned)status, why ? why : "nothing is there");
}

/* Refuses a request with a body that is too large. Only requests that submit problem files may have a body. */
static void judge_body(WebRequest *r, const char *length, const char *coding) {
  char *end;
  unsigned long long size = length ? strtoull(length, &end, 10) : 0;
  if (length && coding)
    refuse(r, 400, "both Content-Length and Transfer-Encoding");
  else if (length && (*end || !*length || *length == '-'))
    refuse(r, 400, "Content-Length is no number");
  else if (size > SPOOL_FILE_MAX)
    r->endless = size > WEB_BODIES_MAX, refuse(r, 413, "larger than 16 MiB");
  else if (r->web->bodies + size > WEB_BODIES_MAX)
    refuse(r, 503, "too much is being submitted: try again in a few seconds");
}

/* Checks the target and the headers of a request. If it must be refused, sets its answer; otherwise does nothing. */
static void judge(WebRequest *r, const char *method) {
  bool twice = false;
  const char *why, *why_not_here;
  r->method = method_of(method);
  r->head = strcmp(method, "HEAD") == 0;
  int target = web_target_read(r->text, &r->target, &why_not_here);
  const WebClaims claims = {.host = header(r->connection, "Host", &twice),
                            .origin = header(r->connection, "Origin", &twice),
                            .site = header(r->connection, "Sec-Fetch-Site", &twice),
                            .authorization = header(r->connection, "Authorization", &twice),
                            .changes = r->method != WEB_GET,
                            .open = target == 200 && r->target.route == WEB_PAGE && r->method == WEB_GET};
  const char *length = header(r->connection, "Content-Length", &twice),
             *coding = header(r->connection, "Transfer-Encoding", &twice);
  int status = web_guard_judge(&r->web->guard, &claims, &why);
  const char *allowed = other_methods(r);
  if (twice)
    refuse(r, 400, "a header is there twice");
  else if (status != 200)
    refuse(r, status, why);
  else if (target != 200)
    refuse(r, target, why_not_here);
  else if (r->target.priority > web_guard_priority_max(&r->web->guard))
    refuse(r, 403, "priority: above 0 wants a page with a token (--token-file)");
  else if (allowed)
    refuse(r, 405, "no such method");
  else
    judge_body(r, length, coding);
  if (r->answer.status == 405) r->answer.allow = allowed;
}

/* Stores a part of the body. Its size is checked here, too, since that of a body sent in chunks is not known before. */
static void take_body(WebRequest *r, const char *data, size_t size) {
  Web *web = r->web;
  if (r->answer.status) return;
  if (r->method != WEB_POST || size > SPOOL_FILE_MAX - r->size) {
    refuse(r, 413, "larger than 16 MiB, or where nothing is expected");
    return;
  }
  if (r->size + size > r->room) {
    size_t room = 2 * (r->size + size);
    char *body = web->bodies + room - r->room > 2 * (size_t)WEB_BODIES_MAX ? NULL : realloc(r->body, room + 1);
    if (!body) {
      refuse(r, 503, "too much is being submitted: try again in a few seconds");
      return;
    }
    web->bodies += room - r->room;
    r->room = room;
    r->body = body;
  }
  memcpy(r->body + r->size, data, size);
  r->size += size;
  r->body[r->size] = 0;
}

/* Called by the library after the headers, for each part of the body, and at the end of the body. */
static enum MHD_Result take(void *cls, struct MHD_Connection *connection, const char *url, const char *method,
                            const char *version, const char *data, size_t *size, void **context) {
  WebRequest *r = *context;
  (void)cls, (void)connection, (void)url, (void)version;
  if (!r || !r->text) return MHD_NO;
  if (!r->judged) {
    r->judged = true;
    web_connections_set(&r->web->connections, r->place, WEB_UPLOADING);
    judge(r, method);
    return r->endless ? queue(r) : MHD_YES; /* some clients read the refusal only after they have sent the whole body */
  }
  if (*size) {
    take_body(r, data, *size);
    *size = 0;
    return MHD_YES;
  }
  return finish(r);
}

/* Running the server ----------------------------------------------------------------------------------------------- */

/* Frees the current request of a connection, if there is one. */
static void release(WebConnection *place) {
  WebRequest *r = place->request;
  place->request = NULL;
  if (!r) return;
  r->web->bodies -= r->room;
  web_answer_clear(&r->answer);
  free(r->body);
  free(r->text);
  free(r);
}

static WebConnection *place_of(struct MHD_Connection *connection) {
  return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;
}

static void *begin_request(void *context, const char *text, struct MHD_Connection *connection) {
  WebConnection *place = place_of(connection);
  WebRequest *r = place ? calloc(1, sizeof *r) : NULL;
  if (!r) return NULL;
  release(place); /* frees an earlier request that the library has refused itself, since it does not report the end of
                   * such requests */
  place->request = r;
  *r = (WebRequest){
      .web = context, .connection = connection, .place = place, .text = strdup(text), .answer = {.file = -1}};
  return r;
}

static void end_request(void *cls, struct MHD_Connection *connection, void **context,
                        enum MHD_RequestTerminationCode how) {
  Web *web = cls;
  WebConnection *place = place_of(connection);
  (void)how;
  *context = NULL;
  if (!place) return;
  web_connections_set(&web->connections, place, WEB_ASKING);
  release(place);
}

static void note_connection(void *cls, struct MHD_Connection *connection, void **context,
                            enum MHD_ConnectionNotificationCode what) {
  Web *web = cls;
  WebConnection *place = *context;
  if (what == MHD_CONNECTION_NOTIFY_STARTED) {
    *context = web_connections_enter(
        &web->connections, MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd);
  } else if (place) {
    release(place);
    web_connections_leave(&web->connections, place);
  }
}

static struct MHD_Daemon *start(Web *web, int listening) {
  return MHD_start_daemon(MHD_USE_POLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, take, web,
                          MHD_OPTION_LISTEN_SOCKET, listening, MHD_OPTION_CONNECTION_LIMIT,
                          (unsigned)WEB_CONNECTIONS_MAX, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)HEADERS_MAX,
                          MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE_SECONDS, MHD_OPTION_STRICT_FOR_CLIENT, 1,
                          MHD_OPTION_URI_LOG_CALLBACK, begin_request, web, MHD_OPTION_NOTIFY_COMPLETED, end_request,
                          web, MHD_OPTION_NOTIFY_CONNECTION, note_connection, web, MHD_OPTION_END);
}

static void serve(Web *web) {
  const struct timespec pause = {.tv_nsec = LOOK_NS};
  while (!stop_signal_seen()) {
    nanosleep(&pause, NULL);
    web_connections_sweep(&web->connections);
  }
  atomic_store(&web->stopping, true);
  while (atomic_load(&web->working) > 0) nanosleep(&pause, NULL);
}

static int prepare(Web *web, Diagnostics *diagnostics) {
  ssize_t length = readlink("/proc/self/exe", web->program, sizeof web->program - 1);
  const char *fault = mhd_library_load();
  if (fault) return diagnostics_error(diagnostics, EXIT_INTERNAL, "libmicrohttpd %s", fault);
  if (length > 0) return web_scratch_make(&web->scratch, diagnostics);
  return diagnostics_error(diagnostics, EXIT_INTERNAL, "/proc/self/exe cannot be read");
}

static int run(Web *web, const WebOptions *options, Diagnostics *diagnostics) {
  int listening = web_listen(options->listen, &web->guard, diagnostics);
  if (listening < 0) return EXIT_USAGE;
  int code = 0;
  if (!web->guard.loopback && !web->guard.token_size)
    code = diagnostics_error(diagnostics, EXIT_USAGE,
                             "--listen %s: others can reach it (expected --token-file FILE, or a loopback address)",
                             options->listen);
  if (!code) code = prepare(web, diagnostics);
  struct MHD_Daemon *daemon = code ? NULL : start(web, listening);
  if (!code && !daemon) code = diagnostics_error(diagnostics, EXIT_INTERNAL, "the server cannot be started");
  if (code) {
    close(listening);
    return code;
  }
  if (!options->quiet) {
    bool six = strchr(web->guard.address, ':');
    printf("%s at http://%s%s%s:%d/\n", options->spool, six ? "[" : "", web->guard.address, six ? "]" : "",
           web_listen_port(listening));
    fflush(stdout);
  }
  serve(web);
  MHD_stop_daemon(daemon); /* also closes the socket */
  return 0;
}

int web_run(const WebOptions *options, Diagnostics *diagnostics) {
  Web *web = calloc(1, sizeof *web);
  if (!web) return diagnostics_no_memory(diagnostics);
  pthread_mutex_init(&web->connections.lock, NULL);
  web_reports_init(&web->reports);
  web->guard.read_only = options->read_only;
  int code = options->host ? web_guard_take_host(&web->guard, options->host, diagnostics) : 0;
  if (!code && options->token_file) code = web_guard_read_token(&web->guard, options->token_file, diagnostics);
  if (!code) code = web_jobs_open_spool(&web->jobs, options->spool, diagnostics);
  if (!code) code = run(web, options, diagnostics);
  web_jobs_close(&web->jobs);
  web_scratch_remove(&web->scratch);
  web_reports_clear(&web->reports);
  pthread_mutex_destroy(&web->connections.lock);
  free(web);
  return code;
}
