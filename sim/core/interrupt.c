/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/core/interrupt.h"

#include "sim/core/model.h"
#include "sim/core/scheme.h"

#include <math.h>

void stiction_workspace_interrupt(SimWorkspace *work, const SimInterrupt *interrupt) {
  if (work) work->interrupt.asked = interrupt ? *interrupt : (SimInterrupt){0};
}

const SimInterrupt *sim_workspace_interruption(const SimWorkspace *work) {
  return work ? &work->interrupt.asked : NULL;
}

static bool by_segments(const SimProblem *problem) { return problem->scheme->leap != NULL; }

/* Returns the work of a step or segment. The unit is the work of a segment of a model with one dof. The constants are
 * fitted to measurements (tests/sim/core/test_work.c). A segment multiplies by matrices in each order of its series,
 * and a column of derivatives needs more orders than the motion. In a step, all columns are multiplied at once. Sparse
 * matrices and chains have a few entries in each row; with many dofs their segments are short and of low order. */
double sim_problem_work(const SimProblem *problem, int columns) {
  /* OF_PAIR: work for each pair of dofs, i.e. each entry of a full matrix. SPARSE_PAIRS, SEGMENT_PAIRS: maximum number
   * of pairs for each dof if matrices are not full, in schemes with steps and in schemes with segments. OF_COLUMN: work
   * of a column of derivatives in a segment, relative to the motion. OF_STEP: work of a step, relative to a segment. */
  static const double OF_PAIR = 0.028, SPARSE_PAIRS = 50, SEGMENT_PAIRS = 2, OF_COLUMN = 1.5, OF_STEP = 0.01;
  static const double STEP_DERIVATIVES = 1.5,
                      /* work of the first column of derivatives, relative to the motion; number of further columns that
                       * take as much work as the motion */
      STEP_COLUMNS = 32;
  if (!problem || !problem->scheme) return 0;
  double d = problem->d, pairs = d * d;
  bool whole = problem->kind == SIM_FRICTION && problem->system.storage == SIM_DENSE;
  if (!whole) pairs = fmin(pairs, (by_segments(problem) ? SEGMENT_PAIRS : SPARSE_PAIRS) * d);
  double plain = 1 + OF_PAIR * pairs;
  if (by_segments(problem)) return plain * (1 + OF_COLUMN * columns);
  return OF_STEP * plain * (columns > 0 ? 1 + STEP_DERIVATIVES + columns / STEP_COLUMNS : 1);
}

void interrupt_start(const SimModel *model, SimWorkspace *work) {
  work->interrupt.segments = 0;
  work->interrupt.each = sim_problem_work(&model->problem, stiction_sensitivity_columns(work->sensitivity));
}

/* Returns the number of segments (event), steps, or iterations (fixed point) of a rollout so far. */
static long taken(const SimModel *model, const SimWorkspace *work) {
  long iterations = work->tally.iterations;
  if (by_segments(&model->problem)) return work->interrupt.segments;
  return work->n > iterations ? work->n : iterations;
}

double interrupt_work(const SimModel *model, const SimWorkspace *work) {
  return (double)taken(model, work) * work->interrupt.each;
}

SimStatus interrupt_look(const SimModel *model, const SimWorkspace *work) {
  const Interrupt *interrupt = &work->interrupt;
  if (!by_segments(&model->problem) && interrupt_exceeds(interrupt, taken(model, work))) return SIM_TOO_LONG;
  if (!interrupt->asked.stops) return SIM_OK;
  return sim_group_agree(model->problem.group, interrupt_stops(interrupt)) ? SIM_CANCELLED : SIM_OK;
}
