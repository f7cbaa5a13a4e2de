/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/base/progress.h"

#include "control/base/clock.h"

#include <stdarg.h>

void progress_draw(Progress *progress, const char *format, ...) {
  /* shortest time between two updates of the line, in s */
  static const double SECONDS = 0.1;
  double seconds = ctl_seconds();
  if (!progress->stream || (progress->last > 0 && seconds - progress->last < SECONDS)) return;
  progress->last = seconds;
  va_list arguments;
  va_start(arguments, format);
  putc('\r', progress->stream);
  int width = vfprintf(progress->stream, format, arguments);
  va_end(arguments);
  if (width < progress->width) fprintf(progress->stream, "%*s", progress->width - width, "");
  progress->width = width;
  fflush(progress->stream);
}

void progress_clear(Progress *progress) {
  if (progress->stream && progress->width) fprintf(progress->stream, "\r%*s\r", progress->width, "");
  progress->width = 0;
}
