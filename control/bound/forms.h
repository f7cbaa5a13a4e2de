/* Lower bounds of J as programs: README.md has the theorem. */
#ifndef CONTROL_BOUND_FORMS_H
#define CONTROL_BOUND_FORMS_H

#include "control/bound/mesh.h"
#include "control/bound/motion.h"

/* R1: V = z'S(t) z + sum_i p_i(t) |v_i|, z = (1, x, v). SIM_OK or SIM_NO_MEMORY; the program is to be cleared in any case. */
SimStatus bound_form_quadratic(const BoundMotion *motion, const BoundMesh *mesh, BoundProgram *program);

/* Parts of it that other forms share ---------------------------------------------------------------------------- */

/* S's entries, a <= b of n: their number. */
static inline int bound_entry(int n, int a, int b) { return a * n - a * (a - 1) / 2 + b - a; }

/* The kinds 0 of all places in the mesh, 1 of the end where targets are free; places [intervals (degree + 1)], one more of the end. */
SimStatus bound_form_places(const BoundMotion *motion, const BoundMesh *mesh, int node_size, BoundProgram *program);
bool bound_form_is_free(const BoundMotion *motion); /* some target is */

#endif
