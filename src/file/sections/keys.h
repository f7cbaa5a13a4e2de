/* SPDX-License-Identifier: BSD-2-Clause */
/* All keys of problem files, collected from the tables of the rooms that define them. */
#ifndef SRC_PROBLEM_KEYS_H
#define SRC_PROBLEM_KEYS_H

#include "sim/parameter.h"

/* Key of a row that stands for the path of any value in the section model, as --set takes it. */
#define ANY_MODEL_KEY "model.KEY"

/* A table of keys of a section. If the keys depend on the kind of model or on the scheme, each kind or scheme is the
 * owner of a table. */
typedef struct KeyTable {
  const char *section;      /* name of the section, e.g. "search"; "": top level of the file */
  const char *owner;        /* kind of model or scheme, e.g. "friction" or "moreau"; NULL: the keys hold for all */
  const SimParameter *rows; /* the keys; NULL: there are none */
} KeyTable;

/* Sets table to table number k, from 0. Returns false after the last. */
bool key_table(int k, KeyTable *table);

/* Rows of the keys at the top level of a file: its sections and its title. */
extern const SimParameter problem_sections[];

enum { KEY_PATH_SIZE = 64, KEY_OWNERS_SIZE = 160, KEYS_MAX = 512 };

/* A key with its dotted path. Several owners with the same key share one entry. */
typedef struct Key {
  char path[KEY_PATH_SIZE];
  char owners[KEY_OWNERS_SIZE]; /* owners separated by commas, "centered, lie"; "": all */
  const SimParameter *row;
} Key;

/* Lists all keys; each section precedes its keys. Returns their number, below KEYS_MAX: further keys are left out. */
int keys_list(Key keys[KEYS_MAX]);
/* Returns the unit of the value at a path for a kind of model. The path may name an entry of a list ("model.mass[1]":
 * kg). NULL: there is none, or it is unknown. */
const char *keys_unit(const char *path, const char *kind);
/* Lists the keys of one table as keys_list does. */
int keys_of_table(const KeyTable *table, Key keys[KEYS_MAX]);

#endif
