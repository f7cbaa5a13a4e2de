/* What the way back along steps with stops needs to know of them: the solves of stops_trace.h that matter, and who meets an end in
 * them. It grows with the rollout, by what its steps with somebody at an end need. */
#ifndef SIM_FRICTION_STOPS_RECORD_H
#define SIM_FRICTION_STOPS_RECORD_H

#include "sim/friction/record.h"

typedef struct StopsRecord StopsRecord;

/* Sweeps of so many columns at most. NULL: no memory. */
StopsRecord *stops_record_create(const SimProblem *problem, int together);
void stops_record_destroy(StopsRecord *record); /* NULL: nothing */

/* A rollout begins. */
void stops_record_start(StopsRecord *record);
/* Once step n is solved, and step_stops_record has been called. SIM_OK, SIM_NO_MEMORY. */
SimStatus stops_record_step(const SimModel *model, SimWorkspace *work, long n, const StepTerms *terms);

/* Whether ends have a part in step n. */
bool stops_record_has(const SimAdjoint *adjoint, long n);
/* Of such a step: dJ/dx and dJ/dv behind it become what J has of x and v before it otherwise than by the right side of its friction
 * problem without stops; dJ/d of that goes to the record's y. SIM_OK, SIM_BAD_PROBLEM. */
SimStatus stops_record_back(SimAdjoint *adjoint, long n);

#endif
