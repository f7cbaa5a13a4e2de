/* SPDX-License-Identifier: BSD-2-Clause */
/* The keys of a mechanism in a problem file that set single members of a SimProblem. sim_problem_set_mechanism sets the
 * equations. */
#include "sim/internal.h"
#include "sim/parameter.h"

const SimParameter sim_mechanism_parameters[] = {{"x0", SIM_FORM_VECTOR, NULL, "q at t = 0", .variables = "i",
                                                  .default_text = "0", SIM_ARRAY(SimProblem, x0, SIM_EACH)},
                                                 {"v0", SIM_FORM_VECTOR, NULL, "q' at t = 0", .variables = "i",
                                                  .default_text = "0", SIM_ARRAY(SimProblem, v0, SIM_EACH)},
                                                 {"stops", SIM_FORM_SECTION, NULL, "ends that q does not pass",
                                                  .parts = sim_stops_parameters, .default_text = "none",
                                                  SIM_MEMBER(SimProblem, stops.present)},
                                                 {0}};
