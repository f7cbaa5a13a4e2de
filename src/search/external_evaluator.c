/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/search/external_evaluator.h"

#include "control/base/clock.h"
#include "src/file/sections/file.h"
#include "src/process/stop_signal.h"

#include <stdlib.h>
#include <string.h>

static void report_lack(const ExternalEvaluator *evaluator) {
  int why = evaluator->program.why;
  diagnostics_error(evaluator->diagnostics, EXIT_INTERNAL, "%s: %s", evaluator->program.lack,
                    why ? strerror(why) : "the process that watches it was killed");
}

static SimStatus values_at(void *context, const double *point, double *values) {
  ExternalEvaluator *evaluator = context;
  if (evaluator->interrupted) return SIM_CANCELLED;
  bool reported = *evaluator->program.lack;
  SimStatus status = point_evaluate(&evaluator->program, point, values);
  evaluator->interrupted = status == SIM_CANCELLED;
  if (status == SIM_NO_MEMORY && !reported) report_lack(evaluator);
  return status;
}

CtlEvaluator external_evaluator(ExternalEvaluator *evaluator) {
  const External *external = evaluator->program.external;
  evaluator->function = (CtlFunction){.n = external->n, .m = external->m, .context = evaluator, .values = values_at};
  return ctl_function_evaluator(&evaluator->function);
}

/* The message consists of the path of the folder that contains the folders of points, with its terminating NUL, and the
 * problem as YAML. */
char *external_message(const Problem *problem, const char *points, size_t *size) {
  json_t *echo = problem_echo(problem);
  char *text = echo ? json_dumps(echo, JSON_REAL_PRECISION(17)) : NULL;
  size_t path = strlen(points) + 1, length = text ? strlen(text) : 0;
  char *at, *bytes = text ? message_create(MESSAGE_POINTS, path + length, size, &at) : NULL;
  if (bytes) {
    message_put(&at, points, path);
    message_put(&at, text, length);
  }
  free(text);
  json_decref(echo);
  return bytes;
}

/* The evaluator that a worker has made from a message. */
typedef struct Sent {
  ExternalEvaluator evaluator;
  Problem problem;
  double asked; /* time (ctl_seconds) at which a signal was first seen while a program ran; 0: never */
} Sent;

/* Returns whether to end the running program. After a signal it may continue for the time checkpoint.grace. */
static bool is_cancelled(void *context) {
  Sent *sent = context;
  if (!stop_signal_seen()) return false;
  if (sent->asked == 0) sent->asked = ctl_seconds();
  return ctl_seconds() - sent->asked >= sent->problem.checkpoint_grace;
}

SimStatus external_build(const MessageReader *reader, MessageForm form, const char *bytes, size_t size, void **owner,
                         CtlEvaluator *evaluator) {
  size_t path = strnlen(bytes, size) + 1;
  Sent *sent = calloc(1, sizeof *sent);
  (void)form;
  if (!sent) return SIM_NO_MEMORY;
  if (path > size || path > sizeof sent->evaluator.program.points ||
      problem_evaluator_text_read("the problem", bytes + path, size - path, NULL, &sent->problem)) {
    free(sent);
    return SIM_BAD_PROBLEM;
  }
  memcpy(sent->evaluator.program.points, bytes, path);
  sent->evaluator.program.external = sent->problem.external;
  sent->evaluator.program.cancelled = is_cancelled;
  sent->evaluator.program.context = sent;
  sent->evaluator.diagnostics = reader->diagnostics;
  *owner = sent;
  *evaluator = external_evaluator(&sent->evaluator);
  return SIM_OK;
}

void external_release(void *owner) {
  Sent *sent = owner;
  problem_clear(&sent->problem);
  free(sent);
}
