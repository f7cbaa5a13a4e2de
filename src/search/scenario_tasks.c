/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/search/messages.h"

#include "src/study/scenario_motions.h"

/* The scenarios of one message. A worker owns them; on rank 0 the scenario set owns them. */
typedef struct Share {
  EvaluatedModel evaluated;
  int together;    /* number of scenarios that one task simulates side by side */
  double *control; /* [variables] control with which all scenarios are simulated */
} Share;

static void evaluate(void *context, CtlWant want, int count, const double *controls, SimFinal *final, double *rows) {
  const Share *share = context;
  size_t d = (size_t)share->evaluated.problem->d;
  (void)want, (void)rows;
  for (int i = 0; i < count; i++) {
    int first = (int)controls[i] * share->together, left = share->evaluated.n_scenarios - first;
    ScenarioMotions motions = {.problems = share->evaluated.scenarios};
    int n = left < share->together ? left : share->together;
    double *states = calloc((size_t)share->together * 2 * d, sizeof *states);
    final[i].iterations = 0;
    final[i].status = SIM_NO_MEMORY;
    if (!states) continue;
    final[i].status = scenario_motions(&motions, first, n, 1, share->control, states);
    scenario_motions_close(&motions);
    memcpy(final[i].x, states, (size_t)share->together * d * sizeof *states); /* copies x and v, which are contiguous */
    memcpy(final[i].v, states + (size_t)share->together * d, (size_t)share->together * d * sizeof *states);
    free(states);
  }
}

static CtlEvaluator evaluator_of(Share *share) {
  return (CtlEvaluator){
      .n = 1, .d = share->evaluated.problem->d * share->together, .block = 1, .context = share, .evaluate = evaluate};
}

/* Packing tasks and their outcomes into messages ------------------------------------------------------------------- */

/* Head of a message to a worker. It is followed by the control and the scenarios. */
typedef struct Head {
  int64_t together, controls;
} Head;
_Static_assert(sizeof(Head) == 16, "without padding: it is sent as bytes");

static char *pack(const Share *share, size_t *size) {
  const Head head = {share->together, stiction_problem_variables(share->evaluated.problem)};
  size_t controls = (size_t)head.controls * sizeof(double);
  char *at, *bytes = message_create(MESSAGE_SCENARIOS,
                                    sizeof head + controls + evaluated_model_packed_size(&share->evaluated), size, &at);
  if (!bytes) return NULL;
  message_put(&at, &head, sizeof head);
  message_put(&at, share->control, controls);
  evaluated_model_pack(&share->evaluated, at);
  return bytes;
}

void scenario_tasks_release(void *owner) {
  Share *share = owner;
  evaluated_model_clear(&share->evaluated);
  free(share->control);
  free(share);
}

SimStatus scenario_tasks_build(const MessageReader *reader, MessageForm form, const char *bytes, size_t size,
                               void **owner, CtlEvaluator *evaluator) {
  Head head;
  const char *from = bytes;
  Share *share = calloc(1, sizeof *share);
  (void)reader, (void)form;
  if (!share) return SIM_NO_MEMORY;
  message_get(&from, &head, sizeof head);
  size_t controls = (size_t)head.controls * sizeof(double);
  share->together = (int)head.together;
  share->control = malloc(controls + 1);
  SimStatus status = SIM_NO_MEMORY;
  if (share->control) {
    message_get(&from, share->control, controls);
    status = evaluated_model_unpack(from, size - sizeof head - controls, &share->evaluated);
  }
  if (status == SIM_OK)
    *evaluator = evaluator_of(share);
  else
    scenario_tasks_release(share);
  *owner = share;
  return status;
}

/* Functions for rank 0 --------------------------------------------------------------------------------------------- */

/* Scenarios that rank 0 passes to the pool as one job. */
typedef struct Handed {
  SearchRun *run;
  Share share;
  long first;     /* index in the set of the first scenario of this job */
  double *states; /* [count][2 d] final states of all scenarios of the set */
} Handed;

/* Stores the outcome of a task; called by the pool (CtlTasks). */
static int store_result(void *context, long task, const CtlOutcome *outcome) {
  const Handed *handed = context;
  const Share *share = &handed->share;
  size_t d = (size_t)share->evaluated.problem->d, half = (size_t)share->together * d;
  if (outcome->status != SIM_OK) return -EXIT_INTERNAL;
  long at = task * share->together, left = share->evaluated.n_scenarios - at;
  size_t numbers = (size_t)(left < share->together ? left : share->together) * 2 * d;
  double *states = handed->states + (size_t)(handed->first + at) * 2 * d;
  memcpy(states, outcome->x, (numbers < half ? numbers : half) * sizeof *states);
  if (numbers > half) memcpy(states + half, outcome->v, (numbers - half) * sizeof *states);
  return 1;
}

static void on_tick(void *context, const CtlSearch *search, double seconds, int busy) {
  const Handed *handed = context;
  SearchRun *run = handed->run;
  (void)search;
  (void)seconds;
  progress_draw(&run->progress, "scenarios from %ld of %ld  %d of %d busy", handed->first + 1,
                run->problem.scenarios->count, busy, run->evaluators);
}

static bool on_question(void *context) {
  const Handed *handed = context;
  return search_run_stopped(handed->run);
}

/* Runs one job on the pool. Returns the same codes as ctl_pool_drive. */
static int drive(Handed *handed) {
  bool done[CTL_SCENARIOS_MAX] = {false};
  const Share *share = &handed->share;
  const CtlEvaluator evaluator = evaluator_of(&handed->share);
  const CtlListener listener = {
      .context = handed, .tick = on_tick, .stopped = on_question, .grace = handed->run->problem.checkpoint_grace};
  CtlTasks tasks = {.count = (share->evaluated.n_scenarios + share->together - 1) / share->together,
                    .done = done,
                    .context = handed,
                    .tell = store_result};
  CtlJob job = {.tasks = &tasks, .evaluator = &evaluator, .listener = &listener};
  CtlTimes times;
  ctl_tasks_init(&tasks);
  char *bytes = pack(share, &job.model_size);
  job.model = bytes;
  int over = bytes ? ctl_pool_drive(handed->run->pool, &job, &times) : CTL_DRIVE_NO_MEMORY;
  free(bytes);
  return over;
}

int scenario_tasks_run(SearchRun *run, const double *control, double *states) {
  const ScenarioSet *set = &run->scenarios;
  long count = set->scenarios->count;
  Handed handed = {.run = run,
                   .share = {.evaluated = {.problem = &run->problem.sim},
                             .together = scenario_motions_together(set->problems, NULL),
                             .control = (double *)control}, /* the cast is safe, since the control is only read */
                   .states = states};
  int over = 0;
  for (; handed.first < count && !over; handed.first += CTL_SCENARIOS_MAX) {
    long left = count - handed.first;
    handed.share.evaluated.scenarios = set->problems + handed.first;
    handed.share.evaluated.n_scenarios = (int)(left < CTL_SCENARIOS_MAX ? left : CTL_SCENARIOS_MAX);
    over = drive(&handed);
  }
  progress_clear(&run->progress);
  bool stopped = over == CTL_DRIVE_STOPPED || over == CTL_DRIVE_ABANDONED;
  return stopped ? EXIT_STOPPED : over ? EXIT_INTERNAL : 0;
}
