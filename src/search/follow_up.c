/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/search/follow_up.h"

#include "control/base/clock.h"
#include "src/search/messages.h"

/* State of a further search while it is running. */
typedef struct Going {
  const FollowUp *follow_up;
  bool late; /* whether the search was stopped because its time limit was reached */
} Going;

static void on_tick(void *context, const CtlSearch *search, double seconds, int busy) {
  const FollowUp *follow_up = ((const Going *)context)->follow_up;
  CtlState state;
  (void)seconds;
  stiction_asktell_state(search, &state);
  progress_draw(&follow_up->run->progress, "%s: best %.8g  E1 %.2e  %d of %d busy", follow_up->purpose, state.best,
                state.E1, busy, follow_up->run->evaluators);
}

static bool on_question(void *context) {
  Going *going = context;
  const FollowUp *follow_up = going->follow_up;
  going->late = follow_up->until > 0 && ctl_seconds() >= follow_up->until;
  return search_run_stopped(follow_up->run) || going->late;
}

static void *pack(const void *owner, size_t *size) {
  const FollowUp *follow_up = owner;
  return model_message_pack(follow_up->sent, follow_up->run->options->argument, size);
}

/* Runs the search until it ends or its time limit is reached. times: may be NULL. Returns 0, EXIT_STOPPED after a
 * signal, or EXIT_INTERNAL, not reported, if there is no memory. */
static int follow_up_drive(const FollowUp *follow_up, CtlTimes *times) {
  SearchRun *run = follow_up->run;
  Going going = {.follow_up = follow_up};
  CtlTimes unwanted;
  const CtlListener listener = {
      .context = &going, .tick = on_tick, .stopped = on_question, .grace = run->problem.checkpoint_grace};
  const SearchDrive how = {.pool = run->pool,
                           .search = follow_up->search,
                           .evaluator = follow_up->evaluator,
                           .listener = &listener,
                           .timeout = run->problem.control.evaluation_timeout,
                           .pack = follow_up->sent ? pack : NULL,
                           .owner = follow_up};
  int over = search_drive(&how, times ? times : &unwanted);
  progress_clear(&run->progress);
  if (over == CTL_DRIVE_STOPPED || over == CTL_DRIVE_ABANDONED) return going.late ? 0 : EXIT_STOPPED;
  return over ? EXIT_INTERNAL : 0;
}

int follow_up_again(SearchRun *run, const CtlProblem *again, double until, const char *purpose, CtlSearch **search,
                    CtlTimes *times) {
  *search = NULL;
  if (stiction_asktell_create(again, search) != CTL_OK) return EXIT_INTERNAL;
  const CtlEvaluator evaluator = model_evaluator(&run->evaluator);
  const EvaluatedModel *sent = run->options->elastic ? &run->evaluated : NULL;
  return follow_up_drive(&(FollowUp){run, *search, &evaluator, sent, until, purpose}, times);
}

int related_open(const Problem *problem, ProblemChanges as, Related *related) {
  Diagnostics refused = {0};
  *related = (Related){0};
  int code = problem_with(problem, as, &refused, &related->problem);
  diagnostics_clear(&refused);
  if (code) return code;
  code = rollout_context_prepare(&related->rollout, &related->problem.sim, NULL);
  if (code) problem_clear(&related->problem);
  return code;
}

void related_close(Related *related) {
  rollout_context_release(&related->rollout);
  problem_clear(&related->problem);
}

int follow_up_related(SearchRun *run, const Related *related, double until, const char *purpose, CtlSearch **search) {
  const CtlProblem *control = &related->problem.control;
  EvaluatedModel evaluated = {0};
  ModelEvaluator here = {0};
  int code = EXIT_INTERNAL;
  *search = NULL;
  if (stiction_asktell_create(control, search) != CTL_OK) return code;
  if (evaluated_model_prepare(&related->problem, ctl_problem_wants_derivatives(control), &evaluated) == 0 &&
      model_evaluator_open(&evaluated, &related->rollout, run->options->kernel, &here) == SIM_OK) {
    const CtlEvaluator evaluator = model_evaluator(&here);
    const FollowUp one = {run, *search, &evaluator, &evaluated, until, purpose};
    code = follow_up_drive(&one, NULL);
  }
  model_evaluator_close(&here);
  evaluated_model_clear(&evaluated);
  return code;
}
