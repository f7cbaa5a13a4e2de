/* The report of a job that has ended, drawn when it is wanted: the spool is only read. */
#ifndef SRC_WEB_REPORT_H
#define SRC_WEB_REPORT_H

#include "src/web/request.h"

/* Whether the job has results, and no report.html with them. */
bool web_report_is_to_be_drawn(const WebJobs *jobs, const char *name);

/* Answers with `stiction report` of a copy of the results. Takes a second or two. */
void web_report_draw(WebRequest *request);

#endif
