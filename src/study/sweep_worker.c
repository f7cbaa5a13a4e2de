/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/study/sweep_run.h"

#include "control/base/clock.h"
#include "src/process/stop_signal.h"
#include "src/run/message.h"

static void carry_out(SweepWorker *worker, long run, double *numbers) {
  SweepAnswer *answer = (SweepAnswer *)(void *)numbers;
  double before = ctl_seconds();
  int code = EXIT_STOPPED;
  char *row = stop_signal_seen() ? NULL : sweep_run_whole(worker, run, &answer->simulating, &code);
  answer->stopped = !row && code == EXIT_STOPPED;
  answer->seconds = ctl_seconds() - before;
  snprintf(answer->row, sweep_row_size(&worker->plan), "%s", row ? row : "");
  free(row);
}

static void evaluate(void *context, CtlWant want, int count, const double *controls, SimFinal *final, double *rows) {
  (void)want;
  (void)rows;
  for (int i = 0; i < count; i++) {
    carry_out(context, (long)controls[i], final[i].x);
    final[i].status = SIM_OK;
    final[i].iterations = 0;
  }
}

CtlEvaluator sweep_evaluator(SweepWorker *worker) {
  size_t bytes = sizeof(SweepAnswer) + sweep_row_size(&worker->plan), each = 2 * sizeof(double);
  return (CtlEvaluator){
      .n = 1, .d = (int)((bytes + each - 1) / each), .block = 1, .context = worker, .evaluate = evaluate};
}

/* Packing plans and rows into messages ----------------------------------------------------------------------------- */

/* The message consists of the directory of the results, and the plan as JSON. */
void *sweep_message_pack(const SweepWorker *worker, size_t *size) {
  char *json = json_dumps(worker->plan.json, JSON_COMPACT | JSON_REAL_PRECISION(17));
  size_t length = json ? strlen(json) + 1 : 0;
  char *at, *bytes = json ? message_create(MESSAGE_SWEEP, sizeof worker->directory + length, size, &at) : NULL;
  if (bytes) {
    message_put(&at, worker->directory, sizeof worker->directory);
    message_put(&at, json, length);
  }
  free(json);
  return bytes;
}

void sweep_message_release(void *owner) {
  SweepWorker *worker = owner;
  sweep_plan_clear(&worker->plan);
  free(worker);
}

SimStatus sweep_message_build(const SweepSearches *searches, int kernel, const char *bytes, void **owner,
                              CtlEvaluator *evaluator) {
  SweepWorker *worker = *owner = calloc(1, sizeof *worker);
  if (!worker) return SIM_NO_MEMORY;
  message_get(&bytes, worker->directory, sizeof worker->directory);
  worker->kernel = kernel;
  worker->searches = searches;
  json_t *json = json_loads(bytes, 0, NULL);
  Diagnostics dropped = {0}; /* errors are dropped, since rank 0 has read the same plan and reported them */
  int code = json ? sweep_plan_read(json, &worker->plan, &dropped) : EXIT_INTERNAL;
  diagnostics_clear(&dropped);
  if (code)
    sweep_message_release(worker);
  else
    *evaluator = sweep_evaluator(worker);
  return code ? SIM_NO_MEMORY : SIM_OK;
}
