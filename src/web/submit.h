/* A problem that is submitted. */
#ifndef SRC_WEB_SUBMIT_H
#define SRC_WEB_SUBMIT_H

#include "src/web/request.h"

/* Answers 201 with {"name"}; 422 with {"error", "mistakes": [{"file", "line", "column", "key", "message"}, ..]}. The problem is read by a process
 * of its own, which has limits: no file can hold up the page, or end it. It may name no other file. */
void web_submit(WebRequest *request);

#endif
