/* SPDX-License-Identifier: BSD-2-Clause */
/* Names of the degrees of freedom, and units of positions and forces. They affect only what is printed: no number is
 * converted. */
#ifndef SRC_BASE_LABELS_H
#define SRC_BASE_LABELS_H

#include <jansson.h>
#include <stdbool.h>

enum { LABEL_SIZE = 33, UNIT_SIZE = 16, LABEL_COLUMN_SIZE = 64 };

typedef struct Labels {
  char (*names)[LABEL_SIZE]; /* [n] one per degree of freedom; owned. NULL: no names */
  int n;
  char position[UNIT_SIZE], force[UNIT_SIZE]; /* units of positions and forces; default: m, N */
  char velocity[UNIT_SIZE + 2];               /* unit of velocities, e.g. m/s */
  char energy[2 * UNIT_SIZE]; /* unit of energies: "J" for m and N, and for rad and N m; otherwise the product of
                               * both units */
} Labels;

/* Sets the defaults: the units m and N, and no names. */
void labels_init(Labels *labels);
void labels_clear(Labels *labels);
/* Copies labels. Returns false if there is no memory; `copy` then has the defaults. */
bool labels_copy(const Labels *labels, Labels *copy);

/* Returns whether a text can be a name: letters, digits, _ - . with at least one character that is not a digit. */
bool label_is_name(const char *text);
/* Returns whether a text can be a unit: it consists of letters, digits, blanks and the characters * / ^ - . only. */
bool label_is_unit(const char *text);
/* Sets the unit of forces if `force`, else of positions. */
void labels_set_unit(Labels *labels, bool force, const char *unit);

/* Writes the column name of a quantity (`symbol`, e.g. "x") of degree of freedom dof, numbered from 1: "x:link2", or
 * "x2" if there are no names. Returns column. */
const char *labels_column(const Labels *labels, const char *symbol, int dof, char column[LABEL_COLUMN_SIZE]);
/* Writes the column name of entry `control`, from 0 to p - 1, of the control vector u. The entry is named after the
 * degree of freedom on which it acts, e.g. "u:link2", if by the matrix [n][p] it acts on no other and no other entry
 * acts there. Otherwise, or if there are no names or matrix is NULL, it has a number, e.g. "u3". Returns column. */
const char *labels_control(const Labels *labels, const char *symbol, const double *matrix, int p, int control,
                           char column[LABEL_COLUMN_SIZE]);
/* Writes the name of a degree of freedom, e.g. "link2", or its number if there are no names. Returns name. */
const char *labels_name(const Labels *labels, int dof, char name[LABEL_SIZE]);
/* Returns the number, from 1, of the degree of freedom with this name or number. d: number of degrees of freedom.
 * Returns 0 if there is none. */
int labels_find(const Labels *labels, int d, const char *name);

/* labels_take reads names and units from the section `model` of a resolved problem. labels_echo writes them into it.
 * Both return false if there is no memory. */
bool labels_take(Labels *labels, const json_t *model);
bool labels_echo(const Labels *labels, json_t *model);

#endif
