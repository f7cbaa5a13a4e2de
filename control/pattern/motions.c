/* SPDX-License-Identifier: BSD-2-Clause */
/* The linear motions of the patterns of a problem (pattern.h): construction and queries. */
#include "control/pattern/motions.h"

#include "control/pattern/acting.h"
#include "sim/features.h"
#include "sim/law/friction_force.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool pattern_takes(const CtlProblem *problem, const SimProblem *sim) {
  static const SimFeatures takes = SIM_HAS(DENSE) | SIM_HAS(SIGNAL) | SIM_HAS(DAMPING) | SIM_HAS(SKEW) |
                                   SIM_HAS(VISCOUS) | SIM_HAS(BIAS) | SIM_HAS(COURSES) | SIM_HAS(DROP) |
                                   SIM_HAS(EXPONENT) | SIM_HAS(LAW) | SIM_HAS(TABLE) | SIM_HAS(REGULARIZED) |
                                   SIM_HAS(SMOOTH) | SIM_HAS(FIXED_POINT) | SIM_HAS(MODES);
  if (!sim || !sim->scheme || sim->kind != SIM_FRICTION || sim->d > PATTERN_D || problem->roles || problem->scenarios)
    return false;
  if (problem->position_spacing > 0 || problem->velocity_spacing > 0) return false;
  int targets = 0;
  for (int i = 0; i < problem->d; i++) targets += !isnan(problem->position[i]) + !isnan(problem->velocity[i]);
  return !(sim_problem_features(sim) & ~takes) && problem->n > targets && problem->segments > 1;
}

int pattern_joints(const PatternMotions *m) { return m->d; }
int pattern_parts(const PatternMotions *m) { return m->parts; }
bool pattern_has_springs(const PatternMotions *m) { return m->springs; }
bool pattern_has_friction(const PatternMotions *m, int joint) { return m->sim->friction[joint] > 0; }
long pattern_looked(const PatternMotions *m) { return m->looked; }

void pattern_begin(PatternMotions *m, const SimInterrupt *interrupt) {
  m->interrupt = interrupt;
  m->status = SIM_OK;
}

void pattern_fail(PatternMotions *m) { m->status = SIM_NO_MEMORY; }

SimStatus pattern_status(const PatternMotions *m) { return m->status; }

int pattern_way_at_start(const PatternMotions *m, int joint) { return sign_of(m->sim->v0[joint]); }

int pattern_way_to_target(const PatternMotions *m, int joint) {
  double target = m->problem->position[joint];
  return sign_of(isnan(target) ? m->drift[joint] : target - m->sim->x0[joint]);
}

int pattern_first(const PatternMotions *m, int joint) {
  return m->problem->signal == SIM_PIECEWISE_LINEAR && pattern_may_stick(m, joint) && !pattern_way_at_start(m, joint);
}

bool pattern_is_free(const PatternMotions *m, int joint) { return isnan(m->problem->position[joint]); }

bool pattern_may_stick(const PatternMotions *m, int i) { return !m->free && m->sim->friction[i] > 0; }

double pattern_threshold(const PatternMotions *m, int i, int piece, int way) {
  return acting_threshold(m->sim, i, piece * m->h, way);
}

/* Sets the units in which the rows of the quadratic problem are scaled. */
static void set_units(PatternMotions *m) {
  const SimProblem *sim = m->sim;
  double T = m->problem->end;
  for (int i = 0; i < m->d; i++) {
    double target = m->problem->position[i], way = isnan(target) ? 0 : fabs(target - sim->x0[i]);
    double force = sim->friction[i];
    for (int k = 0; k <= m->pieces * SUBSTEPS; k++) force = fmax(force, fabs(m->force[k * m->d + i]));
    m->speed[i] = fmax(fmax(way / T, fabs(sim->v0[i])), 1e-3 * T * force / sim->system.mass[i * m->d + i]);
    if (!(m->speed[i] > 0)) m->speed[i] = 1;
  }
  for (int k = 0; k < m->d * m->d; k++) m->springs |= sim->system.stiffness[k] != 0;
  for (int k = 0; k < m->d * m->d; k++) m->springs |= sim->system.damping[k] != 0;
  m->changes = m->springs || m->problem->signal == SIM_PIECEWISE_LINEAR || sim_problem_features(sim) & SIM_HAS(COURSES);
  for (int k = m->d; k < (m->pieces * SUBSTEPS + 1) * m->d; k++) m->changes |= m->force[k] != m->force[k - m->d];
  m->falls = friction_drops(sim);
}

