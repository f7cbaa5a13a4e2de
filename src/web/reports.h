/* Reports that have been drawn, of the jobs that were asked for last. May be called by any thread. */
#ifndef SRC_WEB_REPORTS_H
#define SRC_WEB_REPORTS_H

#include "src/spool/spool_folders.h"

#include <pthread.h>
#include <sys/stat.h>

enum { WEB_REPORTS_MAX = 64, WEB_REPORTS_BYTES = 64 << 20 };

/* Which results: a job's folder, and when something was last put into it. */
typedef struct WebResults {
  char name[SPOOL_NAME_MAX];
  ino_t folder;
  struct timespec changed;
} WebResults;

typedef struct WebReport {
  WebResults of;
  int file;       /* owned; -1: it could not be drawn */
  size_t size;    /* bytes of the file */
  double failed;  /* when, ctl_seconds() */
  unsigned asked; /* the last time, counted; 0: nothing is kept here */
} WebReport;

typedef struct WebReports {
  pthread_mutex_t lock;
  WebReport list[WEB_REPORTS_MAX];
  unsigned asked; /* how often */
} WebReports;

typedef enum WebReportState {
  WEB_REPORT_UNKNOWN,
  WEB_REPORT_KEPT,
  WEB_REPORT_FAILED /* less than a minute ago */
} WebReportState;

void web_reports_init(WebReports *reports);
void web_reports_clear(WebReports *reports);

/* What is known of a report. *file: of WEB_REPORT_KEPT, opened for the caller, and its size; file: NULL: not wanted. */
WebReportState web_reports_find(WebReports *reports, const WebResults *of, int *file, size_t *size);

/* Keeps one in place of those that were not asked for the longest. file: taken over; -1: it could not be drawn. */
void web_reports_keep(WebReports *reports, const WebResults *of, int file, size_t size);

#endif
