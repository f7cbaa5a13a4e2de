/* Features: what a model may have in addition to (1) with M, A, C, f, B u. A scheme lists the features that it
 * supports; a model with any other is refused. A part of sim/internal.h. */
#ifndef SIM_FEATURES_H
#define SIM_FEATURES_H

#include "sim/problem.h"

#include <assert.h>
#include <stdint.h>

/* X(name, beside, key of a problem file, description): SIM_HAS(name) is the set with this feature alone. The description
 * continues the message "the scheme .. takes no ..". beside: features together with which this one is supported by every
 * scheme that supports both, except for pairs in a row of FEATURE_PAIRS (sim/core/features.h): ALL, those whose rows also
 * have ALL, which tests/sim/core/test_features.c checks; NONE, no feature, so that a pair needs a row of FEATURE_PAIRS. */
/* clang-format off: this is a table */
#define SIM_FEATURES(X)                                                                                                \
  X(DENSE, ALL, "model.matrices", "dense matrices")                                                                    \
  X(SPARSE, ALL, "scheme.name", "sparse matrices")                                                                     \
  X(RANKS, ALL, "scheme.name", "model on several ranks")                                                               \
  X(MANY, ALL, "scheme.name", "model of more than 64 degrees of freedom")                                              \
  X(MASSLESS, ALL, "model.mass", "degrees of freedom without mass")                                                    \
  X(SIGNAL, ALL, "control.signal", "control that varies in time")                                                      \
  X(DAMPING, ALL, "model.damping", "damping")                                                                          \
  X(SKEW, ALL, "model.damping", "damping that is not symmetric")                                                       \
  X(VISCOUS, ALL, "model.viscous", "viscous friction")                                                                 \
  X(BIAS, ALL, "model.friction", "thresholds that differ by direction")                                                \
  X(COURSES, ALL, "model.friction", "thresholds that change in time")                                                  \
  X(RISE, ALL, "model.friction_rise", "thresholds that depend on place or load")                                       \
  X(SURFACE, ALL, "model.surface_velocity", "surfaces that move")                                                      \
  X(DROP, ALL, "model.stribeck", "friction that drops with speed")                                                     \
  X(EXPONENT, ALL, "model.stribeck.exponent", "exponent other than 1 and 2")                                           \
  X(LAW, ALL, "model.stribeck.law", "friction law without a power series")                                             \
  X(TABLE, ALL, "model.friction_table", "friction of a table")                                                         \
  X(GEARBOX, ALL, "model.gearbox", "gear box")                                                                         \
  X(RIGID, ALL, "model.stops", "rigid stops")                                                                          \
  X(ELASTIC, ALL, "model.stops", "elastic stops")                                                                      \
  X(ANCHORS, ALL, "scheme.name", "springs with a law to what holds a mass")                                            \
  X(LINKS, ALL, "scheme.name", "springs with a law between neighbours")                                                \
  X(REGULARIZED, ALL, "scheme.multiplier", "regularized multiplier")                                                   \
  X(SMOOTH, ALL, "scheme.multiplier", "smooth multiplier")                                                             \
  X(FIXED_POINT, ALL, "scheme.solver", "fixed point")                                                                  \
  X(MODES, ALL, "scheme.elastic", "elastic part by eigenvectors")                                                      \
  X(DYNAMICAL, ALL, "scheme.name", "dynamical chain")                                                                  \
  X(SEMI_DYNAMICAL, ALL, "scheme.name", "semi-dynamical chain")                                                        \
  X(QUASISTATIC, ALL, "scheme.name", "quasistatic chain")                                                              \
  X(SUPPORT, ALL, "model.support", "support")
/* clang-format on */

/* A set of features, one bit each. */
typedef uint64_t SimFeatures;
/* Makes the enumerator of a feature's number, for SIM_FEATURES. */
#define SIM_FEATURE_NUMBER(name, ...) SIM_FEATURE_##name,
enum { SIM_FEATURES(SIM_FEATURE_NUMBER) SIM_FEATURE_COUNT };
static_assert(SIM_FEATURE_COUNT <= 64, "a feature has no bit in SimFeatures");
/* The set with one feature: its name in SIM_FEATURES. */
#define SIM_HAS(name) ((SimFeatures)1 << SIM_FEATURE_##name)

/* Returns the description of feature k; NULL beyond the last. */
const char *sim_feature_name(int k);
/* Returns the key of problem files for feature k; NULL beyond the last. */
const char *sim_feature_key(int k);

/* Returns the features of this rank's rows of a problem, and of its scheme's choices (multiplier, solver, elastic), as
 * a set. */
SimFeatures sim_problem_features(const SimProblem *problem);
/* Whether a scheme of the problem's kind supports all features of its model. Choices of the problem's scheme count for
 * that scheme only. */
bool sim_scheme_takes_all(const SimScheme *scheme, const SimProblem *problem);

#endif
