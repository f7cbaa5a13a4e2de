/* SPDX-License-Identifier: BSD-2-Clause */
/* Keys of a dash-pot in problem files. A required key has a default only so that the reader can continue after an
 * invalid value. */
#include "sim/internal.h"
#include "sim/parameter.h"

#include <math.h>

static const SimChoice selections[] = {
    {"nearest_velocity", SIM_NEAREST_VELOCITY, "the velocity nearest to the last one"},
    {"max_dissipation", SIM_MAX_DISSIPATION, "the largest f_d v"},
    {0}};

#define LAW_CHOICE(law, name, sentence, ...) {name, law, sentence},
static const SimChoice laws[] = {SIM_DASHPOT_LAWS(LAW_CHOICE){0}};

static const SimParameter support[] = {{"position", SIM_FORM_NUMBER, "m", "L, where the support is", .required = true,
                                        SIM_MEMBER(SimProblem, dashpot.support_position)},
                                       {"stiffness", SIM_FORM_NUMBER, "N/m", "ks of lambda_contact = -ks max(0, x - L)",
                                        SIM_ABOVE(0), .required = true, .preset = 1,
                                        SIM_MEMBER(SimProblem, dashpot.support_stiffness)},
                                       {0}};

const SimParameter sim_dashpot_parameters[] = {
    {"mass", SIM_FORM_NUMBER, "kg", "m", SIM_ABOVE(0), .required = true, .preset = 1,
     SIM_MEMBER(SimProblem, dashpot.mass)},
    {"stiffness", SIM_FORM_NUMBER, "N/m", "k", SIM_AT_LEAST(0), .default_text = "0",
     SIM_MEMBER(SimProblem, dashpot.stiffness)},
    {"law", SIM_FORM_CHOICE, NULL, "which v goes with which force f_d of the dash-pot", .choices = laws,
     .required = true, .preset = SIM_BINGHAM, SIM_MEMBER(SimProblem, dashpot.law)},
    {"gamma", SIM_FORM_NUMBER, "m/(N s)", "of the law; what the law does not take may stand there and does nothing",
     SIM_ABOVE(0), .default_text = "required by the laws but coulomb", .preset = 1, SIM_MEMBER(SimProblem, dashpot.g)},
    {"f_crit", SIM_FORM_NUMBER, "N", "the force up to which v = 0; bingham_nonmonotone is written for 1",
     SIM_AT_LEAST(0), .default_text = "required by the laws but viscous", SIM_ARRAY(SimProblem, friction, SIM_EACH)},
    {"selection", SIM_FORM_CHOICE, NULL, "which velocity, where bingham_nonmonotone allows several",
     .choices = selections, .preset = SIM_NEAREST_VELOCITY, SIM_MEMBER(SimProblem, dashpot.selection)},
    {"support", SIM_FORM_SECTION, NULL, "a support on a spring, which pushes back", .parts = support,
     .default_text = "none", SIM_MEMBER(SimProblem, dashpot.has_support)},
    {"force", SIM_FORM_FORCE, "N", "f", .default_text = "0", .extent = SIM_EACH},
    {"x0", SIM_FORM_NUMBER, "m", "x at t = 0", .default_text = "0", SIM_ARRAY(SimProblem, x0, SIM_EACH)},
    {"v0", SIM_FORM_NUMBER, "m/s", "v at t = 0", .default_text = "0", SIM_ARRAY(SimProblem, v0, SIM_EACH)},
    {0}};
