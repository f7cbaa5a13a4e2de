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
#include "src/document/document.h"
#include "src/document/expression.h"
#include "src/process/model_ranks.h"

/* A key whose expression is evaluated when delta is known: src/values/parameter.h. */
typedef struct WaitingFormula {
  const SimParameter *row;
  const Node *node;
  void *owner; /* of the row; borrowed */
  Expression *expression;
} WaitingFormula;
enum { WAITING_MAX = 8 };

typedef struct Reader {
  Document *document;
  Diagnostics *diagnostics;
  Problem *problem;
  /* Sizes that values are checked against; 0: not known, since what tells them is wrong, and nothing is
   * checked. */
  int d;
  int p;
  WaitingFormula waiting[WAITING_MAX]; /* [n_waiting] keys whose expressions need delta */
  int n_waiting;
  ModelRanks ranks;
} Reader;

/* The section `key` of a mapping, checked to be a mapping; NULL when absent or wrong. */
Node *read_section(Reader *reader, Node *parent, const char *key);
/* Tells that a key is missing, unless what should hold it is missing too. */
void require(Reader *reader, const Node *section, const char *path, const char *expected);

/* Each returns whether the key was there and good. */
bool node_number(Reader *reader, Node *node, double *value); /* node: NULL when absent */
bool read_number(Reader *reader, Node *section, const char *key, double *value);
bool read_integer(Reader *reader, Node *section, const char *key, long least, long most, long *value);
bool read_choice(Reader *reader, Node *section, const char *key, const SimChoice *choices, int *value);
/* NULL when absent or wrong; to be destroyed. */
Expression *node_expression(Reader *reader, Node *node, int n, const char *const *variables);
/* Whether something has been found wrong with a key, its parts or what it is a part of. */
bool is_wrong(const Reader *reader, const char *path);

/* Numbers as they were written, before the size that they should have is known. */
typedef struct Values {
  Node *node;    /* NULL: absent */
  bool good;     /* data may be used */
  unsigned form; /* SIM_FORM_NUMBER, SIM_FORM_LIST, or SIM_FORM_ROWS for all that tell a whole matrix */
  int rows;      /* also of values that are not good, as far as it can be told; else 0 */
  int columns;   /* 1 for a list */
  double *data;  /* [rows][columns]; owned */
} Values;

/* forms: those allowed, SIM_FORM_*. */
Values values_read(Reader *reader, Node *section, const char *key, unsigned forms);
void values_clear(Values *values);
/* "a number or a list of numbers or {file: NAME}"; returns text. */
const char *values_expected(unsigned forms, char text[SIM_EXPECTED_SIZE]);
/* The n that n values or an n x n matrix tell of; 0 for none, for a number, and when it is not known. */
int values_size(const Values *values);
/* Fills vector [n], or tells that there are not n values; n = 0: does nothing. */
void values_to_vector(Reader *reader, const Values *values, int n, double *vector);
/* Fills matrix [rows][columns] likewise. */
void values_to_matrix(Reader *reader, const Values *values, int rows, int columns, double *matrix);

/* Reading and spreading in one. */
void read_vector(Reader *reader, Node *section, const char *key, int n, unsigned forms, double *vector);
void read_matrix(Reader *reader, Node *section, const char *key, int n, unsigned forms, double *matrix);

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
/* Parts of control: how u goes in time, into reader->problem->sim; u at the first vertex [variables]. */
void read_signal(Reader *reader, Node *control);
void read_start(Reader *reader, Node *control, double *start);
/* Whether the section, which need not be right, asks for a method of PETSc's. */
bool search_wants_petsc(Node *section, Diagnostics *diagnostics);
/* r and epsilon, once the bounds are known. */
void read_constants(Reader *reader);

/* The sections as they were understood; NULL: no memory. */
json_t *echo_time(const Problem *problem);
json_t *echo_scheme(const Problem *problem);
json_t *echo_model(const Problem *problem);
json_t *echo_control(const Problem *problem);
json_t *echo_search(const Problem *problem);
json_t *echo_output(const Problem *problem);
json_t *echo_checkpoint(const Problem *problem);
json_t *echo_signal(const SimProblem *sim);

/* A kind of model: one file read_KIND.c and one line of the table in read_model.c. */
typedef struct ModelKind {
  const char *name;
  const char *sentence;                                                    /* what it is */
  const SimParameter *keys;                                                /* of the section model besides kind */
  void (*read)(Reader *reader, Node *model, const Values *control_matrix); /* initialises problem->sim, too */
  json_t *(*echo)(const Problem *problem);
  void (*finish)(Reader *reader); /* fills what else it has over time, once the force is; NULL: nothing */
  bool sparse;                    /* of sparse storage, with problem->sparse; reads control.matrix itself */
} ModelKind;
extern const ModelKind model_friction;
extern const ModelKind model_dashpot;
extern const ModelKind model_chain;
extern const ModelKind model_string;
extern const ModelKind model_sparse; /* kind: friction, with sparse matrices */

extern const SimChoice model_storages[]; /* model.matrices */
/* The kinds of a file, one by one: k = 0, 1, ..; NULL after the last. */
const ModelKind *model_kind(int k);

/* Sets reader->p, d being known: the columns of B, which is d x d by default. */
void find_controls(Reader *reader, const Values *matrix);

/* Initialises problem->sim for a kind, d and p, 1 when not known, with an identity for M, so that it is a valid
 * problem whatever is not read into it. False: no memory. */
bool start_problem(Reader *reader, SimKind kind);

#endif
