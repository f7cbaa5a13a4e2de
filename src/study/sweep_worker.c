#include "src/study/sweep_worker.h"

#include "control/base/clock.h"
#include "src/base/exit_code.h"
#include "src/process/stop_signal.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

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

/* Messages -------------------------------------------------------------------------------------------------------- */

/* Unlike a model's first bytes, which tell its form. */
static const char PLAN[8] = {'S', 'W', 'E', 'E', 'P', 0, 0, 0};

/* The mark, the directory, the plan as JSON. */
void *sweep_message_pack(const SweepWorker *worker, size_t *size) {
  char *json = json_dumps(worker->plan.json, JSON_COMPACT | JSON_REAL_PRECISION(17));
  size_t length = json ? strlen(json) + 1 : 0, head = sizeof PLAN + sizeof worker->directory;
  char *bytes = json ? malloc(head + length) : NULL;
  if (bytes) {
    memcpy(bytes, PLAN, sizeof PLAN);
    memcpy(bytes + sizeof PLAN, worker->directory, sizeof worker->directory);
    memcpy(bytes + head, json, length);
  }
  free(json);
  *size = head + length;
  return bytes;
}

static bool is_plan(const void *bytes, size_t size) {
  return size > sizeof PLAN && memcmp(bytes, PLAN, sizeof PLAN) == 0;
}

static SimStatus build(void *context, const void *bytes, size_t size, CtlEvaluator *evaluator) {
  const SweepBuilding *building = context;
  const CtlBuilder *models = &building->models;
  const char *from = bytes;
  if (!is_plan(bytes, size)) return models->build(models->context, bytes, size, evaluator);
  SweepWorker *worker = calloc(1, sizeof *worker);
  if (!worker) return SIM_NO_MEMORY;
  memcpy(worker->directory, from + sizeof PLAN, sizeof worker->directory);
  worker->kernel = building->kernel;
  worker->searches = building->searches;
  json_t *json = json_loads(from + sizeof PLAN + sizeof worker->directory, 0, NULL);
  Diagnostics dropped = {0}; /* rank 0 has read it before */
  int code = json ? sweep_plan_read(json, &worker->plan, &dropped) : EXIT_INTERNAL;
  diagnostics_clear(&dropped);
  if (!code) {
    *evaluator = sweep_evaluator(worker);
    return SIM_OK;
  }
  sweep_plan_clear(&worker->plan);
  free(worker);
  return SIM_NO_MEMORY;
}

static void release(void *context, CtlEvaluator *evaluator) {
  if (evaluator->evaluate != evaluate) {
    const SweepBuilding *building = context;
    building->models.release(building->models.context, evaluator);
    return;
  }
  SweepWorker *worker = evaluator->context;
  sweep_plan_clear(&worker->plan);
  free(worker);
}

CtlBuilder sweep_builder(const SweepBuilding *building) {
  return (CtlBuilder){
      .context = (void *)building, .build = build, .release = release, .stopped = stop_signal_seen}; /* only read */
}
