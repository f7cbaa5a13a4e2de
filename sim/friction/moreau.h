/* SPDX-License-Identifier: BSD-2-Clause */
/* Functions of the Moreau-Jean scheme that its other files, and its steps for mechanisms, call. */
#ifndef SIM_FRICTION_MOREAU_H
#define SIM_FRICTION_MOREAU_H

#include "sim/friction/form.h"

/* Defines the entry of the problem-file key theta in a scheme's table of keys. type: struct with the scheme's
 * parameters, with a member theta. text: the default value as it is printed. default_theta: function that computes the
 * default. */
#define ROW_THETA(type, text, default_theta)                                                                           \
  SIM_ROW(type, theta, .forms = SIM_FORM_NUMBER, SIM_FROM_TO(0.5, 1), .default_text = (text), .derive = default_theta, \
          .sentence = "weight of a step's end: 1/2 may gain or lose energy, more than that loses it")

/* Implements StepForm.watch of the scheme moreau: energies of a step, including those of stops. */
FormWatch moreau_watch;

/* Returns the largest time step in s for elastic stops (INFINITY: no limit). rate: largest sqrt(stiffness/mass) of the
 * dofs at these stops, in 1/s.
 *
 * In a step of length dt the stop's force is evaluated at x_theta, between the positions before (weight 1 - theta) and
 * after the step (weight theta). If x_theta does not reach the stop, the mass may end up to (1-theta) dt v beyond the
 * stop, without a force from it. In the next step a very stiff stop then returns the mass at the velocity
 * -(1-theta^2)/theta^2 v, which is faster than it came if theta^2 < 1/2. With theta = 1/2 an impact increases or
 * decreases the energy, depending on when in a step it begins. For dt below 2/rate the mean change of log |v| is about
 * 0. For larger dt impacts increase the energy without bound. */
double moreau_end_limit(double theta, double rate);

#endif
