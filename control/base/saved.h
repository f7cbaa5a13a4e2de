/* What saved states begin with: their format, and the sources of the build that wrote them. */
#ifndef CONTROL_SAVED_H
#define CONTROL_SAVED_H

#include "control/base/bytes.h"
#include "control/control.h"

/* Written, or read: of another format or build it is bad, and why is reported (report: may be NULL). what: "search", say. */
void ctl_saved_header(CtlBytes *bytes, long format, const char *what, const SimReport *report);

#endif
