/* The keys of problem files, told: for people, for README.md, for editors. All from their rows (sim/parameter.h). */
#ifndef SRC_REFERENCE_H
#define SRC_REFERENCE_H

#include "src/file/sections/keys.h"

#include <stdio.h>

enum { REFERENCE_TEXT_SIZE = 512 };

/* "a number or a list of numbers", "0 <= alpha <= 0.5" ("": any), "1.5e-8"; each returns text. */
const char *reference_forms(const SimParameter *row, char text[REFERENCE_TEXT_SIZE]);
const char *reference_range(const SimParameter *row, char text[REFERENCE_TEXT_SIZE]);
const char *reference_default(const SimParameter *row, char text[REFERENCE_TEXT_SIZE]);

/* The sections; a section's keys; a key, in all that it is. True unless there is none of that path. */
void reference_sections(FILE *out);
bool reference_key(const char *path, FILE *out);
/* What else is known of a word that is no path: the way out, and the keys with it in their texts. False: nothing, or it has fewer than three letters. */
bool reference_search(const char *word, FILE *out);
/* The path nearest to one that is not; NULL: none is near. Returns text. */
const char *reference_nearest(const char *path, char text[REFERENCE_TEXT_SIZE]);

/* The tables of the pages of jobs/problems, each between its markers. */
void reference_markdown(FILE *out);
/* The page stiction-problem(5) of the manual, likewise from the tables. */
void reference_manual(FILE *out);
/* A text as roff has it: nothing in it is a request. */
void reference_roff(const char *text, FILE *out);
/* All keys and the words of choices, a line each: "key PATH SENTENCE", "word PATH WORD", with tabs between. */
void reference_words(FILE *out);
/* A JSON Schema, draft-07. False: no memory. */
bool reference_schema(FILE *out);

#endif
