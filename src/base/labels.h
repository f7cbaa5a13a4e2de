/* What degrees of freedom are called, and in which units positions and forces are told. Numbers are never converted. */
#ifndef SRC_BASE_LABELS_H
#define SRC_BASE_LABELS_H

#include <jansson.h>
#include <stdbool.h>

enum { LABEL_SIZE = 33, UNIT_SIZE = 16, LABEL_COLUMN_SIZE = 64 };

typedef struct Labels {
  char (*names)[LABEL_SIZE]; /* [n] owned; NULL: they have none */
  int n;
  char position[UNIT_SIZE], force[UNIT_SIZE]; /* m, N */
  char velocity[UNIT_SIZE + 2];               /* position/s */
  char energy[2 * UNIT_SIZE];                 /* J of m and N, and of rad and N m; else both units */
} Labels;

/* m, N, and no names. */
void labels_init(Labels *labels);
void labels_clear(Labels *labels);
/* False: no memory, which leaves m, N, and no names. */
bool labels_copy(const Labels *labels, Labels *copy);

/* Whether a text can be a name: letters, digits, _ - . and at least one that is no digit. */
bool label_is_name(const char *text);
/* Whether a text can be a unit: letters, digits, blanks and * / ^ - . */
bool label_is_unit(const char *text);
/* Takes a unit in place of m; force: in place of N. */
void labels_set_unit(Labels *labels, bool force, const char *unit);

/* The column of a quantity of a dof, from 1 on: "x:link2" or, without names, "x2"; returns column. */
const char *labels_column(const Labels *labels, const char *symbol, int dof, char column[LABEL_COLUMN_SIZE]);
/* The column of a control's quantity, from 0 on, of p: "u:link2" where it acts on this dof alone, as no other does, by the
 * matrix [n][p]; "u3" where it does not, the dofs have no names, or matrix is NULL. */
const char *labels_control(const Labels *labels, const char *symbol, const double *matrix, int p, int control,
                           char column[LABEL_COLUMN_SIZE]);
/* "link2", or its number. */
const char *labels_name(const Labels *labels, int dof, char name[LABEL_SIZE]);
/* The dof of such a name or number; 0: there is none. */
int labels_find(const Labels *labels, int d, const char *name);

/* From a model's echo, and into it. False: no memory. */
bool labels_take(Labels *labels, const json_t *model);
bool labels_echo(const Labels *labels, json_t *model);

#endif
