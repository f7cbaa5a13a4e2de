#include "sim/core/features.h"

#include "sim/core/scheme.h"
#include "sim/joint/laws.h"
#include "sim/operator/dense.h"
#include "sim/operator/massless.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct Row {
  const char *key, *text;
} Row;
#define FEATURE_ROW(name, key, text) {key, text},
static const Row rows[] = {SIM_FEATURES(FEATURE_ROW)};

typedef struct Pair {
  unsigned one, other;
  const char *key, *text, *expected;
} Pair;
#define PAIR_ROW(name, one, other, key, text, expected) {SIM_HAS_##one, SIM_HAS_##other, key, text, expected},
static const Pair pairs[] = {FEATURE_PAIRS(PAIR_ROW)};

const char *sim_feature_name(int k) { return k >= 0 && k < SIM_FEATURE_COUNT ? rows[k].text : NULL; }
const char *sim_feature_key(int k) { return k >= 0 && k < SIM_FEATURE_COUNT ? rows[k].key : NULL; }

void features_pair(int k, unsigned *one, unsigned *other) {
  *one = pairs[k].one;
  *other = pairs[k].other;
}

static unsigned when(bool there, unsigned bits) { return there ? bits : 0; }

/* Whether any row of this rank has damping. */
static bool is_damped(const SimProblem *p) {
  bool damped = p->system.storage == SIM_SPARSE && p->system.sparse.damping.start;
  for (long i = 0; i < (long)p->d * p->d && p->system.storage == SIM_DENSE; i++)
    damped = damped || p->system.damping[i] != 0;
  return damped;
}

/* Whether D is not symmetric. Sparse matrices are symmetric, which sparse_check.c checks. */
static bool is_skew(const SimProblem *p) {
  return p->system.storage == SIM_DENSE && !dense_is_symmetric(p->d, p->system.damping);
}

static unsigned features_of_system(const SimProblem *p) {
  return when(is_damped(p), SIM_HAS_DAMPING) | when(is_skew(p), SIM_HAS_SKEW) |
         when(massless_count(p) > 0, SIM_HAS_MASSLESS);
}

static unsigned feature_of_chain(SimChainCase chain_case) {
  switch (chain_case) {
  case SIM_CHAIN_DYNAMICAL: return SIM_HAS_DYNAMICAL;
  case SIM_CHAIN_SEMI_DYNAMICAL: return SIM_HAS_SEMI_DYNAMICAL;
  case SIM_CHAIN_QUASISTATIC: return SIM_HAS_QUASISTATIC;
  }
  return SIM_HAS_BARE_NODES | SIM_HAS_DYNAMICAL;
}

/* Whether the problem's scheme has this key, and the key offers a word for this value. */
static bool chooses(const SimProblem *p, const char *key, int value) {
  const SimParameter *row = sim_parameter_find(sim_scheme_parameters(p->scheme), key);
  return row && row->forms & SIM_FORM_CHOICE && (int)sim_parameter_get(row, p->parameters) == value &&
         /* a word that the scheme lacks is reported once, together with the words that it has */
         sim_parameter_word(row, value);
}

static unsigned features_chosen(const SimProblem *p) {
  return when(chooses(p, "multiplier", SIM_REGULARIZED), SIM_HAS_REGULARIZED) |
         when(chooses(p, "multiplier", SIM_SMOOTH), SIM_HAS_SMOOTH) |
         when(chooses(p, "solver", SIM_FIXED_POINT), SIM_HAS_FIXED_POINT) |
         when(chooses(p, "elastic", true), SIM_HAS_MODES);
}

