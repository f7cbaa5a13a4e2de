/* What the readers of a problem file's sections share: typed values from nodes, with diagnostics when they are
 * not what was wanted. A value that is absent or wrong leaves its destination as it was, so that defaults are
 * set first, and so that reading goes on to find the next mistake. */
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

/* A key whose expression is evaluated when delta is known: src/file/values/parameter.h. */
typedef struct WaitingFormula {
  const SimParameter *row;
  const Node *node;
  void *owner; /* of the row; borrowed */
  Expression *expression;
} WaitingFormula;
enum { WAITING_MAX = 8 };

typedef struct WrittenKeys WrittenKeys; /* src/file/values/parameter.h */

struct Reader {
  Document *document;
  Diagnostics *diagnostics;
  Problem *problem;
  const SimParameter *control_keys; /* of the section control, whose matrix tells p */
  /* Sizes that values are checked against; 0: not known, since what tells them is wrong, and nothing is
   * checked. */
  int d;
  int p;
  bool sparse;          /* storage: files of matrices are then read when this process's rows are known */
  const char *variable; /* of formulas of vectors: i, the entry's number from 1; s, the place of a string's node */
  WaitingFormula waiting[WAITING_MAX]; /* [n_waiting] keys whose expressions need delta */
  int n_waiting;
  WrittenKeys *keys; /* where the keys of the model are kept; NULL: nowhere */
  ModelRanks ranks;
  Work work;
};

/* node_get, node_error and document_error (src/file/text/document.h) of what is read; the latter two return false. */
Node *key_get(Reader *reader, Node *mapping, const char *key);
bool value_error(const Reader *reader, const Node *node, const char *format, ...) LIKE_PRINTF(3, 4);
/* "a list (expected FORMAT)": what the node is, and should be. Returns false. */
bool value_expected(const Reader *reader, const Node *node, const char *format, ...) LIKE_PRINTF(3, 4);
bool key_error(const Reader *reader, const char *path, const char *format, ...) LIKE_PRINTF(3, 4);

/* The section `key` of a mapping, checked to be a mapping; NULL when absent or wrong. */
Node *read_section(Reader *reader, Node *parent, const char *key);
/* Reports that a key is missing, unless what should hold it is missing too, or something is wrong with it. */
void require(Reader *reader, const Node *section, const char *path, const char *expected);

/* Whether the value was there and good. node: NULL when absent. */
bool node_number(Reader *reader, Node *node, double *value);
/* NULL when absent or wrong; to be destroyed. */
Expression *node_expression(Reader *reader, Node *node, int n, const char *const *variables);
/* {file: NAME}'s NAME as a path, told when it is none. */
bool node_file(Reader *reader, Node *file, char path[FILE_PATH_SIZE]);
/* Whether a key, which is a path, names an entry in a form that is no longer read; told. */
bool path_refuse_old(Reader *reader, Node *node);
/* Whether something has been found wrong with a key, its parts or what it is a part of. */
bool is_wrong(const Reader *reader, const char *path);

/* Numbers as they were written, before the size that they should have is known. */
typedef struct Values Values;
struct Values {
  Node *node;    /* NULL: absent */
  bool good;     /* the rest may be used */
  unsigned form; /* SIM_FORM_NUMBER, _LIST, _FORMULA, _SPRINGS, _SECTION (links), _FILE (of sparse storage: not read
                        * yet), or _ROWS for all others that tell a whole matrix */
  int rows;      /* also of values that are not good, as far as it can be told; else 0 */
  int columns;   /* 1 for a list */
  double *data;  /* [rows][columns]; owned */
  Expression *formula; /* in the number of the entry, or its place; owned */
  Values *springs;     /* owned; of _SPRINGS [0], of links and anchors [0], [1] */
};

/* forms: those allowed, SIM_FORM_*. */
Values values_read(Reader *reader, Node *section, const char *key, unsigned forms);
void values_clear(Values *values);
/* The n that n values or an n x n matrix tell of; 0 for none, for a number, and when it is not known. */
int values_size(const Values *values);
/* Fills vector [count] with the entries from `first` on of a vector of n, or tells that there are not n values; n = 0: does
 * nothing. row: whose range a formula's values must be in, NULL: finite. */
void values_to_vector(Reader *reader, const Values *values, const SimParameter *row, int n, int first, int count,
                      double *vector);
/* A formula's values at entries first, first + 1, .., which are counted from 1 and may lie halfway between; tells the first
 * that is not allowed. Whether all are. */
bool values_evaluate(Reader *reader, const Values *values, const SimParameter *row, double first, int count,
                     double *vector);
/* Fills the rows from `first` on of a matrix [rows][columns] likewise. */
void values_to_matrix(Reader *reader, const Values *values, int rows, int columns, int first, int count,
                      double *matrix);
/* Fills this process's rows of a square sparse matrix. */
void values_to_sparse(Reader *reader, const Values *values, SimMatrix *matrix);

/* Reading and spreading in one, of a row's key. */
void read_vector(Reader *reader, Node *section, const SimParameter *row, int n, double *vector);
void read_matrix(Reader *reader, Node *section, const SimParameter *row, int n, double *matrix);

/* Notes that there was no memory for a problem. */
void note_memory(Reader *reader, SimStatus status);
/* Sets a member to a new value; notes that there was no memory for it. */
void keep_json(Reader *reader, json_t *object, const char *key, json_t *value);

/* A node as it was written: texts as texts, but names of files as what holds wherever the echo is read. NULL: no memory. */
json_t *node_echo(const Reader *reader, const Node *node);

/* The sections, in the order in which they must be read; each leaves its part of reader->problem usable. */
void read_model(Reader *reader, Node *root); /* reads control.matrix too; sets reader->d and p */
void read_time(Reader *reader, Node *root);
void read_scheme(Reader *reader, Node *root);
void read_control(Reader *reader, Node *root);
void read_search(Reader *reader, Node *root);
void read_output(Reader *reader, Node *root);
void read_checkpoint(Reader *reader, Node *root);
/* Their keys; search_parameters: those that the search itself does not know. */
extern const SimParameter time_parameters[], control_parameters[], signal_parameters[], search_parameters[],
    output_parameters[], checkpoint_parameters[];
/* The scheme of a file without that section, whose model is known. */
const char *default_scheme(const Problem *problem);
/* Parts of control: how u goes in time, into reader->problem->sim; u at the first vertex [variables]. */
void read_signal(Reader *reader, Node *control);
void read_start(Reader *reader, Node *control, double *start);
/* Whether the section, which need not be right, asks for a method of PETSc's; NULL: whether the default is one. derivatives: the
 * scheme has them, and `auto` is not hybrid. */
bool search_wants_petsc(Node *section, bool derivatives, Diagnostics *diagnostics);

/* The sections as they were understood; NULL: no memory. */
json_t *echo_time(const Problem *problem);
json_t *echo_scheme(const Problem *problem);
json_t *echo_model(const Problem *problem);
json_t *echo_control(const Problem *problem);
json_t *echo_search(const Problem *problem);
json_t *echo_output(const Problem *problem);
json_t *echo_checkpoint(const Problem *problem);
json_t *echo_signal(const Problem *problem);

#endif
