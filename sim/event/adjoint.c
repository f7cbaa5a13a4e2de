#include "sim/event/adjoint.h"

#include "sim/event/inverse.h"
#include "sim/event/record.h"

#include <float.h>
#include <string.h>

/* Part of a leg, backwards in time: from sigma = 0, its end, to 1. */
typedef struct Piece {
  const EventLeg *leg;
  double from, part;     /* where it begins and how long it is, as parts of the leg */
  double width;          /* s */
  const double *inverse; /* of M_SS; of a diagonal M the diagonal */
} Piece;

/* r of an order from q; series [][d] */
static void find_rate(const EventSystem *s, const Piece *piece, const double *q, double *rate) {
  int d = s->d;
  for (int i = 0; i < d; i++) {
    double sum = s->mass_is_diagonal ? piece->inverse[i] * q[i] : 0;
    for (int j = 0; j < d && !s->mass_is_diagonal; j++) sum += piece->inverse[i * d + j] * q[j];
    rate[i] = sum;
  }
}

/* The terms of order + 1, p and q, from those of the order. */
static void advance(const EventSystem *s, const EventRecord *r, const Piece *piece, int order, double *p, double *q) {
  int d = s->d;
  const double *rate = r->series + order * d;
  double by = piece->width / (order + 1), next[EVENT_SIZE_MAX];
  for (int i = 0; i < d; i++) {
    double stiff = 0;
    for (int j = 0; j < d; j++) stiff += s->stiffness[i * d + j] * rate[j];
    next[i] = -by * stiff;
    q[i] = p[i];
    for (int j = 0; j < d && s->damping; j++) q[i] -= s->damping[i * d + j] * rate[j];
  }
  for (int k = 0; k <= order && k <= piece->leg->order && s->law != SIM_STRIBECK_NONE; k++)
    for (int i = 0; i < d; i++) q[i] += r->slope[k * d + i] * r->series[(order - k) * d + i];
  for (int i = 0; i < d; i++) {
    p[i] = next[i];
    q[i] = piece->leg->sliding >> i & 1 ? by * q[i] : 0;
  }
}

/* x and v of the adjoint to the piece's beginning; returns the order of r, which is in r->series. */
static int go_back(const EventSystem *s, EventRecord *r, const Piece *piece) {
  int d = s->d, small = 0, order = 0, known = s->law == SIM_STRIBECK_NONE ? 0 : piece->leg->order;
  double *x = r->adjoint->x, *v = r->adjoint->v, p[EVENT_SIZE_MAX], q[EVENT_SIZE_MAX];
  memcpy(p, x, (size_t)d * sizeof *p);
  memcpy(q, v, (size_t)d * sizeof *q);
  for (;; order++) {
    find_rate(s, piece, q, r->series + order * d);
    if (order == VARIATION_ORDER || (small >= 2 && order > known)) return order;
    advance(s, r, piece, order, p, q);
    for (int i = 0; i < d; i++) {
      x[i] += p[i];
      v[i] += q[i];
    }
    bool little = variation_largest(d, p) <= DBL_EPSILON * variation_largest(d, x) &&
                  variation_largest(d, q) <= DBL_EPSILON * variation_largest(d, v);
    small = little ? small + 1 : 0;
  }
}

/* What B u adds: the integrals of r and sigma r. */
static void add_control(const EventSystem *s, const EventRecord *r, const Piece *piece, int order) {
  const EventLeg *leg = piece->leg;
  int d = s->d;
  double whole[EVENT_SIZE_MAX] = {0}, here[EVENT_SIZE_MAX], next[EVENT_SIZE_MAX] = {0};
  double end = leg->ramp.from + leg->ramp.rise * (piece->from + piece->part), fall = leg->ramp.rise * piece->part;
  for (int k = order; k >= 0; k--)
    for (int i = 0; i < d; i++) {
      double term = piece->width * r->series[k * d + i];
      whole[i] += term / (k + 1);
      next[i] += term * (end / (k + 1) - fall / (k + 2));
    }
  if (s->problem->signal != SIM_PIECEWISE_LINEAR) {
    adjoint_push(r->adjoint, (SignalMix){leg->node, {1, 0, 0}}, 1, whole);
    return;
  }
  for (int i = 0; i < d; i++) here[i] = whole[i] - next[i];
  adjoint_push(r->adjoint, (SignalMix){leg->node, {1, 0, 0}}, 1, here);
  adjoint_push(r->adjoint, (SignalMix){leg->node, {0, 1, 0}}, 1, next);
}

