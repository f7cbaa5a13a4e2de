/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads keys of problem files and adds them to the echo, the resolved problem that the program prints. Each key is
 * described by a row of a table, a SimParameter (sim/parameter.h). */
#ifndef SRC_PARAMETER_H
#define SRC_PARAMETER_H

#include "src/file/values/reader.h"

/* A key of a table as written in the file, before it is known how many numbers it must have. */
typedef struct WrittenKey {
  const SimParameter *row;
  Node *node;    /* value of the key; NULL: the key is absent */
  Values values; /* numbers of the value, for a key with more than one number */
  bool timed;    /* whether the value is a vector given as a function of time, which is read by the code that uses the
                  * key */
} WrittenKey;
enum { WRITTEN_MAX = 64 };
struct WrittenKeys {
  WrittenKey list[WRITTEN_MAX]; /* [n] */
  int n;
};

/* Rules of a kind of model for keys that it supports only in some cases. The functions get a problem that already has
 * the single values of all preceding keys of the table. */
typedef struct KeyRules {
  bool (*takes)(const SimProblem *problem, const char *key); /* whether the key is supported; NULL: all keys are */
  /* Reports a key that is given but not supported. */
  void (*refuse)(Reader *reader, Node *node, const SimParameter *row);
} KeyRules;

/* Reads all supported keys of a table and of its subsections. path: path of the section, for messages. Single numbers
 * and words, or their defaults, are stored in `problem`; all other values are stored in keys. Reports missing keys. */
void keys_read(Reader *reader, Node *section, const char *path, const SimParameter *rows, const KeyRules *rules,
               SimProblem *problem, WrittenKeys *keys);
/* returns the key with this name; NULL if there is none, or it is not supported */
WrittenKey *keys_find(WrittenKeys *keys, const char *key);
/* Reports that a key is missing, and what its value should be. Does nothing if the section that should contain it is
 * missing or has an error. */
void keys_require(Reader *reader, const Node *section, const char *path, const SimParameter *row);
/* Fills reader->problem->sim, of which the sizes must be set before. Single values are copied from `single`. Arrays
 * and, with dense storage, matrices are filled from the values as written, or with their defaults. */
void keys_fill(Reader *reader, WrittenKeys *keys, const SimProblem *single);
void keys_clear(WrittenKeys *keys);
/* Adds all supported keys that the problem stores to a JSON object. Returns false if there is no memory. */
bool keys_echo(const SimParameter *rows, const KeyRules *rules, const SimProblem *problem, json_t *object);

/* The constants of the scheme as a file gives them, in the order of the scheme's table of keys. A constant is 0 if its
 * default follows from other values. */
enum { CONSTANTS_MAX = 32 };
struct GivenConstants {
  double values[CONSTANTS_MAX];
  Expression *formulas[CONSTANTS_MAX]; /* formulas in step, T and delta; NULL: the constant is a number; owned */
};

void constants_keep(Reader *reader); /* stores the values of the constants as the file gives them, after all have
                                      * been read */
/* Sets the constants to the given values, and evaluates the formulas that do not need delta. */
void constants_restore(Reader *reader);
/* Returns whether this constant (NULL: any constant) is a formula in delta. constants_evaluate evaluates such formulas
 * once delta, a bound of the eigenvalues of the model, is known. */
bool constants_wait(const Problem *problem, const char *key);
void constants_evaluate(Reader *reader);
/* returns a copy; NULL if given is NULL, or there is no memory */
GivenConstants *constants_share(const GivenConstants *given);
void constants_destroy(GivenConstants *given); /* NULL is allowed */

/* Returns whether a value is in the range that its row allows; reports an error if not. node: NULL for a constant of
 * the scheme that is a formula. */
bool parameter_allowed(Reader *reader, const Node *node, const SimParameter *row, double value);
/* Reads a number or word, which must be in the range that its row allows. Returns false after reporting an error;
 * *value is then unchanged. node: not NULL. */
bool parameter_value(Reader *reader, Node *node, const SimParameter *row, double *value);
/* Reads one key into the struct that its row describes (row->size > 0). After reporting an error, the struct is
 * unchanged. A formula in delta is evaluated later, by constants_evaluate. Returns whether the key is present and
 * valid. */
bool parameter_read(Reader *reader, Node *section, const SimParameter *row, void *owner);
/* Reads all keys of a table. owner: the struct of which the keys are members. */
void parameters_read(Reader *reader, Node *section, const SimParameter *rows, void *owner);

/* Adds all keys of a table to a JSON object. owner: the struct of which the keys are members. Keys without a value are
 * left out, and so are keys that other code adds. Returns false if there is no memory. */
bool parameters_echo(const SimParameter *rows, const void *owner, json_t *object);

#endif
