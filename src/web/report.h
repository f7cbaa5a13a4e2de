/* SPDX-License-Identifier: BSD-2-Clause */
/* Answers requests for the report of an ended job. The report is drawn when it is first requested. It is then kept in a
 * file without a name, which disappears however the server ends. Nothing is written to the spool. */
#ifndef SRC_WEB_REPORT_H
#define SRC_WEB_REPORT_H

#include "src/web/reports.h"
#include "src/web/request.h"

/* web_report_is_to_be_drawn returns whether the report is neither among the results nor in the cache. If so, the caller
 * calls web_report_draw, which draws the report and answers: it runs `stiction report` on a copy of the results. Only
 * one report is drawn at a time, which takes a second or two. */
bool web_report_is_to_be_drawn(WebRequest *request);
void web_report_draw(WebRequest *request);

/* Answers without drawing a report: GET with the report in the cache, HEAD with the headers that GET would have. */
void web_report_answer(WebRequest *request);

#endif
