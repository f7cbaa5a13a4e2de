/* SPDX-License-Identifier: BSD-2-Clause */
/* Documents the keys of problem files, for the terminal, for the pages and for editors. All texts come from the rows
 * that define the keys (sim/parameter.h). */
#ifndef SRC_REFERENCE_H
#define SRC_REFERENCE_H

#include "src/file/sections/keys.h"

#include <stdio.h>

enum { REFERENCE_TEXT_SIZE = 512 };

/* Three functions describe a key and return text: its forms, "a number or a list of numbers"; its range, "0 <= alpha <=
 * 0.5", or "" if any value is valid; its default, "1.5e-8". */
const char *reference_forms(const SimParameter *row, char text[REFERENCE_TEXT_SIZE]);
const char *reference_range(const SimParameter *row, char text[REFERENCE_TEXT_SIZE]);
const char *reference_default(const SimParameter *row, char text[REFERENCE_TEXT_SIZE]);

/* reference_sections lists the sections. reference_key prints the keys of a section, or all that is known of one key.
 * It returns false if there is no such path. */
void reference_sections(FILE *out);
bool reference_key(const char *path, FILE *out);
/* Prints help for a word that is not a path: advice, and the keys that mention the word. Returns false if there is no
 * such help, or the word has fewer than three letters. */
bool reference_search(const char *word, FILE *out);
/* Returns the existing path most similar to one that does not exist, in `text`; NULL if none is similar. */
const char *reference_nearest(const char *path, char text[REFERENCE_TEXT_SIZE]);

/* Writes the tables of the pages in jobs/problems, each between its markers. */
void reference_markdown(FILE *out);
/* Writes the manual page stiction-problem(5) from the tables. */
void reference_manual(FILE *out);
/* Writes a text escaped for roff, the format of manual pages. */
void reference_roff(const char *text, FILE *out);
/* Writes all keys, and all words that keys accept, one a line, separated by tabs: "key PATH SENTENCE", "word PATH
 * WORD". */
void reference_words(FILE *out);
/* Writes a JSON Schema (draft-07) of problem files. Returns false if there is no memory. */
bool reference_schema(FILE *out);

#endif
