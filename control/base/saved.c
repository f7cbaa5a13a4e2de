/* SPDX-License-Identifier: BSD-2-Clause */
#include "control/base/saved.h"

#include <stdio.h>

void ctl_saved_header(CtlBytes *bytes, long format, const char *what, const SimReport *report) {
  char text[256] = "", sources[CTL_WORD_SIZE];
  snprintf(sources, sizeof sources, "%s", ctl_source_hash());
  long found = ctl_bytes_integer(bytes, format, INT32_MIN, INT32_MAX);
  if (!bytes->bad && found == format) ctl_bytes_word(bytes, sources);
  if (bytes->bad)
    snprintf(text, sizeof text, "incomplete saved %s", what);
  else if (found != format)
    snprintf(text, sizeof text, "a saved %s of format %ld (expected %ld)", what, found, format);
  else if (strcmp(sources, ctl_source_hash()) != 0)
    snprintf(text, sizeof text, "saved by a build from other sources (%s; this is %s): its answer might differ",
             sources, ctl_source_hash());
  if (!*text) return;
  bytes->bad = true;
  if (report) report->complain(report->context, what, text);
}
