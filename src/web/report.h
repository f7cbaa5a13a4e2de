/* SPDX-License-Identifier: BSD-2-Clause */
/* Answers requests for the report of an ended job. The report is drawn when it is first requested, and cached in a file
 * without a name, which disappears however the server ends. The spool is only read. */
#ifndef SRC_WEB_REPORT_H
#define SRC_WEB_REPORT_H

#include "src/web/reports.h"
#include "src/web/request.h"

/* Returns whether the report is neither among the results nor in the cache. Then web_report_draw answers: it runs
 * `stiction report` on a copy of the results, for one job at a time, which takes a second or two. */
bool web_report_is_to_be_drawn(WebRequest *request);
void web_report_draw(WebRequest *request);

/* Answers without drawing: a GET with the cached report, a HEAD with the headers that GET would have. */
void web_report_answer(WebRequest *request);

#endif
