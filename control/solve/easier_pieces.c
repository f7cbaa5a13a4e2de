/* Easier problems of a plan: u of fewer pieces than segments. A piece has several segments with the same u and the same
 * length, so a solution is a point of the plan itself, with the same motion. The number of pieces doubles from one
 * problem to the next, which starts at the solution before. */
#include "control/solve/easier_problems.h"

#include <stdlib.h>
#include <string.h>

enum { FEWEST = 3 /* smallest number of pieces */ };
static const double SHORTEST = 1e-9; /* a shorter segment, relative to T, has no effect */

/* Returns the piece of a segment if u has `pieces` pieces, and the first segment of a piece. */
static int piece_of(const CtlPlan *plan, int pieces, int segment) {
  return (int)((long)segment * pieces / plan_segments(plan));
}

static int first_of(const CtlPlan *plan, int pieces, int piece) {
  return (int)(((long)piece * plan_segments(plan) + pieces - 1) / pieces);
}

static int segments_of(const CtlPlan *plan, int pieces, int piece) {
  return first_of(plan, pieces, piece + 1) - first_of(plan, pieces, piece);
}

/* Makes the segments of each piece share their u and, if lengths are variables, their lengths. */
static void tie(Easier *e, int pieces) {
  const CtlPlan *plan = e->plan;
  int p = plan->problem.n_control, next = pieces * p, lengths = next;
  if (plan->lengths >= 0) next += pieces;
  e->share_count = 0;
  for (int i = 0; i < plan->n; i++) {
    const CtlVariable *v = i < plan->controls ? NULL : &plan->variable[i - plan->controls];
    int piece = v ? piece_of(plan, pieces, v->entry) : piece_of(plan, pieces, i / p);
    if (!v)
      easier_add_share(e, i, piece * p + i % p, 1);
    else if (v->what == CTL_VARY_LENGTH)
      easier_add_share(e, i, lengths + piece, 1.0 / segments_of(plan, pieces, piece));
    else
      easier_add_share(e, i, next++, 1);
  }
}

/* Divides the motion of a point into `pieces` pieces as equal as possible, for which its neighbouring segments with the
 * same u are joined, and those without length are left out. segment: [pieces] set to one with the u of each piece.
 * length: [pieces] set to their lengths. Returns whether there are that few. room: [2][segments] */
static bool divide(const CtlPlan *plan, const double *from, int pieces, int *segment, double *length) {
  int p = plan->problem.n_control, count = 0, segments = plan_segments(plan);
  const double *given = from + plan->controls + plan->lengths;
  double end = 0;
  for (int k = 0; k < segments; k++) end += given[k];
  for (int k = 0; k < segments; k++) {
    if (given[k] <= SHORTEST * end) continue;
    bool same = count && !memcmp(from + k * p, from + segment[count - 1] * p, (size_t)p * sizeof *from);
    if (!same && count == pieces) return false;
    if (!same) {
      segment[count] = k;
      length[count++] = 0;
    }
    length[count - 1] += given[k];
  }
  for (; count && count < pieces; count++) {
    int longest = 0;
    for (int j = 1; j < count; j++)
      if (length[j] > length[longest]) longest = j;
    memmove(segment + longest + 1, segment + longest, (size_t)(count - longest) * sizeof *segment);
    memmove(length + longest + 1, length + longest, (size_t)(count - longest) * sizeof *length);
    length[longest] = length[longest + 1] /= 2;
  }
  return count > 0;
}

/* Sets `point` to one with as many pieces near to the point `from`, with the same motion if lengths are variables and
 * `from` has no more pieces. */
static SimStatus spread(const CtlPlan *plan, const double *from, int pieces, double *point) {
  int p = plan->problem.n_control, *segment = calloc((size_t)pieces, sizeof *segment);
  double *length = calloc((size_t)pieces, sizeof *length);
  if (!segment || !length) {
    free(segment);
    free(length);
    return SIM_NO_MEMORY;
  }
  memcpy(point, from, (size_t)plan->n * sizeof *point);
  bool divided = plan->lengths >= 0 && divide(plan, from, pieces, segment, length);
  for (int j = 0; j < pieces; j++) {
    int first = first_of(plan, pieces, j), count = segments_of(plan, pieces, j);
    double sum = 0;
    for (int k = first; k < first + count && plan->lengths >= 0; k++) sum += from[plan->controls + plan->lengths + k];
    for (int k = first; k < first + count; k++) {
      memcpy(point + k * p, from + (divided ? segment[j] : first) * p, (size_t)p * sizeof *point);
      if (plan->lengths >= 0) point[plan->controls + plan->lengths + k] = (divided ? length[j] : sum) / count;
    }
  }
  free(segment);
  free(length);
  return SIM_OK;
}

SimStatus easier_pieces(Easier *e, const double *from) {
  const CtlPlan *plan = e->plan;
  int segments = plan_segments(plan), levels = 0;
  double *point = e->points + (size_t)e->count * (size_t)plan->n;
  SimStatus status = SIM_OK;
  if (plan->problem.signal != SIM_PIECEWISE_CONSTANT) return SIM_OK;
  for (int pieces = FEWEST; pieces < segments; pieces *= 2) levels++;
  memset(e->kept, true, (size_t)plan->m * sizeof *e->kept);
  for (int pieces = FEWEST; pieces < segments && status == SIM_OK; pieces *= 2) {
    long most = easier_share_of_search(e, levels--);
    if (!most) continue;
    tie(e, pieces);
    status = spread(plan, from, pieces, e->next);
    if (status == SIM_OK) status = easier_search_part(e, e->next, most, point);
    from = point;
  }
  if (from != point || status != SIM_OK) return status;
  memcpy(e->next, point, (size_t)plan->n * sizeof *point);
  e->count++;
  return spread(plan, e->next, segments, point);
}
