/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads and echoes keys by their rows (sim/parameter.h). */
#ifndef SRC_PARAMETER_H
#define SRC_PARAMETER_H

#include "src/file/values/reader.h"

/* The keys of a table as written in the file, before it is known how many numbers each must have. */
typedef struct WrittenKey {
  const SimParameter *row;
  Node *node;    /* value of the key; NULL: the key is absent */
  Values values; /* its numbers, for a key with more than one number */
  bool timed;    /* whether the vector is given as a function of time, which the owner of the key reads */
} WrittenKey;
enum { WRITTEN_MAX = 64 };
struct WrittenKeys {
  WrittenKey list[WRITTEN_MAX]; /* [n] */
  int n;
};

/* Rules for keys that a kind of model supports only in some cases. The problem that is passed to them already has the
 * single values of all preceding rows. */
typedef struct KeyRules {
  bool (*takes)(const SimProblem *problem, const char *key); /* whether the key is supported; NULL: all keys are */
  /* Reports a key that is given but not supported. */
  void (*refuse)(Reader *reader, Node *node, const SimParameter *row);
} KeyRules;

/* Reads all supported keys of a table, below `path`, and of its subsections. Stores single numbers and words, or their
 * defaults, in `problem`, and all other values in keys. Reports missing keys. */
void keys_read(Reader *reader, Node *section, const char *path, const SimParameter *rows, const KeyRules *rules,
               SimProblem *problem, WrittenKeys *keys);
/* returns NULL if there is no such key, or it is not supported */
WrittenKey *keys_find(WrittenKeys *keys, const char *key);
/* Reports that a key is missing, and what it should be. Does nothing if the section that should contain it is missing
 * or has an error. */
void keys_require(Reader *reader, const Node *section, const char *path, const SimParameter *row);
/* Fills reader->problem->sim, which already has its sizes: single values from `single`; arrays from the values as
 * written, or their defaults; and with dense storage the matrices. */
void keys_fill(Reader *reader, WrittenKeys *keys, const SimProblem *single);
void keys_clear(WrittenKeys *keys);
/* Adds all supported keys that the problem stores to a JSON object. Returns false if there is no memory. */
bool keys_echo(const SimParameter *rows, const KeyRules *rules, const SimProblem *problem, json_t *object);

/* The constants of the scheme as a file gives them, in the order of the scheme's rows. Defaults that follow from other
 * values are 0 here. */
enum { CONSTANTS_MAX = 32 };
struct GivenConstants {
  double values[CONSTANTS_MAX];
  Expression *formulas[CONSTANTS_MAX]; /* formulas in step, T and delta; NULL: the constant is a number; owned */
};

void constants_keep(Reader *reader); /* stores the values of the constants as the file gives them, after all have
                                      * been read */
/* Sets the constants to the given values, and evaluates the formulas that do not need delta. */
void constants_restore(Reader *reader);
/* Returns whether a constant (NULL: any constant) is a formula in delta. constants_evaluate evaluates such formulas
 * once delta is known. */
bool constants_wait(const Problem *problem, const char *key);
void constants_evaluate(Reader *reader);
/* returns a copy; NULL: no memory, or there are no constants */
GivenConstants *constants_share(const GivenConstants *given);
void constants_destroy(GivenConstants *given); /* NULL is allowed */

/* Returns whether a value is in the range of its row; reports an error if not. node: NULL for a constant of the
 * scheme. */
bool parameter_allowed(Reader *reader, const Node *node, const SimParameter *row, double value);
/* Reads a number or word in the range of its row. After reporting an error, *value is unchanged. node: not NULL. */
bool parameter_value(Reader *reader, Node *node, const SimParameter *row, double *value);
/* Reads one key into the struct that its row describes (row->size > 0). After reporting an error, the struct is
 * unchanged. A formula in delta is evaluated later, by constants_evaluate. Returns whether the key is present and
 * valid. */
bool parameter_read(Reader *reader, Node *section, const SimParameter *row, void *owner);
/* Reads all keys of a table that are members of a struct, `owner`. */
void parameters_read(Reader *reader, Node *section, const SimParameter *rows, void *owner);

/* Adds all keys of a table that are members of a struct, `owner`, to a JSON object, except absent ones and those that
 * the owner's code reads. Returns false if there is no memory. */
bool parameters_echo(const SimParameter *rows, const void *owner, json_t *object);

#endif
