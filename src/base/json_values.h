/* Numbers as JSON. */
#ifndef SRC_JSON_VALUES_H
#define SRC_JSON_VALUES_H

#include <jansson.h>
#include <stdbool.h>

/* json, or NULL and json released when making it has failed. */
json_t *json_if(bool good, json_t *json);
json_t *json_finite(double number);  /* JSON knows no infinity: null */
json_t *json_text(const char *text); /* JSON knows UTF-8 alone: in other text ? for what is not ASCII; NULL: null */
json_t *echo_vector(int n, const double *vector); /* what is not finite becomes null */
json_t *echo_rows(int rows, int columns, const double *matrix);
json_t *echo_matrix(int n, const double *matrix); /* square; a diagonal one as its diagonal */

#endif
