/* SPDX-License-Identifier: BSD-2-Clause */
/* Evaluates the force of models that are too large for a table of the force over time. */
#include "src/file/model/model.h"

#include <math.h>
#include <stdlib.h>

static double place(const Problem *problem, int i) { return (problem->sim.first + i + 1.0) * problem->spacing; }

static void load_at(void *context, double t, double *f) {
  const Problem *problem = context;
  const SimProblem *sim = &problem->sim;
  if (!problem->line_force) {
    force_at(problem->force, sim, t, sim->first, sim->count, f);
    return;
  }
  bool varies = expression_uses(problem->line_force, "s");
  for (int i = 0; i < sim->count; i++) {
    const double values[] = {place(problem, i), t};
    f[i] = i && !varies ? f[0] : expression_evaluate(problem->line_force, values) * problem->spacing;
  }
}

/* Evaluates the force f at the time t. If it is not finite, reports the first row with such a value and returns
 * false. */
static bool is_finite(Reader *reader, double t, double *f) {
  Problem *problem = reader->problem;
  int i = 0, count = problem->sim.count;
  load_at(problem, t, f);
  while (i < count && isfinite(f[i])) i++;
  if (i < count && problem->line_force)
    key_error(reader, "model.force", "%g at s = %.9g, t = %.9g (expected a finite value)", f[i], place(problem, i), t);
  else if (i < count)
    key_error(reader, "model.force", "%g on row %d at t = %.9g (expected a finite value)", f[i],
              problem->sim.first + i + 1, t);
  return i == count;
}

void set_load(Reader *reader) {
  /* maximum number of evaluations if the force is checked at every time */
  enum { EVALUATIONS = 1000000 };
  Problem *problem = reader->problem;
  SimProblem *sim = &problem->sim;
  if (!problem->line_force && !problem->force) return;
  if (is_wrong(reader, "model.force")) return;
  double once = problem->line_force ? expression_seconds(problem->line_force) : force_seconds(problem->force);
  bool constant = problem->line_force ? !expression_uses(problem->line_force, "t") : force_is_constant(problem->force);
  long times = constant ? 1 : sim_force_count(sim), few = EVALUATIONS / (sim->count + 1);
  /* Step between the times at which the force is checked. If there are many times, only the first and the last are
   * checked. */
  long stride = times <= few || times < 3 ? 1 : times - 1;
  /* number of nodes in the estimate of the computing time; for model.force it is 1, as force_seconds includes all
   * nodes */
  double nodes = problem->line_force ? sim->count : 1;
  double evaluations = nodes * (double)((times - 1) / stride + 1);
  if (!work_allowed(reader, "model.force", "the force at every node", evaluations * once, 0)) return;
  bool good = true;
  double *f = diagnostics_calloc(reader->diagnostics, (size_t)sim->count, sizeof *f);
  if (!f) return;
  for (long k = 0; k < times && good; k += stride) good = is_finite(reader, sim_force_time(sim, k), f);
  free(f);
  sim->load = (SimLoad){.context = problem, .constant = constant, .at = load_at};
}
