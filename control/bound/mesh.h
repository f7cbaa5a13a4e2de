/* Time in intervals, on which what depends on it is a polynomial in Bernstein form: where all coefficients of (1) in program.h are positive
 * semidefinite, (1) is so at all times. */
#ifndef CONTROL_BOUND_MESH_H
#define CONTROL_BOUND_MESH_H

#include "control/bound/program.h"

typedef struct BoundMesh {
  int intervals, degree; /* >= 1, of V */
  int forced;            /* degree of the part of v' that depends on time; 0: there is none */
  double *time;          /* [intervals + 1] 0 .. 1 */
} BoundMesh;

/* Cosine spaced: finest at both ends, where joints start and stop. SIM_OK or SIM_NO_MEMORY. */
SimStatus bound_mesh_create(int intervals, int degree, BoundMesh *mesh);
/* Splits an interval. at: in it. SIM_OK or SIM_NO_MEMORY. */
SimStatus bound_mesh_split(BoundMesh *mesh, int interval, double at);
void bound_mesh_clear(BoundMesh *mesh);

/* The integral of each Bernstein polynomial of an interval, from above; the least of all, from below. */
double bound_mesh_share(const BoundMesh *mesh, int interval);
double bound_mesh_brief(const BoundMesh *mesh);

/* Coefficients of an interval: of polynomials of V's degree, and that of `forced` more. */
static inline int bound_mesh_places(const BoundMesh *mesh) { return mesh->degree + mesh->forced + 1; }

double bound_binomial(int n, int k); /* n over k, exact; 0 where there is none */

/* Of the product of Bernstein polynomials of degrees r, j-th, and q, l-th: its only coefficient, the (j + l)-th, of degree r + q. */
double bound_mesh_product(int r, int j, int q, int l);

/* The e-th coefficient of an interval: nodes, weights of rates and values, share. */
void bound_mesh_place(const BoundMesh *mesh, int interval, int e, BoundPlace *place);

#endif
