/* SPDX-License-Identifier: BSD-2-Clause */
/* Functions that the readers of all sections use. They read values of a given type from nodes, and report invalid
 * values. If a value is absent or invalid, the destination is unchanged. Therefore callers set defaults first, and
 * reading continues after an error in order to find further errors. */
#ifndef SRC_READER_H
#define SRC_READER_H

#include "sim/parameter.h"
#include "src/base/diagnostics.h"
#include "src/base/file_open.h"
#include "src/base/json_values.h"
#include "src/base/problem.h"
#include "src/file/text/document.h"
#include "src/file/text/expression.h"
#include "src/file/values/work.h"
#include "src/process/model_ranks.h"

typedef struct WrittenKeys WrittenKeys; /* defined in src/file/values/parameter.h */

struct Reader {
  Document *document;
  Diagnostics *diagnostics;
  Problem *problem;
  const SimParameter *control_keys; /* keys of the section control; the key `matrix` among them determines p, the number
                                     * of controls */
  /* Sizes against which values are checked. 0: the size is unknown, because another value is invalid, and nothing is
   * checked. */
  int d;
  int p;
  bool sparse; /* whether storage is sparse; files of matrices are then read later, when this process's rows are
                * known */
  /* Name of the variable in formulas of vectors: "i", the number of the entry from 1, or "s", the position along a
   * string. */
  const char *variable;
  /* Returns the unit of the value at a path, for messages; NULL: there is none, or it is unknown. */
  const char *(*unit_of)(const Problem *problem, const char *path);
  WrittenKeys *keys; /* the keys of the section model, kept so that numbers can be changed later (variant.h); NULL: they
                      * are not kept */
  ModelRanks ranks;
  Work work;
};

/* key_get works as node_get, value_error as node_error, and key_error as document_error (src/file/text/document.h), for
 * the document and the diagnostics of the reader. The last two return false. */
Node *key_get(Reader *reader, Node *mapping, const char *key);
bool value_error(const Reader *reader, const Node *node, const char *format, ...) LIKE_PRINTF(3, 4);
/* Reports that a node has the wrong form, e.g. "a list (expected FORMAT)". Returns false. */
bool value_expected(const Reader *reader, const Node *node, const char *format, ...) LIKE_PRINTF(3, 4);
bool key_error(const Reader *reader, const char *path, const char *format, ...) LIKE_PRINTF(3, 4);

/* Returns the section with this key, which must be a mapping. Returns NULL if the section is absent, or after reporting
 * that it is not a mapping. */
Node *read_section(Reader *reader, Node *parent, const char *key);
/* Reports that a key of a section is missing. Nothing is reported if the section itself is missing or has an error. */
void require(Reader *reader, const Node *section, const char *path, const char *expected);

/* Reads the number at a node, which may be NULL (absent). Returns whether the number is present and valid. */
bool node_number(Reader *reader, Node *node, double *value);
/* Reads an expression in variables [n], which the caller destroys. Returns NULL if the expression is absent or
 * invalid. */
Expression *node_expression(Reader *reader, Node *node, int n, const char *const *variables);
/* Reports a text that is a number with a unit, such as "2 kg". The name of one of the variables [n] does not count as a
 * unit. Returns whether an error was reported. */
bool unit_refused(const Reader *reader, const Node *node, int n, const char *const *variables);
/* Reads the name in {file: NAME} as a path. Returns false after reporting that it is invalid. */
bool node_file(Reader *reader, Node *file, char path[FILE_PATH_SIZE]);
/* Reads a key with a path as its value, such as "model.friction[2]", and sets *named to the node at this path; NULL if
 * the file has no such node. node: the value, which must be a mapping; expected: its form, for messages. Returns false
 * after reporting an error. */
bool path_read(Reader *reader, Node *node, const char *expected, Node **named);
/* Returns whether an error was reported for a key, a value inside it, or a section that contains it. */
bool is_wrong(const Reader *reader, const char *path);

/* Numbers as written in the file, before it is known how many are expected. */
typedef struct Values Values;
struct Values {
  Node *node; /* node of the value; NULL: the key is absent */
  bool good;  /* whether the value is valid and the other members are set */
  /* How the value is written: SIM_FORM_NUMBER, _LIST, _FORMULA, _SPRINGS, _SECTION (links), _FILE (with sparse storage,
   * not read yet), _WEIGHTED (by names, not read yet), or _ROWS for all other forms of a whole matrix. */
  unsigned form;
  unsigned forms;      /* all forms that are allowed, as flags SIM_FORM_* */
  bool controls;       /* whether the vector has an entry for each control instead of each degree of freedom; set before
                        * values_to_vector */
  int rows;            /* number of rows; for invalid values, too, if it can be determined, otherwise 0 */
  int columns;         /* number of columns; 1 for a list */
  size_t own;          /* with _NUMBER: number of entries that differ from the number, because a setting such as --set
                        * model.friction[2]=3 has changed them */
  double *data;        /* [rows][columns]; with _NUMBER: the number, followed by the `own` entries that differ from it;
                        * owned */
  Expression *formula; /* formula of the entries, in their number or position; owned */
  Values *springs;     /* owned. For _SPRINGS: [0] is the list of springs. For links and anchors: [0] are the links,
                        * [1] the anchors */
};

