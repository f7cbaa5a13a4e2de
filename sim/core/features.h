/* Refuses features of a model that its scheme does not support. Each bit of SimScheme.takes and SimScheme.together
 * stands for a feature or a pair of features that the scheme supports. The bits are 0 by default. */
#ifndef SIM_CORE_FEATURES_H
#define SIM_CORE_FEATURES_H

#include "sim/features.h"
#include "sim/operator/check.h"

enum {
  SIM_HAS_STOPS = SIM_HAS_RIGID | SIM_HAS_ELASTIC,
  SIM_HAS_SPRINGS = SIM_HAS_ANCHORS | SIM_HAS_LINKS,
  SIM_HAS_BARE_NODES = SIM_HAS_SEMI_DYNAMICAL | SIM_HAS_QUASISTATIC, /* for chains: nodes without mass */
  SIM_HAS_CHOICES = SIM_HAS_REGULARIZED | SIM_HAS_SMOOTH | SIM_HAS_FIXED_POINT | SIM_HAS_MODES,
  SIM_MANY = 64 /* maximum number of degrees of freedom of a model without SIM_HAS_MANY */
};

/* Table of pairs of features that a scheme may support separately but not together. A row is X(name, one feature, other
 * feature, key of a problem file, error message, remedy in the message; NULL: another scheme). SimScheme.together has
 * the bits TOGETHER_name of the pairs that a scheme supports. */
/* clang-format off: this is a table */
#define FEATURE_PAIRS(X)                                                                                               \
  X(BIAS_GEARBOX, BIAS, GEARBOX, "model.friction", "by direction, with a gear box", NULL)                              \
  X(COURSES_GEARBOX, COURSES, GEARBOX, "model.friction", "that changes in time, with a gear box", NULL)                \
  X(RISE_GEARBOX, RISE, GEARBOX, "model.friction_rise", "with a gear box", NULL)                                       \
  X(SURFACE_GEARBOX, SURFACE, GEARBOX, "model.surface_velocity", "with a gear box, whose law is of x'",                \
    "one of the two")                                                                                                  \
  X(STOPS_SURFACE, STOPS, SURFACE, "model.stops", "with surfaces that move", "one of the two")                         \
  X(STOPS_SPRINGS, STOPS, SPRINGS, "model.stops", "beside springs with a law", "one of the two")                       \
  X(BIAS_SMOOTH, BIAS, SMOOTH, "model.friction", "by direction, with the multiplier smooth, which is 0 at rest",       \
    "one of the two")                                                                                                  \
  X(STOPS_FIXED_POINT, STOPS, FIXED_POINT, "scheme.solver", "fixed_point does not know of stops", "exact")             \
  X(SPRINGS_FIXED_POINT, SPRINGS, FIXED_POINT, "scheme.solver", "fixed_point stops too soon for springs with a law",   \
    "exact")                                                                                                           \
  X(SMOOTH_FIXED_POINT, SMOOTH, FIXED_POINT, "scheme.solver", "fixed_point has no smooth multiplier", "exact")         \
  X(MODES_STOPS, MODES, STOPS, "scheme.elastic", "exact has no stops", "difference, or no model.stops")                \
  X(MODES_SPRINGS, MODES, SPRINGS, "scheme.elastic", "exact has no springs with a law", "difference")                  \
  X(MODES_DAMPING, MODES, DAMPING, "scheme.elastic", "exact has no damping", "difference, or no model.damping")        \
  X(MODES_MASSLESS, MODES, MASSLESS, "scheme.elastic", "exact, without mass somewhere", "difference")                  \
  X(RISE_STOPS, RISE, STOPS, "model.friction_rise", "with stops", "one of the two")                                    \
  X(RISE_REGULARIZED, RISE, REGULARIZED, "model.friction_rise", "with the multiplier regularized", "unregularized")    \
  X(MASSLESS_RISE, MASSLESS, RISE, "model.friction_rise", "with a mass of 0, which moves at once", "one of the two")   \
  X(NODES_SIGNAL, BARE_NODES, SIGNAL, "control.signal", "nodes without mass follow no signal by this scheme", NULL)    \
  X(MASSLESS_FIXED_POINT, MASSLESS, FIXED_POINT, "scheme.solver", "fixed_point, without mass somewhere", "exact")      \
  X(MASSLESS_SPRINGS, MASSLESS, SPRINGS, "model.mass", "of 0 in a row, beside springs with a law", NULL)
/* clang-format on */

#define PAIR_NUMBER(name, ...) PAIR_##name,
enum { FEATURE_PAIRS(PAIR_NUMBER) PAIR_COUNT };
#define PAIR_BIT(name, ...) TOGETHER_##name = 1 << PAIR_##name,
enum { FEATURE_PAIRS(PAIR_BIT) TOGETHER_ALL = (1 << PAIR_COUNT) - 1 };

/* Returns scheme k of a kind; NULL beyond the last one. It is sim_scheme_of_kind. */
typedef const SimScheme *(*FeatureSchemes)(SimKind kind, int k);
/* Reports each feature of the problem, and each pair of features, that its scheme does not support. The message names
 * the schemes that support them all. */
void features_check(Check *check, FeatureSchemes schemes);
/* Returns the bits of `has` that a scheme does not support. The next function returns the bits TOGETHER_.. of the pairs
 * that it does not support. */
unsigned features_lacking(const SimScheme *scheme, unsigned has);
unsigned pairs_lacking(const SimScheme *scheme, unsigned has);
/* Whether a scheme can differentiate a model with these features. */
bool features_differentiated(const SimScheme *scheme, unsigned has);
/* Returns SIM_HAS_LAW if the scheme has no row for the law of gamma of the problem or of its gear box; otherwise 0. */
unsigned features_unknown_law(const SimScheme *scheme, const SimProblem *problem);
/* Returns the two features of pair k of the table. */
void features_pair(int k, unsigned *one, unsigned *other);

#endif
