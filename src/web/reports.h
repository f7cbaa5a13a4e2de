/* SPDX-License-Identifier: BSD-2-Clause */
/* Cache of drawn reports of the most recently requested jobs. Any thread may use it. */
#ifndef SRC_WEB_REPORTS_H
#define SRC_WEB_REPORTS_H

#include "src/spool/spool_folders.h"

#include <pthread.h>
#include <sys/stat.h>

enum { WEB_REPORTS_MAX = 64, WEB_REPORTS_BYTES = 64 << 20 };

/* Data that identify the results of a job: its folder, and the time at which the folder last changed. */
typedef struct WebResults {
  char name[SPOOL_NAME_MAX];
  ino_t folder;
  struct timespec changed;
} WebResults;

typedef struct WebReport {
  WebResults of;
  int file;       /* descriptor of the report, owned; -1: the report could not be drawn */
  size_t size;    /* size of the report in bytes */
  double failed;  /* time (ctl_seconds) at which drawing failed */
  unsigned asked; /* value of the counter WebReports.asked at the last request for this report; 0: the entry is free */
} WebReport;

typedef struct WebReports {
  pthread_mutex_t lock;
  WebReport list[WEB_REPORTS_MAX];
  unsigned asked; /* counter of requests */
} WebReports;

typedef enum WebReportState {
  WEB_REPORT_UNKNOWN,
  WEB_REPORT_KEPT,
  WEB_REPORT_FAILED /* drawing the report has failed less than a minute ago */
} WebReportState;

void web_reports_init(WebReports *reports);
void web_reports_clear(WebReports *reports);

/* Finds a report in the cache. For WEB_REPORT_KEPT, opens the report, sets *file to a descriptor that the caller
 * closes, and sets *size. file may be NULL. */
WebReportState web_reports_find(WebReports *reports, const WebResults *of, int *file, size_t *size);

/* Stores a report; if necessary, removes the least recently requested reports. file: descriptor of the report, which
 * this function owns from now on; -1: the report could not be drawn. */
void web_reports_keep(WebReports *reports, const WebResults *of, int file, size_t size);

#endif
