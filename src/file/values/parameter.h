/* Keys read and echoed by their rows (sim/parameter.h). */
#ifndef SRC_PARAMETER_H
#define SRC_PARAMETER_H

#include "src/file/values/reader.h"

/* The keys of a table as a file has them, before it is known how many numbers each should be. */
typedef struct WrittenKey {
  const SimParameter *row;
  Node *node;    /* NULL: absent */
  Values values; /* of more than one number */
  bool timed;    /* of a vector: written as a course in time, for the owner to read */
} WrittenKey;
enum { WRITTEN_MAX = 64 };
struct WrittenKeys {
  WrittenKey list[WRITTEN_MAX]; /* [n] */
  int n;
};

/* Keys that a kind of model takes not always: of a problem whose single values, as far as their rows stand before, are set. */
typedef struct KeyRules {
  bool (*takes)(const SimProblem *problem, const char *key); /* NULL: all */
  /* What is to be told where one is given that is not taken. */
  void (*refuse)(Reader *reader, Node *node, const SimParameter *row);
} KeyRules;

/* Reads all keys of a table that are taken, below `path`, and of its sections that are there: single numbers and words into
 * `problem`, with the defaults of those that are absent, others into keys. Tells what is missing. */
void keys_read(Reader *reader, Node *section, const char *path, const SimParameter *rows, const KeyRules *rules,
               SimProblem *problem, WrittenKeys *keys);
WrittenKey *keys_find(WrittenKeys *keys, const char *key); /* NULL: not taken */
/* Tells that a key is missing, and what it should be, unless what should hold it is missing or it is wrong. */
void keys_require(Reader *reader, const Node *section, const char *path, const SimParameter *row);
/* Fills reader->problem->sim, whose sizes are set: single values from `single`, arrays from what is written, or what stands for
 * it; matrices if they are dense. */
void keys_fill(Reader *reader, WrittenKeys *keys, const SimProblem *single);
void keys_clear(WrittenKeys *keys);
/* Adds the keys that are taken, and kept in the problem, to an object. False: no memory. */
bool keys_echo(const SimParameter *rows, const KeyRules *rules, const SimProblem *problem, json_t *object);

/* The constants of the scheme as a file gives them, by the rows of the scheme. Defaults that follow from other values are 0 here. */
enum { CONSTANTS_MAX = 32 };
struct GivenConstants {
  double values[CONSTANTS_MAX];
  Expression *formulas[CONSTANTS_MAX]; /* in step, T and delta; NULL: a number; owned */
};

void constants_keep(Reader *reader); /* keeps the values, once all have been read */
/* Sets the values as they were given, and evaluates the formulas that do not need delta. */
void constants_restore(Reader *reader);
/* Whether a constant (NULL: some constant) is a formula in delta, which constants_evaluate evaluates once delta is known. */
bool constants_wait(const Problem *problem, const char *key);
void constants_evaluate(Reader *reader);
GivenConstants *constants_share(const GivenConstants *given); /* NULL: no memory, or none */
void constants_destroy(GivenConstants *given);                /* NULL: nothing */

/* Whether a value is in the row's range; reported otherwise. node: NULL for a constant of the scheme. */
bool parameter_allowed(Reader *reader, const Node *node, const SimParameter *row, double value);
/* A number or a word by its row, in its range; what is wrong is told, and leaves *value as it was. node: not NULL. */
bool parameter_value(Reader *reader, Node *node, const SimParameter *row, double *value);
/* Reads one key into the struct that its row is for (row->size > 0). What is wrong is told, and leaves the value as it
 * was; an expression that needs delta waits for constants_evaluate. Returns whether the key was there and good. */
bool parameter_read(Reader *reader, Node *section, const SimParameter *row, void *owner);
/* All keys of a table that such a struct holds. */
void parameters_read(Reader *reader, Node *section, const SimParameter *rows, void *owner);

/* Adds all keys of a table that such a struct holds to an object, but for those that are none, or in a form that the
 * owner's code reads. False: no memory. */
bool parameters_echo(const SimParameter *rows, const void *owner, json_t *object);

#endif
