/* The energies of the Moreau-Jean scheme's steps. */
#ifndef SIM_FRICTION_MOREAU_H
#define SIM_FRICTION_MOREAU_H

#include "sim/friction/form.h"

/* StepForm.watch of the scheme moreau; it includes the energies of stops. */
FormWatch moreau_watch;

#endif
