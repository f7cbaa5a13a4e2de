/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds the branches (slip or stick) of all dofs of a chain in one forward and one backward pass, for any initial
 * guess. Newton's method would move a boundary between sticking and sliding dofs by one dof per step.
 *
 * The step's problem is E w + q lambda = b with a tridiagonal matrix E, with diagonal entries a_i and off-diagonal
 * entries o_i. With signs that make every o_i < 0, let y_i(w) be the slope, as a function of w_i = w, of the minimum
 * energy of the rows up to i. Row i is solved where y_i(w_i) = -o_i w_{i+1}. The graph of y_i is an increasing curve of
 * straight pieces. The graph of the next row is the image of the same curve under a linear map; at w = 0 a vertical
 * piece is inserted, on which the dof sticks:
 *
 *   w -> y / |o_i|, y -> a_{i+1} y / |o_i| - |o_i| w - b_{i+1}, and y - q_{i+1} for w < 0, y + q_{i+1} for w > 0.
 *
 * A pointer marks the point y_i = 0, which is w = 0 of the next row. Only the extents of the pieces are stored, which
 * depend neither on b nor on q. For each row the number of pieces from the vertical piece to the pointer is stored,
 * too. In the backward pass these numbers show between which corners the solution lies, and so on which side of each
 * row's vertical piece. */
#include "sim/operator/chain_branches.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ENDLESS: length of the outermost pieces, which represent infinite ones, in units of the largest |w|. LEAST_SLACK:
 * smallest slack of a row (diagonal entry minus magnitudes of the others), in units of its diagonal entry. */
static const double ENDLESS = 1e6, LEAST_SLACK = 1e-12;
/* MOST_SHEAR: largest condition number of the map from stored to current pieces. INFLUENCE_LEFT: fraction of the
 * influence of one row on another that remains at the end of the influence's range. */
static const double MOST_SHEAR = 1e4, INFLUENCE_LEFT = 1e-3;

enum { BEFORE, BEHIND };
/* number of the Newton iteration from which on several ranks search together; by then separate searches of the ranks
 * mostly agree */
enum { ROUND_TOGETHER = 3 };

typedef struct Piece {
  double w, y; /* extents of the piece in w (velocity) and in y (value of the curve) */
} Piece;

struct ChainBranches {
  const SimProblem *problem;
  const double *diagonal, *off;
  double before; /* entry E_{first-1,first} of the step's matrix, which couples this rank's first row to the row before
                  * it */
  int range;     /* largest number of rows within which an influence decreases to INFLUENCE_LEFT */
  int *moves;    /* [count] number of pieces from each row's vertical piece to the pointer; later the branch (-1, 0, 1)
                  * of each dof */
  /* [capacity] pieces before the pointer, stored from the start on, and pieces behind it, stored from the end on */
  Piece *piece;
  int capacity, count[2];
  double map[4]; /* map from stored pieces to w and y of the present row; its determinant is 1 */
  double w;      /* velocity w at the pointer */
  int sign;      /* sign by which w is multiplied so that the off-diagonal entry of the present row is negative */
  double reach;  /* upper bound of the velocity |w| of any solution */
};

static Piece mapped(const double *m, Piece e) { return (Piece){m[0] * e.w + m[1] * e.y, m[2] * e.w + m[3] * e.y}; }

static void unit_map(ChainBranches *c) {
  for (int k = 0; k < 4; k++) c->map[k] = k % 3 == 0;
}

/* Returns the piece of the curve next to the pointer, the point y = 0, on this side. */
static Piece *next_piece(const ChainBranches *c, int side) {
  return side == BEFORE ? c->piece + c->count[BEFORE] - 1 : c->piece + c->capacity - c->count[BEHIND];
}

/* Returns the piece on this side that is first in memory. */
static Piece *lowest_piece(const ChainBranches *c, int side) { return side == BEFORE ? c->piece : next_piece(c, side); }

static void put(ChainBranches *c, int side, Piece stored) {
  c->count[side]++;
  *next_piece(c, side) = stored;
}

