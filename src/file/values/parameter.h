/* Keys read and echoed by their rows (sim/parameter.h). */
#ifndef SRC_PARAMETER_H
#define SRC_PARAMETER_H

#include "src/file/values/reader.h"

/* Keys of a table as written in the file, before the expected number of values is known. */
typedef struct WrittenKey {
  const SimParameter *row;
  Node *node;    /* NULL: absent */
  Values values; /* for keys of more than one number */
  bool timed;    /* a vector that is given as a function of time; its owner reads it */
} WrittenKey;
enum { WRITTEN_MAX = 64 };
struct WrittenKeys {
  WrittenKey list[WRITTEN_MAX]; /* [n] */
  int n;
};

/* Rules for keys that a kind of model supports only in some cases. The problem passed to them has the single values of
 * all preceding rows. */
typedef struct KeyRules {
  bool (*takes)(const SimProblem *problem, const char *key); /* whether the key is supported; NULL: all keys are */
  /* Reports a key that is given but not supported. */
  void (*refuse)(Reader *reader, Node *node, const SimParameter *row);
} KeyRules;

/* Reads all supported keys of a table, below `path`, and of its subsections. Single numbers and words, or their
 * defaults, are stored in `problem`, all others in keys. Reports missing keys. */
void keys_read(Reader *reader, Node *section, const char *path, const SimParameter *rows, const KeyRules *rules,
               SimProblem *problem, WrittenKeys *keys);
WrittenKey *keys_find(WrittenKeys *keys, const char *key); /* NULL: not a supported key */
/* Reports that a key is missing and what it should be, unless the section that should contain it is missing or has an
 * error. */
void keys_require(Reader *reader, const Node *section, const char *path, const SimParameter *row);
/* Fills reader->problem->sim, which has its sizes: single values from `single`, arrays from the values as written or
 * their defaults, and matrices with dense storage. */
void keys_fill(Reader *reader, WrittenKeys *keys, const SimProblem *single);
void keys_clear(WrittenKeys *keys);
/* Adds all supported keys that the problem stores to an object. Returns false if there is no memory. */
bool keys_echo(const SimParameter *rows, const KeyRules *rules, const SimProblem *problem, json_t *object);

/* The constants of the scheme as a file gives them, by the rows of the scheme. Defaults that follow from other values
 * are 0 here. */
enum { CONSTANTS_MAX = 32 };
struct GivenConstants {
  double values[CONSTANTS_MAX];
  Expression *formulas[CONSTANTS_MAX]; /* formulas in step, T and delta; NULL: a number; owned */
};

void constants_keep(Reader *reader); /* keeps the values, once all have been read */
/* Sets the values as they were given, and evaluates the formulas that do not need delta. */
void constants_restore(Reader *reader);
/* Whether a constant (NULL: some constant) is a formula in delta, which constants_evaluate evaluates once delta is
 * known. */
bool constants_wait(const Problem *problem, const char *key);
void constants_evaluate(Reader *reader);
GivenConstants *constants_share(const GivenConstants *given); /* NULL: no memory, or none */
void constants_destroy(GivenConstants *given);                /* NULL: does nothing */

/* Whether a value is in the row's range; reported otherwise. node: NULL for a constant of the scheme. */
bool parameter_allowed(Reader *reader, const Node *node, const SimParameter *row, double value);
/* Reads a number or a word within its row's range. After an error, which is reported, *value is unchanged. node: not
 * NULL. */
bool parameter_value(Reader *reader, Node *node, const SimParameter *row, double *value);
/* Reads one key into the struct that its row describes (row->size > 0). After an error, which is reported, the value is unchanged. A formula in
 * delta is evaluated by constants_evaluate. Returns whether the key is present and valid. */
bool parameter_read(Reader *reader, Node *section, const SimParameter *row, void *owner);
/* Reads all keys of a table that such a struct holds. */
void parameters_read(Reader *reader, Node *section, const SimParameter *rows, void *owner);

/* Adds all keys of a table that such a struct holds to an object, except absent ones and those that the owner's code
 * reads. Returns false if there is no memory. */
bool parameters_echo(const SimParameter *rows, const void *owner, json_t *object);

#endif
