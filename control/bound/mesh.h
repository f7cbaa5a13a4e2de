/* Intervals of time, on which polynomials have Bernstein form. If all coefficients of a matrix polynomial, (1) in
 * program.h, are positive semidefinite, then it is so at all times. */
#ifndef CONTROL_BOUND_MESH_H
#define CONTROL_BOUND_MESH_H

#include "control/bound/program.h"

typedef struct BoundMesh {
  int intervals, degree; /* number of intervals; degree of V, at least 1 */
  int forced;            /* degree in time of the drift, the part of v' that depends on time (drift.h); 0: there is
                          * no drift */
  double *time;          /* [intervals + 1] ends of the intervals, from 0 to 1 */
} BoundMesh;

/* Creates intervals with cosine spacing. They are shortest at both ends of time, where joints start and stop. Returns
 * SIM_OK or SIM_NO_MEMORY. */
SimStatus bound_mesh_create(int intervals, int degree, BoundMesh *mesh);
/* Splits an interval at a time inside it. Returns SIM_OK or SIM_NO_MEMORY. */
SimStatus bound_mesh_split(BoundMesh *mesh, int interval, double at);
void bound_mesh_clear(BoundMesh *mesh);

/* Returns a lower bound of the integral of any Bernstein polynomial over its interval, for all intervals. */
double bound_mesh_brief(const BoundMesh *mesh);

/* Returns the number of places per interval: the Bernstein coefficients of a polynomial of degree `degree` +
 * `forced`. */
static inline int bound_mesh_places(const BoundMesh *mesh) { return mesh->degree + mesh->forced + 1; }

double bound_binomial(int n, int k); /* returns the binomial coefficient n over k, exactly; 0 if k is outside 0 .. n */

/* Returns the factor c in the product of two Bernstein polynomials: number j of degree r times number l of degree q
 * is c times number j + l of degree r + q. */
double bound_mesh_product(int r, int j, int q, int l);

/* Sets up Bernstein coefficient e of an interval as a place: its nodes, the weights that form rates and values of V
 * from the nodes, and its share of time. */
void bound_mesh_place(const BoundMesh *mesh, int interval, int e, BoundPlace *place);

#endif
