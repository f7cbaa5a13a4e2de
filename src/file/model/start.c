/* SPDX-License-Identifier: BSD-2-Clause */
/* Initialises problems of a given size, if there is enough memory. A dense problem has all rows of its matrices, a
 * sparse one only the rows of this rank. */
#include "src/file/model/model.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>

/* Returns the value of search.ranks_per_evaluation, since the section search is not read yet; 1 if the key is absent or
 * invalid. */
static double ranks_per_evaluation(const Reader *reader) {
  char message[EXPRESSION_MESSAGE_SIZE];
  double ranks;
  const Node *node = document_find(reader->document, "search.ranks_per_evaluation");
  return node && expression_constant(node->text, &ranks, message) && ranks >= 1 ? ranks : 1;
}

/* Returns whether an int can count the matrix entries of this rank's rows, and all copies of the model fit in memory.
 * If not, reports an error at the key. */
static bool fits(Reader *reader, const char *key, const ModelKind *kind, int rows) {
  if (rows > INT_MAX / kind->entries)
    return key_error(reader, key, "%d degrees of freedom on a rank (expected at most %d, of more ranks)", rows,
                     INT_MAX / kind->entries);
  const ModelRanks *ranks = &reader->ranks;
  double d = reader->d;
  double copies = ranks->copies + floor(ranks->workers / ranks_per_evaluation(reader));
  double bytes = sim_sparse_memory(rows, (long)kind->entries * rows, reader->p) * d / rows * copies;
  double most = work_most_bytes(&reader->work, bytes);
  if (!(bytes > most)) return true;
  return key_error(reader, key, "%d degrees of freedom take %.3g GB of memory, %.3g GB are available (expected fewer)",
                   reader->d, bytes / 1e9, most / 1e9);
}

static bool start_sparse(Reader *reader, const ModelKind *kind) {
  SimProblem *sim = &reader->problem->sim;
  SimGroup *group = reader->ranks.group;
  char key[NODE_PATH_SIZE];
  snprintf(key, sizeof key, "model.%s", model_keys(kind)->key);
  int first = 0, count = 1, size = stiction_group_size(group);
  if (reader->d && reader->d < size) {
    key_error(reader, key, "%d degrees of freedom for %d ranks (expected fewer ranks)", reader->d, size);
    reader->d = 0;
  }
  if (reader->d) sim_share(reader->d, size, stiction_group_rank(group), &first, &count);
  /* all ranks must agree, since their memory may differ although they read the same files */
  if (reader->d && sim_group_agree(group, !fits(reader, key, kind, count))) reader->d = 0;
  SimStatus status = reader->d ? sim_problem_init_sparse(sim, group, reader->d, first, count, reader->p)
                               : sim_problem_init_sparse(sim, NULL, 1, 0, 1, reader->p);
  return !sim_group_agree(group, status != SIM_OK);
}

/* Returns whether a dense problem, and the copies made by its checks and steps, fit in memory; reports an error if
 * not. */
static bool dense_fits(Reader *reader, const ModelKind *kind) {
  /* number of d x d matrices in the problem, the model and the copies; for other kinds of models, of columns of length
   * d */
  enum { MATRICES = 10 };
  char what[64], key[NODE_PATH_SIZE];
  double d = reader->d, columns = reader->p + (kind->sim == SIM_FRICTION ? MATRICES * d : MATRICES);
  snprintf(key, sizeof key, "model.%s", model_keys(kind)->key);
  snprintf(what, sizeof what, "%d degrees of freedom", reader->d);
  return work_allowed(reader, key, what, 0, d * columns * sizeof(double));
}

bool start_problem(Reader *reader, const ModelKind *kind) {
  Problem *problem = reader->problem;
  if (!problem->storage && reader->d && !dense_fits(reader, kind)) reader->d = 0;
  int d = reader->d ? reader->d : 1;
  bool done = problem->storage
                  ? start_sparse(reader, kind)
                  : sim_problem_init(&problem->sim, kind->sim, d, reader->d && reader->p ? reader->p : d) == SIM_OK;
  if (!done) reader->diagnostics->no_memory = true;
  return done;
}