unsigned sim_problem_features(const SimProblem *p) {
  if (!p) return 0;
  unsigned has = p->system.storage == SIM_DENSE ? SIM_HAS_DENSE : SIM_HAS_SPARSE;
  has |= when(stiction_group_size(p->group) > 1, SIM_HAS_RANKS) | when(p->d > SIM_MANY, SIM_HAS_MANY) |
         when(p->signal != SIM_CONSTANT, SIM_HAS_SIGNAL) | joint_features(p) | features_chosen(p);
  switch (p->kind) {
  case SIM_FRICTION: return has | features_of_system(p);
  case SIM_DASHPOT: return has | when(p->dashpot.has_support, SIM_HAS_SUPPORT);
  case SIM_CHAIN: return has | feature_of_chain(p->chain.chain_case);
  case SIM_MECHANISM: return has;
  }
  return has;
}

unsigned features_unknown_law(const SimScheme *scheme, const SimProblem *p) {
  const SimSystem *s = &p->system;
  if (p->kind != SIM_FRICTION || !scheme->has_law) return 0;
  bool known = s->stribeck == SIM_STRIBECK_NONE || joint_features(p) & SIM_HAS_EXPONENT ||
               scheme->has_law(s->stribeck, s->stribeck_exponent);
  return known ? 0 : SIM_HAS_LAW;
}

unsigned features_lacking(const SimScheme *scheme, unsigned has) { return has & ~scheme->takes; }

unsigned pairs_lacking(const SimScheme *scheme, unsigned has) {
  unsigned lacking = 0;
  for (int k = 0; k < PAIR_COUNT; k++)
    lacking |= when(has & pairs[k].one && has & pairs[k].other, 1u << k) & ~scheme->together;
  return lacking;
}

bool features_differentiated(const SimScheme *scheme, unsigned has) {
  bool all = scheme->derivatives && !(has & ~scheme->derivatives);
  for (int k = 0; k < PAIR_COUNT; k++)
    all = all && !(scheme->derivatives_apart >> k & 1 && has & pairs[k].one && has & pairs[k].other);
  return all;
}

unsigned sim_scheme_features(const SimScheme *scheme) { return scheme ? scheme->takes : 0; }

bool sim_scheme_takes_all(const SimScheme *scheme, const SimProblem *p) {
  if (!scheme || !p || scheme->kind != p->kind) return false;
  unsigned has = sim_problem_features(p) & (scheme == p->scheme ? ~0u : ~(unsigned)SIM_HAS_CHOICES);
  return !features_lacking(scheme, has | features_unknown_law(scheme, p)) && !pairs_lacking(scheme, has);
}

/* Lists the schemes of the kind that support the whole model, or those that support one feature, separated by " or
 * ". */
static void list_schemes(const SimProblem *p, FeatureSchemes schemes, unsigned feature, char *list, size_t size) {
  const SimScheme *scheme;
  size_t length = 0;
  *list = 0;
  for (int k = 0; length < size && (scheme = schemes(p->kind, k)) != NULL; k++)
    if (feature ? !features_lacking(scheme, feature & ~(unsigned)SIM_HAS_LAW) &&
                      !(feature & features_unknown_law(scheme, p))
                : sim_scheme_takes_all(scheme, p))
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
  list_schemes(check->problem, schemes, 1u << k, list, sizeof list);
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

/* Reports only the first feature of each key. A pair is reported only if the scheme supports both features
 * separately. */
void features_check(Check *check, FeatureSchemes schemes) {
  const SimScheme *scheme = check->problem->scheme;
  unsigned has = sim_problem_features(check->problem);
  unsigned lacking = features_lacking(scheme, has | features_unknown_law(scheme, check->problem));
  const char *key = "";
  for (int k = 0; k < SIM_FEATURE_COUNT; k++) {
    if (!(lacking >> k & 1) || strcmp(key, rows[k].key) == 0) continue;
    refuse(check, schemes, k);
    key = rows[k].key;
  }
  unsigned apart = pairs_lacking(scheme, has & ~lacking);
  for (int k = 0; k < PAIR_COUNT; k++)
    if (apart >> k & 1) refuse_pair(check, schemes, &pairs[k]);
}
