/* SPDX-License-Identifier: BSD-2-Clause */
/* Inverses of submatrices M_SS of the mass matrix, for sets S of dofs that slide. They are stored as the diagonal [d]
 * if M is diagonal, as Cholesky's factor [d][width + 1] if M is banded and there are many dofs, otherwise as [d][d].
 * Entries outside S are 0. */
#ifndef SIM_EVENT_INVERSE_H
#define SIM_EVENT_INVERSE_H

#include "sim/event/event.h"

/* Selects how M is inverted: sets mass_is_diagonal and mass_width of a system with a mass matrix. */
void inverse_choose(EventSystem *system);
/* Whether rows_of_dense must keep all entries of this mass matrix, because its inverses have all entries. */
bool inverse_wants_all(int d, const double *mass);

/* Allocates memory for the inverses of one motion; none has been computed yet. Returns SIM_OK or SIM_NO_MEMORY. */
SimStatus inverses_init(const EventSystem *system, EventInverses *inverses);
void inverses_clear(EventInverses *inverses);

/* Returns the inverse for the set of dofs i with set[i] != 0, set [d]. The inverse is valid until the next call with
 * another set. */
const double *event_inverse(const EventSystem *system, EventInverses *inverses, const signed char *set);

/* Computes a = (M_SS)^-1 r, [d]. */
void inverse_apply(const EventSystem *system, const double *inverse, const double *r, double *a);
/* Applies an inverse to blocks of COLUMNS_TOGETHER columns (sim/operator/columns.h). */
void inverse_apply_columns(const EventSystem *system, const double *inverse, const double *r, double *a);
/* Computes a with a_i >= sum_j |(M_SS)^-1|_ij r_j, for r >= 0. Both sides are equal, unless M is banded and wider than
 * tridiagonal. */
void inverse_bound(const EventSystem *system, const double *inverse, const double *r, double *a);

#endif
