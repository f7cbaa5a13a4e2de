/* Cache of drawn reports, of the most recently requested jobs. May be used by any thread. */
#ifndef SRC_WEB_REPORTS_H
#define SRC_WEB_REPORTS_H

#include "src/spool/spool_folders.h"

#include <pthread.h>
#include <sys/stat.h>

enum { WEB_REPORTS_MAX = 64, WEB_REPORTS_BYTES = 64 << 20 };

/* Identifies results: a job's folder, and its last modification. */
typedef struct WebResults {
  char name[SPOOL_NAME_MAX];
  ino_t folder;
  struct timespec changed;
} WebResults;

typedef struct WebReport {
  WebResults of;
  int file;       /* owned; -1: it could not be drawn */
  size_t size;    /* bytes of the file */
  double failed;  /* ctl_seconds() of the failure */
  unsigned asked; /* counter value at the last request; 0: the entry is free */
} WebReport;

typedef struct WebReports {
  pthread_mutex_t lock;
  WebReport list[WEB_REPORTS_MAX];
  unsigned asked; /* number of requests */
} WebReports;

typedef enum WebReportState {
  WEB_REPORT_UNKNOWN,
  WEB_REPORT_KEPT,
  WEB_REPORT_FAILED /* less than a minute ago */
} WebReportState;

void web_reports_init(WebReports *reports);
void web_reports_clear(WebReports *reports);

/* Looks a report up. *file: for WEB_REPORT_KEPT, opened for the caller, with its size; file: NULL: not needed. */
WebReportState web_reports_find(WebReports *reports, const WebResults *of, int *file, size_t *size);

/* Stores a report in place of the least recently requested ones. file: taken over; -1: it could not be drawn. */
void web_reports_keep(WebReports *reports, const WebResults *of, int file, size_t size);

#endif
