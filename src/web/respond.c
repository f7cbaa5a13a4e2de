/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/spool/job_list.h"
#include "src/spool/job_request.h"
#include "src/web/page_files.h"
#include "src/web/report.h"
#include "src/web/request.h"
#include "src/web/submit.h"

#include <stdio.h>
#include <string.h>

static const char REPORT[] = "report.html";
enum { ROWS_MAX = 400 /* maximum number of points of a curve that is sent */, WHY_SIZE = 128 };

static void respond_page(WebRequest *r) {
  for (const PageFile *f = page_files; f->name; f++)
    if (strcmp(f->name, r->target.file) == 0) {
      web_answer_page(&r->answer, f->bytes, f->size, web_file_type(f->name));
      return;
    }
  web_answer_error(&r->answer, 404, "nothing is there");
}

static void respond_no_job(WebRequest *r) { web_answer_error(&r->answer, 404, "there is no such job"); }

static void respond_job(WebRequest *r) {
  json_t *job = web_jobs_one(&r->web->jobs, &r->target, r->web->guard.read_only);
  if (job)
    web_answer_json(&r->answer, 200, job);
  else
    respond_no_job(r);
}

static void respond_files(WebRequest *r) {
  json_t *files = web_jobs_files(&r->web->jobs, &r->target);
  if (files)
    web_answer_json(&r->answer, 200, files);
  else
    respond_no_job(r);
}

static bool is_report(const WebRequest *r) {
  return r->target.route == WEB_FILE && strcmp(r->target.file, REPORT) == 0;
}

static void respond_file(WebRequest *r) {
  size_t size;
  int file = web_jobs_open(&r->web->jobs, &r->target, r->target.file, &size);
  if (file >= 0)
    web_answer_file(&r->answer, file, size, web_file_type(r->target.file));
  else if (is_report(r))
    web_report_answer(r);
  else
    web_answer_error(&r->answer, 404, "there is no such file");
}

static void respond_search(WebRequest *r) {
  SpoolFolder state;
  bool there = web_jobs_find(&r->web->jobs, &r->target, &state);
  json_t *search = there ? job_search(&r->web->jobs.spool, state, r->target.name, ROWS_MAX) : NULL;
  if (search)
    web_answer_json(&r->answer, 200, search);
  else
    web_answer_error(&r->answer, 404, "there is no search.csv");
}

/* Returns 0 if the page's user may cancel a job. Otherwise returns the HTTP status of the refusal, and sets `why` to
 * its reason. */
static unsigned why_not_cancelled(WebRequest *r, SpoolFolder state, char why[WHY_SIZE]) {
  const SpoolFolders *spool = &r->web->jobs.spool;
  const json_t *status = web_jobs_look(&r->web->jobs);
  const char *name = r->target.name;
  bool waiting = job_request_takes_waiting(spool, status, name);
  if (state >= SPOOL_DONE) {
    snprintf(why, WHY_SIZE, "it has ended already: %s", job_state_name(state));
    return 409;
  }
  if (state == SPOOL_INCOMING && !waiting) {
    snprintf(why, WHY_SIZE, "another job of this name runs, and would be cancelled in its place: wait for its end");
    return 409;
  }
  snprintf(why, WHY_SIZE, "the service would refuse it: the job is another user's than this page");
  bool others = (state == SPOOL_RUNNING && waiting) || job_request_right(spool, status, name) == JOB_RIGHT_NO;
  return others ? 403 : 0;
}

/* Passes a request to cancel a job on to the service, which accepts it if the user of the page may cancel the job. */
static void respond_cancel(WebRequest *r) {
  Diagnostics messages = {0};
  SpoolFolder state;
  char why[WHY_SIZE];
  bool there = web_jobs_find(&r->web->jobs, &r->target, &state);
  unsigned refused = there ? why_not_cancelled(r, state, why) : 404;
  if (!there)
    respond_no_job(r);
  else if (refused)
    web_answer_error(&r->answer, refused, why);
  else if (job_request_cancel(&r->web->jobs.spool, r->target.name, &messages))
    web_answer_error(&r->answer, 409, messages.count ? messages.list[0].text : "it cannot be cancelled");
  else
    web_answer_json(&r->answer, 202, json_pack("{s:s, s:b}", "name", r->target.name, "cancelling", 1));
  diagnostics_clear(&messages);
}

static void respond_status(WebRequest *r) {
  const WebGuard *guard = &r->web->guard;
  web_answer_json(&r->answer, 200, web_jobs_status(&r->web->jobs, guard->read_only, web_guard_priority_max(guard)));
}

void web_respond(WebRequest *r) {
  switch (r->target.route) {
  case WEB_PAGE: respond_page(r); break;
  case WEB_STATUS: respond_status(r); break;
  case WEB_JOBS:
    web_answer_json(&r->answer, 200, web_jobs_list(&r->web->jobs, r->target.most, r->web->guard.read_only));
    break;
  case WEB_JOB:
    if (r->method == WEB_DELETE)
      respond_cancel(r);
    else
      respond_job(r);
    break;
  case WEB_FILES: respond_files(r); break;
  case WEB_FILE: respond_file(r); break;
  case WEB_SEARCH: respond_search(r); break;
  }
}

bool web_is_work(WebRequest *r) { return r->method == WEB_POST || (is_report(r) && web_report_is_to_be_drawn(r)); }

void web_work(WebRequest *r) {
  if (r->method == WEB_POST)
    web_submit(r);
  else
    web_report_draw(r);
}
