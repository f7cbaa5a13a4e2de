/* Submission of a problem. */
#ifndef SRC_WEB_SUBMIT_H
#define SRC_WEB_SUBMIT_H

#include "src/web/request.h"

/* Answers 201 with {"name"}; 422 with {"error", "mistakes": [{"file", "line", "column", "key", "message"}, ..]}. The
 * problem is read by a separate process with limits, so no file can block or end the page. It may not name other
 * files. */
void web_submit(WebRequest *request);

#endif
