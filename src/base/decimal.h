/* Decimal numbers. */
#ifndef SRC_DECIMAL_H
#define SRC_DECIMAL_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Whether the whole text is a decimal number. Unlike strtod, refuses blanks, hexadecimal numbers, infinities and NaNs.
 * 1e999 is infinite. */
static inline bool decimal_read(const char *text, double *value) {
  char *end;
  if (!*text || text[strspn(text, "0123456789+-.eE")]) return false;
  *value = strtod(text, &end) + 0.0; /* + 0.0 turns -0 into 0 */
  return *end == '\0';
}

/* Writes a number as printf's %.17g does, to the byte, and several times as fast. Returns the length. */
enum { DECIMAL_SIZE = 32 };
int decimal_write(double value, char text[DECIMAL_SIZE]);
void decimal_put(FILE *file, double value);

#endif
