/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads and prints decimal numbers. */
#ifndef SRC_DECIMAL_H
#define SRC_DECIMAL_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns whether the whole text is a decimal number, and sets value. Unlike strtod, it refuses blanks, hexadecimal
 * numbers, infinities and NaNs. It accepts 1e999, which gives infinity. */
static inline bool decimal_read(const char *text, double *value) {
  char *end;
  if (!*text || text[strspn(text, "0123456789+-.eE")]) return false;
  *value = strtod(text, &end) + 0.0; /* + 0.0 turns -0 into 0 */
  return *end == '\0';
}

/* Returns whether a text is a decimal number with a comma in place of the point, and sets `pointed` to the same text
 * with a point in place of the comma. */
bool decimal_with_comma(const char *text, char *pointed, size_t size);

/* Returns whether a text is a decimal number followed by a unit, such as "2 kg" or "0.5 N s/m", and sets unit to the
 * unit in the text. */
bool decimal_with_unit(const char *text, const char **unit);

/* Writes a number exactly as printf's %.17g does, but several times as fast. Returns the length of the text. */
enum { DECIMAL_SIZE = 32 };
int decimal_write(double value, char text[DECIMAL_SIZE]);

#endif
