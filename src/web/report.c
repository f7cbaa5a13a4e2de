/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/web/report.h"

#include "src/web/folder.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* DRAWN_MAX: maximum size in bytes of results for which a report is drawn. DRAW_SECONDS: time limit for drawing, in s.
 * DRAW_NICE: nice value (priority) of the process that draws. */
enum { DRAWN_MAX = 256 << 20, DRAW_SECONDS = 120, DRAW_NICE = 10 };
static const char SUMMARY[] = "summary.json", SWEEP[] = "sweep.csv", REPORT[] = "report.html";

/* Files that the page does not show. The report of a sweep needs them, since they contain its command and its
 * problem. */
static const char *const records[] = {"checkpoint/run.json", "checkpoint/problem.yaml"};

static bool has(const WebRequest *r, const char *file) {
  size_t size;
  int opened = web_jobs_open(&r->web->jobs, &r->target, file, &size);
  if (opened >= 0) close(opened);
  return opened >= 0;
}

/* Returns whether the job can have a report: it has ended and has results. If so, sets `of` to data that identify these
 * results. */
static bool results_of(const WebRequest *r, WebResults *of) {
  struct stat folder;
  if (!web_jobs_ended(&r->web->jobs, &r->target, &folder) || (!has(r, SUMMARY) && !has(r, SWEEP))) return false;
  *of = (WebResults){.folder = folder.st_ino, .changed = folder.st_mtim};
  snprintf(of->name, sizeof of->name, "%s", r->target.name);
  return true;
}

bool web_report_is_to_be_drawn(WebRequest *r) {
  WebResults of;
  if (r->head || has(r, REPORT) || !results_of(r, &of)) return false;
  return web_reports_find(&r->web->reports, &of, NULL, NULL) == WEB_REPORT_UNKNOWN;
}

static void answer_failed(WebRequest *r) {
  web_answer_error(&r->answer, 404, "no report can be drawn (run stiction report for the reason)");
}

/* Answers with the report in the cache, if there is one. Returns the state of the report. */
static WebReportState answer_kept(WebRequest *r, const WebResults *of) {
  int file;
  size_t size;
  WebReportState state = web_reports_find(&r->web->reports, of, &file, &size);
  if (state == WEB_REPORT_KEPT) web_answer_file(&r->answer, file, size, web_file_type(REPORT));
  if (state == WEB_REPORT_FAILED) answer_failed(r);
  return state;
}

void web_report_answer(WebRequest *r) {
  WebResults of;
  if (!results_of(r, &of))
    web_answer_error(&r->answer, 404, "there is no such file: a report is drawn of what has ended with results");
  else if (answer_kept(r, &of) == WEB_REPORT_UNKNOWN)
    web_answer_unsized(&r->answer, web_file_type(REPORT));
}

/* Copies a file of the job's results if it exists. Returns false on failure, or if it has more than *left bytes. */
static bool copy_file(const WebRequest *r, const char *folder, const char *file, size_t *left) {
  size_t size;
  int from = web_jobs_open(&r->web->jobs, &r->target, file, &size);
  if (from < 0) return true;
  bool good = size <= *left && web_folder_copy(folder, file, from, size);
  *left -= good ? size : 0;
  close(from);
  return good;
}

/* Copies the results of the job into a folder. Their owner may change them, or replace them by links, while they are
 * read. */
static bool copy_results(const WebRequest *r, const char *folder) {
  char file[WEB_FILE_SIZE];
  size_t left = DRAWN_MAX;
  bool good = true;
  for (int k = 0; good && web_file_at(k, file); k++)
    if (strncmp(file, "figures/", 8) != 0) good = copy_file(r, folder, file, &left);
  for (size_t k = 0; good && k < sizeof records / sizeof *records; k++) good = copy_file(r, folder, records[k], &left);
  return good;
}

/* Draws the report of the results in a folder. Returns a descriptor of the report, or -1 on failure. */
static int draw(WebRequest *r, char *folder) {
  char path[FILE_PATH_SIZE + sizeof REPORT];
  char *const words[] = {"stiction", "report", ".", "--quiet", NULL};
  const WebProgram program = {.words = words, .seconds = DRAW_SECONDS, .nice = DRAW_NICE};
  int code = 1;
  if (web_folder_run(r->web, folder, &program, &code) != PROGRAM_EXITED || code != 0) return -1;
  snprintf(path, sizeof path, "%s/%s", folder, REPORT);
  return open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
}

static void draw_and_keep(WebRequest *r, const WebResults *of) {
  char folder[FILE_PATH_SIZE];
  struct stat info;
  if (!web_folder_make(r->web, folder)) {
    web_answer_error(&r->answer, 503, "there is no room to draw it");
    return;
  }
  if (copy_results(r, folder)) {
    int file = draw(r, folder);
    bool drawn = file >= 0 && fstat(file, &info) == 0;
    if (!atomic_load(&r->web->stopping))
      web_reports_keep(&r->web->reports, of, drawn ? fcntl(file, F_DUPFD_CLOEXEC, 0) : -1,
                       drawn ? (size_t)info.st_size : 0);
    if (drawn)
      web_answer_file(&r->answer, file, (size_t)info.st_size, web_file_type(REPORT));
    else
      answer_failed(r);
  } else {
    web_answer_error(&r->answer, 413,
                     "the results are too large to be drawn here: fetch them, and run stiction report");
  }
  web_folder_remove(folder); /* the report, which is still open, exists until it is closed */
}

void web_report_draw(WebRequest *r) {
  WebResults of;
  if (atomic_exchange(&r->web->drawing, true)) {
    web_answer_error(&r->answer, 503, "a report is being drawn: try again in a few seconds");
    return;
  }
  if (!results_of(r, &of))
    web_answer_error(&r->answer, 404, "there is no such file");
  else if (answer_kept(r, &of) == WEB_REPORT_UNKNOWN) /* the cache is examined again, since another request may have
                                                       * drawn the report in the meantime */
    draw_and_keep(r, &of);
  atomic_store(&r->web->drawing, false);
}
