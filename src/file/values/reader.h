/* SPDX-License-Identifier: BSD-2-Clause */
/* Functions that the readers of all sections use. These functions read typed values from nodes and report invalid
 * values. If a value is absent or invalid, the destination of the value is unchanged. So defaults are set first, and
 * reading continues after an error to find further errors. */
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

typedef struct WrittenKeys WrittenKeys; /* src/file/values/parameter.h */

struct Reader {
  Document *document;
  Diagnostics *diagnostics;
  Problem *problem;
  const SimParameter *control_keys; /* keys of the section control; its matrix determines p, the number of controls */
  /* Sizes against which values are checked. 0: the size is unknown, because another value is invalid, and nothing is
   * checked. */
  int d;
  int p;
  bool sparse; /* storage is sparse: files of matrices are read later, when this process's rows are known */
  /* Variable in formulas of vectors: i, the number of the entry from 1; or s, the position of the node of a string. */
  const char *variable;
  /* Returns the unit of the value at a path, for messages; NULL: there is none, or it is unknown. */
  const char *(*unit_of)(const Problem *problem, const char *path);
  WrittenKeys *keys; /* the keys of the model, kept for later; NULL: they are not kept */
  ModelRanks ranks;
  Work work;
};

/* Work as node_get, node_error and document_error (src/file/text/document.h) for the reader's document. The last two
 * return false. */
Node *key_get(Reader *reader, Node *mapping, const char *key);
bool value_error(const Reader *reader, const Node *node, const char *format, ...) LIKE_PRINTF(3, 4);
/* Reports that a node has the wrong form, e.g. "a list (expected FORMAT)". Returns false. */
bool value_expected(const Reader *reader, const Node *node, const char *format, ...) LIKE_PRINTF(3, 4);
bool key_error(const Reader *reader, const char *path, const char *format, ...) LIKE_PRINTF(3, 4);

/* Returns the section `key`, which must be a mapping. NULL if the section is absent, or after reporting that it is
 * invalid. */
Node *read_section(Reader *reader, Node *parent, const char *key);
/* Reports that a key of a section is missing. Nothing is reported if the section itself is missing or has an error. */
void require(Reader *reader, const Node *section, const char *path, const char *expected);

/* Reads the number at a node, which may be NULL (absent). Returns whether the number is present and valid. */
bool node_number(Reader *reader, Node *node, double *value);
/* Reads an expression, which the caller destroys. NULL if the expression is absent or invalid. */
Expression *node_expression(Reader *reader, Node *node, int n, const char *const *variables);
/* Reports a text that is a number with a unit, such as "2 kg". A name among the variables [n] is no unit. Returns
 * whether it was reported. */
bool unit_refused(const Reader *reader, const Node *node, int n, const char *const *variables);
/* Reads the name in {file: NAME} as a path. Returns false after reporting that it is invalid. */
bool node_file(Reader *reader, Node *file, char path[FILE_PATH_SIZE]);
/* Finds the value *named in the file that a key names by its path, as "model.friction[2]"; NULL: the file has none.
 * node: value of the key, which must be a mapping (expected). Returns false after reporting an error. */
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
  unsigned forms;      /* all forms that are allowed */
  bool controls;       /* whether the entries are of controls; set before values_to_vector */
  int rows;            /* number of rows; also set for invalid values if it can be determined, otherwise 0 */
  int columns;         /* 1 for a list */
  size_t own;          /* with _NUMBER: number of entries that differ from the number, as set by --set
                        * model.friction[2]=3 */
  double *data;        /* [rows][columns]; with _NUMBER the number, then the `own` entries that differ from it; owned */
  Expression *formula; /* formula in the number or the position of the entry; owned */
  Values *springs;     /* owned; for _SPRINGS one list, [0]; for links and anchors one each, [0] and [1] */
};

/* Reads a value. forms: the allowed forms, SIM_FORM_*. */
Values values_read(Reader *reader, Node *section, const char *key, unsigned forms);
void values_clear(Values *values);
/* Returns n for n values or an n x n matrix; 0 if the value is a single number, absent or unknown. */
int values_size(const Values *values);
/* Whether the values are a number, or a list of n; reports another length, and entries beyond n. */
bool values_fit(Reader *reader, const Values *values, int n);
/* Returns entry k, from 0, of a list, or of a number that stands for all entries but those that have been set
 * separately. */
double values_entry(const Values *values, int k);
/* Fills vector [count] with the entries from `first` on of a vector of n. Reports an error if there are not n values.
 * If n is 0, does nothing. row: range of a formula's values; NULL: any finite value. */
void values_to_vector(Reader *reader, const Values *values, const SimParameter *row, int n, int first, int count,
                      double *vector);
/* Evaluates a formula at the entries first, first + 1, .., counted from 1; first may lie halfway between two entries.
 * Reports the first invalid value. Returns whether all are valid. */
bool values_evaluate(Reader *reader, const Values *values, const SimParameter *row, double first, int count,
                     double *vector);
/* Fills rows of a matrix [rows][columns], from `first` on, as values_to_vector does. */
void values_to_matrix(Reader *reader, const Values *values, int rows, int columns, int first, int count,
                      double *matrix);
/* Fills this process's rows of a square sparse matrix. */
void values_to_sparse(Reader *reader, const Values *values, SimMatrix *matrix);

/* read_vector reads the values of a row's key and fills vector [n] with them; the next function does so for a
 * matrix. */
void read_vector(Reader *reader, Node *section, const SimParameter *row, int n, double *vector);
/* Like read_vector, for a number of each control [p]. A degree of freedom stands for the only control that acts on it
 * if that control acts on no other one. */
void read_controls(Reader *reader, Node *section, const SimParameter *row, double *vector);
void read_matrix(Reader *reader, Node *section, const SimParameter *row, int n, double *matrix);

/* Records that memory was lacking for a problem. */
void note_memory(Reader *reader, SimStatus status);
/* Sets a member of a JSON object to a new value. Records if there was no memory. */
void keep_json(Reader *reader, json_t *object, const char *key, json_t *value);

/* Returns a node as written. Texts stay texts. Names of files become paths that are valid wherever the echo is read.
 * NULL: no memory. */
json_t *node_echo(const Reader *reader, const Node *node);

/* Read the sections; call them in this order. After an error, too, each leaves its part of reader->problem in a valid
 * state. */
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
/* Returns the scheme that a file without the section scheme has, for its model. */
const char *default_scheme(const Problem *problem);
/* Read parts of the section control: read_signal the time course of u, into reader->problem->sim; the other function u
 * at the first vertex of the search, [variables]. */
void read_signal(Reader *reader, Node *control);
void read_start(Reader *reader, Node *control, double *start);
/* Returns whether the section search, which may be invalid, selects a method of PETSc. section NULL: whether the
 * default method is one. derivatives: the scheme has derivatives, so that `auto` does not select the hybrid method. */
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
