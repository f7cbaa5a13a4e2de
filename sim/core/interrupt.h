/* What ends rollouts before their time: sim_workspace_interrupt. Steps are looked at some at a time, so that a look costs nothing beside them. */
#ifndef SIM_CORE_INTERRUPT_H
#define SIM_CORE_INTERRUPT_H

#include "sim/sim.h"

typedef struct Interrupt {
  SimInterrupt asked;
  double each;   /* work of a segment or step of the rollout under way */
  long segments; /* by `event`, of that */
} Interrupt;

/* How many steps of a model of d rows, those of all ranks of its group, lie between two looks: about as much work whatever the size. */
static inline long interrupt_stride(int d) {
  enum { STEPS = 1000 };
  return d < STEPS ? STEPS / d : 1;
}

/* Whether somebody wants the rollout to end. */
static inline bool interrupt_stops(const Interrupt *interrupt) {
  return interrupt->asked.stops && interrupt->asked.stops(interrupt->asked.context);
}

/* Whether so many segments, or steps, are more than is allowed. */
static inline bool interrupt_exceeds(const Interrupt *interrupt, long taken) {
  return interrupt->asked.most > 0 && (double)taken * interrupt->each > interrupt->asked.most;
}

/* Before each segment: SIM_OK, SIM_CANCELLED or SIM_TOO_LONG. */
static inline SimStatus interrupt_segment(Interrupt *interrupt) {
  if (interrupt_exceeds(interrupt, ++interrupt->segments)) return SIM_TOO_LONG;
  return interrupt_stops(interrupt) ? SIM_CANCELLED : SIM_OK;
}

/* A rollout begins, or goes on from what was loaded: from here on its work counts. */
void interrupt_start(const SimModel *model, SimWorkspace *work);

/* The work of a rollout so far. */
double interrupt_work(const SimModel *model, const SimWorkspace *work);

/* Of a rollout that stands at a step, on all ranks of its group alike. */
SimStatus interrupt_look(const SimModel *model, const SimWorkspace *work);

#endif
