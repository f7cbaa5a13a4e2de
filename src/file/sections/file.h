/* Problem files in YAML. See README.md for the keys. */
#ifndef SRC_PROBLEM_FILE_H
#define SRC_PROBLEM_FILE_H

#include "src/base/diagnostics.h"
#include "src/base/problem.h"
#include "src/file/text/document.h"
#include "src/process/model_ranks.h"

#include <jansson.h>
#include <stdio.h>

/* Reads a problem file with settings "KEY=VALUE" (borrowed, [n_settings]) applied to it. Adds all errors to
 * diagnostics, sorted. need_control: a missing control section is an error. Returns 0, EXIT_USAGE for errors, or
 * EXIT_INTERNAL if there is no memory; unless 0, the problem is cleared. */
int problem_file_read(const char *path, char *const *settings, int n_settings, bool need_control,
                      Diagnostics *diagnostics, Problem *problem);
void problem_clear(Problem *problem);

/* problem_file_read by all ranks of a group, which see the same files. The first rank that finds errors reports them;
 * the code is the same on all. Collective. */
int problem_file_read_shared(const char *path, char *const *settings, int n_settings, bool need_control,
                             const ModelRanks *ranks, Diagnostics *diagnostics, Problem *problem);

/* Reads the problem file of a command, with the settings of its options, in the same way. */
int problem_read(const Options *options, bool need_control, const ModelRanks *ranks, Diagnostics *diagnostics,
                 Problem *problem);

/* Reads a document, which is taken over, in the same way. found: its errors; at least one if document is NULL. */
int problem_read_document(Document *document, bool need_control, const ModelRanks *ranks, Diagnostics *found,
                          Diagnostics *diagnostics, Problem *problem);

/* Reads a file with the section evaluator in the same way, within limits. A missing section is an error. */
int problem_evaluator_read(const char *path, char *const *settings, int n_settings, const WorkLimits *limits,
                           Diagnostics *diagnostics, Problem *problem);
/* Reads the same from a text of `size` bytes. */
int problem_evaluator_text_read(const char *name, const char *text, size_t size, Diagnostics *diagnostics,
                                Problem *problem);
/* Whether a file has the section evaluator. */
bool problem_file_has_evaluator(const char *path, char *const *settings, int n_settings);

/* model.kind, as in the file. */
const char *problem_kind_name(const Problem *problem);

/* Position of a row along a string, m; NAN for other models. */
double problem_position(const Problem *problem, int row);

/* Returns the storage of a file's model; MODEL_DENSE for files with errors. by_pattern: as in ModelRanks. */
ModelStorage problem_file_storage(const char *path, char *const *settings, int n_settings, bool by_pattern);

/* Whether the file's search uses a method of PETSc; reads only what is needed. */
bool problem_file_wants_petsc(const char *path, char *const *settings, int n_settings);

/* Whether the document's search, or its model on one rank, uses PETSc; reads only what is needed. */
bool problem_document_wants_petsc(Document *document);

/* Reads a document except its sections identify, measured and scenarios. It can be called repeatedly, between changes
 * of values (Node.text). Keeps the data that problem_set (src/file/sections/variant.h) needs. document: borrowed; must
 * outlive the problem if problem_set is used. */
int problem_document_read(Document *document, Diagnostics *diagnostics, Problem *problem);

/* Reads a text of `size` bytes in place of a file, in the same way. name: for diagnostics. NULL text: the caller had no
 * memory for it. */
int problem_text_read(const char *name, const char *text, size_t size, char *const *settings, int n_settings,
                      const ModelRanks *ranks, Diagnostics *diagnostics, Problem *problem);

/* Returns the problem with every key and its resolved value. Saved as a file it gives the same problem. A new
 * reference; NULL if there is no memory. */
json_t *problem_echo(const Problem *problem);

#endif
