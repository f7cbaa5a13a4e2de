#include "src/search/external_evaluator.h"

#include "src/problem/file.h"
#include "src/process/stop_signal.h"

#include <stdlib.h>
#include <string.h>

static void evaluate(void *context, CtlWant want, int count, const double *controls, SimFinal *final, double *rows) {
  ExternalEvaluator *evaluator = context;
  const External *external = evaluator->program.external;
  (void)want, (void)rows;
  for (int i = 0; i < count; i++, controls += external->n) {
    bool cancelled = evaluator->interrupted;
    SimStatus status =
        cancelled ? SIM_NOT_FINISHED : point_evaluate(&evaluator->program, controls, final[i].x, &cancelled);
    evaluator->interrupted |= cancelled;
    memset(final[i].v, 0, (size_t)external->m * sizeof *final[i].v);
    final[i] = (SimFinal){.x = final[i].x, .v = final[i].v, .status = status};
  }
}

CtlEvaluator external_evaluator(ExternalEvaluator *evaluator) {
  const External *external = evaluator->program.external;
  return (CtlEvaluator){.n = external->n, .d = external->m, .block = 1, .context = evaluator, .evaluate = evaluate};
}

/* The path, its 0, and the problem's echo. */
char *external_message(const Problem *problem, const char *points, size_t *size) {
  json_t *echo = problem_echo(problem);
  char *text = echo ? json_dumps(echo, JSON_REAL_PRECISION(17)) : NULL;
  size_t path = strlen(points) + 1, length = text ? strlen(text) : 0;
  char *bytes = text ? malloc(path + length) : NULL;
  if (bytes) {
    memcpy(bytes, points, path);
    memcpy(bytes + path, text, length);
  }
  *size = path + length;
  free(text);
  json_decref(echo);
  return bytes;
}

/* A worker's. */
typedef struct Sent {
  ExternalEvaluator evaluator;
  Problem problem;
} Sent;

static SimStatus build(void *context, const void *bytes, size_t size, CtlEvaluator *evaluator) {
  const char *points = bytes;
  size_t path = strnlen(points, size) + 1;
  Sent *sent = calloc(1, sizeof *sent);
  (void)context;
  if (!sent) return SIM_NO_MEMORY;
  if (path > size || path > sizeof sent->evaluator.program.points ||
      problem_evaluator_text_read("the problem", points + path, size - path, NULL, &sent->problem)) {
    free(sent);
    return SIM_BAD_PROBLEM;
  }
  memcpy(sent->evaluator.program.points, points, path);
  sent->evaluator.program.external = sent->problem.external;
  *evaluator = external_evaluator(&sent->evaluator);
  return SIM_OK;
}

static void release(void *context, CtlEvaluator *evaluator) {
  Sent *sent = evaluator->context;
  (void)context;
  problem_clear(&sent->problem);
  free(sent);
}

CtlBuilder external_builder(void) {
  return (CtlBuilder){.build = build, .release = release, .stopped = stop_signal_seen};
}
