/* SPDX-License-Identifier: BSD-2-Clause */
/* The keys of friction models in problem files. A required key has a preset too: a valid value, with which checks
 * continue if the key is missing or wrong. */
#include "sim/joint/laws.h"
#include "sim/parameter.h"

#include <math.h>

#define LAW_CHOICE(law, name, sentence, ...) {name, law, sentence},
static const SimChoice laws[] = {SIM_STRIBECK_LAWS(LAW_CHOICE){0}};

static const SimChoice storages[] = {{"dense", SIM_DENSE, "all entries, by one rank"},
                                     {"sparse", SIM_SPARSE, "entries that are not 0, by several ranks"},
                                     {0}};

/* Keys of a law by which friction decreases with speed (Stribeck): of gamma in equation (1) of sim/sim.h, or of gamma
 * of a gear box. */
#define LAW(member)                                                                                                    \
  "law", SIM_FORM_CHOICE, NULL, "the law of the drop", .choices = laws, .required = true,                              \
                                                       .preset = SIM_STRIBECK_NONE + 1, SIM_MEMBER(SimProblem, member)
#define BETA(names, member)                                                                                            \
  "beta", SIM_FORM_VECTOR, NULL, "the share of the threshold that is lost at high speed; 0: none", SIM_BETWEEN(0, 1),  \
      .zero_is_none = true, .variables = (names), .required = true, .preset = 0.5,                                     \
      SIM_ARRAY(SimProblem, member, SIM_EACH)
#define EPSILON(names, member)                                                                                         \
  "epsilon", SIM_FORM_VECTOR, "m/s", "the speed at which it is lost", SIM_ABOVE(0),                                    \
      .variables = (names), .required = true, .preset = 1, SIM_ARRAY(SimProblem, member, SIM_EACH)
#define EXPONENT(member)                                                                                               \
  "exponent", SIM_FORM_NUMBER, NULL, "how exponential falls: 1 as exp(-s), 2 as exp(-s^2)", SIM_FROM_TO(1, 10),        \
      .zero_is_none = true, .default_text = "1, of exponential", SIM_MEMBER(SimProblem, member)

/* Keys of springs or dampers: LINKS between neighbours, ANCHORS to the ground. */
#define LINKS(what, units)                                                                                             \
  "links", SIM_FORM_NUMBER | SIM_FORM_LIST, (units), what " between neighbours, one less than masses", .required = true
#define ANCHORS(what, units)                                                                                           \
  "anchors", SIM_FORM_NUMBER | SIM_FORM_LIST, (units), what " from each mass to the ground", .default_text = "0"

const SimParameter sim_stribeck_parameters[] = {{LAW(system.stribeck)},
                                                {BETA("i, of a string s", system.stribeck_beta)},
                                                {EPSILON("i, of a string s", system.stribeck_epsilon)},
                                                {EXPONENT(system.stribeck_exponent)},
                                                {0}};

const SimParameter sim_friction_table_parameters[] = {
    {"velocity", SIM_FORM_LIST, "m/s", "speeds, ascending from 0 or above", .default_text = "of the file"},
    {"friction", SIM_FORM_LIST | SIM_FORM_ROWS, "N", "friction at each speed (>= 0); rows: of each degree of freedom",
     .default_text = "of the file"},
    {"file", SIM_FORM_TEXT, NULL, "a CSV file instead: speeds, then friction, one column for all or one each",
     .default_text = "none"},
    {0}};

static const SimParameter gearbox[] = {
    {"delta", SIM_FORM_VECTOR, NULL, "transmission: s = delta x'", .variables = "i", .required = true, .preset = 1,
     SIM_ARRAY(SimProblem, system.gearbox.delta, SIM_EACH)},
    {"k", SIM_FORM_FORMULA, "N", "the force, odd and increasing in delta, as 2*delta", .variables = "delta",
     .required = true},
    {"a", SIM_FORM_VECTOR, NULL, "a and b are factors of k: their mean is load, half their difference friction",
     SIM_ABOVE(0), .variables = "i", .required = true, .preset = 1e-300,
     SIM_ARRAY(SimProblem, system.gearbox.a, SIM_EACH)},
    {"b", SIM_FORM_VECTOR, NULL, "the greater, a < b", .variables = "i", .required = true, .preset = 2,
     SIM_ARRAY(SimProblem, system.gearbox.b, SIM_EACH)},
    {LAW(system.gearbox.law)},
    {BETA("i", system.gearbox.beta)},
    {EPSILON("i", system.gearbox.epsilon)},
    {EXPONENT(system.gearbox.exponent)},
    {0}};

static const SimParameter thresholds[] = {{"forward", SIM_FORM_VECTOR | SIM_FORM_FORCE, "N", "c where it slips forward",
                                           SIM_AT_LEAST(0), .variables = "i", .required = true, .extent = SIM_EACH},
                                          {"backward", SIM_FORM_VECTOR | SIM_FORM_FORCE, "N",
                                           "c where it slips backward", SIM_AT_LEAST(0), .variables = "i",
                                           .required = true, .extent = SIM_EACH},
                                          {0}};

static const SimParameter springs[] = {{LINKS("springs", "N/m")}, {ANCHORS("springs", "N/m")}, {0}};
static const SimParameter dampers[] = {{LINKS("dampers", "N s/m")}, {ANCHORS("dampers", "N s/m")}, {0}};

/* Keys of a law of springs. */
#define LAW_OF(what)                                                                                                   \
  {"law", SIM_FORM_FORMULA, "N", what, .variables = "x and i", .required = true},                                      \
      {"range", SIM_FORM_LIST, "m", "the least and the largest x for which the law holds", .required = true}, {        \
    0                                                                                                                  \
  }

