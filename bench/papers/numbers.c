/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/papers/numbers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads the field up to the next comma and moves *line past it. Returns whether it fits. */
static int take_field(char **line, char *field) {
  size_t length = strcspn(*line, ",\n");
  if (length >= NUMBER_NAME_SIZE) return 0;
  memcpy(field, *line, length);
  field[length] = 0;
  *line += length + ((*line)[length] == ',');
  return length > 0;
}

static int parse(char *line, Number *number) {
  char value[NUMBER_NAME_SIZE], *end;
  if (!take_field(&line, number->paper) || !take_field(&line, number->table) || !take_field(&line, number->row) ||
      !take_field(&line, number->column) || !take_field(&line, value))
    return 0;
  number->value = strtod(value, &end);
  return *end == 0 && isfinite(number->value);
}

int numbers_read(const char *path, Numbers *numbers) {
  char line[512];
  FILE *file = fopen(path, "r");
  *numbers = (Numbers){0};
  if (!file) {
    perror(path);
    return -1;
  }
  int bad = 0;
  for (long at = 1; !bad && fgets(line, sizeof line, file); at++) {
    if (at == 1) continue;
    Number *longer = realloc(numbers->list, (numbers->n + 1) * sizeof *longer);
    if (longer) numbers->list = longer;
    bad = !longer || !parse(line, &numbers->list[numbers->n++]);
    if (bad) fprintf(stderr, "%s:%ld: not paper,table,row,column,value,doubt\n", path, at);
  }
  fclose(file);
  if (!bad) return 0;
  numbers_clear(numbers);
  return -1;
}

void numbers_clear(Numbers *numbers) {
  free(numbers->list);
  *numbers = (Numbers){0};
}

double numbers_find(const Numbers *numbers, const char *paper, const char *table, const char *row, const char *column) {
  for (size_t i = 0; i < numbers->n; i++) {
    const Number *k = &numbers->list[i];
    if (!strcmp(k->paper, paper) && !strcmp(k->table, table) && !strcmp(k->row, row) && !strcmp(k->column, column))
      return k->value;
  }
  return NAN;
}
