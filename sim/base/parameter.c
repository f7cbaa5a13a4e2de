/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/parameter.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const SimParameter *sim_parameter_find(const SimParameter *rows, const char *key) {
  for (const SimParameter *row = rows; row && row->key; row++)
    if (strcmp(row->key, key) == 0) return row;
  return NULL;
}

/* The types that a struct's member may have. The form of the parameter's row (sim/parameter.h) and the size of the
 * member determine which of them it is. */
typedef union Member {
  double real;
  long large;
  int small;
  bool yes;
} Member;

static bool is_whole(const SimParameter *row) {
  return row->forms & (SIM_FORM_INTEGER | SIM_FORM_CHOICE | SIM_FORM_SECTION);
}

double sim_parameter_get(const SimParameter *row, const void *owner) {
  Member member;
  memcpy(&member, (const char *)owner + row->offset, row->size);
  if (!is_whole(row)) return member.real;
  if (row->size == sizeof member.yes) return member.yes;
  return row->size == sizeof member.small ? (double)member.small : (double)member.large;
}

void sim_parameter_set(const SimParameter *row, void *owner, double value) {
  Member member;
  if (!is_whole(row))
    member.real = value;
  else if (row->size == sizeof member.yes)
    member.yes = value != 0;
  else if (row->size == sizeof member.small)
    member.small = (int)value;
  else
    member.large = (long)value;
  memcpy((char *)owner + row->offset, &member, row->size);
}

void sim_parameters_set_defaults(const SimParameter *rows, void *owner) {
  for (const SimParameter *row = rows; row && row->key; row++)
    if (row->size && row->extent == SIM_ONE) sim_parameter_set(row, owner, row->preset);
}

double *sim_parameter_array(const SimParameter *row, const void *owner) {
  double *array;
  memcpy(&array, (const char *)owner + row->offset, sizeof array);
  return array;
}

bool sim_parameter_allows(const SimParameter *row, double value) {
  if (!isfinite(value)) return isnan(value) && row->forms & SIM_FORM_NULLS; /* NAN means none */
  if ((row->zero_is_none && value == 0) || (row->least == 0 && row->most == 0)) return true;
  return row->open ? value > row->least && value < row->most : value >= row->least && value <= row->most;
}

const char *sim_number(double value, char text[SIM_NUMBER_SIZE]) {
  enum { FEWEST = 6, MOST = 17 };
  for (int digits = FEWEST; digits <= MOST; digits++) {
    snprintf(text, SIM_NUMBER_SIZE, "%.*g", digits, value);
    if (strtod(text, NULL) == value) break;
  }
  return text;
}

const char *sim_parameter_expected(const SimParameter *row, char text[SIM_EXPECTED_SIZE]) {
  size_t length = 0;
  *text = 0;
  if (row->forms & SIM_FORM_CHOICE) {
    SimChoice choice;
    for (int k = 0; sim_parameter_choice(row, k, &choice) && length < SIM_EXPECTED_SIZE; k++)
      length += (size_t)snprintf(text + length, SIM_EXPECTED_SIZE - length, "%s%s", length ? " or " : "", choice.name);
    if ((row->forms & SIM_FORM_SECTION) && row->parts && length < SIM_EXPECTED_SIZE)
      snprintf(text + length, SIM_EXPECTED_SIZE - length, " or {%s: ..}", row->parts->key);
  } else if (row->forms & SIM_FORM_INTEGER) {
    snprintf(text, SIM_EXPECTED_SIZE, "an integer from %.0f to %.0f", row->least, row->most);
  } else if (row->least == 0 && row->most == 0) {
    snprintf(text, SIM_EXPECTED_SIZE, "a finite number");
  } else if (isinf(row->most)) {
    snprintf(text, SIM_EXPECTED_SIZE, "%s %g", row->open ? ">" : ">=", row->least);
  } else {
    snprintf(text, SIM_EXPECTED_SIZE, "%g %s %s %s %g", row->least, row->open ? "<" : "<=", row->key,
             row->open ? "<" : "<=", row->most);
  }
  return text;
}

bool sim_parameter_choice(const SimParameter *row, int k, SimChoice *choice) {
  if (row->word)
    *choice = (SimChoice){row->word(k), k, row->about ? row->about(k) : ""};
  else
    *choice = row->choices[k];
  return choice->name != NULL;
}

bool sim_parameter_choose(const SimParameter *row, const char *word, int *value) {
  SimChoice choice;
  for (int k = 0; sim_parameter_choice(row, k, &choice); k++) {
    if (strcasecmp(choice.name, word) != 0) continue;
    *value = choice.value;
    return true;
  }
  return false;
}

const char *sim_parameter_word(const SimParameter *row, int value) {
  SimChoice choice;
  for (int k = 0; sim_parameter_choice(row, k, &choice); k++)
    if (choice.value == value) return choice.name;
  return NULL;
}
