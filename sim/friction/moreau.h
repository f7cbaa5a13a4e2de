/* Parts of the Moreau-Jean scheme that its other files, and its steps for mechanisms, call. */
#ifndef SIM_FRICTION_MOREAU_H
#define SIM_FRICTION_MOREAU_H

#include "sim/friction/form.h"

/* Row of the key theta. type: a scheme's struct, with a member theta; text: its default, of default_theta. */
#define ROW_THETA(type, text, default_theta)                                                                           \
  SIM_ROW(type, theta, .forms = SIM_FORM_NUMBER, SIM_FROM_TO(0.5, 1), .default_text = (text), .derive = default_theta, \
          .sentence = "weight of a step's end: 1/2 may gain or lose energy, more than that loses it")

/* Implements StepForm.watch of the scheme moreau: energies of a step, including those of stops. */
FormWatch moreau_watch;

/* Returns the largest step, s, for elastic stops with sqrt(stiffness/mass) <= rate, 1/s (INFINITY: no limit).
 *
 * A step in which x_theta does not reach the stop ends up to (1-theta) dt v beyond it without a push. A very stiff stop
 * then returns the mass at -(1-theta^2)/theta^2 v, which is faster than it came if theta^2 < 1/2. With theta = 1/2 an
 * impact changes the energy by either sign, by where in a step it begins. Below dt = 2/rate the mean change of log |v|
 * is about 0, and beyond it impacts add energy without bound. */
double moreau_end_limit(double theta, double rate);

#endif
