#include "sim/core/interrupt.h"

#include "sim/core/model.h"
#include "sim/core/scheme.h"

void sim_workspace_interrupt(SimWorkspace *work, const SimInterrupt *interrupt) {
  if (work) work->interrupt.asked = interrupt ? *interrupt : (SimInterrupt){0};
}

const SimInterrupt *sim_workspace_interruption(const SimWorkspace *work) {
  return work ? &work->interrupt.asked : NULL;
}

SimStatus interrupt_look(const SimModel *model, const SimWorkspace *work) {
  const Interrupt *interrupt = &work->interrupt;
  long iterations = work->tally.iterations, taken = work->n > iterations ? work->n : iterations;
  bool by_segments = model->problem.scheme->leap != NULL;
  if (!by_segments && interrupt_exceeds(interrupt, taken)) return SIM_TOO_LONG;
  if (!interrupt->asked.stops) return SIM_OK;
  return sim_group_agree(model->problem.group, interrupt_stops(interrupt)) ? SIM_CANCELLED : SIM_OK;
}
