/* The report of an ended job, drawn on request; the spool is only read. It is drawn once and cached as an unnamed file,
 * which disappears however the server ends. */
#ifndef SRC_WEB_REPORT_H
#define SRC_WEB_REPORT_H

#include "src/web/reports.h"
#include "src/web/request.h"

/* Whether the requested report exists neither in the results nor in the cache. Then web_report_draw answers, by
 * `stiction report` on a copy of the results, one job at a time. It takes a second or two. */
bool web_report_is_to_be_drawn(WebRequest *request);
void web_report_draw(WebRequest *request);

/* Answers without drawing: with the cached report; for HEAD, with the headers of GET. */
void web_report_answer(WebRequest *request);

#endif
