#include "src/base/decimal.h"

#include <stdint.h>

enum { DIGITS = 17, SCALE_MAX = 27 /* 5^27 < 2^63 */, MANTISSA = 53, BIAS = 1023 };

__extension__ typedef unsigned __int128 Wide;

static const uint64_t LEAST = 10000000000000000; /* of 17 digits */

/* m 2^-shift as the nearest integer; the even one of two. 1 <= shift <= 127. */
static uint64_t round_off(Wide m, int shift) {
  Wide half = (Wide)1 << (shift - 1), rest = m & (2 * half - 1);
  uint64_t whole = (uint64_t)(m >> shift);
  return whole + (rest > half || (rest == half && (whole & 1)));
}

/* value 10^scale as the nearest integer, exactly: m 2^-shift 10^scale = m 5^scale 2^(scale - shift) in 128 bits. 0: it does
 * not fit. */
static uint64_t scaled(uint64_t m, int shift, int scale) {
  uint64_t five = 1;
  if (scale < 0 || scale > SCALE_MAX || shift - scale < 1) return 0;
  for (int k = 0; k < scale; k++) five *= 5;
  return round_off((Wide)m * five, shift - scale);
}

/* Finds the 17 digits of a value > 0 and its decimal exponent, value = digits 10^(exponent - 16). Returns false where 128
 * bits do not suffice: below about 1e-11, from 2^53 on. */
static bool find_digits(double value, uint64_t *digits, int *exponent) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  int two = (int)(bits >> (MANTISSA - 1)) - BIAS; /* 2^two <= value < 2^(two + 1) */
  if (two < -40 || two >= MANTISSA - 1) return false;
  uint64_t hidden = (uint64_t)1 << (MANTISSA - 1), m = (bits & (hidden - 1)) | hidden;
  int ten = two * 1233 >> 12; /* two log10(2): the exponent, or one less */
  *digits = scaled(m, MANTISSA - 1 - two, DIGITS - 1 - ten);
  if (*digits >= 10 * LEAST) *digits = scaled(m, MANTISSA - 1 - two, DIGITS - 1 - ++ten);
  *exponent = ten;
  return *digits >= LEAST;
}

/* The digits as text, without zeros at their end; returns their number. */
static int write_digits(uint64_t digits, char text[DIGITS]) {
  int n = DIGITS;
  for (int k = DIGITS - 1; k >= 0; k--, digits /= 10) text[k] = (char)('0' + digits % 10);
  while (n > 1 && text[n - 1] == '0') n--;
  return n;
}

static char *put(char *to, const char *digits, int n) {
  memcpy(to, digits, (size_t)n);
  return to + n;
}

int decimal_write(double value, char text[DECIMAL_SIZE]) {
  static const char zeros[] = "0.000";
  char digits[DIGITS], *to = text;
  uint64_t all;
  int exponent;
  if (!find_digits(value < 0 ? -value : value, &all, &exponent)) return snprintf(text, DECIMAL_SIZE, "%.17g", value);
  bool apart = exponent < -4;                                           /* e stands behind the digits */
  int n = write_digits(all, digits), before = apart ? 1 : exponent + 1; /* digits before the point */
  if (value < 0) *to++ = '-';
  if (before <= 0) to = put(to, zeros, 2 - before);
  if (before > 0) to = put(to, digits, before);
  if (n > before && before > 0) *to++ = '.';
  if (n > before) to = put(to, digits + (before > 0 ? before : 0), n - (before > 0 ? before : 0));
  *to = 0;
  if (apart) to += sprintf(to, "e-%02d", -exponent);
  return (int)(to - text);
}

void decimal_put(FILE *file, double value) {
  char text[DECIMAL_SIZE];
  fwrite(text, 1, (size_t)decimal_write(value, text), file);
}
