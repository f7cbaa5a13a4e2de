/* SPDX-License-Identifier: BSD-2-Clause */
#include "control/certify/branch.h"

#include <math.h>

void branch_begin(double cap, double stage, Branch *branch) {
  branch->cap = cap;
  branch->stage = stage;
  branch->open = branch->waiting = 0;
  branch->motions = branch->looked = branch->unsolved = 0;
  branch->blurred = branch->nearest = INFINITY;
  memset(branch->at, 0, sizeof branch->at);
}

/* Gives up a box without a decision. The proof that J is minimal then holds only for values of J below the lower bound
 * of this box. */
static void keep_undecided(Branch *branch, const Box *box) { branch->blurred = fmin(branch->blurred, box->least); }

void branch_lay(const CtlBound *bound, Branch *branch, const Box *box) {
  static const double SMALL = 1e-10; /* size of a box, relative to the box of all controls, below which it stays
                                      * undecided */
  if (box->least >= branch->cap) return;
  if (box_size(bound, box) < SMALL)
    keep_undecided(branch, box);
  else if (box->least >= branch->stage)
    branch->boxes[BRANCH_BOXES - ++branch->waiting] = *box;
  else
    branch->boxes[branch->open++] = *box;
}

/* Reduces a box and computes its lower bound (box_settle). Stores the box unless it contains no control with J <
 * cap. */
static void settle_box(const CtlBound *bound, Branch *branch, Box *box) {
  branch->looked++;
  if (box_settle(bound, branch->cap, box)) branch_lay(bound, branch, box);
}

bool branch_goes_on(const Branch *branch) { return branch->open && branch->open + branch->waiting + 1 <= BRANCH_BOXES; }

void branch_middle(const CtlBound *bound, const Branch *branch, double w[BOUND_N]) {
  box_middle(bound, &branch->boxes[branch->open - 1], w);
}

static void note_nearest(Branch *branch, const double w[BOUND_N], double miss) {
  if (miss >= branch->nearest) return;
  branch->nearest = miss;
  memcpy(branch->at, w, sizeof branch->at);
}

/* Applies the cuts of a motion to a box, and halves the box unless the cuts have removed at least half of it. A small
 * box stays undecided if its motion cannot be simulated, or if the motion ends so near to the target that no cut
 * excludes the box. */
void branch_take(const CtlBound *bound, Branch *branch, const double *x, const double *v) {
  /* a motion ends near the target if its miss (bound_miss) is below this number */
  static const double NEAR_MISSES = 4;
  static const double SMALL = 1e-3; /* size of a box below which it stays undecided if its motion cannot be simulated */
  double w[BOUND_N], miss = INFINITY;
  Box box = branch->boxes[--branch->open], other;
  box_middle(bound, &box, w);
  double volume = box_volume(bound, &box);
  bool small = box_size(bound, &box) < (x ? bound->near : SMALL);
  branch->motions++;
  if (x) {
    miss = bound_miss(bound, x, v);
    note_nearest(branch, w, miss);
  }
  if (small && !(x && miss >= NEAR_MISSES)) {
    branch->unsolved += !x;
    keep_undecided(branch, &box);
    return;
  }
  if (x && miss >= NEAR_MISSES) {
    box_cut(bound, &box, x, v);
    branch->looked++;
    if (!box_settle(bound, branch->cap, &box)) return;
    if (box_volume(bound, &box) <= volume / 2) {
      branch_lay(bound, branch, &box);
      return;
    }
  }
  box_halve(bound, &box, &other);
  settle_box(bound, branch, &box);
  settle_box(bound, branch, &other);
}
