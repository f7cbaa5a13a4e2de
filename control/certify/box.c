/* SPDX-License-Identifier: BSD-2-Clause */
#include "control/certify/box.h"

#include <math.h>
#include <string.h>

void box_begin(const CtlBound *bound, Box *box) {
  *box = (Box){0};
  memcpy(box->lower, bound->lower, sizeof box->lower);
  memcpy(box->upper, bound->upper, sizeof box->upper);
}

/* relative round-off of the sums in this file, some hundred ulps of their terms */
static const double ROUND_OFF = 1e-13;

/* A cut, linearised over a box: the half-space a'w >= b of scaled controls w. */
typedef struct Plane {
  double a[BOUND_N], b;
} Plane;

/* Linearises a cut over a box. Uses dw'H dw <= sum_k D_k dw_k^2 with the diagonal matrix D of the form and replaces
 * each square by its chord over the box, which is at least as large as the square. */
static Plane plane_of(const CtlBound *bound, const Cut *cut, const Box *box) {
  const BoundForm *form = &bound->forms[cut->form];
  Plane plane = {.b = cut->depth};
  double size = fabs(cut->depth);
  for (int k = 0; k < bound->n; k++) {
    double low = box->lower[k] - cut->at[k], high = box->upper[k] - cut->at[k], half = form->above[k] / 2;
    plane.a[k] = cut->slope[k] + half * (low + high);
    plane.b += half * low * high - form->off[k] * fmax(fabs(low), fabs(high)) + plane.a[k] * cut->at[k];
    size += half * fabs(low * high) + fabs(plane.a[k]) * (fabs(cut->at[k]) + fmax(fabs(low), fabs(high)));
  }
  plane.b -= ROUND_OFF * size;
  return plane;
}

/* Returns the position of the plane relative to the box: at least 1 if no point of the box satisfies a'w >= b, and at
 * most -1 if all points do. */
static double reach_of(const CtlBound *bound, const Plane *plane, const Box *box) {
  double middle = plane->b, half = 0;
  for (int k = 0; k < bound->n; k++) {
    middle -= plane->a[k] * (box->lower[k] + box->upper[k]) / 2;
    half += fabs(plane->a[k]) * (box->upper[k] - box->lower[k]) / 2;
  }
  return half > 0 ? middle / half : middle > 0 ? 2 : -2;
}

static double nearest_to_zero(double low, double high) { return low > 0 ? low : high < 0 ? high : 0; }

/* Reduces a box to the smallest box that contains its intersection with the ball |w|^2 < cap, in which J is below the
 * limit. Returns false if the intersection is empty. */
static bool shrink_to_ball(const CtlBound *bound, double cap, Box *box) {
  double sum = 0;
  for (int k = 0; k < bound->n; k++) {
    double w = nearest_to_zero(box->lower[k], box->upper[k]);
    sum += w * w;
  }
  sum -= ROUND_OFF * sum;
  box->least = fmax(box->least, sum);
  if (sum >= cap) return false;
  for (int k = 0; k < bound->n; k++) {
    double w = nearest_to_zero(box->lower[k], box->upper[k]), most = sqrt(cap - sum + w * w);
    box->lower[k] = fmax(box->lower[k], -most);
    box->upper[k] = fmin(box->upper[k], most);
  }
  return true;
}

static bool shrink_to_plane(const CtlBound *bound, const Plane *plane, Box *box) {
  double most = 0;
  for (int k = 0; k < bound->n; k++) most += fmax(plane->a[k] * box->lower[k], plane->a[k] * box->upper[k]);
  if (most < plane->b) return false;
  for (int k = 0; k < bound->n; k++) {
    double a = plane->a[k], others = most - fmax(a * box->lower[k], a * box->upper[k]);
    if (a > 0) box->lower[k] = fmin(fmax(box->lower[k], (plane->b - others) / a), box->upper[k]);
    if (a < 0) box->upper[k] = fmax(fmin(box->upper[k], (plane->b - others) / a), box->lower[k]);
  }
  return true;
}

/* Returns the minimum of |w|^2 - q'w over the box, and in w the point at which it is attained. q: sum of the planes'
 * normals with their multipliers. */
static double least_of(const CtlBound *bound, const Box *box, const double q[BOUND_N], double w[BOUND_N]) {
  double sum = 0;
  for (int k = 0; k < bound->n; k++) {
    w[k] = fmin(fmax(q[k] / 2, box->lower[k]), box->upper[k]);
    sum += (w[k] - q[k]) * w[k];
  }
  return sum;
}

/* Changes the multiplier y of one plane, and with it the sum q = sum y_i a_i of normals and the point w of the minimum,
 * until w satisfies the inequality of the plane or y is 0. */
static void move_multiplier(const CtlBound *bound, const Box *box, const Plane *plane, double *y, double q[BOUND_N],
                            double w[BOUND_N]) {
  const double *a = plane->a;
  double lack = plane->b, inside = 0, all = 0;
  for (int k = 0; k < bound->n; k++) {
    lack -= a[k] * w[k];
    all += a[k] * a[k] / 2;
    if (w[k] > box->lower[k] && w[k] < box->upper[k]) inside += a[k] * a[k] / 2;
  }
  if (!(all > 0)) return;
  double moved = fmax(0, *y + lack / (inside > 0 ? inside : all));
  for (int k = 0; k < bound->n; k++) q[k] += (moved - *y) * a[k];
  *y = moved;
  least_of(bound, box, q, w);
}

/* Returns a lower bound of J, by duality, over the part of the box that satisfies the inequalities a_i'w >= b_i of all
 * planes. For any multipliers y >= 0, J = |w|^2 is there at least min{|w|^2 - q'w} + y'b with q = sum y_i a_i. A few
 * sweeps of coordinate ascent choose y. Round-off is subtracted. */
