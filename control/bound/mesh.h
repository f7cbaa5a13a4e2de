/* Intervals of time with polynomials in Bernstein form. If all coefficients of (1) in program.h are positive
 * semidefinite, so is (1) at all times. */
#ifndef CONTROL_BOUND_MESH_H
#define CONTROL_BOUND_MESH_H

#include "control/bound/program.h"

typedef struct BoundMesh {
  int intervals, degree; /* number of intervals; degree of V, >= 1 */
  int forced;            /* degree of the part of v' that depends on time; 0: none */
  double *time;          /* [intervals + 1] 0 .. 1 */
} BoundMesh;

/* Creates cosine-spaced intervals, finest at both ends, where joints start and stop. SIM_OK or SIM_NO_MEMORY. */
SimStatus bound_mesh_create(int intervals, int degree, BoundMesh *mesh);
/* Splits an interval at a time in it. SIM_OK or SIM_NO_MEMORY. */
SimStatus bound_mesh_split(BoundMesh *mesh, int interval, double at);
void bound_mesh_clear(BoundMesh *mesh);

/* Lower bound of the smallest integral of a Bernstein polynomial of any interval. */
double bound_mesh_brief(const BoundMesh *mesh);

/* Coefficients of an interval, for polynomials of V's degree plus `forced`. */
static inline int bound_mesh_places(const BoundMesh *mesh) { return mesh->degree + mesh->forced + 1; }

double bound_binomial(int n, int k); /* n over k, exact; 0 if undefined */

/* Factor in the product of Bernstein polynomials: the j-th of degree r times the l-th of degree q is this times the
 * (j + l)-th of degree r + q. */
double bound_mesh_product(int r, int j, int q, int l);

/* Sets up the e-th coefficient of an interval: nodes, weights of rates and values, share. */
void bound_mesh_place(const BoundMesh *mesh, int interval, int e, BoundPlace *place);

#endif
