/* Models with sparse matrices, whose rows may be spread over ranks: what their readers share (read_string.c,
 * read_sparse.c) and what a Problem keeps of them. Each rank reads the problem file and fills its own rows. */
#ifndef SRC_SPARSE_MODEL_H
#define SRC_SPARSE_MODEL_H

#include "src/values/reader.h"

struct SparseModel {
  int first, count;  /* rows of this process */
  double spacing;    /* h of a string, m; 0 of other models */
  Expression *force; /* of a string, in s and t, N/m; NULL: the Problem's force */
  const Problem *problem;

  /* Keys as they were written, for the echo; NULL: not given. */
  json_t *model, *matrix, *position, *velocity;
};

enum { SPARSE_SIZE_MAX = 2000000000 }; /* rows */

void sparse_model_destroy(SparseModel *model); /* NULL: nothing */

/* Initialises problem->sim for reader->d and reader->p, and problem->sparse, with this rank's rows; entries: of the
 * matrices in a row, about. Tells at `key` when the whole cannot fit in memory. When it cannot, or d is not known, sets
 * reader->d to 0 and initialises a model of one row that is valid whatever is not read into it. False: no memory. */
bool start_sparse(Reader *reader, const char *key, int entries);

/* The position of a row's node along a string, m. */
double string_position(double spacing, int row);

/* The law of a section `stribeck` (NULL: none), whose beta and epsilon are told where they are missing, and are harmless in
 * the problem until they are filled in. */
SimStribeck read_stribeck_law(Reader *reader, Node *section);

/* target.position or target.velocity: an expression in s (of a string; *spacing is then set), {nodes: [..], values: [..]},
 * or what read_vector takes. */
void read_sparse_target(Reader *reader, Node *target, const char *key, double *vector, double *spacing);

/* A node as it was written: texts as texts. NULL: no memory. */
json_t *node_echo(const Node *node);

/* The model's section as it was written. */
json_t *echo_sparse(const Problem *problem);

/* Sets the load; tells a force that is not finite at the first or the last time, or, of a few rows, at any. */
void finish_sparse(Reader *reader);

/* What a problem file's section `model` asks for. */
ModelStorage model_storage(const Node *model, const char *problem_path);

#endif