static double least_behind(const CtlBound *bound, const Box *box, const Plane *planes, int n) {
  enum { SWEEPS = 5 };
  double y[BOX_CUTS] = {0}, q[BOUND_N] = {0}, w[BOUND_N], best = 0;
  least_of(bound, box, q, w);
  for (int sweep = 0; sweep <= SWEEPS; sweep++) {
    double value = 0, size = 0;
    memset(q, 0, sizeof q); /* recomputes the sum q of normals, so that round-off does not accumulate */
    for (int i = 0; i < n; i++) {
      value += y[i] * planes[i].b;
      size += y[i] * fabs(planes[i].b);
      for (int k = 0; k < bound->n; k++) {
        q[k] += y[i] * planes[i].a[k];
        size += y[i] * fabs(planes[i].a[k]) * fmax(fabs(box->lower[k]), fabs(box->upper[k]));
      }
    }
    value += least_of(bound, box, q, w);
    for (int k = 0; k < bound->n; k++) size += w[k] * w[k];
    best = fmax(best, value - ROUND_OFF * size);
    for (int i = 0; i < n; i++) move_multiplier(bound, box, &planes[i], &y[i], q, w);
  }
  return best;
}

bool box_settle(const CtlBound *bound, double cap, Box *box) {
  enum { ROUNDS = 2 };
  Plane planes[BOX_CUTS];
  for (int round = 0; round < ROUNDS; round++) {
    if (!shrink_to_ball(bound, cap, box)) return false;
    for (int i = 0; i < box->n_cuts; i++) {
      planes[i] = plane_of(bound, &box->cuts[i], box);
      if (!shrink_to_plane(bound, &planes[i], box)) return false;
    }
  }
  box->least = fmax(box->least, least_behind(bound, box, planes, box->n_cuts));
  return box->least < cap;
}

void box_cut(const CtlBound *bound, Box *box, const double *x, const double *v) {
  enum { BEST = 2 };
  Cut best[BEST];
  double middle[BOUND_N];
  double reach[BEST] = {-INFINITY, -INFINITY};
  box_middle(bound, box, middle);
  for (int form = 0; form < bound->n_forms; form++) {
    Cut cut = bound_cut(bound, form, middle, x, v);
    Plane plane = plane_of(bound, &cut, box);
    double own = reach_of(bound, &plane, box);
    int at = own > reach[0] ? 0 : 1;
    if (!(own > reach[at])) continue;
    if (at == 0) {
      best[1] = best[0];
      reach[1] = reach[0];
    }
    best[at] = cut;
    reach[at] = own;
  }
  for (int b = 0; b < BEST; b++) {
    if (!isfinite(reach[b])) continue;
    int place = box->n_cuts;
    if (place == BOX_CUTS) {
      double least = INFINITY;
      for (int i = 0; i < box->n_cuts; i++) {
        Plane plane = plane_of(bound, &box->cuts[i], box);
        double own = reach_of(bound, &plane, box);
        if (own >= least) continue;
        least = own;
        place = i;
      }
      if (least >= reach[b]) continue;
    } else
      box->n_cuts++;
    box->cuts[place] = best[b];
  }
}

void box_halve(const CtlBound *bound, Box *box, Box *other) {
  double most = -1;
  int side = 0;
  for (int k = 0; k < bound->n; k++) {
    double size = (box->upper[k] - box->lower[k]) * sqrt(bound->forms[0].above[k]);
    if (size <= most) continue;
    most = size;
    side = k;
  }
  *other = *box;
  box->upper[side] = other->lower[side] = (box->lower[side] + box->upper[side]) / 2;
}

void box_middle(const CtlBound *bound, const Box *box, double w[BOUND_N]) {
  for (int k = 0; k < bound->n; k++) w[k] = (box->lower[k] + box->upper[k]) / 2;
  for (int k = bound->n; k < BOUND_N; k++) w[k] = 0;
}

double box_volume(const CtlBound *bound, const Box *box) {
  double volume = 1;
  for (int k = 0; k < bound->n; k++) volume *= (box->upper[k] - box->lower[k]) / (bound->upper[k] - bound->lower[k]);
  return volume;
}

double box_size(const CtlBound *bound, const Box *box) {
  double most = 0;
  for (int k = 0; k < bound->n; k++)
    most = fmax(most, (box->upper[k] - box->lower[k]) / (bound->upper[k] - bound->lower[k]));
  return most;
}

void box_serialize(const CtlBound *bound, Box *box, CtlBytes *bytes) {
  size_t n = (size_t)bound->n;
  ctl_bytes_numbers(bytes, box->lower, n);
  ctl_bytes_numbers(bytes, box->upper, n);
  ctl_bytes_numbers(bytes, &box->least, 1);
  box->n_cuts = (int)ctl_bytes_integer(bytes, box->n_cuts, 0, BOX_CUTS);
  for (int i = 0; i < box->n_cuts; i++) {
    Cut *cut = &box->cuts[i];
    ctl_bytes_numbers(bytes, cut->at, n);
    ctl_bytes_numbers(bytes, cut->slope, n);
    ctl_bytes_numbers(bytes, &cut->depth, 1);
    cut->form = (int)ctl_bytes_integer(bytes, cut->form, 0, bound->n_forms - 1);
  }
  for (int k = 0; k < bound->n && bytes->from; k++)
    bytes->bad |=
        !(box->lower[k] >= bound->lower[k] && box->lower[k] <= box->upper[k] && box->upper[k] <= bound->upper[k]);
}

size_t box_size_most(const CtlBound *bound) {
  size_t n = (size_t)bound->n;
  return (2 * n + 2 + BOX_CUTS * (2 * n + 2)) * sizeof(double);
}
