/* Quantities of a motion (sim/quantity.h), read segment by segment from its polynomials and, where derivatives go along, from those of their columns.
 *
 * Columns S are at fixed time since the control's segment k began, at t_k, of length h_k. With y = a.X - r(t), an event at tau, dtau since t_k:
 *
 *     at a fixed t         dy = a.S - a.X' dt_k
 *     largest y, inside    dy = a.S;  at an event or at the segment's end + a.X' dtau or dh_k
 *     integral of F(y)     the integral of F'(y) (a.S - r' dt_k), + F(y) dh_k at a segment's end, + (F(y-) - F(y+)) dtau where y jumps */
#ifndef SIM_EVENT_READINGS_H
#define SIM_EVENT_READINGS_H

#include "sim/event/polynomial.h"
#include "sim/event/variation.h"
#include "sim/quantity.h"

enum { READING_NODES = 25, READING_ORDERS = VARIATION_ORDER + 2 };

/* One quantity under way. */
typedef struct Reading {
  int first; /* of its values */
  bool found;
  int order;                      /* of the next */
  double y[POLYNOMIAL_ORDER + 1]; /* without reference, over the piece of a segment under way: 0..1 */
  double *lines;                  /* [columns][READING_ORDERS] a.S likewise */
  bool pending;                   /* its largest value so far is at the end of that piece, */
  double slope;                   /* where y' is this, 1/s */
  double end_value;               /* F(y) at the end of the piece */
  double *row;                    /* [columns] of its first value; NULL: not wanted */
} Reading;

typedef struct EventReadings {
  int n, columns;
  const SimQuantity *of; /* [n] */
  const SimReading *out;
  const SimSensitivity *sensitivity; /* NULL: values alone */
  const SimWorkspace *work;
  Reading *reading;                                  /* [n] */
  int *orders;                                       /* [columns] of lines */
  double *change;                                    /* [columns] dy at a place */
  double *later;                                     /* [columns] dtau of the event before the segment under way */
  bool jumped;                                       /* some of these are not 0 */
  double from, part;                                 /* of the segment: the piece under way */
  double node[READING_NODES], weight[READING_NODES]; /* of Gauss-Legendre on 0..1 */
  long now;                                          /* segment of the control that has been read last */
} EventReadings;

/* A column over a piece of the segment under way, before it has moved: v's series [orders + 1][d], over width seconds. */
void readings_column(const EventSystem *system, const EventMotion *motion, int column, int orders, const double *series,
                     double width);
/* All quantities over the part of the segment from `from` on, after its columns. */
void readings_piece(const EventSystem *system, const EventMotion *motion, double from, double part);
/* At the end of the segment under way; where no columns go along, after all of it. */
void readings_leave(const EventSystem *system, const EventMotion *motion);
/* The next one has begun; readings->later is set by its event. */
void readings_enter(EventReadings *readings);

/* y' of a reading at a place of its piece, 1/s. */
double reading_slope(const EventReadings *readings, const EventMotion *motion, const Reading *reading, double place);
/* dy at a place of its piece: readings->change. */
void reading_change(EventReadings *readings, const Reading *reading, double place);

/* The places in 0..1 where a polynomial [order + 1] changes its sign, ascending: roots [order]. Returns how many. */
int reading_roots(int order, const double *c, double *roots);
/* SIM_LARGEST, SIM_INTEGRAL of number k over the piece under way. */
void reading_take_largest(const EventSystem *system, const EventMotion *motion, int k);
void reading_take_integral(const EventSystem *system, const EventMotion *motion, int k);

#endif