static void put_upright(ChainBranches *c, int side, double height) {
  put(c, side, (Piece){-c->map[1] * height, c->map[0] * height});
}

/* Replaces the stored pieces on one side of the pointer by their images under the map, from the pointer on. Keeps at
 * most `most` pieces, and only those with |w| below c->reach. */
static void renew_side(ChainBranches *c, int side, int most) {
  Piece *nearest = next_piece(c, side), *farthest = nearest;
  int way = side == BEFORE ? -1 : 1, kept = 0;
  if (c->count[side] == 0) return; /* there may be no pieces if numbers are not finite */
  for (double w = 0; kept < c->count[side] && kept < most && w <= c->reach; w += farthest->w) {
    farthest = nearest + way * kept++;
    *farthest = mapped(c->map, *farthest);
  }
  *farthest = (Piece){ENDLESS * c->reach, ENDLESS * c->reach / farthest->w * farthest->y};
  c->count[side] = kept;
  memmove(lowest_piece(c, side), side == BEFORE ? farthest : nearest, (size_t)kept * sizeof *nearest);
}

static void renew(ChainBranches *c, int most) {
  for (int side = BEFORE; side <= BEHIND; side++) renew_side(c, side, most);
  unit_map(c);
}

/* Moves the pointer from the point with value y to the zero of the curve. Returns the number of pieces passed. */
static int seek(ChainBranches *c, double y) {
  int side = y > 0 ? BEFORE : BEHIND, sign = y > 0 ? -1 : 1, passed = 0;
  double left = fabs(y);
  while (left > 0 && c->count[side] > 0) {
    Piece stored = *next_piece(c, side), e = mapped(c->map, stored);
    bool whole = e.y < left;
    double part = whole ? 1 : left / e.y;
    Piece over = {part * stored.w, part * stored.y};
    *next_piece(c, side) = (Piece){stored.w - over.w, stored.y - over.y};
    c->count[side] -= whole;
    put(c, 1 - side, over);
    c->w += sign * part * e.w;
    left = whole ? left - e.y : 0;
    passed++;
  }
  return sign * passed;
}

/* Begins the curve with the first row, or with a row that is not coupled to the row before it. Returns the curve's
 * value y at w = 0. */
static double begin(ChainBranches *c, double a, double b) {
  c->count[BEFORE] = c->count[BEHIND] = 0;
  unit_map(c);
  for (int side = BEFORE; side <= BEHIND; side++) put(c, side, (Piece){ENDLESS * c->reach, ENDLESS * c->reach * a});
  return -b;
}

/* Transforms the curve of one row to that of the next, for an off-diagonal entry o > 0. Returns the curve's value y at
 * w = 0. */
static double go_on(ChainBranches *c, double a, double o, double b) {
  /* maximum number of pieces that a row adds to the curve */
  enum { PUT_BY_A_ROW = 3 };
  const double m[4] = {c->map[0], c->map[1], c->map[2], c->map[3]};
  for (int k = 0; k < 2; k++) {
    c->map[k] = m[2 + k] / o;
    c->map[2 + k] = a / o * m[2 + k] - o * m[k];
  }
  bool full = c->count[BEFORE] + c->count[BEHIND] + PUT_BY_A_ROW > c->capacity;
  if (full || fabs(c->map[1] * c->map[2]) > MOST_SHEAR) renew(c, full ? c->capacity / 4 : c->capacity);
  return -o * c->w - b;
}

/* Inserts the vertical piece, on which the dof sticks. y: value of the curve at w = 0 without it. Returns the number of
 * pieces from it to the pointer. */
static int stick_or_slip(ChainBranches *c, double q, double y) {
  c->w = 0;
  if (fabs(y) <= q) {
    put_upright(c, BEFORE, q - y);
    put_upright(c, BEHIND, q + y);
    return 0;
  }
  put_upright(c, y > 0 ? BEHIND : BEFORE, 2 * q);
  return seek(c, y > 0 ? y - q : y + q);
}

