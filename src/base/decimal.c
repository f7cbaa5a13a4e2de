/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/base/decimal.h"

#include <math.h>
#include <stdint.h>

enum {
  DIGITS = 17,
  SHORT = 28 /* number of powers of 5 in the table: 5^0 to 5^27 < 2^63 */,
  SCALE_MAX = 51 /* largest scale, since 5^51 < 2^120 */,
  MANTISSA = 53,
  BIAS = 1023,
  CUT = 56
};

__extension__ typedef unsigned __int128 Wide;

static const uint64_t LEAST = 10000000000000000; /* smallest number with 17 digits */

/* Returns 5^exponent, 0 <= exponent <= SCALE_MAX. */
static Wide power_of_five(int exponent) {
  enum { MOST = SHORT - 1 };
  static const uint64_t powers[SHORT] = {1u,
                                         5u,
                                         25u,
                                         125u,
                                         625u,
                                         3125u,
                                         15625u,
                                         78125u,
                                         390625u,
                                         1953125u,
                                         9765625u,
                                         48828125u,
                                         244140625u,
                                         1220703125u,
                                         6103515625u,
                                         30517578125u,
                                         152587890625u,
                                         762939453125u,
                                         3814697265625u,
                                         19073486328125u,
                                         95367431640625u,
                                         476837158203125u,
                                         2384185791015625u,
                                         11920928955078125u,
                                         59604644775390625u,
                                         298023223876953125u,
                                         1490116119384765625u,
                                         7450580596923828125u};
  return exponent <= MOST ? powers[exponent] : (Wide)powers[MOST] * powers[exponent - MOST];
}

/* Divides m by 2^shift and returns the nearest integer. If two integers are equally near, returns the even one. 1 <=
 * shift <= 127. */
static uint64_t round_off(Wide m, int shift) {
  Wide half = (Wide)1 << (shift - 1), rest = m & (2 * half - 1);
  uint64_t whole = (uint64_t)(m >> shift);
  return whole + (rest > half || (rest == half && (whole & 1)));
}

/* Returns the integer nearest to x 10^scale, where x = m/2^shift. The product is computed exactly as m 5^scale 2^(scale
 * - shift). Returns 0 if it is out of range. A product of more than 128 bits loses its last CUT bits. If one of them
 * was 1, the last bit kept is set to 1, so that rounding still sees that the product is above the half. */
static uint64_t scaled(uint64_t m, int shift, int scale) {
  if (scale < 0 || scale > SCALE_MAX || shift - scale < 1) return 0;
  Wide five = power_of_five(scale), last = ((Wide)1 << CUT) - 1;
  if (scale < SHORT) return round_off(m * five, shift - scale);
  Wide low = m * (five & last);
  return round_off((m * (five >> CUT) + (low >> CUT)) | ((low & last) != 0), shift - scale - CUT);
}

/* Finds the 17 digits of a value > 0 and its decimal exponent: value = digits 10^(exponent - 16). Returns false if the
 * value is out of range: below about 1e-35, or at least 2^52. */
static bool find_digits(double value, uint64_t *digits, int *exponent) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  int two = (int)(bits >> (MANTISSA - 1)) - BIAS; /* 2^two <= value < 2^(two + 1) */
  if (two < -120 || two >= MANTISSA - 1) return false;
  uint64_t hidden = (uint64_t)1 << (MANTISSA - 1), m = (bits & (hidden - 1)) | hidden;
  /* log10(2) = 0.30103, nearly 1233/4096, so `ten` is the decimal exponent or one less. The sum with 4096 keeps the
   * shifted number positive. */
  int ten = ((two + 4096) * 1233 >> 12) - 1233;
  *digits = scaled(m, MANTISSA - 1 - two, DIGITS - 1 - ten);
  if (*digits >= 10 * LEAST) *digits = scaled(m, MANTISSA - 1 - two, DIGITS - 1 - ++ten);
  *exponent = ten;
  return *digits >= LEAST;
}

/* Writes a number below 10^8 as 8 digits. All parts of `v` are split at once: first into two numbers of four digits,
 * then into four of two, then into eight of one. Division by 100 is multiplication by 5243 / 2^19, division by 10 is
 * multiplication by 103 / 2^10. */
