/* All keys of problem files, gathered from the tables of their owners. */
#ifndef SRC_PROBLEM_KEYS_H
#define SRC_PROBLEM_KEYS_H

#include "sim/parameter.h"

/* The key of a row that stands for any path below the section model, as of --set. */
#define ANY_MODEL_KEY "model.KEY"

/* The keys of a section; of sections whose keys depend on it, those of one kind of model or one scheme. */
typedef struct KeyTable {
  const char *section;      /* "search"; "": the file's own */
  const char *owner;        /* "friction", "moreau"; NULL: all take the keys */
  const SimParameter *rows; /* NULL: none */
} KeyTable;

/* The tables one by one, k = 0, 1, ..; false after the last. */
bool key_table(int k, KeyTable *table);

/* The sections of a file, as rows, and its title. */
extern const SimParameter problem_sections[];

enum { KEY_PATH_SIZE = 64, KEY_OWNERS_SIZE = 160, KEYS_MAX = 256 };

/* A key by its dotted path; owners that take it alike are one. */
typedef struct Key {
  char path[KEY_PATH_SIZE];
  char owners[KEY_OWNERS_SIZE]; /* "centered, lie"; "": all */
  const SimParameter *row;
} Key;

/* All keys, parts of keys after what they are a part of; returns how many. */
int keys_list(Key keys[KEYS_MAX]);
/* The unit of a path's numbers, entries of lists and all ("model.mass[1]": kg), of a kind of model; NULL: none, or it is not known. */
const char *keys_unit(const char *path, const char *kind);
/* Those of one table alone, likewise. */
int keys_of_table(const KeyTable *table, Key keys[KEYS_MAX]);

#endif