/* Returns an upper bound of |w|. If |w| of a row is at least as large as that of its neighbours, it is at most |b|
 * divided by the row's slack, which is the diagonal entry minus the magnitudes of the others. */
static double reach_of(const ChainBranches *c, const double *b, const double ends[2], int first, int last) {
  double reach = 0;
  for (int i = first; i < last; i++) {
    double a = c->diagonal[i], slack = a - fabs(c->off[i]) - fabs(i > 0 ? c->off[i - 1] : c->before);
    reach = fmax(reach, fabs(b[i]) / fmax(slack, LEAST_SLACK * a));
  }
  reach = fmax(reach, fmax(fabs(ends[0]), fabs(ends[1])));
  return reach > 0 ? reach : 1;
}

/* Makes the forward pass over rows first .. last - 1. ends: w of the rows before and behind them. joined: the first row
 * continues from the current curve, with ends 0. */
static void go_forth(ChainBranches *c, const StepLaw *law, const double *b, const double ends[2], int first, int last,
                     bool joined) {
  for (int i = first; i < last; i++) {
    double link = i > 0 ? c->off[i - 1] : c->before, o = i > first || joined ? link : 0, right = b[i];
    if (i == first) right -= link * ends[0];
    if (i == last - 1) right -= c->off[i] * ends[1];
    if (o > 0) c->sign = -c->sign;
    right *= c->sign;
    double y = o != 0 ? go_on(c, c->diagonal[i], fabs(o), right) : begin(c, c->diagonal[i], right);
    c->moves[i] = stick_or_slip(c, law->threshold * law->friction[i], y);
  }
}

/* Makes the backward pass, in which the numbers in c->moves are replaced by branches. at: if joined, number of pieces
 * from the vertical piece to the solution in row `last`. Returns this number for row `first`. */
static int go_back(ChainBranches *c, int first, int last, bool joined, int at) {
  int sign = c->sign;
  for (int i = last - 1; i >= first; i--) {
    double o = i < last - 1 || joined ? c->off[i] : 0;
    /* the vertical piece has divided the piece at the pointer into three, which now become one again */
    at = c->moves[i] + (o != 0 ? at - (at > 0) + (at < 0) : 0);
    c->moves[i] = sign * ((at > 0) - (at < 0));
    if (i > first && c->off[i - 1] > 0) sign = -sign;
  }
  return at;
}

/* Whether the branches found differ from `solved`, the branches on which Newton's method has already solved the
 * problem. */
static bool are_new(const ChainBranches *c, const signed char *solved, int first, int last) {
  for (int i = first; i < last; i++)
    if (!solved || c->moves[i] != solved[i]) return true;
  return false;
}

static void adopt(const ChainBranches *c, signed char *slip, int first, int last) {
  for (int i = first; i < last; i++) slip[i] = (signed char)c->moves[i];
}

/* Searches over the rows of all ranks together. One rank after the other makes its forward pass, then in reverse order
 * its backward pass. */
static void find_together(ChainBranches *c, const StepLaw *law, const SparseStep *step, const signed char *solved) {
  enum { TO_NEXT = 1, TO_LAST = -1 };
  const SimGroup *group = c->problem->group;
  const double none[2] = {0};
  bool begins = stiction_group_rank(group) == 0, ends = stiction_group_rank(group) == stiction_group_size(group) - 1;
  int count = c->problem->count;
  double state[4] = {0, 0, 0, 1}, at = 0;
  c->reach = reach_of(c, step->b, none, 0, count);
  sim_group_max(group, &c->reach, 1);
  if (!begins) sim_group_receive(group, TO_NEXT, state, 4);
  for (int side = BEFORE; side <= BEHIND; side++) {
    c->count[side] = (int)state[side];
    if (!begins) sim_group_receive(group, TO_NEXT, &lowest_piece(c, side)->w, 2 * c->count[side]);
  }
  unit_map(c);
  c->w = state[2];
  c->sign = (int)state[3];
  go_forth(c, law, step->b, none, 0, count, !begins);
  renew(c, c->capacity);
  const double passed[4] = {c->count[BEFORE], c->count[BEHIND], c->w, c->sign};
  sim_group_send(group, TO_NEXT, passed, 4);
  for (int side = BEFORE; side <= BEHIND; side++)
    sim_group_send(group, TO_NEXT, &lowest_piece(c, side)->w, 2 * c->count[side]);
  if (!ends) sim_group_receive(group, TO_LAST, &at, 1);
  at = go_back(c, 0, count, !ends, (int)at);
  sim_group_send(group, TO_LAST, &at, 1);
  double news = are_new(c, solved, 0, count);
  sim_group_max(group, &news, 1);
  if (news > 0) adopt(c, step->slip, 0, count);
}

