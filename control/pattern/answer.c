#include "control/pattern/answer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Seed {
  double J;
  long number;
} Seed;

struct PatternAnswers {
  const CtlProblem *problem;
  const SimProblem *sim;
  const SimModel *model;
  SimWorkspace *work;
  PatternMotions *motions; /* of the last question's pieces; owned */
  int pieces;
  Seed *seeds; /* [n_seeds] of these, with a least effort each of its own, in rising order; owned; NULL: not worked out yet */
  int n_seeds;
};

PatternAnswers *pattern_answers_create(const CtlProblem *problem, const SimProblem *sim, const SimModel *model,
                                       SimWorkspace *work) {
  PatternAnswers *a = malloc(sizeof *a);
  if (a) *a = (PatternAnswers){.problem = problem, .sim = sim, .model = model, .work = work};
  return a;
}

static void drop(PatternAnswers *a) {
  pattern_motions_destroy(a->motions);
  free(a->seeds);
  a->motions = NULL;
  a->seeds = NULL;
  a->pieces = a->n_seeds = 0;
}

void pattern_answers_destroy(PatternAnswers *a) {
  if (!a) return;
  drop(a);
  free(a);
}

/* Those of so many pieces. Returns false when out of memory. */
static bool prepare(PatternAnswers *a, int pieces) {
  if (a->motions && a->pieces == pieces) return true;
  drop(a);
  a->motions = pattern_motions_create(a->problem, a->sim, pieces);
  a->pieces = pieces;
  return a->motions;
}

/* Seed k: the first is what would be without friction. */
static bool make_seed(PatternAnswers *a, long k, Pattern *pattern) {
  return k == 0 ? pattern_without_friction(a->motions, pattern) : pattern_seed(a->motions, k - 1, pattern);
}

static int compare(const void *a, const void *b) {
  const Seed *x = a, *y = b;
  if (x->J != y->J) return x->J > y->J ? 1 : -1;
  return x->number > y->number ? 1 : -1;
}

/* Works out the seeds' least efforts. Returns false when out of memory. */
static bool rank_seeds(PatternAnswers *a, Pattern *pattern) {
  static const double SAME = 1e-9;
  int count = 0;
  while (make_seed(a, count, pattern) || count == 0) count++;
  a->seeds = malloc((size_t)count * sizeof *a->seeds);
  if (!a->seeds) return false;
  for (long k = 0; k < count; k++) {
    double J = make_seed(a, k, pattern) ? pattern_effort(a->motions, pattern, NULL) : INFINITY;
    a->seeds[k] = (Seed){J, k};
  }
  qsort(a->seeds, (size_t)count, sizeof *a->seeds, compare);
  for (int k = 0; k < count && isfinite(a->seeds[k].J); k++)
    if (a->n_seeds == 0 || a->seeds[k].J > (1 + SAME) * a->seeds[a->n_seeds - 1].J) a->seeds[a->n_seeds++] = a->seeds[k];
  return true;
}

/* The best seed but k. */
static bool choose_seed(PatternAnswers *a, double k, Pattern *pattern) {
  if (!a->seeds && !rank_seeds(a, pattern)) return false;
  return k >= 0 && k < a->n_seeds && make_seed(a, a->seeds[(int)k].number, pattern);
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
                                            : choose_seed(a, control[0], &pattern);
  if (found) J = pattern_shift(a->motions, &pattern);
  if (isfinite(J)) J = pattern_effort(a->motions, &pattern, row);
  final->iterations = pattern_problems(a->motions) - before;
  pattern_clear(&pattern);
  if (!isfinite(J)) return;
  final->x[0] = J;
  final->status = SIM_OK;
}
