/* SPDX-License-Identifier: BSD-2-Clause */
/* The kind of models SIM_MECHANISM: any equations of motion with a mass matrix M(q), and dry friction in the
 * coordinates (SimEquations of sim/kinds.h). */
#include "sim/core/kind.h"
#include "sim/core/model.h"
#include "sim/core/scheme.h"
#include "sim/mechanism/equations.h"
#include "sim/mechanism/motion.h"
#include "sim/mechanism/steps.h"
#include "sim/operator/check.h"

#include <math.h>
#include <stdlib.h>

/* Checks that the equations can be evaluated at the start: M is positive definite, and all numbers are finite. Computes
 * the largest stable step with elastic stops from M at the start. */
static void check_start(Check *check, MechanismMotion *motion, SimBounds *bounds) {
  const SimProblem *p = check->problem;
  const Expansion *expansion = motion->expansion;
  (void)mechanism_motion_at(p, motion, 0, p->x0, p->v0, true);
  for (int i = 0; i < p->d; i++) {
    double load = expansion_output(expansion, i, 0), c = expansion_output(expansion, p->d + i, 0);
    if (!isfinite(load))
      check_complain(check, "model", "the force on coordinate %d is %g at the start (expected a number)", i + 1, load);
    if (!(c >= 0) || !isfinite(c))
      check_complain(check, "model.friction", "of coordinate %d is %g at the start (expected >= 0)", i + 1, c);
  }
  if (check->mistakes) return;
  if (check_matrix(check, "model.mass", expansion->mass, true, &bounds->mass_min, &bounds->mass_max))
    check->mistakes += scheme_check_ends(p, bounds->mass_min, check->report);
}

static SimStatus check_mechanism(Check *check, SimBounds *bounds) {
  const SimProblem *p = check->problem;
  const char *why = NULL;
  MechanismMotion *motion = NULL;
  check_rows(check, "model", sim_mechanism_parameters);
  check_values(check, "model.parameters", NULL, 0, p->equations.parameters, p->equations.values);
  if (check->mistakes) return SIM_BAD_PROBLEM;
  SimStatus status = mechanism_motion_create(p, &motion, &why);
  if (status == SIM_BAD_PROBLEM) check_complain(check, "model", "%s", why ? why : "there are no equations of motion");
  if (status == SIM_OK) check_start(check, motion, bounds);
  mechanism_motion_destroy(motion);
  return status == SIM_OK ? check_status(check) : status;
}

/* Returns the sum of the magnitudes of the terms of the energy, in J, as a scale for its rounding errors. */
static double energy_size(const SimModel *model, SimWorkspace *work, const double *x, const double *v) {
  const SimProblem *p = &model->problem;
  bool steps = p->scheme == &sim_scheme_moreau_mechanism;
  const EventMotion *motion = steps ? NULL : work->own;
  MechanismMotion *own = steps ? ((MechanismSteps *)work->own)->motion : motion->mechanism;
  mechanism_motion_measure(p, own, own->energies, steps ? (double)work->n * p->step : motion->at.t, x, v);
  return 2 * own->measured[ENERGY_SIZE];
}

static size_t nodes(const SimProblem *p) { return 6 * (size_t)p->equations.nodes; }
static size_t outputs(const SimProblem *p) { return p->equations.nodes ? (size_t)equations_outputs(p) : 0; }
static size_t parameters(const SimProblem *p) { return (size_t)p->equations.parameters; }

static const ProblemArray arrays[] = {{PROBLEM_ARRAY(equations.graph, nodes)},
                                      {PROBLEM_ARRAY(equations.outputs, outputs)},
                                      {PROBLEM_ARRAY(equations.values, parameters)},
                                      {0}};

const SimKindOps sim_kind_mechanism = {.arrays = arrays,
                                       .parameters = sim_mechanism_parameters,
                                       .check = check_mechanism,
                                       .energy_size = energy_size,
                                       .has_multiplier = true};
