/* SPDX-License-Identifier: BSD-2-Clause */
/* The moving simplex of parallel direct search: its position, and its moves depending on the merits of points.
 *
 * The simplex stays on the lattice of its first simplex. With eps_0 = 0 and the unit vectors eps_l, the vertex in slot
 * k has a label l = label[k] in 0..n and the lattice coordinates y and control u
 *
 *   y = z + scale (eps_l - eps_{label[0]}),  u = V_0 + sum_j y_j E_j,
 *
 * where V_0 is a vertex and E_j are the edges of the first simplex. A point (tau, alpha, b) of a template has y = z +
 * scale sum_k tau_k (eps_{label[k]} - eps_{label[0]}). All coordinates are dyadic fractions, so they are exact while
 * they fit in 53 bits. A lattice point therefore has the same bits of u in every simplex. */
#ifndef CONTROL_PDS_H
#define CONTROL_PDS_H

#include "control/pds/simplex.h"
#include "control/pds/template.h"

/* State of the moving simplex. The struct has no pointers, so its bytes are a checkpoint. */
typedef struct CtlPds {
  CtlSimplex first;
  double z[CTL_SIMPLEX_CONTROLS_MAX];      /* [n] lattice coordinates of the best vertex v_0, in units of the first
                                            * simplex's edges */
  double scale;                            /* length of the edges relative to the first simplex: plus or minus a power
                                            * of two */
  int label[CTL_SIMPLEX_CONTROLS_MAX + 1]; /* [n+1] labels of the slots, a permutation of 0..n */
} CtlPds;

void ctl_pds_start(CtlPds *pds, const CtlSimplex *first);

/* Computes the control of the best vertex v_0, [n]. */
void ctl_pds_best(const CtlPds *pds, double *control);

/* Computes the vertex of label l. control: [n]. */
void ctl_pds_vertex(const CtlPds *pds, int l, double *control);

/* Makes the vertex of label l the best vertex v_0 of the initial simplex. */
void ctl_pds_choose(CtlPds *pds, int l);

/* Computes points first .. first + count - 1 of the template. controls: [count][n]. */
void ctl_pds_points(const CtlPds *pds, const CtlTemplate *template, long first, int count, double *controls);

/* Moves the simplex to the best point of the template. best: merit of v_0. values: [s] merits of the template's points.
 * Merits that are not finite count as +inf; of equal merits the first is used. If the lowest merit is below `best`, its
 * point c, with factor alpha and slot b, becomes v_0: all vertices become v_j <- c + alpha (v_j - v_b), and slot b is
 * exchanged with slot 0. Otherwise the simplex contracts. Returns the index of the point that became v_0, or -1. */
long ctl_pds_move(CtlPds *pds, const CtlTemplate *template, double best, const double *values);

/* Contracts the simplex after a round without improvement: v_j <- v_0 + shrink (v_j - v_0). */
void ctl_pds_contract(CtlPds *pds, const CtlTemplate *template);

/* Returns the length of the longest edge, max ||v_i - v_j||_2. */
double ctl_pds_edge(const CtlPds *pds);

/* Returns Torczon's relative size, max_i ||v_i - v_0||_2 / max(1, ||v_0||_2). */
double ctl_pds_relative_size(const CtlPds *pds);

#endif
