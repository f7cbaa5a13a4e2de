/* Features: what a model may have in addition to (1) with M, A, C, f, B u. A scheme lists the features that it
 * supports; a model with any other is refused. A part of sim/internal.h. */
#ifndef SIM_FEATURES_H
#define SIM_FEATURES_H

#include "sim/problem.h"

/* X(name, key of a problem file, description): the bits SIM_HAS_name. The description continues the message "the scheme
 * .. takes no ..". Two are not features of a model: ENERGY, the scheme computes SimEnergy; and LAW, a law of gamma for
 * which the scheme `event` has no power series. */
/* clang-format off: this is a table */
#define SIM_FEATURES(X)                                                                                                \
  X(DENSE, "model.matrices", "dense matrices")                                                                         \
  X(SPARSE, "scheme.name", "sparse matrices")                                                                          \
  X(RANKS, "scheme.name", "model on several ranks")                                                                    \
  X(MANY, "scheme.name", "model of more than 64 degrees of freedom")                                                   \
  X(MASSLESS, "model.mass", "degrees of freedom without mass")                                                         \
  X(SIGNAL, "control.signal", "control that varies in time")                                                           \
  X(DAMPING, "model.damping", "damping")                                                                               \
  X(SKEW, "model.damping", "damping that is not symmetric")                                                            \
  X(VISCOUS, "model.viscous", "viscous friction")                                                                      \
  X(BIAS, "model.friction", "thresholds that differ by direction")                                                     \
  X(COURSES, "model.friction", "thresholds that change in time")                                                       \
  X(RISE, "model.friction_rise", "thresholds that depend on place or load")                                            \
  X(SURFACE, "model.surface_velocity", "surfaces that move")                                                           \
  X(DROP, "model.stribeck", "friction that drops with speed")                                                          \
  X(EXPONENT, "model.stribeck.exponent", "exponent other than 1 and 2")                                                \
  X(LAW, "model.stribeck.law", "friction law without a power series")                                                  \
  X(TABLE, "model.friction_table", "friction of a table")                                                              \
  X(GEARBOX, "model.gearbox", "gear box")                                                                              \
  X(RIGID, "model.stops", "rigid stops")                                                                               \
  X(ELASTIC, "model.stops", "elastic stops")                                                                           \
  X(ANCHORS, "scheme.name", "springs with a law to what holds a mass")                                                 \
  X(LINKS, "scheme.name", "springs with a law between neighbours")                                                     \
  X(REGULARIZED, "scheme.multiplier", "regularized multiplier")                                                        \
  X(SMOOTH, "scheme.multiplier", "smooth multiplier")                                                                  \
  X(FIXED_POINT, "scheme.solver", "fixed point")                                                                       \
  X(MODES, "scheme.elastic", "elastic part by eigenvectors")                                                           \
  X(DYNAMICAL, "scheme.name", "dynamical chain")                                                                       \
  X(SEMI_DYNAMICAL, "scheme.name", "semi-dynamical chain")                                                             \
  X(QUASISTATIC, "scheme.name", "quasistatic chain")                                                                   \
  X(SUPPORT, "model.support", "support")                                                                               \
  X(ENERGY, "scheme.name", "energies")
/* clang-format on */

/* Makes the enumerator of a feature's number, for SIM_FEATURES. */
#define SIM_FEATURE_NUMBER(name, key, text) SIM_FEATURE_##name,
enum { SIM_FEATURES(SIM_FEATURE_NUMBER) SIM_FEATURE_COUNT };
/* Makes the enumerator of SimFeature, for SIM_FEATURES. */
#define SIM_FEATURE_BIT(name, key, text) SIM_HAS_##name = 1 << SIM_FEATURE_##name,
/* Bits of a set of features: SIM_HAS_ and the name in SIM_FEATURES. */
typedef enum SimFeature { SIM_FEATURES(SIM_FEATURE_BIT) SIM_HAS_NOTHING = 0 } SimFeature;

/* Returns the description of feature k; NULL beyond the last. */
const char *sim_feature_name(int k);
/* Returns the key of problem files for feature k; NULL beyond the last. */
const char *sim_feature_key(int k);

/* Returns the features of this rank's rows of a problem, and of its scheme's choices (multiplier, solver, elastic), as
 * a set of SimFeature. */
unsigned sim_problem_features(const SimProblem *problem);
/* Whether a scheme of the problem's kind supports all features of its model. Choices of the problem's scheme count for
 * that scheme only. */
bool sim_scheme_takes_all(const SimScheme *scheme, const SimProblem *problem);
/* Returns the features that a scheme supports, as a set; includes ENERGY. */
unsigned sim_scheme_features(const SimScheme *scheme);

#endif
