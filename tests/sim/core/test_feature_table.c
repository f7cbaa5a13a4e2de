/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of features that each scheme supports is in sim/README.md between two markers, and is generated from the
 * schemes.
 *   usage: test_feature_table [-p]     -p: print it */
#include "tests/fixture.h"

#include "sim/core/features.h"
#include "sim/core/scheme.h"

enum { SIZE = 32768 };
static const char *const BEGIN = "<!-- features: test_feature_table -p -->\n", *const END =
                                                                                   "<!-- end of features -->\n";

typedef struct Text {
  char of[SIZE];
  size_t length;
} Text;

#define PUT(text, ...)                                                                                                 \
  ((text)->length += (size_t)snprintf((text)->of + (text)->length, SIZE - (text)->length, __VA_ARGS__))

static const char *mark(const SimScheme *scheme, SimFeatures bit) {
  if (!(scheme->takes & bit)) return "-";
  bool without = scheme->derivatives && !(scheme->derivatives & bit);
  return without ? "yes, no derivatives" : "yes";
}

static const struct {
  SimKind kind;
  const char *schemes;
  int feature;
  const char *text;
} reasons[] = {
#define REASON(kind, schemes, feature, text) {kind, schemes, SIM_FEATURE_##feature, text},
    SIM_FEATURES_REFUSED(REASON)};
enum { REASONS = sizeof reasons / sizeof *reasons };

static SimFeatures features_of_kind(SimKind kind) {
  const SimScheme *scheme;
  SimFeatures any = 0;
  for (int k = 0; (scheme = sim_scheme_of_kind(kind, k)) != NULL; k++) any |= scheme->takes;
  return any;
}

/* Writes the schemes of a kind that do not support a feature, separated by commas. */
static void put_refusing(Text *text, SimKind kind, int feature) {
  const SimScheme *scheme;
  const char *before = "";
  for (int k = 0; (scheme = sim_scheme_of_kind(kind, k)) != NULL; k++)
    if (!(scheme->takes >> feature & 1)) {
      PUT(text, "%s`%s`", before, scheme->name);
      before = ", ";
    }
}

static void put_kind(Text *text, SimKind kind, const char *name) {
  const SimScheme *scheme;
  SimFeatures any = features_of_kind(kind);
  PUT(text, "| %s |", name);
  for (int k = 0; (scheme = sim_scheme_of_kind(kind, k)) != NULL; k++) PUT(text, " `%s` |", scheme->name);
  PUT(text, "\n| --- |");
  for (int k = 0; sim_scheme_of_kind(kind, k); k++) PUT(text, " --- |");
  for (int f = 0; f < SIM_FEATURE_COUNT; f++) {
    if (!(any >> f & 1)) continue;
    PUT(text, "\n| %s |", sim_feature_name(f));
    for (int k = 0; (scheme = sim_scheme_of_kind(kind, k)) != NULL; k++)
      PUT(text, " %s |", mark(scheme, (SimFeatures)1 << f));
  }
  PUT(text, "\n| energies |");
  for (int k = 0; (scheme = sim_scheme_of_kind(kind, k)) != NULL; k++)
    PUT(text, " %s |", scheme->energies ? "yes" : "-");
  PUT(text, "\n| derivatives |");
  for (int k = 0; (scheme = sim_scheme_of_kind(kind, k)) != NULL; k++)
    PUT(text, " %s |", scheme->derivatives ? "yes" : "-");
  PUT(text, "\n\n");
}

static void put_reasons(Text *text) {
  PUT(text, "Why not:\n\n| schemes | feature | reason |\n| --- | --- | --- |\n");
  for (int k = 0; k < REASONS; k++)
    PUT(text, "| %s | %s | %s |\n", reasons[k].schemes, sim_feature_name(reasons[k].feature), reasons[k].text);
  PUT(text, "\n");
}

static void put_pairs(Text *text) {
#define PAIR_REASON(name, one, other, key, text, expected, reason) reason,
  static const char *const why[] = {SIM_FEATURE_PAIRS(PAIR_REASON)};
  PUT(text, "Not both, but by the schemes named:\n\n");
  PUT(text, "| one | the other | schemes | reason |\n| --- | --- | --- | --- |\n");
  for (int k = 0; k < SIM_PAIR_COUNT; k++) {
    SimFeatures side[2];
    const SimScheme *scheme;
    bool some = false;
    features_pair(k, &side[0], &side[1]);
    for (int s = 0; s < 2; s++) {
      const char *before = "| ";
      for (int f = 0; f < SIM_FEATURE_COUNT; f++)
        if (side[s] >> f & 1) {
          PUT(text, "%s%s", before, sim_feature_name(f));
          before = ", ";
        }
      PUT(text, " ");
    }
    PUT(text, "|");
    for (int i = 0; (scheme = sim_scheme_at(i)) != NULL; i++)
      if (scheme->together >> k & 1) {
        PUT(text, "%s`%s`", some ? ", " : " ", scheme->name);
        some = true;
      }
    PUT(text, "%s | %s |\n", some ? "" : " none", why[k]);
  }
}

