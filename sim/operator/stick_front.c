/* Newton's steps move each dof's branch by itself. In a string that is too little: what a moving stretch does to a stuck one
 * shows in the dofs at its ends alone, however fine the string, so that a front would go one dof a step. Here whole
 * stretches follow their ends, after each step, for chains of dofs coupled to their neighbours. It only guesses: that every
 * dof is on its branch is still what ends the steps. */
#include "sim/law/friction_law.h"
#include "sim/operator/sparse.h"

/* Guesses go round in circles now and then: from these rounds on they are left out, one kind after the other. */
enum { ROUNDS_ENCLOSED = 4, ROUNDS_JOINED = 6 };

/* From a dof i that is let go at the end of a stuck stretch, on to at most `most` next ones at `side`: eliminating i with
 * its neighbour there still held gives that one's reaction if i moves, and so on as long as these are beyond the
 * thresholds. The pivot of i comes from the moving side: what pivots tend to, e = a - o^2 / e. */
static long spread(const SparseChain *chain, const StepLaw *law, const SparseStep *step, int i, int side, int most) {
  int sign = step->slip[i];
  double a = chain->diagonal[i], near = chain->off[side > 0 ? i - 1 : i];
  double excess = sign * chain->reaction[i] - law->threshold * law->friction[i];
  double pivot = (a + sqrt(fmax(a * a - 4 * near * near, 0))) / 2;
  long moved = 0;
  for (int k = 1; k <= most && step->slip[i + k * side] != -sign; k++) {
    int j = i + k * side;
    double link = chain->off[side > 0 ? j - 1 : j] / pivot;
    excess = sign * chain->reaction[j] - law->threshold * law->friction[j] - link * excess;
    pivot = chain->diagonal[j] - link * link * pivot;
    if (!(excess > 0)) break;
    moved += step->slip[j] == 0;
    step->slip[j] = (signed char)sign;
  }
  return moved;
}

/* One end of a stuck stretch, with `most` dofs beyond it: it is let go with those that follow it, or waits where its
 * neighbour outside is being stopped and so does not pull. */
static long loosen_end(const SparseChain *chain, const StepLaw *law, const SparseStep *step, int end, int side,
                       int most) {
  if (!step->slip[end]) return 0;
  if (step->slip[end - side]) return spread(chain, law, step, end, side, most);
  step->slip[end] = 0;
  return -1;
}

static long loosen(const SparseChain *chain, const StepLaw *law, const SparseStep *step, int first, int last) {
  bool left = first > 0, right = last < chain->count - 1;
  int most = left && right ? (last - first) / 2 : last - first;
  long moved = left ? loosen_end(chain, law, step, first, 1, most) : 0;
  if (right && (last > first || !left)) moved += loosen_end(chain, law, step, last, -1, most);
  return moved;
}

/* A stretch of dofs that are being stopped since they move against their branch, as one: where a neighbour already slips
 * that way they follow it, all but the farthest, which may be what has to stick between two ways. */
static void join(const SparseChain *chain, const SparseStep *step, int first, int last, int round) {
  int way = (int)friction_sign(step->w[first]);
  bool left = first > 0 && step->slip[first - 1] == way, right = last < chain->count - 1 && step->slip[last + 1] == way;
  if ((!left && !right) || (left && right && round >= ROUNDS_ENCLOSED)) return;
  for (int i = first + !left; i <= last - !right; i++) step->slip[i] = (signed char)way;
}

long sparse_move_stick_front(const SparseChain *chain, const StepLaw *law, const SparseStep *step, int round) {
  int d = chain->count;
  long moved = 0;
  if (round >= SPARSE_ROUNDS_GUESSED) return 0;
  for (int first = 0, last; first < d; first = last + 1) {
    last = first;
    if (chain->free[first] == 0) {
      while (last + 1 < d && chain->free[last + 1] == 0) last++;
      moved += loosen(chain, law, step, first, last);
    } else if (round < ROUNDS_JOINED && step->slip[first] == 0 && step->w[first] != 0) {
      while (last + 1 < d && chain->free[last + 1] != 0 && step->slip[last + 1] == 0 &&
             step->w[last + 1] * step->w[first] > 0)
        last++;
      join(chain, step, first, last, round);
    }
  }
  return moved;
}
