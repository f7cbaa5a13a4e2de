/* SPDX-License-Identifier: BSD-2-Clause */
/* Computes quantities of a motion (sim/quantity.h) from the polynomials of each segment. Their derivatives are computed
 * from the polynomials of the columns, the derivatives of x and v.
 *
 * The quantities are sums a.X of x and v with weights a, minus a reference r(t). Columns S are derivatives of X = (x,
 * v) at fixed time since the start t_k of the control's segment k, of length h_k. With y = a.X - r(t), and dtau the
 * derivative of tau - t_k for an event at tau:
 *
 *   y at a fixed t      dy = a.S - a.X' dt_k
 *   largest y           dy = a.S inside a segment, + a.X' dtau at an event, + a.X' dh_k at the end of segment k
 *   integral of F(y)    integral of F'(y) (a.S - r' dt_k), + F(y) dh_k at the end of segment k,
 *                       + (F(y-) - F(y+)) dtau at an event where y jumps
 *
 * A quantity y = g(t, x) (SimQuantity.place) has a = dg/dx at each time, and dg/dt dt_k in dy; both are evaluated at
 * the times at which they are needed. */
#ifndef SIM_EVENT_READINGS_H
#define SIM_EVENT_READINGS_H

#include "sim/base/polynomial.h"
#include "sim/event/variation.h"
#include "sim/quantity.h"

/* READING_NODES: number of nodes of the rule for integrals. READING_ORDERS: number of coefficients of the polynomials
 * of derivatives. READING_FIT: order of the polynomials that are fitted to quantities y = g(t, x). */
enum { READING_NODES = 25, READING_ORDERS = VARIATION_ORDER + 2, READING_FIT = 12 };

/* Data for fitting a polynomial of order READING_FIT to a function on 0..1: Chebyshev's nodes, the coefficients of
 * Chebyshev polynomials by the values at the nodes, and the Chebyshev polynomials by powers. */
typedef struct ReadingFit {
  double node[READING_FIT + 1], of_value[READING_FIT + 1][READING_FIT + 1], power[READING_FIT + 1][READING_FIT + 1];
} ReadingFit;

/* State of one quantity. A piece is the part of a segment over which the quantity is being computed. */
typedef struct Reading {
  int first;                      /* index of the quantity's first value */
  bool found;                     /* for SIM_AT_TIME: whether the value is known */
  int order;                      /* order of the polynomial y of the quantity */
  double y[POLYNOMIAL_ORDER + 1]; /* polynomial of a.X, the weighted sum of x and v without the reference r(t), by the
                                   * fraction 0..1 of the piece */
  double *lines;                  /* [columns][READING_ORDERS] polynomials of a.S, the derivatives of this sum, over
                                   * the piece */
  bool pending;                   /* whether the largest value so far is at the end of the piece */
  double slope;                   /* rate y' of the quantity at the end of the piece, in 1/s */
  double end_value;               /* for SIM_INTEGRAL: integrand F(y) at the end of the piece */
  double *row;                    /* [columns] derivatives of the quantity's first value; NULL: not needed */
} Reading;

typedef struct EventReadings {
  int n, columns;
  const SimQuantity *of; /* [n] the quantities */
  const SimReading *out;
  const SimSensitivity *sensitivity; /* NULL: values only */
  const SimWorkspace *work;
  Reading *reading;                                  /* [n] their states */
  int *orders;                                       /* [columns] orders of the polynomials `lines` */
  double *change;                                    /* [columns] derivatives dy of one quantity y by the numbers of all
                                                      * columns, at one time in the piece; set by reading_change */
  double *slopes;                                    /* [2 d + 1] for the last evaluation of a SimQuantity.place:
                                                      * derivatives by x and by t; then x, or x', there */
  double *columns_x;                                 /* [columns][d][READING_ORDERS] polynomials of the derivatives of x
                                                      * over the piece; NULL: no quantity before T is a
                                                      * SimQuantity.place */
  double *later;                                     /* [columns] shift dtau of the time of the event before this
                                                      * segment, in s */
  double *moved;                                     /* [columns] shift of the end of the last piece so far, as several
                                                      * events may follow it at the same time */
  bool jumped;                                       /* whether some later[c] is not 0 */
  double from, part;                                 /* start and length of the piece, as fractions of the segment */
  double node[READING_NODES], weight[READING_NODES]; /* Gauss-Legendre rule on 0..1 */
  ReadingFit fit;                                    /* for quantities that are a SimQuantity.place */
  long now;                                          /* index of the control's segment that contains the last piece */
} EventReadings;

/* Computes the polynomials a.S of one column over a piece, before x and v of the column are advanced. series:
 * derivative of v, [orders + 1][d], over `width` seconds. */
void readings_column(const EventSystem *system, const EventMotion *motion, int column, int orders, const double *series,
                     double width);
/* Computes all quantities over the piece [from, from + part] of the segment, after readings_column for all columns. */
void readings_piece(const EventSystem *system, const EventMotion *motion, double from, double part);
/* Adds the effect of a shift of the current segment's end to derivatives. If there are no columns, first computes the
 * quantities over the whole segment. */
void readings_leave(const EventSystem *system, const EventMotion *motion);
/* Adds to the derivatives the effect of a change of the time of the event at the start of a segment; readings->later is
 * the derivative of this time. */
void readings_enter(EventReadings *readings);

/* These functions return y of quantity k, without its reference, and the rate y' in 1/s, at the fraction `place` of the
 * piece. */
double reading_value(const EventSystem *system, const EventMotion *motion, int k, double place);
double reading_slope(const EventSystem *system, const EventMotion *motion, int k, double place);
/* Computes the derivatives dy of quantity k by all columns, at the fraction `place` of the piece, in
 * readings->change. */
void reading_change(const EventSystem *system, const EventMotion *motion, int k, double place);

/* reading_take_segment computes quantity k over the piece if it has one value per segment of the control,
 * reading_take_integral if it is SIM_INTEGRAL. */
void reading_take_segment(const EventSystem *system, const EventMotion *motion, int k);
void reading_take_integral(const EventSystem *system, const EventMotion *motion, int k);

#endif
