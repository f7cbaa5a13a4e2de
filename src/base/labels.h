/* Names of the degrees of freedom and units of positions and forces, for printing. Numbers are never converted. */
#ifndef SRC_BASE_LABELS_H
#define SRC_BASE_LABELS_H

#include <jansson.h>
#include <stdbool.h>

enum { LABEL_SIZE = 33, UNIT_SIZE = 16, LABEL_COLUMN_SIZE = 64 };

typedef struct Labels {
  char (*names)[LABEL_SIZE]; /* [n] owned; NULL: no names */
  int n;
  char position[UNIT_SIZE], force[UNIT_SIZE]; /* m, N */
  char velocity[UNIT_SIZE + 2];               /* position/s */
  char energy[2 * UNIT_SIZE]; /* "J" for m and N and for rad and N m; otherwise the product of both units */
} Labels;

/* Sets the defaults: m, N and no names. */
void labels_init(Labels *labels);
void labels_clear(Labels *labels);
/* Returns false if there is no memory; copy then has the defaults. */
bool labels_copy(const Labels *labels, Labels *copy);

/* Whether a text can be a name: letters, digits, _ - . with at least one character that is not a digit. */
bool label_is_name(const char *text);
/* Whether a text can be a unit: letters, digits, blanks and * / ^ - . */
bool label_is_unit(const char *text);
/* Sets the unit of position or, if force, of force. */
void labels_set_unit(Labels *labels, bool force, const char *unit);

/* Column name of a quantity of a degree of freedom, numbered from 1: "x:link2" or, without names, "x2"; returns
 * column. */
const char *labels_column(const Labels *labels, const char *symbol, int dof, char column[LABEL_COLUMN_SIZE]);
/* Column name of a quantity of control number `control` (from 0) of p: "u:link2" if by the matrix [n][p] it acts on
 * this dof alone and no other control acts on this dof. Otherwise, or without names or with matrix NULL, "u3". */
const char *labels_control(const Labels *labels, const char *symbol, const double *matrix, int p, int control,
                           char column[LABEL_COLUMN_SIZE]);
/* Name of a dof, "link2", or its number. */
const char *labels_name(const Labels *labels, int dof, char name[LABEL_SIZE]);
/* Returns the dof with this name or number, from 1; 0 if there is none. */
int labels_find(const Labels *labels, int d, const char *name);

/* labels_take reads names and units from the echo of a model, labels_echo writes them into it. Both return false if
 * there is no memory. */
bool labels_take(Labels *labels, const json_t *model);
bool labels_echo(const Labels *labels, json_t *model);

#endif
