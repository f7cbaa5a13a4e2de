/* SPDX-License-Identifier: BSD-2-Clause */
/* Header of saved states. It contains the version of the format and a hash of the source files of the build. */
#ifndef CONTROL_SAVED_H
#define CONTROL_SAVED_H

#include "control/base/bytes.h"
#include "control/internal.h"

/* Writes or reads the header. If the header read is of another format or build, this sets bytes->bad and reports an
 * error to `report`, which may be NULL. what: what is saved, for the message, for example "search". */
void ctl_saved_header(CtlBytes *bytes, long format, const char *what, const SimReport *report);

#endif
