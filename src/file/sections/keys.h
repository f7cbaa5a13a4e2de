/* SPDX-License-Identifier: BSD-2-Clause */
/* All keys of problem files, collected from the tables in which the folders of the source define them. */
#ifndef SRC_PROBLEM_KEYS_H
#define SRC_PROBLEM_KEYS_H

#include "sim/parameter.h"

/* Path of a row in place of which any path of a value in the section model is allowed, as in --set. */
#define ANY_MODEL_KEY "model.KEY"

/* A table of keys of a section. If the keys depend on the kind of model or on the scheme, each kind or scheme is the
 * owner of a table. */
typedef struct KeyTable {
  const char *section;      /* name of the section, e.g. "search"; "": top level of the file */
  const char *owner;        /* kind of model or scheme, e.g. "friction" or "moreau"; NULL: the keys hold for all */
  const SimParameter *rows; /* the keys; NULL: there are none */
} KeyTable;

/* Sets *table to table number k, from 0. Returns false after the last table. */
bool key_table(int k, KeyTable *table);

/* Rows of the keys at the top level of a file: its sections and its title. */
extern const SimParameter problem_sections[];

enum { KEY_PATH_SIZE = 64, KEY_OWNERS_SIZE = 160, KEYS_MAX = 512 };

/* A key with its dotted path. If several owners have the same key, they share one entry. */
typedef struct Key {
  char path[KEY_PATH_SIZE];
  char owners[KEY_OWNERS_SIZE]; /* owners separated by commas, "centered, lie"; "": all */
  const SimParameter *row;
} Key;

/* Lists all keys; each section comes before its keys. Returns their number. Keys that exceed KEYS_MAX are left out. */
int keys_list(Key keys[KEYS_MAX]);
/* Returns the unit of the value at a path, for a kind of model. The path may be that of an entry of a list: the unit of
 * "model.mass[1]" is kg. Returns NULL if there is no unit or it is not known. */
const char *keys_unit(const char *path, const char *kind);
/* Lists the keys of one table as keys_list does. */
int keys_of_table(const KeyTable *table, Key keys[KEYS_MAX]);

#endif
