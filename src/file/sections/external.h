/* The section evaluator: a program of the user's own that is run for each point of a search. */
#ifndef SRC_PROBLEM_EXTERNAL_H
#define SRC_PROBLEM_EXTERNAL_H

#include "src/base/file_open.h"
#include "src/base/labels.h"
#include "src/file/values/reader.h"

/* Whose folder of a point stays. */
typedef enum ExternalKeep { EXTERNAL_KEEP_FAILED, EXTERNAL_KEEP_ALL, EXTERNAL_KEEP_NONE } ExternalKeep;

enum { EXTERNAL_WORDS_MAX = 256 };

/* All owned. */
struct External {
  char *command;                  /* as it was written */
  char program[FILE_PATH_SIZE];   /* the first of its words as a path, absolute */
  char directory[FILE_PATH_SIZE]; /* where it runs, absolute */
  char **words;                   /* [n_words + 1] of the command; NULL at the end */
  int n_words;
  char (*variables)[LABEL_SIZE]; /* [n] names */
  char (*values)[LABEL_SIZE];    /* [m] */
  int n, m;                      /* 0: not known, since they are wrong */
  double timeout;                /* s; 0: none */
  ExternalKeep keep;
};

extern const SimParameter evaluator_parameters[], evaluator_variable_parameters[], evaluator_value_parameters[];

/* {input}, {output}, {directory} in words stand for the paths of a point. */
typedef enum ExternalMark {
  EXTERNAL_INPUT,
  EXTERNAL_OUTPUT,
  EXTERNAL_DIRECTORY,
  EXTERNAL_UNKNOWN, /* {word}, of letters, digits and _, the first no digit, that stands for nothing */
  EXTERNAL_NO_MARK  /* anything else, also a shell's ${word} */
} ExternalMark;

/* What stands at a place in a word. *length: of the mark, with its braces. */
ExternalMark external_mark(const char *word, const char *at, int *length);

/* Reads the section into reader->problem: external, and control's variables and values. */
void read_evaluator(Reader *reader, Node *root);
json_t *echo_evaluator(const Problem *problem);
void external_destroy(External *external); /* NULL: nothing */

#endif
