/* Problem files: what a user asks for, in YAML. See README.md for the keys. */
#ifndef SRC_PROBLEM_FILE_H
#define SRC_PROBLEM_FILE_H

#include "src/base/diagnostics.h"
#include "src/base/problem.h"
#include "src/file/text/document.h"
#include "src/process/model_ranks.h"

#include <jansson.h>
#include <stdio.h>

/* Reads a problem file, overlaid with settings "KEY=VALUE" (borrowed, [n_settings]). All mistakes are put into
 * diagnostics, sorted. need_control: a missing control section is a mistake. Returns 0, EXIT_USAGE for
 * mistakes, or EXIT_INTERNAL when out of memory; the problem is cleared unless 0. */
int problem_file_read(const char *path, char *const *settings, int n_settings, bool need_control,
                      Diagnostics *diagnostics, Problem *problem);
void problem_clear(Problem *problem);

/* problem_file_read by all ranks of a group, which see the same files. The first rank that finds mistakes tells them; the
 * code is the same on all. Collective. */
int problem_file_read_shared(const char *path, char *const *settings, int n_settings, bool need_control,
                             const ModelRanks *ranks, Diagnostics *diagnostics, Problem *problem);

/* The problem file of a command, with the settings of its options, likewise. */
int problem_read(const Options *options, bool need_control, const ModelRanks *ranks, Diagnostics *diagnostics,
                 Problem *problem);

/* A document, which is taken over, likewise. found: errors of the document; NULL document: at least one. */
int problem_read_document(Document *document, bool need_control, const ModelRanks *ranks, Diagnostics *found,
                          Diagnostics *diagnostics, Problem *problem);

/* A file with the section evaluator, likewise, within limits: without it a mistake. */
int problem_evaluator_read(const char *path, char *const *settings, int n_settings, const WorkLimits *limits,
                           Diagnostics *diagnostics, Problem *problem);
/* Of a text of so many bytes. */
int problem_evaluator_text_read(const char *name, const char *text, size_t size, Diagnostics *diagnostics,
                                Problem *problem);
/* Whether it has one. */
bool problem_file_has_evaluator(const char *path, char *const *settings, int n_settings);

/* model.kind, as in the file. */
const char *problem_kind_name(const Problem *problem);

/* The position of a row along a string, m; NAN for other models. */
double problem_position(const Problem *problem, int row);

/* How a file's model is evaluated; MODEL_DENSE for files with mistakes. by_pattern: as of ModelRanks. */
ModelStorage problem_file_storage(const char *path, char *const *settings, int n_settings, bool by_pattern);

/* Whether its search takes PETSc's methods, likewise without reading the rest. */
bool problem_file_wants_petsc(const char *path, char *const *settings, int n_settings);

/* Whether its search, or its model on one rank, takes PETSc, likewise. */
bool problem_document_wants_petsc(Document *document);

/* Reads a document but for its sections identify, measured and scenarios: as often as wanted, between changes of its values (Node.text).
 * It keeps what problem_set (src/file/sections/variant.h) needs. document: borrowed, outlives the problem if that is to be used. */
int problem_document_read(Document *document, Diagnostics *diagnostics, Problem *problem);

/* A text of so many bytes in place of a file, likewise; name: for diagnostics; NULL text: there was no memory for it. */
int problem_text_read(const char *name, const char *text, size_t size, char *const *settings, int n_settings,
                      const ModelRanks *ranks, Diagnostics *diagnostics, Problem *problem);

/* The problem as it was understood: every key with its resolved value. Saved as a file it reads back as the
 * same problem. A new reference; NULL: no memory. */
json_t *problem_echo(const Problem *problem);

#endif
