/* The report of a job that has ended, drawn when it is wanted: the spool is only read. It is drawn once, and kept as a file without a name, of
 * which nothing is left however the server ends. */
#ifndef SRC_WEB_REPORT_H
#define SRC_WEB_REPORT_H

#include "src/web/reports.h"
#include "src/web/request.h"

/* Whether it is asked for what is not there, nor kept: then web_report_draw answers, by `stiction report` of a copy of the results, one job at a
 * time. Takes a second or two. */
bool web_report_is_to_be_drawn(WebRequest *request);
void web_report_draw(WebRequest *request);

/* Answers without drawing: with what is kept; of HEAD, what GET would be. */
void web_report_answer(WebRequest *request);

#endif
