/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/search/messages.h"

#include "sim/group.h"
#include "src/process/process.h"
#include "src/process/stop_signal.h"
#include "src/run/message.h"

typedef struct MessageKind {
  MessageBuild *build;
  MessageRelease *release;
} MessageKind;

static const MessageKind kinds[MESSAGE_FORMS] = {
    [MESSAGE_MODEL] = {model_message_build, model_message_release},
    [MESSAGE_FILE] = {model_message_build, model_message_release},
    [MESSAGE_PROOF] = {model_message_build, model_message_release},
    [MESSAGE_SCENARIOS] = {scenario_tasks_build, scenario_tasks_release},
    [MESSAGE_CASES] = {bound_tasks_build, bound_tasks_release},
    [MESSAGE_SWEEP] = {swept_search_build, sweep_message_release},
    [MESSAGE_POINTS] = {external_build, external_release},
    [MESSAGE_PLAN] = {plan_tasks_build, plan_tasks_release},
};

/* An evaluator that a worker has made from a message. */
typedef struct Built {
  const MessageKind *kind;
  void *owner;
  CtlEvaluator inner;
} Built;

static void evaluate(void *context, CtlWant want, int count, const double *controls, SimFinal *final, double *rows) {
  const Built *built = context;
  built->inner.evaluate(built->inner.context, want, count, controls, final, rows);
}

static SimStatus build(void *context, const void *bytes, size_t size, CtlEvaluator *evaluator) {
  const MessageReader *reader = context;
  int64_t form = MESSAGE_FORMS;
  const char *from = bytes;
  if (size == 0 && reader->own) {
    *evaluator = *reader->own;
    return SIM_OK;
  }
  if (size >= MESSAGE_HEAD) message_get(&from, &form, MESSAGE_HEAD);
  if (form < 0 || form >= MESSAGE_FORMS) return SIM_BAD_PROBLEM;
  Built *built = calloc(1, sizeof *built);
  if (!built) return SIM_NO_MEMORY;
  built->kind = &kinds[form];
  SimStatus status =
      built->kind->build(reader, (MessageForm)form, from, size - MESSAGE_HEAD, &built->owner, &built->inner);
  if (status != SIM_OK) {
    free(built);
    return status;
  }
  *evaluator = built->inner;
  evaluator->context = built;
  evaluator->evaluate = evaluate;
  return SIM_OK;
}

static void release(void *context, CtlEvaluator *evaluator) {
  Built *built = evaluator->context;
  (void)context;
  /* an evaluator that was not built here belongs to the worker and is not released */
  if (evaluator->evaluate != evaluate) return;
  built->kind->release(built->owner);
  free(built);
}

CtlBuilder messages_builder(const MessageReader *reader) {
  return (CtlBuilder){/* the cast is safe, since reader is not changed */
                      .context = (void *)reader,
                      .build = build,
                      .release = release,
                      .stopped = stop_signal_seen};
}

int messages_serve(const Options *options, Diagnostics *diagnostics) {
  const MessageReader reader = {.options = options, .diagnostics = diagnostics};
  const CtlBuilder builder = messages_builder(&reader);
  int code = sim_group_agree(process_group(), 0);
  stop_signal_spare();
  if (!code && ctl_pool_serve(&builder, MPI_COMM_WORLD) != SIM_OK) process_end_without_memory(diagnostics);
  return code;
}
