/* SPDX-License-Identifier: BSD-2-Clause */
/* Submits a problem for a client of the page. */
#ifndef SRC_WEB_SUBMIT_H
#define SRC_WEB_SUBMIT_H

#include "src/web/request.h"

/* Submits the problem in the body of a request. Answers 201 with {"name"}, or 422 with {"error", "mistakes": [{"file",
 * "line", "column", "key", "message"}, ..]}. The problem is read by a separate process with limits, so no file can
 * block or end the page. The problem must not name other files. */
void web_submit(WebRequest *request);

#endif
