/* Inverses of parts of the mass matrix, M_SS of sets S of dofs: of a diagonal M its diagonal [d]; of a banded one of many dofs Cholesky's factor
 * [d][width + 1]; of any other [d][d]. All with zeros elsewhere. */
#ifndef SIM_EVENT_INVERSE_H
#define SIM_EVENT_INVERSE_H

#include "sim/event/event.h"

/* How M is inverted: sets mass_is_diagonal and mass_width of a system whose mass is there. */
void inverse_choose(EventSystem *system);
/* Whether all entries of M are wanted: rows_of_dense. */
bool inverse_wants_all(int d, const double *mass);

/* SIM_OK, SIM_NO_MEMORY. */
SimStatus inverses_init(const EventSystem *system, EventInverses *inverses);
void inverses_clear(EventInverses *inverses);

/* Of the set [d] of dofs whose mark is not 0. Stands until another set has been asked for. */
const double *event_inverse(const EventSystem *system, EventInverses *inverses, const signed char *set);

/* a = (M_SS)^-1 r */
void inverse_apply(const EventSystem *system, const double *inverse, const double *r, double *a);
/* The same of blocks of COLUMNS_TOGETHER columns (sim/operator/columns.h). */
void inverse_apply_columns(const EventSystem *system, const double *inverse, const double *r, double *a);
/* a: no less than |(M_SS)^-1| |r| of each row, r >= 0; that itself but of bands that are wider than tridiagonal. */
void inverse_bound(const EventSystem *system, const double *inverse, const double *r, double *a);

#endif