/* Reads a value. forms: the allowed forms, as flags SIM_FORM_*. */
Values values_read(Reader *reader, Node *section, const char *key, unsigned forms);
void values_clear(Values *values);
/* Returns n if the value is a list of n numbers or an n x n matrix; 0 if it is a single number, absent or invalid. */
int values_size(const Values *values);
/* Returns whether the values are a number, or a list of n numbers. Reports a list of another length, and settings of
 * entries beyond n. */
bool values_fit(Reader *reader, const Values *values, int n);
/* Returns entry k, from 0, of a list, or of a number that stands for all entries except those that settings have
 * changed. */
double values_entry(const Values *values, int k);
/* Fills vector [count] with the entries from `first` on of a vector of n entries. Reports an error if the value has
 * another number of entries. Does nothing if n is 0. row: range of the values of a formula; NULL: any finite value is
 * allowed. */
void values_to_vector(Reader *reader, const Values *values, const SimParameter *row, int n, int first, int count,
                      double *vector);
/* Evaluates a formula at the entries first, first + 1, .., counted from 1. `first` may lie halfway between two entries.
 * Reports the first invalid value. Returns whether all values are valid. */
bool values_evaluate(Reader *reader, const Values *values, const SimParameter *row, double first, int count,
                     double *vector);
/* Fills `count` rows, from `first` on, of a matrix [rows][columns]. Reports the same errors as values_to_vector. */
void values_to_matrix(Reader *reader, const Values *values, int rows, int columns, int first, int count,
                      double *matrix);
/* Fills this process's rows of a square sparse matrix. */
void values_to_sparse(Reader *reader, const Values *values, SimMatrix *matrix);

/* read_vector reads the values of a key and fills vector [n] with them; read_matrix does the same for a matrix
 * [n][n]. */
void read_vector(Reader *reader, Node *section, const SimParameter *row, int n, double *vector);
/* Reads a vector with a number for each control [p], in the same way as read_vector. A number may also be given for a
 * degree of freedom; it then applies to the only control that acts on this degree of freedom and on no other. */
void read_controls(Reader *reader, Node *section, const SimParameter *row, double *vector);
void read_matrix(Reader *reader, Node *section, const SimParameter *row, int n, double *matrix);

/* If status is SIM_NO_MEMORY, records in the diagnostics that there was no memory. */
void note_memory(Reader *reader, SimStatus status);
/* Sets a member of a JSON object to a new value. Records a lack of memory in the diagnostics. */
void keep_json(Reader *reader, json_t *object, const char *key, json_t *value);

/* Returns a node as JSON, as written in the file, so numbers are texts. Names of files become paths that are valid in
 * any folder. NULL: no memory. */
json_t *node_echo(const Reader *reader, const Node *node);

/* Read the sections; they must be called in this order. After an error, too, each function leaves its members of
 * reader->problem in a valid state. */
void read_model(Reader *reader, Node *root); /* also reads control.matrix; sets reader->d and reader->p */
void read_time(Reader *reader, Node *root);
void read_scheme(Reader *reader, Node *root);
void read_control(Reader *reader, Node *root);
void read_search(Reader *reader, Node *root);
void read_output(Reader *reader, Node *root);
void read_checkpoint(Reader *reader, Node *root);
/* The keys of these sections. search_parameters are those keys of search that control/ does not define. */
extern const SimParameter time_parameters[], control_parameters[], signal_parameters[], search_parameters[],
    output_parameters[], checkpoint_parameters[];
/* Returns the name of the scheme that is used for the problem's model if the file does not select one. */
const char *default_scheme(const Problem *problem);
/* Read keys of the section control. read_signal reads the time course of u into reader->problem->sim. read_start reads
 * start [variables], the control u at which the search begins. */
void read_signal(Reader *reader, Node *control);
void read_start(Reader *reader, Node *control, double *start);
/* Returns whether the section search selects a method of PETSc. The section may be invalid; if it is NULL, the default
 * method decides. derivatives: whether the scheme has derivatives; if so, the method `auto` does not select the hybrid
 * method. */
bool search_wants_petsc(Node *section, bool derivatives, Diagnostics *diagnostics);

/* Return the sections with resolved values as JSON. NULL: no memory. */
json_t *echo_time(const Problem *problem);
json_t *echo_scheme(const Problem *problem);
json_t *echo_model(const Problem *problem);
json_t *echo_control(const Problem *problem);
json_t *echo_search(const Problem *problem);
json_t *echo_output(const Problem *problem);
json_t *echo_checkpoint(const Problem *problem);
json_t *echo_signal(const Problem *problem);

#endif
