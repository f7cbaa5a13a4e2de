/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads problem files in YAML. README.md lists the keys. */
#ifndef SRC_PROBLEM_FILE_H
#define SRC_PROBLEM_FILE_H

#include "src/base/diagnostics.h"
#include "src/base/problem.h"
#include "src/file/text/document.h"
#include "src/process/model_ranks.h"

#include <jansson.h>
#include <stdio.h>

/* Reads a problem file after applying the settings "KEY=VALUE" (borrowed, [n_settings]) to it. Adds all errors to
 * diagnostics, sorted. need_control: a missing section control is an error. Returns 0; EXIT_USAGE if there are errors;
 * EXIT_INTERNAL if there is no memory. Unless it returns 0, the problem is cleared. */
int problem_file_read(const char *path, char *const *settings, int n_settings, bool need_control,
                      Diagnostics *diagnostics, Problem *problem);
void problem_clear(Problem *problem);

/* Works as problem_file_read, but is called by all ranks of a group, each of which reads the same file. The first rank
 * that finds errors reports them. All ranks return the same code. Collective. */
int problem_file_read_shared(const char *path, char *const *settings, int n_settings, bool need_control,
                             const ModelRanks *ranks, Diagnostics *diagnostics, Problem *problem);

/* Works as problem_file_read_shared, with the file and the settings of the command line (options). */
int problem_read(const Options *options, bool need_control, const ModelRanks *ranks, Diagnostics *diagnostics,
                 Problem *problem);

/* Works as problem_read for a parsed document, which this function destroys. document NULL: the text could not be
 * parsed, and `found` has at least one error. found: errors of the document. */
int problem_read_document(Document *document, bool need_control, const ModelRanks *ranks, Diagnostics *found,
                          Diagnostics *diagnostics, Problem *problem);

/* Works as problem_file_read for a file that must have the section evaluator; limits: limits of the work. */
int problem_evaluator_read(const char *path, char *const *settings, int n_settings, const WorkLimits *limits,
                           Diagnostics *diagnostics, Problem *problem);
/* Works as problem_evaluator_read for a text of `size` bytes. */
int problem_evaluator_text_read(const char *name, const char *text, size_t size, Diagnostics *diagnostics,
                                Problem *problem);
/* Returns whether a file has the section evaluator. */
bool problem_file_has_evaluator(const char *path, char *const *settings, int n_settings);

/* Returns the text of model.kind as written in the file. */
const char *problem_kind_name(const Problem *problem);

/* Returns the position of a row along a string, in m; NAN for other models. */
double problem_position(const Problem *problem, int row);

/* Returns how the matrices of a file's model are stored; MODEL_DENSE for files with errors. by_pattern: whether
 * the model is only simulated; if the file does not choose the storage, it then depends on the pattern of the
 * matrices. */
ModelStorage problem_file_storage(const char *path, char *const *settings, int n_settings, bool by_pattern);

/* Returns whether the search of a file uses a method of PETSc. Reads only the keys that decide this. */
bool problem_file_wants_petsc(const char *path, char *const *settings, int n_settings);

/* Returns whether PETSc is needed for the search of a document, or for its model on one rank. Reads only the keys that
 * decide this. */
bool problem_document_wants_petsc(Document *document);

/* Reads a document except its sections identify, measured and scenarios. Can be called again after values (Node.text)
 * have changed. Keeps the data that problem_set (src/file/sections/variant.h) needs. document: borrowed; if problem_set
 * is used, it must outlive the problem. */
int problem_document_read(Document *document, Diagnostics *diagnostics, Problem *problem);

/* Works as problem_file_read for a text of `size` bytes. name: name of the text in diagnostics. text NULL: the caller
 * had no memory for it. */
int problem_text_read(const char *name, const char *text, size_t size, char *const *settings, int n_settings,
                      const ModelRanks *ranks, Diagnostics *diagnostics, Problem *problem);

/* Returns all keys of the problem with their resolved values. Saved as a file, they define the same problem. The caller
 * owns the reference; NULL if there is no memory. */
json_t *problem_echo(const Problem *problem);

#endif
