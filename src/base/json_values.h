/* Numbers as JSON. */
#ifndef SRC_JSON_VALUES_H
#define SRC_JSON_VALUES_H

#include <jansson.h>
#include <stdbool.h>

/* Returns json if good; otherwise releases it and returns NULL. */
json_t *json_if(bool good, json_t *json);
json_t *json_finite(double number);  /* an infinity or NaN becomes null, as JSON has none */
json_t *json_text(const char *text); /* if the text is not UTF-8, each byte outside ASCII becomes ?; NULL: null */
json_t *echo_vector(int n, const double *vector); /* infinities and NaNs become null */
json_t *echo_rows(int rows, int columns, const double *matrix);
json_t *echo_matrix(int n, const double *matrix); /* square; a diagonal matrix is written as its diagonal */

#endif
