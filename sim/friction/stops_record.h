/* SPDX-License-Identifier: BSD-2-Clause */
/* Record of steps with stops for adjoint sweeps: those solves of stops_trace.h on which the step's result depends, and
 * the dofs that met a stop in them. J is the number that the sweep differentiates. The record grows during the rollout,
 * only in steps with a dof at a stop. */
#ifndef SIM_FRICTION_STOPS_RECORD_H
#define SIM_FRICTION_STOPS_RECORD_H

#include "sim/friction/record.h"

typedef struct StopsRecord StopsRecord;

/* Creates a record for sweeps of at most `together` columns; NULL: no memory. */
StopsRecord *stops_record_create(const SimProblem *problem, int together);
void stops_record_destroy(StopsRecord *record); /* may be NULL */

/* Begins the record of a rollout. */
void stops_record_start(StopsRecord *record);
/* Records the solved step n, after step_stops_record. Returns SIM_OK or SIM_NO_MEMORY. */
SimStatus stops_record_step(const SimModel *model, SimWorkspace *work, long n, const StepTerms *terms);

/* Whether stops had an effect in step n. */
bool stops_record_has(const SimAdjoint *adjoint, long n);
/* Sweeps back over a step in which stops had an effect: replaces dJ/dx and dJ/dv after the step by those before the
 * step, except for one contribution. That is the effect of the right side of the friction problem without stops: the
 * derivative of J by this right side is stored as y of the record, and the caller adds its contributions to dJ/dx and
 * dJ/dv. Returns SIM_OK or SIM_BAD_PROBLEM. */
SimStatus stops_record_back(SimAdjoint *adjoint, long n);

#endif
