/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/base/formats.h"

#include <limits.h>
#include <stdio.h>

bool format_fault(int format, int most, char fault[FORMAT_FAULT_SIZE]) {
  if (format < 0)
    snprintf(fault, FORMAT_FAULT_SIZE, "format is not a whole number");
  else if (format > most)
    snprintf(fault, FORMAT_FAULT_SIZE, "is of format %d: this version reads up to format %d", format, most);
  return format < 0 || format > most;
}

int format_of_json(const json_t *root) {
  const json_t *format = json_object_get(root, "format");
  json_int_t number = json_integer_value(format);
  if (!format) return 0;
  return !json_is_integer(format) || number < 0 ? -1 : number > INT_MAX ? INT_MAX : (int)number;
}
