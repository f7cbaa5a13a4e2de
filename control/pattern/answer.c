#include "control/pattern/answer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct PatternAnswers {
  const CtlProblem *problem;
  const SimProblem *sim;
  const SimModel *model;
  SimWorkspace *work;
  PatternMotions *motions; /* of the last question's pieces; owned */
  int pieces;
};

PatternAnswers *pattern_answers_create(const CtlProblem *problem, const SimProblem *sim, const SimModel *model,
                                       SimWorkspace *work) {
  PatternAnswers *a = malloc(sizeof *a);
  if (a) *a = (PatternAnswers){.problem = problem, .sim = sim, .model = model, .work = work};
  return a;
}

void pattern_answers_destroy(PatternAnswers *a) {
  if (!a) return;
  pattern_motions_destroy(a->motions);
  free(a);
}

/* Those of so many pieces. Returns false when out of memory. */
static bool prepare(PatternAnswers *a, int pieces) {
  if (a->motions && a->pieces == pieces) return true;
  pattern_motions_destroy(a->motions);
  a->motions = pattern_motions_create(a->problem, a->sim, pieces);
  a->pieces = pieces;
  return a->motions;
}

/* Seed k: the first is what would be without friction. */
static bool make_seed(PatternAnswers *a, long k, Pattern *pattern) {
  return k == 0 ? pattern_without_friction(a->motions, pattern) : pattern_seed(a->motions, k - 1, pattern);
}

/* The pattern of the motion that a control of so many segments makes. */
static bool make_pattern(PatternAnswers *a, int segments, const double *control, Pattern *pattern) {
  const CtlProblem *problem = a->problem;
  double *whole = malloc((size_t)problem->n * sizeof *whole);
  if (!whole) return false;
  sim_signal_refine(problem->signal, problem->p, segments, problem->segments / segments, control, whole);
  bool good = pattern_of_motion(a->sim, a->model, a->work, whole, pattern);
  free(whole);
  return good;
}

void pattern_answer(PatternAnswers *a, int motion, int segments, const double *control, SimFinal *final, double *row) {
  Pattern pattern = {0};
  double J = INFINITY;
  memset(final->x, 0, (size_t)a->sim->d * sizeof *final->x);
  memset(final->v, 0, (size_t)a->sim->d * sizeof *final->v);
  final->iterations = 0;
  bool memory = prepare(a, segments) && pattern_init(&pattern, a->sim->d, segments);
  final->status = memory ? SIM_NOT_CONVERGED : SIM_NO_MEMORY;
  if (!memory) return;
  long before = pattern_problems(a->motions);
  bool found = motion == CTL_MOTION_SHIFTED ? make_pattern(a, segments, control, &pattern)
                                            : make_seed(a, (long)control[0], &pattern);
  if (found)
    J = motion == CTL_MOTION_SEED ? pattern_effort(a->motions, &pattern, NULL) : pattern_shift(a->motions, &pattern);
  if (isfinite(J) && motion != CTL_MOTION_SEED) J = pattern_effort(a->motions, &pattern, row);
  final->iterations = pattern_problems(a->motions) - before;
  pattern_clear(&pattern);
  if (!isfinite(J)) return;
  final->x[0] = J;
  final->status = SIM_OK;
}
