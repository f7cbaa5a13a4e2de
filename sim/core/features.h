/* Refuses features of a model that its scheme does not support. Each bit of SimScheme.takes and SimScheme.together
 * stands for a feature or a pair of features that the scheme supports. The bits are 0 by default. */
#ifndef SIM_CORE_FEATURES_H
#define SIM_CORE_FEATURES_H

#include "sim/features.h"
#include "sim/operator/check.h"

#define SIM_HAS_STOPS      (SIM_HAS(RIGID) | SIM_HAS(ELASTIC))
#define SIM_HAS_SPRINGS    (SIM_HAS(ANCHORS) | SIM_HAS(LINKS))
#define SIM_HAS_BARE_NODES (SIM_HAS(SEMI_DYNAMICAL) | SIM_HAS(QUASISTATIC)) /* for chains: nodes without mass */
#define SIM_HAS_CHOICES    (SIM_HAS(REGULARIZED) | SIM_HAS(SMOOTH) | SIM_HAS(FIXED_POINT) | SIM_HAS(MODES))

enum { SIM_MANY = 64 /* maximum number of degrees of freedom of a model without SIM_HAS(MANY) */ };

/* Table of pairs of features that not every scheme supports together, though it supports each of them, or one of which
 * has NONE in SIM_FEATURES. A row is X(name, features, other features, key of a problem file, error message, remedy in
 * the message; NULL: another scheme). It stands for each pair of one of the features and one of the others.
 * SimScheme.together has the bit TOGETHER(name) if the scheme supports all these pairs. */
/* clang-format off: this is a table */
#define FEATURE_PAIRS(X)                                                                                               \
  X(BIAS_GEARBOX, SIM_HAS(BIAS), SIM_HAS(GEARBOX), "model.friction", "by direction, with a gear box", NULL)            \
  X(COURSES_GEARBOX, SIM_HAS(COURSES), SIM_HAS(GEARBOX), "model.friction", "that changes in time, with a gear box",    \
    NULL)                                                                                                              \
  X(RISE_GEARBOX, SIM_HAS(RISE), SIM_HAS(GEARBOX), "model.friction_rise", "with a gear box", NULL)                     \
  X(SURFACE_GEARBOX, SIM_HAS(SURFACE), SIM_HAS(GEARBOX), "model.surface_velocity",                                     \
    "with a gear box, whose law is of x'", "one of the two")                                                           \
  X(STOPS_SURFACE, SIM_HAS_STOPS, SIM_HAS(SURFACE), "model.stops", "with surfaces that move", "one of the two")        \
  X(STOPS_SPRINGS, SIM_HAS_STOPS, SIM_HAS_SPRINGS, "model.stops", "beside springs with a law", "one of the two")       \
  X(BIAS_SMOOTH, SIM_HAS(BIAS), SIM_HAS(SMOOTH), "model.friction",                                                     \
    "by direction, with the multiplier smooth, which is 0 at rest", "one of the two")                                  \
  X(STOPS_FIXED_POINT, SIM_HAS_STOPS, SIM_HAS(FIXED_POINT), "scheme.solver", "fixed_point does not know of stops",     \
    "exact")                                                                                                           \
  X(SPRINGS_FIXED_POINT, SIM_HAS_SPRINGS, SIM_HAS(FIXED_POINT), "scheme.solver",                                       \
    "fixed_point stops too soon for springs with a law", "exact")                                                      \
  X(SMOOTH_FIXED_POINT, SIM_HAS(SMOOTH), SIM_HAS(FIXED_POINT), "scheme.solver",                                        \
    "fixed_point has no smooth multiplier", "exact")                                                                   \
  X(MODES_STOPS, SIM_HAS(MODES), SIM_HAS_STOPS, "scheme.elastic", "exact has no stops",                                \
    "difference, or no model.stops")                                                                                   \
  X(MODES_SPRINGS, SIM_HAS(MODES), SIM_HAS_SPRINGS, "scheme.elastic", "exact has no springs with a law", "difference") \
  X(MODES_DAMPING, SIM_HAS(MODES), SIM_HAS(DAMPING), "scheme.elastic", "exact has no damping",                         \
    "difference, or no model.damping")                                                                                 \
  X(MODES_MASSLESS, SIM_HAS(MODES), SIM_HAS(MASSLESS), "scheme.elastic", "exact, without mass somewhere",              \
    "difference")                                                                                                      \
  X(RISE_STOPS, SIM_HAS(RISE), SIM_HAS_STOPS, "model.friction_rise", "with stops", "one of the two")                   \
  X(RISE_REGULARIZED, SIM_HAS(RISE), SIM_HAS(REGULARIZED), "model.friction_rise", "with the multiplier regularized",   \
    "unregularized")                                                                                                   \
  X(MASSLESS_RISE, SIM_HAS(MASSLESS), SIM_HAS(RISE), "model.friction_rise", "with a mass of 0, which moves at once",   \
    "one of the two")                                                                                                  \
  X(NODES_SIGNAL, SIM_HAS_BARE_NODES, SIM_HAS(SIGNAL), "control.signal",                                               \
    "nodes without mass follow no signal by this scheme", NULL)                                                        \
  X(MASSLESS_FIXED_POINT, SIM_HAS(MASSLESS), SIM_HAS(FIXED_POINT), "scheme.solver",                                    \
    "fixed_point, without mass somewhere", "exact")                                                                    \
  X(MASSLESS_SPRINGS, SIM_HAS(MASSLESS), SIM_HAS_SPRINGS, "model.mass", "of 0 in a row, beside springs with a law",    \
    NULL)
/* clang-format on */

#define PAIR_NUMBER(name, ...) PAIR_##name,
enum { FEATURE_PAIRS(PAIR_NUMBER) PAIR_COUNT };
/* A set of rows of FEATURE_PAIRS, one bit each, and the set with one row. */
typedef uint64_t FeaturePairs;
static_assert(PAIR_COUNT <= 64, "a row has no bit in FeaturePairs");
#define TOGETHER(name) ((FeaturePairs)1 << PAIR_##name)

/* Returns scheme k of a kind; NULL beyond the last one. It is sim_scheme_of_kind. */
typedef const SimScheme *(*FeatureSchemes)(SimKind kind, int k);
/* Reports each feature of the problem, and each pair of features, that its scheme does not support. The message names
 * the schemes that support them all. */
void features_check(Check *check, FeatureSchemes schemes);
/* Returns the features of `has` that a scheme does not support. */
SimFeatures features_lacking(const SimScheme *scheme, SimFeatures has);
/* Returns the rows of FEATURE_PAIRS with a pair in `has` that a scheme does not support. */
FeaturePairs pairs_lacking(const SimScheme *scheme, SimFeatures has);
/* Returns the features of `has` that no scheme supports together with the single feature `one`: at least one of the two
 * has NONE in SIM_FEATURES, or is not in that table, and no row of FEATURE_PAIRS has the pair. */
SimFeatures features_apart(SimFeatures one, SimFeatures has);
/* Whether a scheme supports all these features, and all pairs of them. */
bool features_supported(const SimScheme *scheme, SimFeatures has);
/* Whether a scheme can differentiate a model with these features. */
bool features_differentiated(const SimScheme *scheme, SimFeatures has);
/* Returns the two sides of row k of FEATURE_PAIRS. */
void features_pair(int k, SimFeatures *one, SimFeatures *other);

#endif
