/* SPDX-License-Identifier: BSD-2-Clause */
/* Refuses features of a model that its scheme does not support. Each bit of SimScheme.takes stands for a feature, and
 * each bit of SimScheme.together for pairs of features, that the scheme supports. The bits are 0 by default. */
#ifndef SIM_CORE_FEATURES_H
#define SIM_CORE_FEATURES_H

#include "sim/features.h"
#include "sim/operator/check.h"

enum { SIM_MANY = 64 /* maximum number of degrees of freedom of a model without SIM_HAS(MANY) */ };

/* A function that returns scheme number k of a kind; NULL if k is too large. The library passes sim_scheme_of_kind. */
typedef const SimScheme *(*FeatureSchemes)(SimKind kind, int k);
/* Reports each feature of the problem, and each pair of features, that its scheme does not support. The message names
 * the schemes that support them all. */
void features_check(Check *check, FeatureSchemes schemes);
/* Returns the features of `has` that a scheme does not support. */
SimFeatures features_lacking(const SimScheme *scheme, SimFeatures has);
/* Returns those rows of SIM_FEATURE_PAIRS that have a pair in `has` which the scheme does not support. */
SimFeaturePairs pairs_lacking(const SimScheme *scheme, SimFeatures has);
/* Returns those features of `has` that no scheme supports together with the single feature `one`. For such a pair, at
 * least one feature has NONE in SIM_FEATURES or is not in that table, and no row of SIM_FEATURE_PAIRS has the pair. */
SimFeatures features_apart(SimFeatures one, SimFeatures has);
/* Whether a scheme supports all features in `has`, and all pairs of them. */
bool features_supported(const SimScheme *scheme, SimFeatures has);
/* Whether a scheme can differentiate a model with these features. */
bool features_differentiated(const SimScheme *scheme, SimFeatures has);
/* Sets *one and *other to the two sets of features in row k of SIM_FEATURE_PAIRS. */
void features_pair(int k, SimFeatures *one, SimFeatures *other);

#endif
