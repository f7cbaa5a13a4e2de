/* Measured friction (SimFrictionTable): gamma and its slope from rows of cubics. */
#ifndef SIM_FRICTION_TABLE_H
#define SIM_FRICTION_TABLE_H

#include "sim/internal.h"

#include <stdbool.h>

/* The table of one dof; borrowed. */
typedef struct FrictionCurve {
  const double *rows; /* [points][SIM_TABLE_ROW] */
  int points;
} FrictionCurve;

static inline FrictionCurve friction_curve(const SimFrictionTable *table, int i) {
  long column = table->columns == 1 ? 0 : i;
  return (FrictionCurve){table->rows + column * table->points * SIM_TABLE_ROW, table->points};
}

/* The row for the speed r >= 0; and its width, m/s, INFINITY for the last. */
int friction_curve_row(const FrictionCurve *curve, double r);
double friction_curve_width(const FrictionCurve *curve, int row);

/* gamma(s) of a FrictionCurve, and gamma'(s), s/m, from the left at a kink. */
double friction_curve_gamma(const void *curve, double s);
double friction_curve_slope(const FrictionCurve *curve, double s);

/* Derivative of gamma(s) by F at one of the table's points; by all other points it is 0. */
typedef struct FrictionPartial {
  int point;
  double gamma; /* 1/N */
} FrictionPartial;
enum { FRICTION_PARTIALS = 5 };
/* Returns the number of points. Where neighbouring F are equal, or a slope is at its bound, that slope counts as
 * fixed. */
int friction_curve_partials(const FrictionCurve *curve, double s, FrictionPartial parts[FRICTION_PARTIALS]);
/* The same for all speeds of a row, by the powers of z as in SIM_TABLE_GAMMA, 1/N. A point may occur twice; both
 * count. */
typedef struct FrictionRowPartial {
  int point;
  double gamma[SIM_TABLE_ORDER + 1];
} FrictionRowPartial;
int friction_row_partials(const FrictionCurve *curve, int row, FrictionRowPartial parts[FRICTION_PARTIALS]);
/* Index of the first point of a dof's curve in the table. */
static inline int friction_curve_first(const SimFrictionTable *table, int i) {
  return table->columns == 1 ? 0 : i * table->points;
}

/* Removes the table from the system. */
void friction_table_drop(SimSystem *system);

/* The largest |gamma'| of a table, s/m. */
double friction_table_steepest(const SimFrictionTable *table, int i);
/* Whether friction falls with speed anywhere: gamma' > 0. Also between two points, as a user-defined law may. */
bool friction_table_falls(const SimFrictionTable *table, int i);

#endif
