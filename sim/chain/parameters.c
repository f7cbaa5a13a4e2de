/* SPDX-License-Identifier: BSD-2-Clause */
/* Keys of a chain in problem files. A required key has a default only so that the reader can continue after an invalid
 * value. */
#include "sim/internal.h"
#include "sim/parameter.h"

#include <math.h>

#define OUT_OF_REACH 1e300 /* a threshold that no force exceeds, in N */

static const SimChoice cases[] = {{"dynamical", SIM_CHAIN_DYNAMICAL, "all nodes have mass"},
                                  {"semi_dynamical", SIM_CHAIN_SEMI_DYNAMICAL, "the last node has"},
                                  {"quasistatic", SIM_CHAIN_QUASISTATIC, "none has"},
                                  {0}};
static const SimChoice ends[] = {{"clamped", SIM_END_CLAMPED, "both ends are held"},
                                 {"free", SIM_END_FREE, "the right end is free, pushed by end_force"},
                                 {"displacement", SIM_END_DISPLACEMENT, "the right end goes as end_displacement says"},
                                 {0}};

const SimParameter sim_chain_parameters[] = {
    {"case", SIM_FORM_CHOICE, NULL, "which nodes have mass", .choices = cases, .required = true,
     SIM_MEMBER(SimProblem, chain.chain_case)},
    {"springs", SIM_FORM_LIST, "N/m", "k_0..k_n, one more than nodes; > 0 between nodes", SIM_AT_LEAST(0),
     .required = true, .preset = 1, SIM_ARRAY(SimProblem, chain.springs, SIM_AROUND)},
    {"thresholds", SIM_FORM_VECTOR, "N", "alpha: the force up to which a node sticks", SIM_AT_LEAST(0),
     .variables = "i", .required = true, .preset = OUT_OF_REACH, SIM_ARRAY(SimProblem, friction, SIM_EACH)},
    {"mass", SIM_FORM_VECTOR, "kg", "of each node; semi_dynamical: the last node's", SIM_ABOVE(0), .variables = "i",
     .zero_is_none = true, .default_text = "required where nodes have mass", .preset = 1,
     SIM_ARRAY(SimProblem, chain.node_mass, SIM_EACH)},
    {"force", SIM_FORM_FORCE, "N", "F", .default_text = "0", .extent = SIM_EACH},
    {"v0", SIM_FORM_VECTOR, "m", "the displacements V at t = 0", .variables = "i", .default_text = "0",
     SIM_ARRAY(SimProblem, x0, SIM_EACH)},
    {"w0", SIM_FORM_VECTOR, "m/s", "the velocities V' at t = 0; semi_dynamical: the last node's", .variables = "i",
     .default_text = "0", SIM_ARRAY(SimProblem, v0, SIM_EACH)},
    {"end", SIM_FORM_CHOICE, NULL, "the right end", .choices = ends, .preset = SIM_END_CLAMPED,
     SIM_MEMBER(SimProblem, chain.end)},
    {"end_force", SIM_FORM_FORCE, "N", "of a free end: F_{n+1}, which pushes inward", .default_text = "0"},
    {"end_displacement", SIM_FORM_FORCE, "m", "where the end is", .default_text = "required by end: displacement"},
    {"force_rate", SIM_FORM_FORCE, "N/s", "F' in t, for implicit_euler and nodes without mass",
     .default_text = "by differences", .extent = SIM_EACH},
    {"end_rate", SIM_FORM_FORCE, "N/s or m/s", "likewise, of end_force or end_displacement",
     .default_text = "by differences"},
    {0}};
