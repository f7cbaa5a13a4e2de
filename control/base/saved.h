/* Header of saved states: format, and hash of the sources of the build. */
#ifndef CONTROL_SAVED_H
#define CONTROL_SAVED_H

#include "control/base/bytes.h"
#include "control/internal.h"

/* Writes or reads the header. On reading, another format or build sets `bad` and is reported (report: may be NULL).
 * what: "search", for example. */
void ctl_saved_header(CtlBytes *bytes, long format, const char *what, const SimReport *report);

#endif
