/* The energies of the Moreau-Jean scheme's steps. */
#ifndef SIM_FRICTION_MOREAU_H
#define SIM_FRICTION_MOREAU_H

#include "sim/friction/form.h"

/* Implements StepForm.watch of the scheme moreau: energies of a step, including those of stops. */
FormWatch moreau_watch;

#endif
