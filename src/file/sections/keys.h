/* All keys of problem files, collected from the tables of their owners. */
#ifndef SRC_PROBLEM_KEYS_H
#define SRC_PROBLEM_KEYS_H

#include "sim/parameter.h"

/* Key of a row that represents any path below the section model, as in --set. */
#define ANY_MODEL_KEY "model.KEY"

/* Table of keys of a section. If the keys depend on the kind of model or the scheme, there is one table for each. */
typedef struct KeyTable {
  const char *section;      /* "search"; "": top level */
  const char *owner;        /* "friction", "moreau"; NULL: applies to all */
  const SimParameter *rows; /* NULL: no keys */
} KeyTable;

/* Sets table to number k = 0, 1, ..; returns false after the last. */
bool key_table(int k, KeyTable *table);

/* The sections of a file and its title, as rows. */
extern const SimParameter problem_sections[];

enum { KEY_PATH_SIZE = 64, KEY_OWNERS_SIZE = 160, KEYS_MAX = 256 };

/* A key with its dotted path. Owners with the same key share one entry. */
typedef struct Key {
  char path[KEY_PATH_SIZE];
  char owners[KEY_OWNERS_SIZE]; /* "centered, lie"; "": all */
  const SimParameter *row;
} Key;

/* Lists all keys, each section before its own keys; returns their number. */
int keys_list(Key keys[KEYS_MAX]);
/* Returns the unit of a path, which may be an entry of a list ("model.mass[1]": kg), for a kind of model. NULL: none or
 * unknown. */
const char *keys_unit(const char *path, const char *kind);
/* Lists the keys of one table in the same way. */
int keys_of_table(const KeyTable *table, Key keys[KEYS_MAX]);

#endif
