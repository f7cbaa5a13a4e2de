/* SPDX-License-Identifier: BSD-2-Clause */
/* Computes quantities of a motion (sim/quantity.h) from the polynomials of each segment. Their derivatives are
 * computed from the polynomials of the columns, the derivatives of x and v.
 *
 * The quantities are sums a.X of x and v, minus a reference r(t). Columns S are derivatives of X = (x, v) at fixed
 * time since the start t_k of the control's segment k, of length h_k. With y = a.X - r(t), and dtau the derivative
 * of tau - t_k of an event at tau:
 *
 *     y at a fixed t       dy = a.S - a.X' dt_k
 *     largest y            dy = a.S inside a segment, + a.X' dtau at an event, + a.X' dh_k at the end of segment k
 *     integral of F(y)     integral of F'(y) (a.S - r' dt_k), + F(y) dh_k at the end of segment k,
 *                          + (F(y-) - F(y+)) dtau at an event where y jumps
 *
 * A place y = g(t, x) has a = dg/dx at each instant, and dg/dt dt_k in dy: it is evaluated where it is needed. */
#ifndef SIM_EVENT_READINGS_H
#define SIM_EVENT_READINGS_H

#include "sim/base/polynomial.h"
#include "sim/event/variation.h"
#include "sim/quantity.h"

enum { READING_NODES = 25, READING_ORDERS = VARIATION_ORDER + 2, READING_FIT = 12 };

/* What fits a polynomial of order READING_FIT to a function on 0..1: Chebyshev's nodes, the coefficients of Chebyshev's
 * polynomials by the values at the nodes, and these polynomials as powers. */
typedef struct ReadingFit {
  double node[READING_FIT + 1], of_value[READING_FIT + 1][READING_FIT + 1], power[READING_FIT + 1][READING_FIT + 1];
} ReadingFit;

/* State of one quantity. A piece is the part of a segment for which it is being computed. */
typedef struct Reading {
  int first;                      /* index of the quantity's first value */
  bool found;                     /* for SIM_AT_TIME: whether the value is known */
  int order;                      /* order of the polynomial y of the quantity */
  double y[POLYNOMIAL_ORDER + 1]; /* polynomial of a.X, the weighted sum of x and v, without the reference r(t), over
                                   * the piece, 0..1 */
  double *lines;                  /* [columns][READING_ORDERS] polynomials of a.S, the derivatives of this sum, over
                                   * the piece */
  bool pending;                   /* whether the largest value so far is at the end of the piece */
  double slope;                   /* rate y' of the quantity at the end of the piece, in 1/s */
  double end_value;               /* for SIM_INTEGRAL: integrand F(y) at the end of the piece */
  double *row;                    /* [columns] derivatives of the quantity's first value; NULL: not needed */
} Reading;

typedef struct EventReadings {
  int n, columns;
  const SimQuantity *of; /* [n] */
  const SimReading *out;
  const SimSensitivity *sensitivity; /* NULL: values only */
  const SimWorkspace *work;
  Reading *reading;                                  /* [n] */
  int *orders;                                       /* [columns] orders of the polynomials `lines` */
  double *change;                                    /* [columns] dy at a place of the piece */
  double *slopes;                                    /* [2 d + 1] of the last SimQuantity.place that was evaluated:
                                                      * slopes by x and by t; then x, or x', there */
  double *columns_x;                                 /* [columns][d][READING_ORDERS] polynomials of the derivatives of
                                                      * x, over the piece; NULL: no places on the way */
  double *later;                                     /* [columns] shift dtau of the time of the event before this
                                                      * segment, in s */
  double *moved;                                     /* [columns] shift by which the end of the last piece has moved:
                                                      * several events may follow it at once */
  bool jumped;                                       /* whether some later[c] is not 0 */
  double from, part;                                 /* start and size of the piece, fractions of the segment */
  double node[READING_NODES], weight[READING_NODES]; /* Gauss-Legendre rule on 0..1 */
  ReadingFit fit;                                    /* for places */
  long now;                                          /* index of the control's segment in which the last piece was */
} EventReadings;

/* Computes the polynomials a.S of one column over a piece, before x and v of the column advance. series: derivative of
 * v, [orders + 1][d], over `width` seconds. */
void readings_column(const EventSystem *system, const EventMotion *motion, int column, int orders, const double *series,
                     double width);
/* Computes all quantities over the piece [from, from + part] of the segment, after readings_column of all columns. */
void readings_piece(const EventSystem *system, const EventMotion *motion, double from, double part);
/* Adds the effect of a shift of the current segment's end to derivatives. If there are no columns, it first computes
 * the quantities over the whole segment. */
void readings_leave(const EventSystem *system, const EventMotion *motion);
/* Adds to the derivatives the effect of a change of the time of the event at the start of a segment; readings->later is
 * the derivative of this time. */
void readings_enter(EventReadings *readings);

/* Return y of quantity k, without its reference, and the rate y' in 1/s, at a place of the piece, 0..1. */
double reading_value(const EventSystem *system, const EventMotion *motion, int k, double place);
double reading_slope(const EventSystem *system, const EventMotion *motion, int k, double place);
/* Computes the changes dy of y of quantity k by all columns, at a place of the piece, 0..1, in readings->change. */
void reading_change(const EventSystem *system, const EventMotion *motion, int k, double place);

/* Compute quantity k over the piece: _segment for one value per segment of the control, _integral for SIM_INTEGRAL. */
void reading_take_segment(const EventSystem *system, const EventMotion *motion, int k);
void reading_take_integral(const EventSystem *system, const EventMotion *motion, int k);

#endif
