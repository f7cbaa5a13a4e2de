/* SPDX-License-Identifier: BSD-2-Clause */
/* The moving simplex of parallel direct search: its position, and its moves from merit values.
 *
 * It stays on the lattice of its first simplex. With eps_0 = 0 and eps_l the unit vectors, the vertex in slot k has
 * a label l = label[k] in 0..n and the lattice coordinates
 *
 *     y = z + scale (eps_l - eps_{label[0]}),     u = V_0 + sum_j y_j E_j     (V_0, E_j: the first simplex)
 *
 * and a template's point (tau, alpha, b) has y = z + scale sum_k tau_k (eps_{label[k]} - eps_{label[0]}). All
 * coordinates are dyadic, so they are exact while they fit in 53 bits. A lattice point therefore has the same bits
 * of u in every simplex. */
#ifndef CONTROL_PDS_H
#define CONTROL_PDS_H

#include "control/pds/simplex.h"
#include "control/pds/template.h"

/* State of the moving simplex. The struct has no pointers, so its bytes are a checkpoint. */
typedef struct CtlPds {
  CtlSimplex first;
  double z[CTL_SIMPLEX_CONTROLS_MAX];      /* [n] lattice coordinates of v_0, the best vertex, in units of the first
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

/* Chooses v_0 of the initial simplex: the vertex of label l. */
void ctl_pds_choose(CtlPds *pds, int l);

/* Computes points first .. first + count - 1 of the template. controls: [count][n]. */
void ctl_pds_points(const CtlPds *pds, const CtlTemplate *template, long first, int count, double *controls);

/* Moves the simplex to the best point of the template. best: merit of v_0. values: [s] merits of the template's
 * points. Non-finite merits count as +inf; among equal merits the first counts. If the lowest one is below best, its
 * point becomes v_0, its alpha scales the edges: v_j <- c + alpha (v_j - v_b), c the point, and slot b is swapped
 * with slot 0. Otherwise the simplex contracts. Returns the index of the point that became v_0, or -1. */
long ctl_pds_move(CtlPds *pds, const CtlTemplate *template, double best, const double *values);

/* Contracts the simplex after a failure: v_j <- v_0 + shrink (v_j - v_0). */
void ctl_pds_contract(CtlPds *pds, const CtlTemplate *template);

/* Returns the length of the longest edge, max ||v_i - v_j||_2. */
double ctl_pds_edge(const CtlPds *pds);

/* Returns Torczon's relative size, max_i ||v_i - v_0||_2 / max(1, ||v_0||_2). */
double ctl_pds_relative_size(const CtlPds *pds);

#endif
