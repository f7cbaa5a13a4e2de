/* Common functions of the readers of a problem file's sections: typed values from nodes, with diagnostics for invalid
 * ones. A value that is absent or invalid leaves its destination unchanged. So defaults are set before, and reading
 * continues to find further errors. */
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
  const SimParameter *control_keys; /* keys of the section control; its matrix determines p */
  /* Sizes that values are checked against. 0: unknown, because the value that determines them is invalid; then nothing
   * is checked. */
  int d;
  int p;
  bool sparse; /* sparse storage: files of matrices are read later, when this process's rows are known */
  /* variable of formulas of vectors: i, the entry's number from 1; s, the position of a string's node */
  const char *variable;
  WrittenKeys *keys; /* stores the keys of the model; NULL: not stored */
  ModelRanks ranks;
  Work work;
};

/* node_get, node_error and document_error (src/file/text/document.h) for the reader's document; the last two return
 * false. */
Node *key_get(Reader *reader, Node *mapping, const char *key);
bool value_error(const Reader *reader, const Node *node, const char *format, ...) LIKE_PRINTF(3, 4);
/* Reports a node of the wrong form, "a list (expected FORMAT)". Returns false. */
bool value_expected(const Reader *reader, const Node *node, const char *format, ...) LIKE_PRINTF(3, 4);
bool key_error(const Reader *reader, const char *path, const char *format, ...) LIKE_PRINTF(3, 4);

/* Returns the section `key`, checked to be a mapping; NULL if it is absent or invalid. */
Node *read_section(Reader *reader, Node *parent, const char *key);
/* Reports that a key is missing, unless its section is missing, too, or has an error. */
void require(Reader *reader, const Node *section, const char *path, const char *expected);

/* Reads a number; returns whether it is present and valid. node: NULL if absent. */
bool node_number(Reader *reader, Node *node, double *value);
/* Reads an expression, which the caller destroys; NULL if absent or invalid. */
Expression *node_expression(Reader *reader, Node *node, int n, const char *const *variables);
/* Reads NAME of {file: NAME} as a path; reports an invalid one. */
bool node_file(Reader *reader, Node *file, char path[FILE_PATH_SIZE]);
/* Reports a path that names an entry in a form that is no longer read; returns whether it did. */
bool path_refuse_old(Reader *reader, Node *node);
/* Whether an error has been reported for a key, its parts or a section that contains it. */
bool is_wrong(const Reader *reader, const char *path);

/* Numbers as written, before their expected size is known. */
typedef struct Values Values;
struct Values {
  Node *node; /* NULL: absent */
  bool good;  /* the other fields are valid */
  /* SIM_FORM_NUMBER, _LIST, _FORMULA, _SPRINGS, _SECTION (links), _FILE (sparse storage: not read yet), or _ROWS for
   * all other forms of a whole matrix */
  unsigned form;
  int rows;            /* also set for invalid values if it can be determined; else 0 */
  int columns;         /* 1 for a list */
  double *data;        /* [rows][columns], or a number and then the entries of its node; owned */
  Expression *formula; /* formula in the entry's number or position; owned */
  Values *springs;     /* owned; of _SPRINGS [0], of links and anchors [0], [1] */
};

/* forms: those allowed, SIM_FORM_*. */
Values values_read(Reader *reader, Node *section, const char *key, unsigned forms);
void values_clear(Values *values);
/* Returns n for n values or an n x n matrix; 0 for a single number, without values, and if unknown. */
int values_size(const Values *values);
/* Whether the values are a number, or a list of n; reports another length, and entries beyond n. */
bool values_fit(Reader *reader, const Values *values, int n);
/* Returns entry k, from 0, of a list or of a number that stands for all entries but those set on their own. */
double values_entry(const Values *values, int k);
/* Fills vector [count] with entries from `first` on of a vector of n; reports if there are not n values. n = 0: does
 * nothing. row: range of a formula's values; NULL: finite. */
void values_to_vector(Reader *reader, const Values *values, const SimParameter *row, int n, int first, int count,
                      double *vector);
/* Evaluates a formula at entries first, first + 1, .., counted from 1, possibly halfway between entries. Reports the
 * first invalid value; returns whether all are valid. */
bool values_evaluate(Reader *reader, const Values *values, const SimParameter *row, double first, int count,
                     double *vector);
/* Fills rows from `first` on of a matrix [rows][columns] likewise. */
void values_to_matrix(Reader *reader, const Values *values, int rows, int columns, int first, int count,
                      double *matrix);
/* Fills this process's rows of a square sparse matrix. */
void values_to_sparse(Reader *reader, const Values *values, SimMatrix *matrix);

/* Read and fill the values of a row's key. */
void read_vector(Reader *reader, Node *section, const SimParameter *row, int n, double *vector);
void read_matrix(Reader *reader, Node *section, const SimParameter *row, int n, double *matrix);

/* Notes that memory was missing for a problem. */
void note_memory(Reader *reader, SimStatus status);
/* Sets a member to a new value; notes if memory was missing. */
void keep_json(Reader *reader, json_t *object, const char *key, json_t *value);

/* Returns a node as written, with texts as texts, but names of files as paths that are valid wherever the echo is read.
 * NULL: no memory. */
json_t *node_echo(const Reader *reader, const Node *node);

/* Read the sections, in this order; each leaves its part of reader->problem usable. */
void read_model(Reader *reader, Node *root); /* also reads control.matrix; sets reader->d and p */
void read_time(Reader *reader, Node *root);
void read_scheme(Reader *reader, Node *root);
void read_control(Reader *reader, Node *root);
void read_search(Reader *reader, Node *root);
void read_output(Reader *reader, Node *root);
void read_checkpoint(Reader *reader, Node *root);
/* Keys of these sections; search_parameters: those that control/ does not define. */
extern const SimParameter time_parameters[], control_parameters[], signal_parameters[], search_parameters[],
    output_parameters[], checkpoint_parameters[];
/* Default scheme of a file without that section, for its model. */
const char *default_scheme(const Problem *problem);
/* Read parts of control: the time course of u, into reader->problem->sim; u at the first vertex [variables]. */
void read_signal(Reader *reader, Node *control);
void read_start(Reader *reader, Node *control, double *start);
/* Whether the section, which may be invalid, selects a method of PETSc; NULL: whether the default is one. derivatives:
 * the scheme has them, so `auto` is not hybrid. */
bool search_wants_petsc(Node *section, bool derivatives, Diagnostics *diagnostics);

/* Return the sections with resolved values; NULL: no memory. */
json_t *echo_time(const Problem *problem);
json_t *echo_scheme(const Problem *problem);
json_t *echo_model(const Problem *problem);
json_t *echo_control(const Problem *problem);
json_t *echo_search(const Problem *problem);
json_t *echo_output(const Problem *problem);
json_t *echo_checkpoint(const Problem *problem);
json_t *echo_signal(const Problem *problem);

#endif
