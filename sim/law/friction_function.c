/* SPDX-License-Identifier: BSD-2-Clause */
/* Converts a user-defined friction law F(speed) to a table of cubics, from its values and slopes. Intervals of speed
 * are halved until the cubics agree with the law. */
#include "sim/base/argument.h"
#include "sim/internal.h"
#include "sim/law/friction_table.h"
#include "sim/monotone.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* FIRST_SPANS: number of equal intervals of speed at the start. POINTS_MAX: maximum number of points of a table. */
enum { FIRST_SPANS = 16, POINTS_MAX = 4096 };
static const double TOLERANCE = 1e-9; /* allowed difference of a cubic and the law, relative to F(0) */

typedef struct Builder {
  const SimFrictionLaw *law;
  int columns, points, room;
  size_t size;    /* number of doubles of a point: its speed, then the values and the slopes of all columns */
  double *list;   /* [room][size] points by ascending speed, each with the values and slopes of all columns; owned */
  double *beside; /* [size] a point as in `list`, at a speed between two others, where the cubics are tested; owned */
  bool good;      /* whether all values of the law so far are valid */
  double where;   /* speed of the last evaluation, in m/s */
} Builder;

static void ask(Builder *b, double speed, double *point) {
  point[0] = b->where = speed;
  for (int j = 0; j < b->columns && b->good; j++) {
    double *value = point + 1 + j, *slope = value + b->columns;
    *value = b->law->force(b->law->context, j, speed, slope);
    b->good = isfinite(*value) && isfinite(*slope) && (speed > 0 ? *value >= 0 : *value > 0);
  }
}

/* Evaluates the law at a speed, and inserts this point before point k. Returns false if there is no memory. */
static bool insert(Builder *b, int k, double speed) {
  if (b->points == b->room) {
    int room = b->room ? 2 * b->room : 4 * FIRST_SPANS;
    double *list = realloc(b->list, (size_t)room * b->size * sizeof *list);
    if (!list) return false;
    b->list = list;
    b->room = room;
  }
  double *at = b->list + (size_t)k * b->size;
  memmove(at + b->size, at, (size_t)(b->points++ - k) * b->size * sizeof *at);
  ask(b, speed, at);
  return true;
}

/* Computes the cubic c of F/F(0) of column j between a point and the next one: c_0 + z (c_1 + z (c_2 + z c_3)), with z
 * from 0 to 1. */
static void cubic_of(const Builder *b, const double *point, int j, double c[4]) {
  const double *left = point + 1 + j, *right = left + b->size;
  double most = b->list[1 + j], width = (point[b->size] - point[0]) / most;
  c[0] = left[0] / most;
  sim_hermite(c[0], right[0] / most, width * left[b->columns], width * right[b->columns], c + 1);
}

/* Whether the cubics between point k and the next point agree with the law. */
static bool is_near(Builder *b, int k) {
  const double *point = b->list + (size_t)k * b->size;
  double width = point[b->size] - point[0], c[4];
  bool near = true;
  for (int quarter = 1; quarter < 4 && near && b->good; quarter++) {
    double z = quarter / 4.0;
    ask(b, point[0] + z * width, b->beside);
    for (int j = 0; j < b->columns && near; j++) {
      cubic_of(b, point, j, c);
      double cubic = c[0] + z * (c[1] + z * (c[2] + z * c[3]));
      near = fabs(b->beside[1 + j] / b->list[1 + j] - cubic) <= TOLERANCE;
    }
  }
  return near;
}

/* Computes all points up to the speed `most`. Returns SIM_OK, SIM_NO_MEMORY, or SIM_BAD_PROBLEM if the law is not valid
 * near the speed b->where. */
static SimStatus find_points(Builder *b, double most) {
  for (int k = 0; k <= FIRST_SPANS && b->good; k++)
    if (!insert(b, k, k * most / FIRST_SPANS)) return SIM_NO_MEMORY;
  for (int k = 0; b->good && k + 1 < b->points;) {
    if (is_near(b, k)) {
      k++;
      continue;
    }
    const double *point = b->list + (size_t)k * b->size;
    if (b->points == POINTS_MAX) return SIM_BAD_PROBLEM;
    if (b->good && !insert(b, k + 1, (point[0] + point[b->size]) / 2)) return SIM_NO_MEMORY;
  }
  return b->good ? SIM_OK : SIM_BAD_PROBLEM;
}

static SimStatus make_table(const Builder *b, SimFrictionTable *table) {
  *table = (SimFrictionTable){.points = b->points, .columns = b->columns};
  double *row = table->rows = calloc((size_t)b->points * (size_t)b->columns * SIM_TABLE_ROW, sizeof *row);
  if (!row) return SIM_NO_MEMORY;
  for (int j = 0; j < b->columns; j++)
    for (int k = 0; k < b->points; k++, row += SIM_TABLE_ROW) {
      const double *point = b->list + (size_t)k * b->size;
      double *c = row + SIM_TABLE_GAMMA;
      row[SIM_TABLE_SPEED] = point[0];
      row[SIM_TABLE_FRICTION] = point[1 + j];
      if (k + 1 < b->points)
        cubic_of(b, point, j, c);
      else
        c[0] = point[1 + j] / b->list[1 + j];
      for (int i = 0; i < 4; i++) c[i] = (i == 0) - c[i]; /* converts F/F(0) to gamma = 1 - F/F(0) */
    }
  return SIM_OK;
}

SimStatus stiction_problem_set_friction_law(SimProblem *p, int columns, const SimFrictionLaw *law, double most,
                                            double *where) {
  ARGUMENT(p && p->kind == SIM_FRICTION && p->scheme, "problem", "is NULL, or not one of SIM_FRICTION");
  ARGUMENT(columns == 1 || columns == p->d, "columns", "is neither 1 nor d");
  ARGUMENT(law && law->force, "law", "is NULL, or no function");
  ARGUMENT(most > 0 && isfinite(most), "most", "is not above 0, or not finite");
  ARGUMENT_THERE(where);
  Builder b = {.law = law, .columns = columns, .size = 1 + 2 * (size_t)columns, .good = true};
  SimFrictionTable table;
  friction_table_drop(&p->system);
  b.beside = malloc(b.size * sizeof *b.beside);
  SimStatus status = b.beside ? find_points(&b, most) : SIM_NO_MEMORY;
  if (status == SIM_OK) status = make_table(&b, &table);
  *where = status == SIM_BAD_PROBLEM ? b.where : 0;
  free(b.beside);
  free(b.list);
  if (status != SIM_OK) return status;
  p->system.table = table;
  p->system.stribeck = SIM_STRIBECK_TABLE;
  return SIM_OK;
}
