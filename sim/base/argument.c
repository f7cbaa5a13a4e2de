/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/base/argument.h"

#include <stdarg.h>
#include <stdio.h>

enum { TEXT_SIZE = 512 };
static _Thread_local char refused[TEXT_SIZE], invalid[TEXT_SIZE];

SimStatus argument_refuse(const char *function, const char *argument, const char *why) {
  snprintf(refused, sizeof refused, "%s: %s %s", function, argument, why);
  return SIM_BAD_ARGUMENT;
}

bool argument_refuse_key(const char *function, const char *key, const char *format, ...) {
  int length = snprintf(refused, sizeof refused, "%s: %.100s: ", function, key ? key : "key");
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(refused + length, sizeof refused - (size_t)length, format, arguments);
  va_end(arguments);
  return false;
}

const char *argument_refused(void) { return refused[0] ? refused : "an argument is not valid"; }

/* Stores an error unless one has been stored already. */
static void keep_first(void *context, const char *key, const char *text) {
  bool *kept = context;
  if (!*kept) snprintf(invalid, sizeof invalid, "the problem is not valid: %s: %s", key, text);
  *kept = true;
}

SimReport argument_first_error(bool *kept) {
  *kept = false;
  invalid[0] = 0;
  return (SimReport){kept, keep_first};
}

static void keep_and_pass(void *context, const char *key, const char *text) {
  FirstError *first = context;
  keep_first(&first->kept, key, text);
  if (first->to && first->to->complain) first->to->complain(first->to->context, key, text);
}

SimReport argument_keep_first(FirstError *first, const SimReport *to) {
  if (to && (to->complain == keep_first || to->complain == keep_and_pass)) return *to;
  *first = (FirstError){.to = to};
  invalid[0] = 0;
  return (SimReport){first, keep_and_pass};
}

const char *argument_invalid(void) { return invalid[0] ? invalid : "the problem is not valid"; }