static const SimParameter anchor_law[] = {LAW_OF("the force that pulls mass i back, x from where it rests")};
static const SimParameter link_law[] = {
    LAW_OF("the force that pulls masses i and i + 1 together where they are x further apart")};
static const SimParameter spring_laws[] = {
    {"anchors", SIM_FORM_SECTION, NULL, "from each mass to the ground", .parts = anchor_law, .default_text = "none"},
    {"links", SIM_FORM_SECTION, NULL, "between neighbours", .parts = link_law, .default_text = "none"},
    {0}};

static const SimChoice elongations[] = {
    {"place", SIM_OWN_PLACE,
     "x_i itself; force: of the springs that hold it, its row's sum of the stiffness, and anchors' law"},
    {"before", SIM_SPRING_BEFORE, "of the spring to the mass before, x_i - x_{i-1}; the first has none"},
    {"behind", SIM_SPRING_BEHIND, "of the spring to the mass behind, x_{i+1} - x_i; the last has none"},
    {0}};

const SimParameter sim_rise_parameters[] = {
    {"law", SIM_FORM_FORMULA, "N", "what the threshold rises by, of an elongation x or the force in its spring",
     .variables = "x, force and i", .required = true},
    {"of", SIM_FORM_CHOICE, NULL, "the elongation", .choices = elongations, .preset = SIM_OWN_PLACE,
     .default_text = "place"},
    {"range", SIM_FORM_LIST, "m", "the least and the largest x for which the law holds", .required = true},
    {0}};

#define JOINT_SECTION(name, there, text)                                                                               \
  {#name,                                                                                                              \
   SIM_FORM_SECTION,                                                                                                   \
   NULL,                                                                                                               \
   text,                                                                                                               \
   .parts = sim_##name##_parameters,                                                                                   \
   .default_text = "none",                                                                                             \
   SIM_MEMBER(SimProblem, there)},

const SimParameter sim_friction_parameters[] = {
    {"mass", SIM_FORM_MATRIX, "kg",
     "M, symmetric positive definite, but for rows and columns of 0: one for all, the diagonal, or a matrix",
     .required = true, .preset = 1, SIM_ARRAY(SimProblem, system.mass, SIM_SQUARE)},
    {"stiffness", SIM_FORM_MATRIX | SIM_FORM_SPRINGS | SIM_FORM_SECTION, "N/m",
     "A, symmetric positive semi-definite; springs: of masses between two walls, one more than masses",
     .default_text = "0", .parts = springs, SIM_ARRAY(SimProblem, system.stiffness, SIM_SQUARE)},
    {"damping", SIM_FORM_MATRIX | SIM_FORM_SPRINGS | SIM_FORM_SECTION, "N s/m",
     "D, in the same forms; rows need not be symmetric (coils, gyroscopes) if D + D' is positive semi-definite; sparse "
     "matrices must be symmetric",
     .default_text = "0", .parts = dampers, SIM_ARRAY(SimProblem, system.damping, SIM_SQUARE)},
    {"springs", SIM_FORM_SECTION, NULL, "springs with a force law of their elongation, beside the stiffness",
     .parts = spring_laws, .default_text = "none"},
    {"friction", SIM_FORM_VECTOR | SIM_FORM_FORCE | SIM_FORM_SECTION, "N",
     "c: the force up to which a degree of freedom sticks; or one for each direction", SIM_AT_LEAST(0),
     .variables = "i", .default_text = "0", .parts = thresholds, SIM_ARRAY(SimProblem, friction, SIM_EACH)},
    {"friction_rise", SIM_FORM_SECTION, NULL, "what friction rises by with place, or with the force in a spring",
     .parts = sim_rise_parameters, .default_text = "none"},
    {"viscous", SIM_FORM_VECTOR, "N s/m", "b: friction that grows with speed, b x' beside that of c", SIM_AT_LEAST(0),
     .variables = "i", .default_text = "0", .extent = SIM_EACH},
    {"x0", SIM_FORM_VECTOR, "m", "x at t = 0", .variables = "i", .default_text = "0",
     SIM_ARRAY(SimProblem, x0, SIM_EACH)},
    {"v0", SIM_FORM_VECTOR, "m/s", "x' at t = 0", .variables = "i", .default_text = "0",
     SIM_ARRAY(SimProblem, v0, SIM_EACH)},
    {"surface_velocity", SIM_FORM_FORCE, "m/s",
     "w: the speed of what it rubs on, for all or one each; friction acts on x' - w", .default_text = "0",
     .extent = SIM_EACH},
    {"stribeck", SIM_FORM_SECTION, NULL, "the drop of friction with speed", .parts = sim_stribeck_parameters,
     .default_text = "none", SIM_MEMBER(SimProblem, system.stribeck)},
    {"friction_table", SIM_FORM_SECTION, NULL, "friction measured at some speeds, in place of stribeck",
     .parts = sim_friction_table_parameters, .default_text = "none"},
    {"gearbox", SIM_FORM_SECTION, NULL, "the efficiency of a gear box", .parts = gearbox, .default_text = "none",
     SIM_MEMBER(SimProblem, system.gearbox.present)},
    JOINT_SECTIONS(JOINT_SECTION){"force", SIM_FORM_FORCE, "N", "f, for all degrees of freedom, or one each",
                                  .default_text = "0", .extent = SIM_EACH},
    {"matrices", SIM_FORM_CHOICE, NULL, "how mass, stiffness and damping are held", .choices = storages,
     .default_text = "dense; sparse for springs and files in coordinate form beyond 4096 degrees of freedom, and in "
                     "simulations of neighbours coupled alone from 100 on"},
    {"nodes", SIM_FORM_INTEGER, NULL, "how many masses", SIM_FROM_TO(1, 2000000000),
     .default_text = "follows from the other keys"},
    {0}};
