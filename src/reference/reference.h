/* SPDX-License-Identifier: BSD-2-Clause */
/* Prints descriptions of the keys of problem files, for the terminal, for the pages and for editors. All texts come
 * from the tables that define the keys (sim/parameter.h). */
#ifndef SRC_REFERENCE_H
#define SRC_REFERENCE_H

#include "src/file/sections/keys.h"

#include <stdio.h>

enum { REFERENCE_TEXT_SIZE = 512 };

/* Describe a key. Each function writes and returns a text. reference_forms gives the forms of the value, e.g. "a number
 * or a list of numbers"; reference_range the range, e.g. "0 <= alpha <= 0.5", or "" if any value is valid;
 * reference_default the default, e.g. "1.5e-8". */
const char *reference_forms(const SimParameter *row, char text[REFERENCE_TEXT_SIZE]);
const char *reference_range(const SimParameter *row, char text[REFERENCE_TEXT_SIZE]);
const char *reference_default(const SimParameter *row, char text[REFERENCE_TEXT_SIZE]);

/* reference_sections prints the list of the sections. reference_key prints the keys of a section, or the full
 * description of one key; it returns false if there is no such path. */
void reference_sections(FILE *out);
bool reference_key(const char *path, FILE *out);
/* Prints help for a word that is not a path: advice, and the keys that mention the word. Returns false if there is
 * none, or the word has fewer than three letters. */
bool reference_search(const char *word, FILE *out);
/* Returns the existing path that is most similar to a path that does not exist; NULL if none is similar. text: buffer
 * for the result. */
const char *reference_nearest(const char *path, char text[REFERENCE_TEXT_SIZE]);

/* Writes the tables of the pages in jobs/problems, each between its markers. */
void reference_markdown(FILE *out);
/* Writes the manual page stiction-problem(5) from the tables. */
void reference_manual(FILE *out);
/* Writes a text escaped for roff, the format of manual pages. */
void reference_roff(const char *text, FILE *out);
/* Writes all keys, and all words that keys accept, one a line with fields separated by tabs: "key PATH SENTENCE" or
 * "word PATH WORD". */
void reference_words(FILE *out);
/* Writes a JSON Schema (draft-07) of problem files. Returns false if there is no memory. */
bool reference_schema(FILE *out);

#endif
