/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/base/argument.h"
#include "sim/core/model.h"
#include "sim/core/scheme.h"

#include <math.h>

/* An examined motion is valid, whatever the tolerance, if its relative residual is at most this. */
static const double LEAST = 1e-8;
/* An examined motion is valid if its relative residual is at most this times the scheme's tolerance. */
static const double SHARE = 100;

SimStatus sim_workspace_examine(SimWorkspace *work, const SimOriginals *originals) {
  ARGUMENT_THERE(work);
  const SimScheme *scheme = work->model->problem.scheme;
  work->residual = (SimResidual){0};
  work->residual_most = sim_residual_most(&work->model->problem);
  return scheme->examine ? scheme->examine(work->model, work, originals) : SIM_BAD_PROBLEM;
}

double sim_residual_most(const SimProblem *p) {
  if (!p || !p->scheme || !p->scheme->examine) return INFINITY;
  return fmax(LEAST, SHARE * sim_problem_get(p, "tolerance"));
}

const char *sim_residual_text(SimResidualOf of) {
  switch (of) {
  case SIM_RESIDUAL_NONE: return "nothing";
  case SIM_RESIDUAL_EQUATION: return "the equation of motion";
  case SIM_RESIDUAL_FRICTION: return "the law of friction";
  case SIM_RESIDUAL_PATH: return "x' = v";
  case SIM_RESIDUAL_JUMP: return "no jump without an impact";
  case SIM_RESIDUAL_LAW: return "the law of the dash-pot";
  }
  return "nothing";
}