/* Returns the description of the feature in a set of one. */
static const char *feature_of(SimFeatures set) {
  int k = 0;
  while (!(set >> k & 1)) k++;
  return sim_feature_name(k);
}

/* Prints the number of pairs of features of a friction model that are refused, by scheme, with dense and with sparse
 * matrices. */
static void put_count(Text *text) {
  static const SimFeatures features[] = {SIM_HAS(DAMPING), SIM_HAS(VISCOUS), SIM_HAS(BIAS),    SIM_HAS(COURSES),
                                         SIM_HAS(RISE),    SIM_HAS(SURFACE), SIM_HAS(DROP),    SIM_HAS(EXPONENT),
                                         SIM_HAS(TABLE),   SIM_HAS(GEARBOX), SIM_HAS(RIGID),   SIM_HAS(ELASTIC),
                                         SIM_HAS(ANCHORS), SIM_HAS(LINKS),   SIM_HAS(MASSLESS)};
  static const SimFeatures laws =
      SIM_HAS(DROP) | SIM_HAS(EXPONENT) | SIM_HAS(TABLE); /* a model has at most one of these */
  enum { FEATURES = sizeof features / sizeof *features };
  const SimScheme *scheme;
  int refused = 0, all = 0;
  PUT(text, "Refused pairs of the %d features", FEATURES);
  for (int a = 0; a < FEATURES; a++)
    PUT(text, "%s%s%s", a ? "," : "", a % 8 == 0 ? "\n" : " ", feature_of(features[a]));
  PUT(text, ",\nby the schemes of friction models, each with dense and with sparse matrices (two laws of the drop are "
            "no pair):");
  for (int k = 0; (scheme = sim_scheme_of_kind(SIM_FRICTION, k)) != NULL; k++) {
    int own = 0;
    for (int sparse = 0; sparse < 2; sparse++)
      for (int a = 0; a < FEATURES; a++)
        for (int b = 0; b < a; b++) {
          SimFeatures has = features[a] | features[b] | (sparse ? SIM_HAS(SPARSE) : SIM_HAS(DENSE));
          if (features[a] & laws && features[b] & laws) continue;
          own += !features_supported(scheme, has);
          all++;
        }
    refused += own;
    PUT(text, " `%s` %d,", scheme->name, own);
  }
  PUT(text, " in all %d of %d.\n", refused, all);
}

static void put_table(Text *text) {
  *text = (Text){.length = 0};
  put_kind(text, SIM_FRICTION, "friction");
  put_kind(text, SIM_DASHPOT, "dash-pot");
  put_kind(text, SIM_CHAIN, "chain");
  put_kind(text, SIM_MECHANISM, "mechanism");
  put_reasons(text);
  put_pairs(text);
  PUT(text, "\n");
  put_count(text);
  assert_true(text->length < SIZE);
}

/* Each feature that some schemes of a kind support and others do not has one row of reasons, which names the latter. */
static void each_refusal_has_one_reason(void **state) {
  static Text refusing;
  int rows = 0;
  (void)state;
  for (SimKind kind = 0; sim_scheme_of_kind(kind, 0); kind++)
    for (int f = 0; f < SIM_FEATURE_COUNT; f++) {
      refusing.length = 0;
      if (features_of_kind(kind) >> f & 1) put_refusing(&refusing, kind, f);
      if (!refusing.length) continue;
      int k = 0;
      while (k < REASONS && !(reasons[k].kind == kind && reasons[k].feature == f)) k++;
      if (k == REASONS) fail_msg("no reason why %s: no %s", refusing.of, sim_feature_name(f));
      assert_string_equal(reasons[k].schemes, refusing.of);
      rows++;
    }
  assert_int_equal(rows, REASONS);
}

static void the_page_has_the_table(void **state) {
  static Text table;
  static char page[4 * SIZE];
  (void)state;
  put_table(&table);
  FILE *file = fopen(STICTION_ROOT "/sim/README.md", "r");
  assert_non_null(file);
  page[fread(page, 1, sizeof page - 1, file)] = 0;
  fclose(file);
  char *begin = strstr(page, BEGIN), *end = begin ? strstr(begin, END) : NULL;
  assert_non_null(end);
  *end = 0;
  assert_string_equal(begin + strlen(BEGIN), table.of);
}

int main(int n, char **arguments) {
  static Text table;
  const struct CMUnitTest tests[] = {cmocka_unit_test(each_refusal_has_one_reason),
                                     cmocka_unit_test(the_page_has_the_table)};
  if (n < 2) return cmocka_run_group_tests(tests, NULL, NULL);
  put_table(&table);
  return strcmp(arguments[1], "-p") == 0 && fputs(table.of, stdout) >= 0 ? 0 : 2;
}
