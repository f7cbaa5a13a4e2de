#include "sim/base/argument.h"

#include <stdio.h>

static _Thread_local const char *refused[3]; /* function, argument, why */

SimStatus argument_refuse(const char *function, const char *argument, const char *why) {
  refused[0] = function;
  refused[1] = argument;
  refused[2] = why;
  return SIM_BAD_ARGUMENT;
}

const char *argument_refused(void) {
  static _Thread_local char text[512];
  if (!refused[0]) return "an argument is not valid";
  snprintf(text, sizeof text, "%s: %s %s", refused[0], refused[1], refused[2]);
  return text;
}
