/* SPDX-License-Identifier: BSD-2-Clause */
/* Mean of spring laws over the path of a step (springs.h). The functions are used for one motion (springs.c) and for
 * several motions in SIMD lanes (sim/lanes/joints.h). */
#ifndef SIM_JOINT_SPRING_ROWS_H
#define SIM_JOINT_SPRING_ROWS_H

#include "sim/joint/springs.h"
#include "sim/law/lane_vector.h"

/* Gauss's rule with 9 points on 0..1, exact for polynomials of order 17. The rule integrates a polynomial piece of a
 * law times the elongation exactly. */
enum { LAW_NODES = 9 };
static const double law_nodes[LAW_NODES] = {
    0.0159198802461869550822, 0.0819844463366821028503, 0.193314283649704801346, 0.337873288298095535481, 0.5,
    0.662126711701904464519,  0.806685716350295198654,  0.918015553663317897150, 0.984080119753813044918};
static const double law_weights[LAW_NODES] = {
    0.0406371941807872059860, 0.0903240803474287020292, 0.130305348201467731159,
    0.156173538520001420034,  0.165119677500629881582,  0.156173538520001420034,
    0.130305348201467731159,  0.0903240803474287020292, 0.0406371941807872059860};

/* The polynomial piece of a law in each lane. A lane is one of the motions that a SIMD vector computes together. at:
 * offset of the piece's row from `rows`, for each lane. */
typedef struct LawPiece {
  const double *rows;
  SimdIndex at;
} LawPiece;

LANE_INLINE Simd law_entry(const LawPiece *piece, int k) { return simd_gather(piece->rows + k, piece->at); }

/* A path of a lane starts at the elongation e and has the length `way`, which may be negative. Returns the fraction of
 * the path at which the path leaves the piece, at most 1. ends: lanes in which the path ends inside the piece. */
LANE_INLINE Simd law_part_end(const LawPiece *piece, Simd e, Simd way, SimdMask ends) {
  const Simd begins = law_entry(piece, 0);
  const Simd side = simd_choose(simd_at_most(way, simd_of(0)), begins, begins + law_entry(piece, 1));
  return simd_choose(ends, simd_of(1), simd_smaller((side - e) / way, simd_of(1)));
}

/* Evaluates the law at Gauss's nodes of the part from..to of a path that starts at e and has the length `way`; from and
 * to are fractions of the path. at: the nodes, as fractions of the part. order: largest order of the pieces. Returns
 * the lanes in which all nodes are inside the piece; the values of other lanes are undefined. The nodes are ascending
 * even when rounded, so it suffices to test the first and the last. */
LANE_INLINE SimdMask law_values(const LawPiece *piece, int order, int columns, int column, Simd e, Simd way, Simd from,
                                Simd to, Simd *at, Simd *value) {
  const Simd width = law_entry(piece, 1), origin = law_entry(piece, 3), begins = (law_entry(piece, 0) - origin) / width;
  SimdMask inside = simd_all();
  Simd part[LAW_NODES];
  for (int j = 0; j < LAW_NODES; j++) {
    at[j] = from + (to - from) * law_nodes[j];
    part[j] = (e + at[j] * way - origin) / width;
    value[j] = simd_of(0);
  }
  for (int j = 0; j < LAW_NODES; j += LAW_NODES - 1)
    inside = simd_both(inside, simd_both(simd_at_most(begins, part[j]), simd_at_most(part[j], begins + 1)));
  for (int k = order; k >= 0; k--) {
    const Simd coefficient = law_entry(piece, SIM_CURVE_HEAD + (k + 1) * columns + column);
    for (int j = 0; j < LAW_NODES; j++) value[j] = value[j] * part[j] + coefficient;
  }
  return inside;
}

LANE_INLINE Simd spring_elongation(SimSpringPlace place, const LaneVector *x, int k, int v) {
  return place == SIM_ANCHORS ? x[k].v[v] : x[k + 1].v[v] - x[k].v[v];
}

/* A LawMeanOf function returns the mean of a law g from e to next, a LawRiseOf function the difference g(next) - g(e),
 * in the lanes of a mask; the values of other lanes are undefined. */
typedef Simd LawMeanOf(Curve law, int column, Simd e, Simd next, SimdMask mask);
typedef Simd LawRiseOf(Curve law, int column, Simd e, Simd next);

/* Implements springs_add_mean (springs.h) for lanes, for SIMD vector number v. All springs must have mass at both
 * ends. */
LANE_INLINE void spring_rows_add(const Springs *s, double theta, double factor, const LaneVector *x,
                                 const LaneVector *next, const LaneVector *about, int v, SimdMask mask, LawMeanOf *mean,
                                 LawRiseOf *rise, LaneVector *force) {
  for (SimSpringPlace place = 0; place < SIM_SPRING_PLACES; place++) {
    Curve law = s->law[place];
    for (int k = 0; k < springs_of(s->problem, place); k++) {
      int column = springs_column(law, k);
      double stiffness = s->stiffness[place][column];
      Simd e = spring_elongation(place, x, k, v), after = spring_elongation(place, next, k, v);
      Simd middle = spring_elongation(place, about, k, v);
      Simd h = mean(law, column, e, after, mask) - stiffness * ((e - middle) + (after - middle)) / 2;
      if (theta != 0.5) h += (theta - 0.5) * (rise(law, column, e, after) - stiffness * (after - e));
      if (place == SIM_LINKS) force[k].v[v] -= factor * h;
      force[place == SIM_LINKS ? k + 1 : k].v[v] += factor * h;
    }
  }
}

/* Returns the lanes of a vector in which all springs are within the ranges of their laws. */
LANE_INLINE SimdMask spring_rows_inside(const Springs *s, const LaneVector *x, int v) {
  SimdMask inside = simd_all();
  for (SimSpringPlace place = 0; place < SIM_SPRING_PLACES; place++)
    for (int k = 0; k < springs_of(s->problem, place); k++) {
      Simd e = spring_elongation(place, x, k, v);
      Simd lower = simd_of(curve_lower(s->law[place])), upper = simd_of(curve_upper(s->law[place]));
      inside = simd_both(inside, simd_both(simd_at_most(lower, e), simd_at_most(e, upper)));
    }
  return inside;
}

#endif