int chain_branches_differ(const signed char *a, const signed char *b, int i, int count) {
  enum { BLOCK = 256 };
  while (i + BLOCK <= count && memcmp(a + i, b + i, BLOCK) == 0) i += BLOCK;
  while (i < count && a[i] == b[i]) i++;
  return i;
}

void chain_branches_find(ChainBranches *c, const StepLaw *law, const SparseStep *step, const signed char *solved,
                         int round) {
  if (round == ROUND_TOGETHER && stiction_group_size(c->problem->group) > 1) {
    find_together(c, law, step, solved);
    return;
  }
  int count = c->problem->count, range = count >> round < c->range ? count : c->range << round;
  double beyond[2], w[2] = {count ? step->w[0] : 0, count ? step->w[count - 1] : 0};
  sim_group_neighbours(c->problem->group, 1, &w[0], &w[1], &beyond[0], &beyond[1]);
  int next = solved ? chain_branches_differ(step->slip, solved, 0, count) : 0;
  while (next < count) {
    int first = next > range ? next - range : 0, last = count;
    if (solved) {
      do last = next + 1;
      while ((next = chain_branches_differ(step->slip, solved, last, count)) < count && next - range < last + range);
      last = count - last > range ? last + range : count;
    } else
      next = count;
    const double ends[2] = {first > 0 ? step->w[first - 1] : beyond[0], last < count ? step->w[last] : beyond[1]};
    c->reach = reach_of(c, step->b, ends, first, last);
    c->sign = 1;
    go_forth(c, law, step->b, ends, first, last, false);
    go_back(c, first, last, false, 0);
    if (are_new(c, solved, first, last)) adopt(c, step->slip, first, last);
  }
}

static int range_of(const ChainBranches *c) {
  double least = INFINITY;
  int count = c->problem->count;
  for (int i = 0; i < count; i++)
    least = fmin(least, c->diagonal[i] / (fabs(c->off[i]) + fabs(i > 0 ? c->off[i - 1] : c->before)));
  return (int)fmin(1 - log(INFLUENCE_LEFT) / acosh(fmax(least, 1 + LEAST_SLACK)), count + 1.0);
}

SimStatus chain_branches_create(const SimProblem *problem, const double *diagonal, const double *off,
                                ChainBranches **out) {
  int count = problem->count;
  ChainBranches *c = *out = calloc(1, sizeof *c);
  if (c) {
    *c = (ChainBranches){.problem = problem, .diagonal = diagonal, .off = off};
    c->capacity = problem->d < CHAIN_PIECES / 2 ? 2 * problem->d + 16 : CHAIN_PIECES;
    c->moves = calloc((size_t)count + 1, sizeof *c->moves);
    c->piece = calloc((size_t)c->capacity, sizeof *c->piece);
  }
  SimStatus status = sim_group_agree(problem->group, c && c->moves && c->piece ? SIM_OK : SIM_NO_MEMORY);
  if (status != SIM_OK) return status;
  double none = 0, beyond;
  sim_group_neighbours(problem->group, 1, &none, count ? &off[count - 1] : &none, &c->before, &beyond);
  c->range = range_of(c);
  return SIM_OK;
}

void chain_branches_destroy(ChainBranches *c) {
  if (!c) return;
  free(c->moves);
  free(c->piece);
  free(c);
}
