/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/base/json_values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

json_t *json_if(bool good, json_t *json) {
  if (good) return json;
  json_decref(json);
  return NULL;
}

json_t *json_finite(double number) { return isfinite(number) ? json_real(number) : json_null(); }

json_t *json_text(const char *text) {
  json_t *json = text ? json_string(text) : json_null();
  char *ascii = json ? NULL : strdup(text);
  if (!ascii) return json;
  for (char *c = ascii; *c; c++)
    if ((unsigned char)*c >= 0x80) *c = '?';
  json = json_string(ascii);
  free(ascii);
  return json;
}

json_t *echo_vector(int n, const double *vector) {
  json_t *list = json_array();
  bool good = list != NULL;
  for (int i = 0; i < n && good; i++) good = json_array_append_new(list, json_finite(vector[i])) == 0;
  return json_if(good, list);
}

json_t *echo_rows(int rows, int columns, const double *matrix) {
  json_t *list = json_array();
  bool good = list != NULL;
  for (int i = 0; i < rows && good; i++)
    good = json_array_append_new(list, echo_vector(columns, matrix + (size_t)i * (size_t)columns)) == 0;
  return json_if(good, list);
}

json_t *echo_matrix(int n, const double *matrix) {
  size_t size = (size_t)n;
  bool diagonal = true;
  for (size_t i = 0; i < size; i++)
    for (size_t j = 0; j < size; j++) diagonal = diagonal && (i == j || matrix[i * size + j] == 0);
  if (!diagonal) return echo_rows(n, n, matrix);
  json_t *list = json_array();
  bool good = list != NULL;
  for (size_t i = 0; i < size && good; i++) good = json_array_append_new(list, json_real(matrix[i * size + i])) == 0;
  return json_if(good, list);
}
