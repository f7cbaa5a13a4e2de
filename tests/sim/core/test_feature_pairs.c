/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests that pairs of features are refused by default: a feature that has a bit in SimScheme.takes, but no row in
 * SIM_FEATURES or SIM_FEATURE_PAIRS that allows its pairs, is refused beside every other one, by every scheme. */
#include "tests/fixture.h"

#include "sim/core/features.h"
#include "sim/core/scheme.h"

enum { BITS = 64 };
static const SimFeatures invented = (SimFeatures)1 << SIM_FEATURE_COUNT;

static SimFeatures bit(int k) { return (SimFeatures)1 << k; }

static void an_invented_feature_is_refused_beside_all_others(void **state) {
  const SimScheme *scheme;
  (void)state;
  for (int i = 0; (scheme = sim_scheme_at(i)) != NULL; i++) {
    SimScheme with = *scheme;
    with.takes |= invented;
    with.together = ~(SimFeaturePairs)0;
    assert_false(features_supported(scheme, invented));
    assert_true(features_supported(&with, invented));
    for (int a = 0; a < SIM_FEATURE_COUNT; a++) {
      assert_false(features_supported(&with, bit(a) | invented));
      if (scheme->takes & bit(a)) assert_true(features_apart(invented, bit(a) | invented) == bit(a));
    }
  }
}

/* A pair is allowed if it is so from either side. */
static void pairs_have_no_order(void **state) {
  (void)state;
  for (int a = 0; a < BITS; a++)
    for (int b = 0; b < BITS; b++) {
      assert_true(!features_apart(bit(a), bit(b)) == !features_apart(bit(b), bit(a)));
      assert_true(!features_apart(bit(a), bit(a)));
    }
}

/* A row of SIM_FEATURE_PAIRS allows its own pairs, and the scheme's bit decides on them. */
static void a_row_allows_its_pairs(void **state) {
  (void)state;
  for (int k = 0; k < SIM_PAIR_COUNT; k++) {
    SimFeatures one, other;
    features_pair(k, &one, &other);
    SimScheme scheme = {.takes = one | other};
    for (int a = 0; a < SIM_FEATURE_COUNT; a++)
      for (int b = 0; b < SIM_FEATURE_COUNT; b++) {
        if (!(one & bit(a) && other & bit(b))) continue;
        scheme.together = ~(SimFeaturePairs)0;
        assert_true(features_supported(&scheme, bit(a) | bit(b)));
        scheme.together = ~((SimFeaturePairs)1 << k);
        assert_false(features_supported(&scheme, bit(a) | bit(b)));
      }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(an_invented_feature_is_refused_beside_all_others),
                                     cmocka_unit_test(pairs_have_no_order), cmocka_unit_test(a_row_allows_its_pairs)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
