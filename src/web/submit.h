/* SPDX-License-Identifier: BSD-2-Clause */
/* Submits a problem for a client of the page. */
#ifndef SRC_WEB_SUBMIT_H
#define SRC_WEB_SUBMIT_H

#include "src/web/request.h"

/* Answers 201 with {"name"}, or 422 with {"error", "mistakes": [{"file", "line", "column", "key", "message"}, ..]}. A
 * separate process with limits reads the problem, so no file can block or end the page. The problem may not name other
 * files. */
void web_submit(WebRequest *request);

#endif
