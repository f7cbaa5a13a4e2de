/* SPDX-License-Identifier: BSD-2-Clause */
#include "control/pattern/answer.h"

#include "control/pattern/code.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  PARTS = 4, /* number of pieces per segment in the final search for a pattern, so that slips can begin and end inside a
              * segment */
  CHATTERS =
      12 /* maximum average number of slips per joint in a pattern; more slips would take much time, because each slip
          * needs an equality */
};

typedef struct Seed {
  double J;
  long number;
} Seed;

struct PatternAnswers {
  const CtlProblem *problem;
  const SimProblem *sim;
  const SimModel *model;
  SimWorkspace *work;
  /* Linear motions (pattern.h) for the number of segments of the last query. [0]: with one piece per segment. [1]: with
   * PARTS pieces per segment. Owned. */
  PatternMotions *motions[2];
  int segments;
  /* [n_seeds] distinct seeds, which are initial patterns, ordered by their least effort; owned; NULL: not computed
   * yet */
  Seed *seeds;
  int n_seeds;
  SimStatus status; /* SIM_CANCELLED or SIM_NO_MEMORY if the query has no result */
};

PatternAnswers *pattern_answers_create(const CtlProblem *problem, const SimProblem *sim, const SimModel *model,
                                       SimWorkspace *work) {
  PatternAnswers *a = malloc(sizeof *a);
  if (a) *a = (PatternAnswers){.problem = problem, .sim = sim, .model = model, .work = work};
  return a;
}

static void drop_motions(PatternAnswers *a) {
  pattern_motions_destroy(a->motions[0]);
  pattern_motions_destroy(a->motions[1]);
  free(a->seeds);
  a->motions[0] = a->motions[1] = NULL;
  a->seeds = NULL;
  a->segments = a->n_seeds = 0;
}

void pattern_answers_destroy(PatternAnswers *a) {
  if (!a) return;
  drop_motions(a);
  free(a);
}

/* Creates the linear motions (pattern.h) for a number of segments, unless they exist. Returns false when out of
 * memory. */
static bool prepare_motions(PatternAnswers *a, int segments) {
  if (a->motions[1] && a->segments == segments) return true;
  drop_motions(a);
  a->motions[0] = pattern_motions_create(a->problem, a->sim, segments, 1);
  a->motions[1] = pattern_motions_create(a->problem, a->sim, segments, PARTS);
  a->segments = segments;
  return a->motions[0] && a->motions[1];
}

/* Sets *pattern to seed k, the initial pattern with this index. Seed 0 is the pattern of least effort without friction;
 * pattern_seed has the others. Returns false if there is no such seed. */
static bool make_seed(PatternAnswers *a, long k, Pattern *pattern) {
  return k == 0 ? pattern_without_friction(a->motions[0], pattern) : pattern_seed(a->motions[0], k - 1, pattern);
}

static int compare(const void *a, const void *b) {
  const Seed *x = a, *y = b;
  if (x->J != y->J) return x->J > y->J ? 1 : -1;
  return x->number > y->number ? 1 : -1;
}

/* Computes the least efforts of all seeds, the patterns from which the search for the best pattern starts, and sorts
 * the seeds by their efforts. Returns false when out of memory. */
static bool rank_seeds(PatternAnswers *a, Pattern *pattern) {
  static const double SAME_COST = 1e-9;
  int count = 0;
  while (make_seed(a, count, pattern) || count == 0) count++;
  a->seeds = malloc((size_t)count * sizeof *a->seeds);
  if (!a->seeds) return false;
  for (long k = 0; k < count; k++) {
    double J = make_seed(a, k, pattern) ? pattern_effort(a->motions[0], pattern, NULL) : INFINITY;
    a->seeds[k] = (Seed){J, k};
  }
  qsort(a->seeds, (size_t)count, sizeof *a->seeds, compare);
  for (int k = 0; k < count && isfinite(a->seeds[k].J); k++)
    if (a->n_seeds == 0 || a->seeds[k].J > (1 + SAME_COST) * a->seeds[a->n_seeds - 1].J)
      a->seeds[a->n_seeds++] = a->seeds[k];
  return true;
}

/* Sets *pattern to the k-th best seed. Returns false if there is no such seed. */
static bool choose_seed(PatternAnswers *a, double k, Pattern *pattern) {
  return k >= 0 && k < a->n_seeds && make_seed(a, a->seeds[(int)k].number, pattern);
}

/* Sets *pattern to the pattern of the motion that a control causes. Returns false if the motion fails or has too many
 * slips. */
