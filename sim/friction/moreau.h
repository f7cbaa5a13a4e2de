/* The energies of the Moreau-Jean scheme's steps. */
#ifndef SIM_FRICTION_MOREAU_H
#define SIM_FRICTION_MOREAU_H

#include "sim/friction/form.h"

/* Adds step n, which has been solved, to work->energy. f: its force. Overwrites the levels. */
void moreau_watch(const SimModel *model, SimWorkspace *work, const StepForce *f, long n);

#endif
