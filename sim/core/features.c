/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/core/features.h"

#include "sim/core/kind.h"
#include "sim/core/scheme.h"
#include "sim/joint/laws.h"

#include <stdio.h>
#include <string.h>

typedef struct Row {
  const char *key, *text;
} Row;
#define FEATURE_ROW(name, beside, key, text) {key, text},
static const Row rows[] = {SIM_FEATURES(FEATURE_ROW)};

/* Set of the features that have ALL in the column `beside` of SIM_FEATURES. */
enum { BESIDE_NONE, BESIDE_ALL };
#define FEATURE_MUTUAL(name, beside, ...) | (SimFeatures)BESIDE_##beside << SIM_FEATURE_##name
static const SimFeatures mutual = 0 SIM_FEATURES(FEATURE_MUTUAL);

typedef struct Pair {
  SimFeatures one, other;
  const char *key, *text, *expected;
} Pair;
#define PAIR_ROW(name, one, other, key, text, expected, ...) {one, other, key, text, expected},
static const Pair pairs[] = {SIM_FEATURE_PAIRS(PAIR_ROW)};

const char *sim_feature_name(int k) { return k >= 0 && k < SIM_FEATURE_COUNT ? rows[k].text : NULL; }
const char *sim_feature_key(int k) { return k >= 0 && k < SIM_FEATURE_COUNT ? rows[k].key : NULL; }

void features_pair(int k, SimFeatures *one, SimFeatures *other) {
  *one = pairs[k].one;
  *other = pairs[k].other;
}

static SimFeatures when(bool there, SimFeatures features) { return there ? features : 0; }

/* Whether the problem's scheme has this key, and the key offers a word for this value. */
static bool chooses(const SimProblem *p, const char *key, int value) {
  const SimParameter *row = sim_parameter_find(sim_scheme_parameters(p->scheme), key);
  return row && row->forms & SIM_FORM_CHOICE && (int)sim_parameter_get(row, p->parameters) == value &&
         /* a word that the scheme does not have is already reported by the check of its keys */
         sim_parameter_word(row, value);
}

static SimFeatures features_chosen(const SimProblem *p) {
  return when(chooses(p, "multiplier", SIM_REGULARIZED), SIM_HAS(REGULARIZED)) |
         when(chooses(p, "multiplier", SIM_SMOOTH), SIM_HAS(SMOOTH)) |
         when(chooses(p, "solver", SIM_FIXED_POINT), SIM_HAS(FIXED_POINT)) |
         when(chooses(p, "elastic", true), SIM_HAS(MODES));
}

SimFeatures sim_problem_features(const SimProblem *p) {
  if (!p) return 0;
  SimFeatures has = p->system.storage == SIM_DENSE ? SIM_HAS(DENSE) : SIM_HAS(SPARSE);
  has |= when(stiction_group_size(p->group) > 1, SIM_HAS(RANKS)) | when(p->d > SIM_MANY, SIM_HAS(MANY)) |
         when(p->signal != SIM_CONSTANT, SIM_HAS(SIGNAL)) | joint_features(p) | features_chosen(p);
  return p->ops && p->ops->features ? has | p->ops->features(p) : has;
}

SimFeatures features_lacking(const SimScheme *scheme, SimFeatures has) { return has & ~scheme->takes; }

SimFeaturePairs pairs_lacking(const SimScheme *scheme, SimFeatures has) {
  SimFeaturePairs lacking = 0;
  for (int k = 0; k < SIM_PAIR_COUNT; k++)
    if (has & pairs[k].one && has & pairs[k].other) lacking |= (SimFeaturePairs)1 << k;
  return lacking & ~scheme->together;
}

SimFeatures features_apart(SimFeatures one, SimFeatures has) {
  SimFeatures known = one | (one & mutual ? mutual : 0);
  for (int k = 0; k < SIM_PAIR_COUNT; k++)
    known |= when(one & pairs[k].one, pairs[k].other) | when(one & pairs[k].other, pairs[k].one);
  return has & ~known;
}

bool features_supported(const SimScheme *scheme, SimFeatures has) {
  bool all = !features_lacking(scheme, has) && !pairs_lacking(scheme, has);
  /* the loop visits each feature in `rest`, and removes it as the lowest bit */
  for (SimFeatures rest = has & ~mutual; all && rest; rest &= rest - 1) all = !features_apart(rest & -rest, has);
  return all;
}

static bool is_apart(const SimScheme *scheme, SimFeatures has, int k) {
  return scheme->derivatives_apart >> k & 1 && has & pairs[k].one && has & pairs[k].other;
}

bool features_differentiated(const SimScheme *scheme, SimFeatures has) {
  bool all = scheme->derivatives && !(has & ~scheme->derivatives);
  for (int k = 0; k < SIM_PAIR_COUNT; k++) all = all && !is_apart(scheme, has, k);
  return all;
}

