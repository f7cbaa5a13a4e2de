/* SPDX-License-Identifier: BSD-2-Clause */
/* Intervals of time, on which polynomials have Bernstein form. A polynomial with matrices as values ((1) of program.h)
 * is positive semidefinite at all times if all its Bernstein coefficients are. */
#ifndef CONTROL_BOUND_MESH_H
#define CONTROL_BOUND_MESH_H

#include "control/bound/program.h"

typedef struct BoundMesh {
  int intervals, degree; /* number of intervals; degree in time of the test function V, at least 1 */
  int forced;            /* degree in time of the drift, the part of v' that depends on time (drift.h); 0: there is
                          * no drift */
  double *time;          /* [intervals + 1] times at which intervals begin or end, relative to T, from 0 to 1 */
} BoundMesh;

/* Creates intervals with cosine spacing. The intervals are shortest at the start and the end of the motion, where
 * joints start and stop. Returns SIM_OK or SIM_NO_MEMORY. */
SimStatus bound_mesh_create(int intervals, int degree, BoundMesh *mesh);
/* Splits an interval at a time inside it. Returns SIM_OK or SIM_NO_MEMORY. */
SimStatus bound_mesh_split(BoundMesh *mesh, int interval, double at);
void bound_mesh_clear(BoundMesh *mesh);

/* Returns a lower bound, for all intervals, of the integral of a Bernstein polynomial over its interval, as a fraction
 * of the total time. */
double bound_mesh_brief(const BoundMesh *mesh);

/* Returns the number of time points per interval: the number of Bernstein coefficients of a polynomial of degree
 * `degree` + `forced`. */
static inline int bound_mesh_places(const BoundMesh *mesh) { return mesh->degree + mesh->forced + 1; }

double bound_binomial(int n, int k); /* returns the binomial coefficient n over k, exactly; 0 if k is outside 0 .. n */

/* Returns the factor c in the product of two Bernstein polynomials: polynomial j of degree r times polynomial l of
 * degree q is c times polynomial j + l of degree r + q. */
double bound_mesh_product(int r, int j, int q, int l);

/* Sets up a time point, Bernstein coefficient e of an interval: its nodes, the weights that form rates and values of V
 * from the nodes, and its fraction of the total time. */
void bound_mesh_place(const BoundMesh *mesh, int interval, int e, BoundPlace *place);

#endif