static void write_eight(uint32_t number, char *text) {
  uint64_t v = number / 10000 | (uint64_t)(number % 10000) << 32, head = v * 5243 >> 19 & 0x0000007f0000007f;
  v = head | (v - 100 * head) << 16;
  head = v * 103 >> 10 & 0x000f000f000f000f;
  v = (head | (v - 10 * head) << 8) + 0x3030303030303030; /* the digit '0' is 0x30 */
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  v = __builtin_bswap64(v); /* the first digit is in the lowest byte */
#endif
  memcpy(text, &v, sizeof v);
}

/* Writes an integer of 17 digits as text. Returns the number of digits without trailing zeros. */
static int write_digits(uint64_t digits, char text[DIGITS]) {
  enum { POWER = 100000000 };
  int n = DIGITS;
  uint64_t head = digits / POWER;
  text[0] = (char)('0' + head / POWER);
  write_eight((uint32_t)(head % POWER), text + 1);
  write_eight((uint32_t)(digits % POWER), text + 9);
  while (n > 1 && text[n - 1] == '0') n--;
  return n;
}

bool decimal_with_comma(const char *text, char *pointed, size_t size) {
  double value;
  int length = snprintf(pointed, size, "%s", text);
  char *comma = strchr(pointed, ',');
  if (!comma || (size_t)length >= size || strchr(pointed, '.')) return false;
  *comma = '.';
  return decimal_read(pointed, &value);
}

/* Returns whether a text begins with the symbol of a unit, such as "kg". Sets *length to the number of letters of the
 * symbol. */
static bool begins_with_unit(const char *text, size_t *length) {
  static const char *const symbols[] = {"kg", "g",  "N",  "mN", "kN",  "m",  "mm",  "cm",   "km",
                                        "um", "s",  "ms", "us", "min", "h",  "rad", "mrad", "deg",
                                        "J",  "mJ", "kJ", "W",  "kW",  "Hz", "Nm",  "Ns"};
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  *length = strspn(text, letters);
  for (size_t k = 0; k < sizeof symbols / sizeof *symbols; k++)
    if (strlen(symbols[k]) == *length && strncmp(text, symbols[k], *length) == 0) return true;
  return false;
}

bool decimal_with_unit(const char *text, const char **unit) {
  char number[DECIMAL_SIZE];
  size_t digits = strspn(text, "0123456789+-.eE"), length;
  double value;
  if (digits >= sizeof number) return false;
  snprintf(number, sizeof number, "%.*s", (int)digits, text);
  text += digits + strspn(text + digits, " ");
  *unit = text;
  if (!decimal_read(number, &value) || !*text) return false;
  while (*text) {
    if (!begins_with_unit(text, &length)) return false;
    text += length;
    text += strspn(text, "^-0123456789");
    text += strspn(text, " */");
  }
  return true;
}

int decimal_write(double value, char text[DECIMAL_SIZE]) {
  static const char zeros[] = "0.000";
  char *to = text;
  uint64_t all;
  int exponent;
  if (value == 0 && !signbit(value)) {
    memcpy(text, "0", 2);
    return 1;
  }
  if (!find_digits(value < 0 ? -value : value, &all, &exponent)) return snprintf(text, DECIMAL_SIZE, "%.17g", value);
  /* whether the number is written with an exponent, for example 1.5e-05 */
  bool apart = exponent < -4;
  int before = apart ? 1 : exponent + 1; /* number of digits before the decimal point */
  if (value < 0) *to++ = '-';
  if (before <= 0) {
    memcpy(to, zeros, sizeof zeros - 1);
    to += 2 - before;
    to += write_digits(all, to);
  } else { /* digits before the point move one place to the left, to make room for it */
    int n = write_digits(all, to + 1);
    for (int k = 0; k < before; k++) to[k] = to[k + 1];
    to[before] = '.';
    to += n > before ? n + 1 : before;
  }
  if (apart) {
    *to++ = 'e';
    *to++ = '-';
    *to++ = (char)('0' + -exponent / 10);
    *to++ = (char)('0' + -exponent % 10);
  }
  *to = 0;
  return (int)(to - text);
}