bool sim_problem_undifferentiated(const SimProblem *p, char *text, size_t size) {
  const SimScheme *scheme = p ? p->scheme : NULL;
  if (!scheme || !scheme->derivatives || sim_scheme_differentiates(scheme, p)) return false;
  const SimFeatures has = sim_problem_features(p), lacking = has & ~scheme->derivatives;
  for (int k = 0; k < SIM_FEATURE_COUNT; k++)
    if (lacking >> k & 1) return snprintf(text, size, "%s (%s)", rows[k].text, rows[k].key) > 0;
  for (int k = 0; k < SIM_PAIR_COUNT; k++)
    if (is_apart(scheme, has, k)) return snprintf(text, size, "%s %s", pairs[k].key, pairs[k].text) > 0;
  return snprintf(text, size, "model.friction_rise of a mass of 0") > 0; /* the feature of has_following_thresholds
                                                                          * (sensitivity.c), which has no row in the
                                                                          * table */
}

bool sim_scheme_takes_all(const SimScheme *scheme, const SimProblem *p) {
  if (!scheme || !p || scheme->kind != p->kind) return false;
  return features_supported(scheme, sim_problem_features(p) & ~(scheme == p->scheme ? 0 : SIM_HAS_CHOICES));
}

/* Lists the schemes of the kind, separated by " or ". If `feature` is 0 these are the schemes that support the whole
 * model, otherwise those that support this feature. */
static void list_schemes(const SimProblem *p, FeatureSchemes schemes, SimFeatures feature, char *list, size_t size) {
  const SimScheme *scheme;
  size_t length = 0;
  *list = 0;
  for (int k = 0; length < size && (scheme = schemes(p->kind, k)) != NULL; k++)
    if (feature ? !features_lacking(scheme, feature) : sim_scheme_takes_all(scheme, p))
      length += (size_t)snprintf(list + length, size - length, "%s%s", length ? " or " : "", scheme->name);
}

static void refuse(Check *check, FeatureSchemes schemes, int k) {
  const char *name = check->problem->scheme->name;
  char list[128];
  list_schemes(check->problem, schemes, 0, list, sizeof list);
  if (*list) {
    check_complain(check, rows[k].key, "the scheme %s takes no %s (expected %s)", name, rows[k].text, list);
    return;
  }
  list_schemes(check->problem, schemes, (SimFeatures)1 << k, list, sizeof list);
  if (*list)
    check_complain(check, rows[k].key, "the scheme %s takes no %s (%s would; no scheme takes all of this model)", name,
                   rows[k].text, list);
  else
    check_complain(check, rows[k].key, "the scheme %s takes no %s (no scheme of such models does)", name, rows[k].text);
}

static void refuse_pair(Check *check, FeatureSchemes schemes, const Pair *pair) {
  char list[128];
  list_schemes(check->problem, schemes, 0, list, sizeof list);
  bool others = *list && !((pair->one | pair->other) & SIM_HAS_CHOICES);
  check_complain(check, pair->key, "%s (expected %s%s%s)", pair->text,
                 pair->expected ? pair->expected : (others ? "" : "another scheme"),
                 pair->expected && others ? ", or the scheme " : "", others ? list : "");
}

/* Reports feature k together with all features in `has` with which it is not supported. If neither feature of a pair
 * has ALL in the table, the pair is reported at the feature with the lower number. */
static void refuse_apart(Check *check, SimFeatures has, int k) {
  SimFeatures one = (SimFeatures)1 << k, apart = features_apart(one, has) & (mutual | ~(one - 1));
  char list[512];
  size_t length = 0;
  for (int i = 0; i < SIM_FEATURE_COUNT && length < sizeof list; i++)
    if (apart >> i & 1)
      length += (size_t)snprintf(list + length, sizeof list - length, "%s%s", length ? ", " : "", rows[i].text);
  if (length)
    check_complain(check, rows[k].key, "%s: not supported together with %s (expected one without the other)",
                   rows[k].text, list);
}

/* Reports only the first feature of each key. A pair is reported only if the scheme supports both features
 * separately. */
void features_check(Check *check, FeatureSchemes schemes) {
  const SimScheme *scheme = check->problem->scheme;
  SimFeatures has = sim_problem_features(check->problem), lacking = features_lacking(scheme, has);
  const char *key = "";
  for (int k = 0; k < SIM_FEATURE_COUNT; k++) {
    if (!(lacking >> k & 1) || strcmp(key, rows[k].key) == 0) continue;
    refuse(check, schemes, k);
    key = rows[k].key;
  }
  has &= ~lacking;
  SimFeaturePairs apart = pairs_lacking(scheme, has);
  for (int k = 0; k < SIM_PAIR_COUNT; k++)
    if (apart >> k & 1) refuse_pair(check, schemes, &pairs[k]);
  for (int k = 0; k < SIM_FEATURE_COUNT; k++)
    if ((has & ~mutual) >> k & 1) refuse_apart(check, has, k);
}
