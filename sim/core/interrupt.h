/* SPDX-License-Identifier: BSD-2-Clause */
/* Limits that end rollouts early (stiction_workspace_interrupt). They are checked only after many steps, so that
 * checks cost nothing compared with the steps. */
#ifndef SIM_CORE_INTERRUPT_H
#define SIM_CORE_INTERRUPT_H

#include "sim/internal.h"

typedef struct Interrupt {
  SimInterrupt asked;
  double each;   /* work of one segment or step of the current rollout */
  long segments; /* number of segments of the current rollout, for the scheme event */
} Interrupt;

/* Returns the number of steps between two checks of the limits, for a model with d rows on all ranks together. The
 * steps between two checks take about the same time for any d. */
static inline long interrupt_stride(int d) {
  enum { STEPS = 1000 };
  return d < STEPS ? STEPS / d : 1;
}

/* Whether the user's callback requests a stop. */
static inline bool interrupt_stops(const Interrupt *interrupt) {
  return interrupt->asked.stops && interrupt->asked.stops(interrupt->asked.context);
}

/* Whether `taken` segments or steps exceed the limit of work. */
static inline bool interrupt_exceeds(const Interrupt *interrupt, long taken) {
  return interrupt->asked.most > 0 && (double)taken * interrupt->each > interrupt->asked.most;
}

/* Checks the limits before each segment. Returns SIM_OK, SIM_CANCELLED or SIM_TOO_LONG. */
static inline SimStatus interrupt_segment(Interrupt *interrupt) {
  if (interrupt_exceeds(interrupt, ++interrupt->segments)) return SIM_TOO_LONG;
  return interrupt_stops(interrupt) ? SIM_CANCELLED : SIM_OK;
}

/* Resets the count of work. Called when a rollout begins, or its saved state has been loaded. */
void interrupt_start(const SimModel *model, SimWorkspace *work);

/* Returns the work of a rollout so far. */
double interrupt_work(const SimModel *model, const SimWorkspace *work);

/* Checks the limits of a rollout between two steps, with the same result on all ranks of its group. */
SimStatus interrupt_look(const SimModel *model, const SimWorkspace *work);

#endif
