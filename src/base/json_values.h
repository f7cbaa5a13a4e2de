/* SPDX-License-Identifier: BSD-2-Clause */
/* Converts numbers and texts to JSON. */
#ifndef SRC_JSON_VALUES_H
#define SRC_JSON_VALUES_H

#include <jansson.h>
#include <stdbool.h>

/* Returns json if `good`. Otherwise releases it and returns NULL. */
json_t *json_if(bool good, json_t *json);
json_t *json_finite(double number);  /* returns null for an infinity or NaN, as JSON has none */
json_t *json_text(const char *text); /* in a text that is not UTF-8, replaces each byte outside ASCII by ?; returns null
                                      * for NULL */
json_t *echo_vector(int n, const double *vector); /* writes infinities and NaNs as null */
json_t *echo_rows(int rows, int columns, const double *matrix);
json_t *echo_matrix(int n, const double *matrix); /* [n][n] matrix; writes a diagonal one as the list of its diagonal */

#endif
