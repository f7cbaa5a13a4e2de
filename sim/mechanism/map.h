/* The derivatives of a piece of a mechanism's segment, from its start to its end, at fixed times: of q and v by
 *
 *     q [d], v [d], forces at the start, their slopes (1/s) if the control is piecewise linear, parameters, and the time of the start,
 *     the last two where they are wanted
 *
 * Forwards columns are multiplied by this map; backwards by its transpose. Only forces that a control drives have columns. */
#ifndef SIM_MECHANISM_MAP_H
#define SIM_MECHANISM_MAP_H

#include "sim/event/tangent.h"
#include "sim/mechanism/columns.h"

typedef struct MechanismMap {
  ExpansionColumns *columns;
  int d, n;               /* number of columns: 2 d + n_forces + n_slopes + n_parameters + timed */
  int n_forces, n_slopes; /* n_slopes: n_forces or 0 */
  int n_parameters;       /* all or 0 */
  bool timed;
  /* The equations with parameters that vary; the motion's own have them as constants, which is faster. NULL: no parameters. */
  Expansion *own;
  int *force;         /* [n_forces] coordinates */
  double *state;      /* [2 d][n] of q, then v, at the end of the piece */
  double *rates;      /* [n][GRAPH_ORDER_MAX + 1][d] series of v, in seconds */
  double *weights;    /* [n] of one combination of columns */
  double *series;     /* [GRAPH_ORDER_MAX + 1][d] of v of one combination, in the piece's fraction */
  double *forces;     /* [POLYNOMIAL_ORDER + 1][d] */
  void *block;        /* memory of the next */
  GraphColumn *seeds; /* [2 d + n_parameters], aligned */
} MechanismMap;

/* parameters: whether they have columns. SIM_OK, SIM_NO_MEMORY. The motion's expansion is borrowed. */
SimStatus mechanism_map_create(const SimProblem *problem, const Expansion *expansion, bool parameters,
                               MechanismMap **map);
/* Whether the columns of the next motion contain T or lengths of segments. */
void mechanism_map_set_timed(MechanismMap *map, bool timed);
/* The number of the first parameter's column. */
static inline int mechanism_map_parameters(const MechanismMap *map) {
  return 2 * map->d + map->n_forces + map->n_slopes;
}
void mechanism_map_destroy(MechanismMap *map); /* NULL: nothing */

/* What is done with each piece: it begins `from` and is `width` seconds long. */
typedef SimStatus (*MechanismPieces)(void *context, const EventSystem *system, EventMotion *motion, double from,
                                     double width);
/* Computes map->state and rates of each piece of the segment up to its fraction `part`; columns may need shorter series than the
 * motion. Leaves the expansion as it was. Returns the first status that is not SIM_OK. */
SimStatus mechanism_map_pieces(const EventSystem *system, EventMotion *motion, double part, MechanismPieces take,
                               void *context);

/* EventField.advance. */
void mechanism_map_advance(const EventSystem *system, EventMotion *motion, EventTangent *tangent, double part);

#endif
