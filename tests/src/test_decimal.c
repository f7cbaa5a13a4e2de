/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests that numbers are written exactly as by printf's %.17g, and which texts are numbers with units. */
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

/* A number and then symbols of units only is a number with a unit; an expression is none. */
static void units_after_numbers(void **state) {
  static const char *const with[][2] = {{"2 kg", "kg"},
                                        {"-0.5N s/m", "N s/m"},
                                        {"1e-3 m/s^2", "m/s^2"},
                                        {"30 deg", "deg"},
                                        {"5 N*m", "N*m"},
                                        {"2 1/s", NULL},
                                        {"2*kg", NULL},
                                        {"2 t", NULL},
                                        {"kg", NULL},
                                        {"1 + 2 kg", NULL},
                                        {"2", NULL},
                                        {"", NULL},
                                        {"0x10", NULL},
                                        {"3 kgs", NULL},
                                        {"2e", NULL},
                                        {"12345678901234567890123456789012345678 m", NULL}};
  (void)state;
  for (size_t k = 0; k < sizeof with / sizeof *with; k++) {
    const char *unit = NULL;
    bool has = decimal_with_unit(with[k][0], &unit);
    if (has != (with[k][1] != NULL) || (has && strcmp(unit, with[k][1]) != 0)) fail_msg("%s: %d", with[k][0], has);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(powers_and_their_neighbours),
      cmocka_unit_test(numbers_at_random),
      cmocka_unit_test(special_values),
      cmocka_unit_test(units_after_numbers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
