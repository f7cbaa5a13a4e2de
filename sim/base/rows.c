/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/base/rows.h"

#include "sim/base/argument.h"

#include <math.h>
#include <string.h>

RowFound row_find(const SimParameter *rows, const char *path) {
  RowFound found = {0};
  while (rows) {
    size_t length = strcspn(path, ".");
    const SimParameter *row = rows;
    while (row->key && (strlen(row->key) != length || strncmp(row->key, path, length) != 0)) row++;
    if (!row->key) break;
    if (!path[length]) {
      found.row = row;
      return found;
    }
    if (row->size && row->extent == SIM_ONE) found.section = row;
    rows = row->parts;
    path += length + 1;
  }
  return (RowFound){0};
}

/* Whether a key has numbers as its values, instead of words. */
static bool row_is_number(const SimParameter *row) {
  return !(row->forms & SIM_FORM_CHOICE) || row->forms & SIM_FORM_INTEGER;
}

bool row_refuse_unknown(const char *function, const char *key) {
  return argument_refuse_key(function, key,
                             "unknown key (expected a key of problem files, with its sections, as model.mass)");
}

/* Whether a number is allowed. entry: its number in the vector, from 1; 0 if it is the only one. */
static bool is_allowed(const char *function, const char *key, const SimParameter *row, int entry, double value) {
  char number[SIM_NUMBER_SIZE], expected[SIM_EXPECTED_SIZE];
  bool whole = !(row->forms & SIM_FORM_INTEGER) || value == floor(value);
  if (row_is_number(row) && whole && sim_parameter_allows(row, value)) return true;
  if (isinf(value) && value == row->preset) return true; /* infinity as the default means none */
  sim_parameter_expected(row, expected);
  sim_number(value, number);
  if (!row_is_number(row)) return argument_refuse_key(function, key, "is a word (expected %s)", expected);
  if (entry) return argument_refuse_key(function, key, "entry %d is %s (expected %s)", entry, number, expected);
  return argument_refuse_key(function, key, "%s (expected %s)", number, expected);
}

bool row_set_number(const char *function, const char *key, const SimParameter *row, void *owner, double value) {
  if (!is_allowed(function, key, row, 0, value)) return false;
  sim_parameter_set(row, owner, value);
  return true;
}

static bool are_allowed(const char *function, const char *key, const SimParameter *row, int n, const double *values) {
  for (int k = 0; k < n; k++)
    if (!is_allowed(function, key, row, n > 1 ? k + 1 : 0, values[k])) return false;
  return true;
}

bool row_set_vector(const char *function, const char *key, const SimParameter *row, double *vector, int length, int n,
                    const double *values) {
  if (n != 1 && n != length)
    return argument_refuse_key(function, key, "%d numbers (expected %d, or one for all)", n, length);
  if (!are_allowed(function, key, row, n, values)) return false;
  for (int k = 0; k < length; k++) vector[k] = values[n == 1 ? 0 : k];
  return true;
}

bool row_set_square(const char *function, const char *key, const SimParameter *row, double *matrix, int size, int n,
                    const double *values) {
  long all = (long)size * size;
  if (n != 1 && n != size && n != all)
    return argument_refuse_key(function, key, "%d numbers (expected %ld, a diagonal of %d, or one)", n, all, size);
  if (!are_allowed(function, key, row, n, values)) return false;
  for (long k = 0; k < all; k++) matrix[k] = n == all ? values[k] : 0;
  for (int i = 0; i < size && n != all; i++) matrix[i * (size + 1L)] = values[n == 1 ? 0 : i];
  return true;
}

bool row_set_word(const char *function, const char *key, const SimParameter *row, void *owner, const char *word) {
  char expected[SIM_EXPECTED_SIZE];
  int value;
  if (!(row->forms & SIM_FORM_CHOICE)) return argument_refuse_key(function, key, "is a number, not a word");
  if (!row->size || !sim_parameter_choose(row, word, &value))
    return argument_refuse_key(function, key, "%.100s (expected %s)", word, sim_parameter_expected(row, expected));
  sim_parameter_set(row, owner, value);
  return true;
}
