/* SPDX-License-Identifier: BSD-2-Clause */
/* Motions of a mechanism by integrators with their own events. */
#ifndef BENCH_MODES_MOTION_H
#define BENCH_MODES_MOTION_H

#include "bench/speed/modes.h"

/* Compute the motion to its end: y [2 d] is q, q' there. tolerance: relative and absolute, of a step. Return false if
 * an integrator gives up. */
bool modes_dop853(Modes *modes, double tolerance, double *y);
/* By CVODE with roots, in Adams' form. It is not there in builds without SUNDIALS: BENCH_CVODE. */
bool modes_cvode(Modes *modes, double tolerance, double *y);

#endif
