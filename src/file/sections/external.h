/* The section evaluator: a user's program that evaluates each point of a search. */
#ifndef SRC_PROBLEM_EXTERNAL_H
#define SRC_PROBLEM_EXTERNAL_H

#include "src/base/file_open.h"
#include "src/base/labels.h"
#include "src/file/values/reader.h"

/* Points for which the folder is kept. */
typedef enum ExternalKeep { EXTERNAL_KEEP_FAILED, EXTERNAL_KEEP_ALL, EXTERNAL_KEEP_NONE } ExternalKeep;

enum { EXTERNAL_WORDS_MAX = 256 };

/* Data of the section `external`. All pointers are owned. */
struct External {
  char *command;                  /* as written */
  char program[FILE_PATH_SIZE];   /* absolute path of the program, the command's first word */
  char directory[FILE_PATH_SIZE]; /* working directory, absolute */
  char **words;                   /* [n_words + 1] words of the command, NULL-terminated */
  int n_words;
  char (*variables)[LABEL_SIZE]; /* [n] names */
  char (*values)[LABEL_SIZE];    /* [m] */
  int n, m;                      /* numbers of variables and values; 0: unknown because of errors */
  double timeout;                /* s; 0: no limit */
  ExternalKeep keep;
};

extern const SimParameter evaluator_parameters[], evaluator_variable_parameters[], evaluator_value_parameters[];

/* Marks {input}, {output} and {directory} in words are replaced by the paths of a point. */
typedef enum ExternalMark {
  EXTERNAL_INPUT,
  EXTERNAL_OUTPUT,
  EXTERNAL_DIRECTORY,
  EXTERNAL_UNKNOWN, /* an undefined {word} of letters, digits and _ */
  EXTERNAL_NO_MARK  /* any other text, including a shell's ${word} */
} ExternalMark;

/* Returns the mark at a position in a word. *length: its length with its braces. */
ExternalMark external_mark(const char *word, const char *at, int *length);

/* Reads the section into reader->problem: external, and the variables and values of control. */
void read_evaluator(Reader *reader, Node *root);
json_t *echo_evaluator(const Problem *problem);
void external_destroy(External *external); /* NULL: does nothing */

#endif
