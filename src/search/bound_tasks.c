/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/search/messages.h"

#include "control/base/clock.h"
#include "src/search/search_checkpoint.h"

/* Data of a worker that evaluates cases of a lower bound (bound_tasks.h). */
typedef struct Share {
  EvaluatedModel evaluated;
  double *known; /* [2 d] final x and v of the best known control, for the options of the bound; NULL: none is known */
  CtlBoundProver *prover;
} Share;

/* Head of a message to a worker. It is followed by the final x and v of the best known control, and by the model. */
typedef struct Head {
  int64_t intervals, degree, knots, patterns, known;
  double effort, gap;
} Head;
_Static_assert(sizeof(Head) == 56, "without padding: it is sent as bytes");

static void *pack(const Problem *problem, const CtlLowerBoundOptions *options, size_t *size) {
  const EvaluatedModel evaluated = {.problem = &problem->sim, .control = &problem->control};
  const Head head = {.intervals = options->intervals,
                     .degree = options->degree,
                     .knots = options->knots,
                     .patterns = options->patterns,
                     .known = options->x && options->v ? problem->sim.d : 0,
                     .effort = options->effort,
                     .gap = options->gap};
  size_t half = (size_t)head.known * sizeof(double);
  char *at, *bytes = message_create(MESSAGE_CASES, sizeof head + 2 * half + evaluated_model_packed_size(&evaluated),
                                    size, &at);
  if (!bytes) return NULL;
  message_put(&at, &head, sizeof head);
  message_put(&at, options->x, half);
  message_put(&at, options->v, half);
  evaluated_model_pack(&evaluated, at);
  return bytes;
}

void bound_tasks_release(void *owner) {
  Share *share = owner;
  ctl_bound_prover_destroy(share->prover);
  evaluated_model_clear(&share->evaluated);
  free(share->known);
  free(share);
}

static bool interrupted(void *context) {
  (void)context;
  return ctl_pool_interrupted();
}

SimStatus bound_tasks_build(const MessageReader *reader, MessageForm form, const char *bytes, size_t size, void **owner,
                            CtlEvaluator *evaluator) {
  Head head;
  const char *from = bytes;
  Share *share = calloc(1, sizeof *share);
  (void)reader, (void)form;
  if (!share) return SIM_NO_MEMORY;
  message_get(&from, &head, sizeof head);
  size_t known = 2 * (size_t)head.known * sizeof(double);
  share->known = known ? malloc(known) : NULL;
  SimStatus status = known && !share->known ? SIM_NO_MEMORY : SIM_OK;
  if (status == SIM_OK) message_get(&from, share->known, known);
  if (status == SIM_OK) status = evaluated_model_unpack(from, size - sizeof head - known, &share->evaluated);
  const CtlLowerBoundOptions options = {.effort = head.effort,
                                        .x = share->known,
                                        .v = share->known ? share->known + head.known : NULL,
                                        .gap = head.gap,
                                        .intervals = (int)head.intervals,
                                        .degree = (int)head.degree,
                                        .patterns = head.patterns,
                                        .knots = (int)head.knots,
                                        .stopped = interrupted};
  if (status == SIM_OK)
    status = ctl_bound_prover_create(share->evaluated.control, share->evaluated.problem, &options, &share->prover);
  if (status == SIM_OK)
    *evaluator = ctl_bound_prover_evaluator(share->prover);
  else
    bound_tasks_release(share);
  *owner = share;
  return status;
}

/* Functions for rank 0 --------------------------------------------------------------------------------------------- */

/* A lower bound that rank 0 is computing with the help of the workers. */
typedef struct Handed {
  SearchRun *run;
  const CtlTasks *tasks;
} Handed;

static void on_tick(void *context, const CtlSearch *search, double seconds, int busy) {
  const Handed *handed = context;
  (void)search;
  (void)seconds;
  progress_draw(&handed->run->progress, "a bound for any control: case %ld  %d of %d busy",
                handed->tasks->first + handed->tasks->next, busy, handed->run->evaluators);
}

static bool stopped(void *context) {
  SearchRun *run = context;
  return search_run_stopped(run) || run->unkept || run->bound.log.stuck > 1;
}

static bool on_question(void *context) {
  const Handed *handed = context;
  return stopped(handed->run);
}

static void keep(void *context) {
  SearchRun *run = context;
  double now = ctl_seconds();
  if (run->options->unwritten || !ctl_checkpoint_due(&run->record.checkpoint, now)) return;
  run->unkept = search_checkpoint_save(run, now);
}

static int drive(void *context, const Problem *problem, const CtlLowerBoundOptions *cases, CtlTasks *tasks,
                 const CtlEvaluator *evaluator) {
  Handed handed = {context, tasks};
  SearchRun *run = handed.run;
  const CtlListener listener = {
      .context = &handed, .tick = on_tick, .stopped = on_question, .grace = run->problem.checkpoint_grace};
  CtlTimes times;
  if (!run->pool) return ctl_drive_tasks(tasks, evaluator, &listener, &times);
  CtlJob job = {.tasks = tasks, .evaluator = evaluator, .listener = &listener};
  void *bytes = pack(problem, cases, &job.model_size);
  job.model = bytes;
  int over = bytes ? ctl_pool_drive(run->pool, &job, &times) : CTL_DRIVE_NO_MEMORY;
  free(bytes);
  return over;
}

LowerBoundRunner bound_tasks_runner(SearchRun *run) {
  return (LowerBoundRunner){.context = run,
                            .drive = drive,
                            .stopped = stopped,
                            .kept = &run->bound,
                            .keep = keep,
                            .report = {run, search_checkpoint_refuse}};
}
