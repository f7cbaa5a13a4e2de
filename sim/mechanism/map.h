/* SPDX-License-Identifier: BSD-2-Clause */
/* The linear map of derivatives over a piece of a mechanism's segment. It consists of the derivatives of q and v at the
 * end of the piece, at a fixed time, by
 *
 *   q [d] and v [d] at the start, the forces at the start, the rates of the forces (1/s) if the control is piecewise
 *   linear, the parameters if wanted, and the time of the start if wanted
 *
 * Each of these numbers has a column of the map. Forward derivatives are multiplied by the map, adjoint derivatives by
 * its transpose. Only forces on which a control acts have columns. */
#ifndef SIM_MECHANISM_MAP_H
#define SIM_MECHANISM_MAP_H

#include "sim/event/tangent.h"
#include "sim/mechanism/jump.h"

typedef struct MechanismMap {
  ExpansionColumns *columns;
  int d, n;               /* number of coordinates; number of columns, 2 d + n_forces + n_slopes + n_parameters +
                           * timed */
  int n_forces, n_slopes; /* number of forces with columns; number of their rates with columns: n_forces or 0 */
  int n_parameters;       /* number of parameters with columns: all of them, or 0 */
  bool timed;
  /* The equations with parameters as variables. The motion itself uses equations with constant parameters, which are
   * faster. NULL: no parameters have columns. */
  Expansion *own;
  int *force;          /* [n_forces] coordinate on which each of the forces acts */
  double *state;       /* [2 d][n] the map: derivatives of q, then of v, at the end of the piece */
  double *rates;       /* [n][GRAPH_ORDER_MAX + 1][d] Taylor series in seconds of the derivatives of v, for each
                        * column */
  double *weights;     /* [n] factors in one linear combination of the columns */
  double *series;      /* [GRAPH_ORDER_MAX + 1][d] series of the derivatives of v for this combination, in the fraction
                        * of the piece */
  double *forces;      /* [POLYNOMIAL_ORDER + 1][d] scratch for series of forces */
  void *block;         /* the memory block that contains `seeds` */
  GraphColumn *seeds;  /* [2 d + n_parameters] derivatives at the start of the piece; aligned */
  MechanismJump *jump; /* jumps of derivatives at impacts and kinks; NULL if the motion can have none */
  double *later;       /* [n] derivatives of the time of the last impact or kink with a jump */
  bool same_kinks;     /* whether every kink of `own` is also a kink of the equations of the motion; a segment then
                        * crosses none of them */
  bool smooth;         /* whether the derivatives by parameters exist in the last segment, apart from its events */
} MechanismMap;

/* Creates a map. parameters: whether parameters have columns. The motion's expansion is borrowed. Returns SIM_OK or
 * SIM_NO_MEMORY; destroy the map in each case. */
SimStatus mechanism_map_create(const SimProblem *problem, const Expansion *expansion, bool parameters,
                               MechanismMap **map);
/* Sets whether derivatives of the next motion by T or by lengths of segments are needed. */
void mechanism_map_set_timed(MechanismMap *map, bool timed);
/* Returns the number of the first parameter's column. */
static inline int mechanism_map_parameters(const MechanismMap *map) {
  return 2 * map->d + map->n_forces + map->n_slopes;
}
void mechanism_map_destroy(MechanismMap *map); /* may be NULL */

/* A function that mechanism_map_pieces calls for each piece of a segment. from: start of the piece in the segment, in
 * s; width: its length, in s. */
typedef SimStatus (*MechanismPieces)(void *context, const EventSystem *system, EventMotion *motion, double from,
                                     double width);
/* Computes map->smooth, and map->state and map->rates of one piece after another, up to the fraction `part` of the
 * segment, and calls `take` for each. There may be more pieces than the motion needs, as the series of derivatives may
 * be accurate for a shorter time. The motion's expansion is restored. Returns the first status that is not SIM_OK: of
 * `take`, or SIM_NON_FINITE where derivatives overflow or change in less than the rounding error of the time. */
SimStatus mechanism_map_pieces(const EventSystem *system, EventMotion *motion, double part, MechanismPieces take,
                               void *context);

/* Computes map->state and map->later for the event at the start of the current segment; see mechanism_jump_find. */
bool mechanism_map_jump(const EventSystem *system, EventMotion *motion, const double *before, bool stops, bool *smooth);

/* These functions implement EventField.advance and EventField.jump (sim/event/field.h). */
void mechanism_map_advance(const EventSystem *system, EventMotion *motion, EventTangent *tangent, double part);
void mechanism_map_cross(const EventSystem *system, EventMotion *motion, EventTangent *tangent, bool stops);

#endif
