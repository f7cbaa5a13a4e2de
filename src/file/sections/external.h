/* SPDX-License-Identifier: BSD-2-Clause */
/* The section evaluator: a user's program that evaluates each point of a search. */
#ifndef SRC_PROBLEM_EXTERNAL_H
#define SRC_PROBLEM_EXTERNAL_H

#include "src/base/file_open.h"
#include "src/base/labels.h"
#include "src/file/values/reader.h"

/* Which points keep their folder after the program has ended. */
typedef enum ExternalKeep { EXTERNAL_KEEP_FAILED, EXTERNAL_KEEP_ALL, EXTERNAL_KEEP_NONE } ExternalKeep;

enum { EXTERNAL_WORDS_MAX = 256 };

/* The section evaluator after reading. All pointers are owned. */
struct External {
  char *command;                  /* the command as written in the file */
  char program[FILE_PATH_SIZE];   /* absolute path of the program, i.e. of the first word of the command */
  char directory[FILE_PATH_SIZE]; /* absolute path of the working directory */
  char **words;                   /* [n_words + 1] words of the command, NULL-terminated */
  int n_words;
  char (*variables)[LABEL_SIZE]; /* [n] names of the variables */
  char (*values)[LABEL_SIZE];    /* [m] names of the values */
  int n, m;                      /* number of variables and of values; 0: unknown because of errors */
  double timeout;                /* time limit of one run of the program, in s; 0: no limit */
  ExternalKeep keep;
};

extern const SimParameter evaluator_parameters[], evaluator_variable_parameters[], evaluator_value_parameters[];

/* Kinds of marks in the words of the command. {input}, {output} and {directory} are replaced by paths of the point's
 * folder. */
typedef enum ExternalMark {
  EXTERNAL_INPUT,
  EXTERNAL_OUTPUT,
  EXTERNAL_DIRECTORY,
  EXTERNAL_UNKNOWN, /* an unknown mark: a {word} of letters, digits and _ */
  EXTERNAL_NO_MARK  /* no mark but any other text, e.g. ${word}, which a shell replaces */
} ExternalMark;

/* Returns the kind of mark at position `at` of a word. Sets *length to the length of the mark with its braces. */
ExternalMark external_mark(const char *word, const char *at, int *length);

/* Reads the section into reader->problem->external, and its variables and values into reader->problem->control. */
void read_evaluator(Reader *reader, Node *root);
json_t *echo_evaluator(const Problem *problem);
void external_destroy(External *external); /* NULL is allowed */

#endif
