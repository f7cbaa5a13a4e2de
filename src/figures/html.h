/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes elements of an HTML page: escaped text, tables, and embedded SVG pictures. */
#ifndef SRC_HTML_H
#define SRC_HTML_H

#include <jansson.h>
#include <stdio.h>

/* Writes text, escaped for use in elements and in quoted attributes. */
void html_text(FILE *page, const char *text);

/* Writes a JSON value. A number has 10 digits. A list is in brackets; it is collapsed if it has more than 64 numbers,
 * and cut after 10000. Other values are written as JSON, and NULL as nothing. Must not be used within <p>. */
void html_value(FILE *page, const json_t *value);

/* Writes a cell of a table; numbers have 6 digits. */
void html_cell(FILE *page, const json_t *value);

/* Writes a table row `path | value` for each value in an object, at any depth. path: dotted path of the object, as used
 * by --set. meaning: function that returns the description of a path for a third cell, or NULL if it has none; NULL:
 * there is no third cell. */
typedef const char *HtmlMeaning(const void *context, const char *path);
void html_rows(FILE *page, const json_t *object, const char *path, HtmlMeaning *meaning, const void *context);

/* Embeds an SVG picture. The text before <svg is dropped. `name`, which must be unique on the page, is put before each
 * identifier in the picture, so that pictures do not share identifiers. alt: text for screen readers. */
void html_svg(FILE *page, const char *svg, const char *name, const char *alt);

#endif
