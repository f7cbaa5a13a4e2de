/* Tests that numbers are written exactly as by printf's %.17g. */
#include "tests/fixture.h"

#include "src/base/decimal.h"

#include <math.h>
#include <stdint.h>

static void assert_as_printf(double value) {
  char expected[DECIMAL_SIZE], text[DECIMAL_SIZE];
  int length = snprintf(expected, sizeof expected, "%.17g", value);
  assert_int_equal(decimal_write(value, text), length);
  assert_string_equal(text, expected);
}

static double moved(double value, int64_t units) { /* returns a value moved by this number of units in the last place */
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  bits += (uint64_t)units;
  memcpy(&value, &bits, sizeof bits);
  return value;
}

/* Around powers of ten and two the number of digits changes, and digits that must be rounded from exactly a half are
 * frequent. */
static void powers_and_their_neighbours(void **state) {
  (void)state;
  for (int e = -60; e <= 30; e++)
    for (int64_t units = -40; units <= 40; units++) {
      assert_as_printf(moved(pow(10, e), units));
      assert_as_printf(-moved(ldexp(1, 3 * e), units));
    }
}

static void numbers_at_random(void **state) {
  uint64_t seed = 17;
  (void)state;
  for (int k = 0; k < 100000; k++) {
    double part = fixture_random(&seed), size = 300 * fixture_random(&seed);
    assert_as_printf(part);
    assert_as_printf(floor(1e6 * part) / 1024);
    assert_as_printf(part * pow(10, size));
    assert_as_printf(part * pow(10, 0.1 * size));
  }
}

static void special_values(void **state) {
  (void)state;
  static const double values[] = {0, -0.0, INFINITY, -INFINITY, NAN, 100, 1e15, 4503599627370495.5, 9007199254740992};
  for (size_t k = 0; k < sizeof values / sizeof *values; k++) assert_as_printf(values[k]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(powers_and_their_neighbours),
      cmocka_unit_test(numbers_at_random),
      cmocka_unit_test(special_values),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
