/* Intervals of time, on which polynomials have Bernstein form. If all coefficients of (1) in program.h are positive
 * semidefinite, then (1) holds at all times. */
#ifndef CONTROL_BOUND_MESH_H
#define CONTROL_BOUND_MESH_H

#include "control/bound/program.h"

typedef struct BoundMesh {
  int intervals, degree; /* number of intervals; degree of V, at least 1 */
  int forced;            /* degree of the part of v' that depends on time; 0: none */
  double *time;          /* [intervals + 1] ends of the intervals, from 0 to 1 */
} BoundMesh;

/* Creates intervals with cosine spacing. They are shortest at both ends of time, where joints start and stop. Returns
 * SIM_OK or SIM_NO_MEMORY. */
SimStatus bound_mesh_create(int intervals, int degree, BoundMesh *mesh);
/* Splits an interval at a time inside it. Returns SIM_OK or SIM_NO_MEMORY. */
SimStatus bound_mesh_split(BoundMesh *mesh, int interval, double at);
void bound_mesh_clear(BoundMesh *mesh);

/* Returns a lower bound of the smallest integral of a Bernstein polynomial, over all intervals. */
double bound_mesh_brief(const BoundMesh *mesh);

/* Number of coefficients per interval, for polynomials of the degree of V plus `forced`. */
static inline int bound_mesh_places(const BoundMesh *mesh) { return mesh->degree + mesh->forced + 1; }

double bound_binomial(int n, int k); /* binomial coefficient n over k, exact; 0 if it is undefined */

/* Factor in the product of Bernstein polynomials: the j-th of degree r times the l-th of degree q is this times the
 * (j + l)-th of degree r + q. */
double bound_mesh_product(int r, int j, int q, int l);

/* Sets up coefficient e of an interval as a place: its nodes, the weights of rates and values, and its share. */
void bound_mesh_place(const BoundMesh *mesh, int interval, int e, BoundPlace *place);

#endif
