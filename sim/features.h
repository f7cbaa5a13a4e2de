/* SPDX-License-Identifier: BSD-2-Clause */
/* Features: everything that a model may have in addition to M, A, C, f and B u in the equation of motion (1) of
 * sim/sim.h. Each scheme lists the features that it supports; a model with any other feature is refused. Included by
 * sim/internal.h. */
#ifndef SIM_FEATURES_H
#define SIM_FEATURES_H

#include "sim/problem.h"

#include <assert.h>
#include <stdint.h>

/* Table of features. Each row is X(name, beside, key of a problem file, description). SIM_HAS(name) is the set that
 * contains this feature alone. The description continues the message "the scheme .. takes no ..". beside: the features
 * that every scheme supports together with this one if it supports each of them. ALL: all features with ALL in their
 * rows, except for pairs in SIM_FEATURE_PAIRS; tests/sim/core/test_features.c checks this. NONE: no feature, so that
 * each pair of this feature and another one needs a row of SIM_FEATURE_PAIRS. */
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

/* A set of features; each feature is one bit. */
typedef uint64_t SimFeatures;
/* Defines an enumerator for each row of SIM_FEATURES: the number of the feature. */
#define SIM_FEATURE_NUMBER(name, ...) SIM_FEATURE_##name,
enum { SIM_FEATURES(SIM_FEATURE_NUMBER) SIM_FEATURE_COUNT };
static_assert(SIM_FEATURE_COUNT <= 64, "a feature has no bit in SimFeatures");
/* The set that contains one feature. name: its name in SIM_FEATURES. */
#define SIM_HAS(name) ((SimFeatures)1 << SIM_FEATURE_##name)

/* Sets of several features. */
#define SIM_HAS_STOPS      (SIM_HAS(RIGID) | SIM_HAS(ELASTIC))
#define SIM_HAS_SPRINGS    (SIM_HAS(ANCHORS) | SIM_HAS(LINKS))
#define SIM_HAS_BARE_NODES (SIM_HAS(SEMI_DYNAMICAL) | SIM_HAS(QUASISTATIC)) /* for chains: nodes without mass */
#define SIM_HAS_CHOICES    (SIM_HAS(REGULARIZED) | SIM_HAS(SMOOTH) | SIM_HAS(FIXED_POINT) | SIM_HAS(MODES))

/* Table of pairs of features that some scheme does not support together, although it supports each of them, and of
 * pairs with a feature that has NONE in SIM_FEATURES. Each row is X(name, features, other features, key of a problem
 * file, error message, remedy in the message (NULL: another scheme), reason for sim/README.md why a scheme does not
 * support the pair). The row stands for each pair of one of the features and one of the other features.
 * SimScheme.together has the bit TOGETHER(name) if the scheme supports all these pairs. */
/* clang-format off: this is a table */
#define SIM_FEATURE_PAIRS(X)                                                                                           \
  X(BIAS_GEARBOX, SIM_HAS(BIAS), SIM_HAS(GEARBOX), "model.friction", "by direction, with a gear box", NULL,            \
    "`event` makes friction and gear box one table, relative to one threshold of both directions")                     \
  X(COURSES_GEARBOX, SIM_HAS(COURSES), SIM_HAS(GEARBOX), "model.friction", "that changes in time, with a gear box",    \
    NULL, "the table of `event` is relative to a constant threshold")                                                  \
  X(RISE_GEARBOX, SIM_HAS(RISE), SIM_HAS(GEARBOX), "model.friction_rise", "with a gear box", NULL,                     \
    "the table of `event` is relative to a constant threshold")                                                        \
  X(SURFACE_GEARBOX, SIM_HAS(SURFACE), SIM_HAS(GEARBOX), "model.surface_velocity",                                     \
    "with a gear box, which has a law of x'", "one of the two",                                                        \
    "the gear box's law is of x', that of friction of x' - w, and both have one multiplier")                           \
  X(STOPS_SURFACE, SIM_HAS_STOPS, SIM_HAS(SURFACE), "model.stops", "with surfaces that move", "one of the two",        \
    "these schemes compute y = x - W, in which stops would move; `lie` and `strang` have stops in the part of x")      \
  X(STOPS_SPRINGS, SIM_HAS_STOPS, SIM_HAS_SPRINGS, "model.stops", "beside springs with a law", "one of the two",       \
    "which end pushes and the slopes of the laws depend on each other: a scheme must find them together")              \
  X(BIAS_SMOOTH, SIM_HAS(BIAS), SIM_HAS(SMOOTH), "model.friction",                                                     \
    "by direction, with the multiplier smooth, which is 0 at rest", "one of the two",                                  \
    "the smooth multiplier is 0 at rest, where half the difference of the thresholds would push")                      \
  X(STOPS_FIXED_POINT, SIM_HAS_STOPS, SIM_HAS(FIXED_POINT), "scheme.solver", "fixed_point does not know of stops",     \
    "exact",                                                                                                           \
    "the fixed point iterates lambda and not the ends' reactions; `lie` and `strang` have stops in another part")      \
  X(SPRINGS_FIXED_POINT, SIM_HAS_SPRINGS, SIM_HAS(FIXED_POINT), "scheme.solver",                                       \
    "fixed_point stops too soon for springs with a law", "exact",                                                      \
    "the fixed point stops by the change of x, too soon for the iteration of the laws; `lie` and `strang` have "       \
    "these in another part")                                                                                           \
  X(SMOOTH_FIXED_POINT, SIM_HAS(SMOOTH), SIM_HAS(FIXED_POINT), "scheme.solver",                                        \
    "fixed_point has no smooth multiplier", "exact",                                                                   \
    "the fixed point projects lambda onto [-1, 1], which is the law of sgn")                                           \
  X(MODES_STOPS, SIM_HAS(MODES), SIM_HAS_STOPS, "scheme.elastic", "exact has no stops",                                \
    "difference, or no model.stops", "the eigenvectors are those of M and A, without ends that push")                  \
  X(MODES_SPRINGS, SIM_HAS(MODES), SIM_HAS_SPRINGS, "scheme.elastic", "exact has no springs with a law", "difference", \
    "the eigenvectors are those of a linear force A x")                                                                \
  X(MODES_DAMPING, SIM_HAS(MODES), SIM_HAS(DAMPING), "scheme.elastic", "exact has no damping",                         \
    "difference, or no model.damping", "the eigenvectors of M and A are in general not those of D")                    \
  X(MODES_MASSLESS, SIM_HAS(MODES), SIM_HAS(MASSLESS), "scheme.elastic", "exact, without mass somewhere",              \
    "difference", "a row without mass has no finite frequency")                                                        \
  X(RISE_STOPS, SIM_HAS(RISE), SIM_HAS_STOPS, "model.friction_rise", "with stops", "one of the two",                   \
    "the threshold depends on x where an end that pushes decides on x: a scheme must find them together")              \
  X(RISE_REGULARIZED, SIM_HAS(RISE), SIM_HAS(REGULARIZED), "model.friction_rise", "with the multiplier regularized",   \
    "unregularized", "the regularized multiplier lags, so it would belong to an earlier threshold")                    \
  X(MASSLESS_RISE, SIM_HAS(MASSLESS), SIM_HAS(RISE), "model.friction_rise", "with a mass of 0, which moves at once",   \
    "one of the two",                                                                                                  \
    "such a degree of freedom may move at once, and `event` has no path along which to follow the threshold")          \
  X(NODES_SIGNAL, SIM_HAS_BARE_NODES, SIM_HAS(SIGNAL), "control.signal",                                               \
    "nodes without mass follow no signal by this scheme", NULL,                                                        \
    "`implicit_euler` moves nodes without mass by the rate of the force, which a signal does not give")                \
  X(MASSLESS_FIXED_POINT, SIM_HAS(MASSLESS), SIM_HAS(FIXED_POINT), "scheme.solver",                                    \
    "fixed_point, without mass somewhere", "exact",                                                                    \
    "its one number r would have to fit rows of E with mass and rows with dt^2 A only")                                \
  X(MASSLESS_SPRINGS, SIM_HAS(MASSLESS), SIM_HAS_SPRINGS, "model.mass", "of 0 in a row, beside springs with a law",    \
    NULL, "the balance without mass is then nonlinear; only `moreau` iterates it within a step")
