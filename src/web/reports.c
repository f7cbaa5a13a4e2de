/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/web/reports.h"

#include "control/base/clock.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* time in s after which drawing a report is tried again after a failure, which may have been caused by a temporary lack
 * of memory */
static const double FAILED_SECONDS = 60;

static void forget(WebReport *report) {
  if (report->asked && report->file >= 0) close(report->file);
  *report = (WebReport){.file = -1};
}

void web_reports_init(WebReports *reports) { pthread_mutex_init(&reports->lock, NULL); }

void web_reports_clear(WebReports *reports) {
  for (size_t k = 0; k < WEB_REPORTS_MAX; k++) forget(&reports->list[k]);
  pthread_mutex_destroy(&reports->lock);
}

/* Returns the entry of a job in the cache, even if the results of the job have changed since it was made. NULL: there
 * is none. */
static WebReport *report_of(WebReports *reports, const char *name) {
  for (size_t k = 0; k < WEB_REPORTS_MAX; k++)
    if (reports->list[k].asked && strcmp(reports->list[k].of.name, name) == 0) return &reports->list[k];
  return NULL;
}

static bool same(const WebResults *a, const WebResults *b) {
  return a->folder == b->folder && a->changed.tv_sec == b->changed.tv_sec && a->changed.tv_nsec == b->changed.tv_nsec;
}

/* Opens an open file a second time, so that the new descriptor has a file position of its own. */
static int open_again(int file) {
  char path[32];
  snprintf(path, sizeof path, "/proc/self/fd/%d", file);
  return open(path, O_RDONLY | O_CLOEXEC);
}

WebReportState web_reports_find(WebReports *reports, const WebResults *of, int *file, size_t *size) {
  WebReportState state = WEB_REPORT_UNKNOWN;
  pthread_mutex_lock(&reports->lock);
  WebReport *report = report_of(reports, of->name);
  if (report && same(&report->of, of)) {
    report->asked = ++reports->asked;
    if (report->file >= 0)
      state = WEB_REPORT_KEPT;
    else if (ctl_seconds() - report->failed < FAILED_SECONDS)
      state = WEB_REPORT_FAILED;
    if (state == WEB_REPORT_KEPT && file) {
      *file = open_again(report->file);
      *size = report->size;
      if (*file < 0) state = WEB_REPORT_UNKNOWN;
    }
  }
  pthread_mutex_unlock(&reports->lock);
  return state;
}

/* Returns a free entry, with enough room for a report of `size` bytes in the cache. If necessary, removes the least
 * recently requested reports. Returns NULL if there is not enough room. */
static WebReport *make_room(WebReports *reports, size_t size) {
  for (;;) {
    WebReport *place = NULL, *oldest = NULL;
    size_t bytes = size;
    for (size_t k = 0; k < WEB_REPORTS_MAX; k++) {
      WebReport *report = &reports->list[k];
      bytes += report->size;
      if (!report->asked) place = report;
      if (report->asked && (!oldest || report->asked < oldest->asked)) oldest = report;
    }
    if (place && bytes <= WEB_REPORTS_BYTES) return place;
    if (!oldest) return NULL;
    forget(oldest);
  }
}

void web_reports_keep(WebReports *reports, const WebResults *of, int file, size_t size) {
  pthread_mutex_lock(&reports->lock);
  WebReport *before = report_of(reports, of->name);
  if (before) forget(before);
  WebReport *place = size <= WEB_REPORTS_BYTES ? make_room(reports, size) : NULL;
  if (place)
    *place = (WebReport){.of = *of, .file = file, .size = size, .failed = ctl_seconds(), .asked = ++reports->asked};
  else if (file >= 0)
    close(file);
  pthread_mutex_unlock(&reports->lock);
}