/* What c_i, M_ii, D_ii or beta_i adds; forcing: dg/dz as a series of the leg. */
static void add_forcing(const EventSystem *s, EventRecord *r, const Piece *piece, int order, const double *forcing,
                        double *sum) {
  int d = s->d, known = piece->leg->order;
  memcpy(r->forcing, forcing, (size_t)((known + 1) * d) * sizeof *forcing);
  polynomial_part(known, d, r->forcing, piece->from + piece->part, -piece->part);
  for (int j = 0; j <= known; j++)
    for (int k = 0; k <= order; k++)
      for (int i = 0; i < d; i++) sum[i] += piece->width * r->forcing[j * d + i] * r->series[k * d + i] / (j + k + 1);
}

static void cross_piece(const EventSystem *s, EventRecord *r, const Piece *piece) {
  const EventLeg *leg = piece->leg;
  const double *next = r->numbers + leg->numbers + (leg->stop >= 0 ? s->d : 0);
  int size = (leg->order + 1) * s->d;
  if (s->law != SIM_STRIBECK_NONE) {
    memcpy(r->slope, next, (size_t)size * sizeof *next);
    polynomial_part(leg->order, s->d, r->slope, piece->from + piece->part, -piece->part);
    next += size;
  }
  int order = go_back(s, r, piece);
  add_control(s, r, piece, order);
  for (int k = 0; k < r->wanted; k++, next += size) add_forcing(s, r, piece, order, next, r->adjoint->sum[r->on[k]]);
}

/* Over the event where the leg begins. *open: whose last stop has not been met. */
static void cross_event(const EventSystem *s, const EventRecord *r, const EventLeg *leg, const double *stop_weights,
                        uint64_t *open) {
  const double *jump = r->numbers + leg->numbers;
  double *v = r->adjoint->v, sum = 0;
  for (int i = 0; i < s->d && leg->stop >= 0; i++) sum += v[i] * jump[i];
  if (leg->stop >= 0) v[leg->stop] -= sum;
  for (int i = 0; i < s->d; i++)
    if (leg->stopped & *open & (uint64_t)1 << i) v[i] += stop_weights[i];
  *open &= ~leg->stopped;
}

SimStatus event_sweep(SimAdjoint *adjoint, const double *stop_weights) {
  EventRecord *r = adjoint->own;
  const EventSystem *s = r->system;
  double moving[EVENT_SIZE_MAX];
  uint64_t open = ~r->legs[r->leg_count - 1].sliding;
  for (size_t k = r->leg_count; k-- > 0;) {
    const EventLeg *leg = &r->legs[k];
    Piece piece = {.leg = leg, .part = 1 / leg->pieces, .width = leg->width / leg->pieces, .inverse = moving};
    for (int i = 0; i < s->d; i++) {
      bool slides = leg->sliding >> i & 1;
      moving[i] = slides ? r->mobility[i] : 0;
      if (!slides) adjoint->v[i] = 0;
    }
    if (!s->mass_is_diagonal) piece.inverse = event_inverse(s, &r->inverses, leg->sliding);
    for (double q = leg->pieces - 1; q >= 0 && leg->width > 0; q--) {
      piece.from = q / leg->pieces;
      cross_piece(s, r, &piece);
    }
    cross_event(s, r, leg, stop_weights, &open);
  }
  return SIM_OK;
}