static void fill_cost(PatternMotions *m) {
  const CtlProblem *problem = m->problem;
  int p = m->p, z = m->z;
  bool is_linear = problem->signal == SIM_PIECEWISE_LINEAR;
  for (int i = 0; i < p; i++)
    for (int j = 0; j < p; j++) {
      double N = 2 * m->h * m->parts * (problem->weight ? problem->weight[i * p + j] : i == j);
      m->stages.H[(m->w + i) * z + m->w + j] = is_linear ? N / 3 : N;
      if (!is_linear) continue;
      m->stages.H[(2 * m->d + i) * z + 2 * m->d + j] = N / 3;
      m->stages.H[(2 * m->d + i) * z + m->w + j] = m->stages.H[(m->w + i) * z + 2 * m->d + j] = N / 6;
    }
}

PatternMotions *pattern_motions_create(const CtlProblem *problem, const SimProblem *sim, int segments, int parts) {
  PatternMotions *m = calloc(1, sizeof *m);
  if (!m) return NULL;
  *m = (PatternMotions){
      .problem = problem, .sim = sim, .d = sim->d, .p = problem->p, .segments = segments, .parts = parts};
  m->pieces = segments * parts;
  m->h = problem->end / m->pieces;
  m->before = problem->signal == SIM_PIECEWISE_LINEAR;
  for (int l = 0; l < m->p; l++) m->before |= isfinite(problem->rate[l]);
  m->w = 2 * m->d + (m->before ? m->p : 0);
  m->z = m->w + m->p;
  size_t d = (size_t)m->d, z = (size_t)m->z, pieces = (size_t)m->pieces, times = pieces * SUBSTEPS + 1, n = pieces * d;
  /* maximum number of rows (constraints) of the quadratic problem: for each joint three for each piece and one for the
   * end of a slip; for u those of its bounds and rates; those of x_T and v_T */
  int rows = m->pieces * 4 * m->d + segments * 2 * m->p + 2 * m->d;
  m->force = calloc(times * d + 2 * d + 2 * n + 2 * n + 2 * (n + d) + (size_t)(segments * m->w) * z + 4 * d * (z + 1),
                    sizeof *m->force);
  m->ways = malloc(n);
  m->held = malloc((size_t)rows * sizeof *m->held);
  m->at = calloc(pieces, sizeof *m->at);
  m->known = calloc(KNOWN, sizeof *m->known);
  if (!m->known || !m->force || !m->ways || !m->held || !m->at ||
      !stages_init(&m->stages, segments, m->w, m->p, rows)) {
    pattern_motions_destroy(m);
    return NULL;
  }
  m->speed = m->force + times * d;
  m->drift = m->speed + d;
  m->slid = m->drift + d;
  m->room = m->slid + n;
  m->add = m->room + n;
  m->path = m->add + 2 * n;
  m->F = m->path + 2 * (n + d);
  m->place[0].map = m->F + (size_t)(segments * m->w) * z;
  m->place[1].map = m->place[0].map + 2 * d * z;
  m->place[0].off = m->place[1].map + 2 * d * z;
  m->place[1].off = m->place[0].off + 2 * d;
  for (int k = 0; k < segments; k++) m->stages.F[k] = m->F + (size_t)(k * m->w) * z;
  for (size_t k = 0; k < times; k++)
    acting_force(sim, problem->end * (double)k / (double)(times - 1), m->force + k * d);
  set_units(m);
  fill_cost(m);
  memcpy(m->stages.start, sim->x0, d * sizeof(double));
  memcpy(m->stages.start + d, sim->v0, d * sizeof(double));
  pattern_go_free(m);
  return m;
}

void pattern_motions_destroy(PatternMotions *m) {
  if (!m) return;
  for (int k = 0; k < m->n_linear; k++) pattern_linear_destroy(m->linear[k]);
  free(m->linear);
  free(m->force);
  free(m->ways);
  free(m->held);
  free(m->at);
  free(m->known);
  stages_clear(&m->stages);
  free(m);
}