/* clang-format on */

/* Table of the reasons why schemes do not support single features, for sim/README.md. Each row is X(kind, schemes,
 * feature, reason). If some schemes of a kind support a feature and others do not, the feature has one row that lists
 * the schemes which do not. */
/* clang-format off: this is a table */
#define SIM_FEATURES_REFUSED(X)                                                                                        \
  X(SIM_FRICTION, "`lie`, `strang`, `event`", RANKS, "their substeps and events work on all rows on one rank")         \
  X(SIM_FRICTION, "`event`", LAW, "its motion between events is a power series, which the law must have")              \
  X(SIM_FRICTION, "`centered`", RIGID,                                                                                 \
    "its velocity is a difference over two steps, which has no place for a velocity's jump at an impact")              \
  X(SIM_FRICTION, "`moreau`, `lie`, `strang`, `event`", REGULARIZED,                                                   \
    "the law with a lag belongs to the steps of the control paper, which are those of `centered`")                     \
  X(SIM_FRICTION, "`moreau`, `centered`, `event`", SMOOTH,                                                             \
    "what sticks would creep; the law belongs to the papers on splitting")                                             \
  X(SIM_FRICTION, "`event`", FIXED_POINT, "it has no steps: each event solves for the signs exactly")                  \
  X(SIM_FRICTION, "`moreau`, `centered`, `event`", MODES, "they have no separate elastic part")                        \
  X(SIM_CHAIN, "`increment`", DYNAMICAL, "it balances forces at each time, without inertia")                           \
  X(SIM_CHAIN, "`increment`", SEMI_DYNAMICAL, "it balances forces at each time, without inertia")                      \
  X(SIM_CHAIN, "`symplectic`", QUASISTATIC, "it advances velocities of masses, and there are none")                    \
  X(SIM_MECHANISM, "`event`", ELASTIC,                                                                                 \
    "its equations between events have no forces that begin at an end; a kink in an expression does the same")
/* clang-format on */

#define SIM_PAIR_NUMBER(name, ...) SIM_PAIR_##name,
enum { SIM_FEATURE_PAIRS(SIM_PAIR_NUMBER) SIM_PAIR_COUNT };
/* A set of rows of SIM_FEATURE_PAIRS, one bit each. TOGETHER(name) is the set that contains one row. */
typedef uint64_t SimFeaturePairs;
static_assert(SIM_PAIR_COUNT <= 64, "a row has no bit in SimFeaturePairs");
#define TOGETHER(name) ((SimFeaturePairs)1 << SIM_PAIR_##name)

/* Returns the description of feature number k; NULL if k is too large. */
const char *sim_feature_name(int k);
/* Returns the problem-file key of feature number k; NULL if k is too large. */
const char *sim_feature_key(int k);

/* Returns the set of features that a problem has. With several ranks, only this rank's rows of the matrices count.
 * Choices of the scheme (multiplier, solver, elastic) are included. */
SimFeatures sim_problem_features(const SimProblem *problem);
/* Whether a scheme supports all features of the problem's model. Features that are choices of the problem's present
 * scheme count for that scheme only. */
bool sim_scheme_takes_all(const SimScheme *scheme, const SimProblem *problem);

#endif
