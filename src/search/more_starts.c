#include "src/search/more_starts.h"

#include "src/base/exit_code.h"
#include "src/search/follow_up.h"

int more_starts_run(SearchRun *run, const CtlProblem *again, double until, CtlSearch **search, CtlTimes *times) {
  *search = NULL;
  if (ctl_search_create(again, search) != SIM_OK) return diagnostics_no_memory(run->diagnostics);
  const CtlEvaluator evaluator = model_evaluator(&run->evaluator);
  const FollowUp more = {.run = run,
                         .search = *search,
                         .evaluator = &evaluator,
                         .sent = run->options->elastic ? &run->evaluated : NULL,
                         .until = until,
                         .purpose = "more starts"};
  int code = follow_up_drive(&more, times);
  return code == EXIT_INTERNAL ? diagnostics_no_memory(run->diagnostics) : code;
}