static bool make_pattern(PatternAnswers *a, int segments, const double *control, Pattern *pattern) {
  const CtlProblem *problem = a->problem;
  double *whole = malloc((size_t)problem->n * sizeof *whole);
  if (!whole) a->status = SIM_NO_MEMORY;
  if (!whole) return false;
  sim_signal_refine(problem->signal, problem->p, segments, problem->segments / segments, control, whole);
  SimStatus status = pattern_of_motion(a->sim, a->model, a->work, whole, pattern);
  free(whole);
  if (status == SIM_CANCELLED || status == SIM_NO_MEMORY) a->status = status;
  return status == SIM_OK && pattern->n <= CHATTERS * a->sim->d;
}

/* Lowers the least effort of a pattern by shifting the ends of its slips, first by whole segments, then by pieces of
 * segments. Returns the least effort J. */
static double shift_pattern(PatternAnswers *a, Pattern *pattern) {
  if (!isfinite(pattern_shift(a->motions[0], pattern))) return INFINITY;
  pattern_refine(pattern, PARTS);
  return pattern_shift(a->motions[1], pattern);
}

/* Finds the pattern of the motion of a control, and shifts the ends of its slips by two procedures: by pieces of
 * segments only, and by whole segments first. Sets *pattern to the better result and returns its least effort J. */
static double shift_motion(PatternAnswers *a, const double *control, Pattern *pattern) {
  Pattern other;
  if (!pattern_init(&other, a->sim->d, a->segments * PARTS)) a->status = SIM_NO_MEMORY;
  if (a->status != SIM_OK) return INFINITY;
  pattern->pieces = a->segments * PARTS;
  double J = make_pattern(a, a->segments, control, pattern) ? pattern_shift(a->motions[1], pattern) : INFINITY;
  other.pieces = a->segments;
  double whole = make_pattern(a, a->segments, control, &other) ? shift_pattern(a, &other) : INFINITY;
  if (whole < J) pattern_copy(&other, pattern);
  J = fmin(J, whole);
  pattern_clear(&other);
  return J;
}

/* Decodes the pattern that the entries of a point encode (code.h). Returns false if the code is invalid. */
static bool take_code(PatternAnswers *a, const double *code, Pattern *pattern) {
  signed char *ways = malloc((size_t)(a->segments * a->sim->d));
  if (!ways) a->status = SIM_NO_MEMORY;
  bool good = ways && pattern_decode(a->sim->d, a->segments, code, a->problem->p, ways);
  if (good) pattern_from_ways(a->sim->d, ways, pattern);
  free(ways);
  return good;
}

/* Finds the pattern that a query requests, and shifts the ends of its slips. Returns its least effort J. */
static double find_pattern(PatternAnswers *a, int motion, const double *control, Pattern *pattern) {
  if (motion == CTL_MOTION_SHIFTED) return shift_motion(a, control, pattern);
  pattern->pieces = a->segments;
  bool found = motion == CTL_MOTION_WAYS ? take_code(a, control, pattern) : choose_seed(a, control[0], pattern);
  return found ? shift_pattern(a, pattern) : INFINITY;
}

void pattern_answer(PatternAnswers *a, int motion, int segments, const double *control, SimFinal *final, double *row) {
  Pattern pattern = {0};
  memset(final->x, 0, (size_t)a->sim->d * sizeof *final->x);
  memset(final->v, 0, (size_t)a->sim->d * sizeof *final->v);
  final->iterations = 0;
  bool memory = prepare_motions(a, segments) && pattern_init(&pattern, a->sim->d, segments * PARTS);
  final->status = memory ? SIM_NOT_CONVERGED : SIM_NO_MEMORY;
  if (!memory) return;
  pattern.pieces = segments;
  a->status = SIM_OK;
  for (int k = 0; k < 2; k++) pattern_begin(a->motions[k], sim_workspace_interruption(a->work));
  if (motion == CTL_MOTION_SEED && !a->seeds && !rank_seeds(a, &pattern)) a->status = SIM_NO_MEMORY;
  long before = pattern_looked(a->motions[0]) + pattern_looked(a->motions[1]);
  double J = a->status == SIM_OK ? find_pattern(a, motion, control, &pattern) : INFINITY;
  if (isfinite(J)) J = pattern_effort(a->motions[1], &pattern, row);
  final->iterations = pattern_looked(a->motions[0]) + pattern_looked(a->motions[1]) - before;
  pattern_clear(&pattern);
  for (int k = 0; k < 2 && a->status == SIM_OK; k++) a->status = pattern_status(a->motions[k]);
  if (a->status != SIM_OK) { /* after an interrupt the order of the seeds is not complete and must not be kept */
    drop_motions(a);
    final->status = a->status;
    return;
  }
  if (!isfinite(J)) return;
  final->x[0] = J;
  final->status = SIM_OK;
}
