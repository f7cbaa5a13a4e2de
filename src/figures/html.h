/* Elements of an HTML page: escaped text, tables, and embedded SVG pictures. */
#ifndef SRC_HTML_H
#define SRC_HTML_H

#include <jansson.h>
#include <stdio.h>

/* Writes text, escaped for elements and quoted attributes. */
void html_text(FILE *page, const char *text);

/* Writes a value: a number with 10 digits; a list in brackets, collapsed if it has more than 64 numbers (at most 10000
 * are written); anything else as JSON; nothing for NULL. Not within <p>. */
void html_value(FILE *page, const json_t *value);

/* Writes a cell of a table; numbers have 6 digits. */
void html_cell(FILE *page, const json_t *value);

/* Writes a table row `path | value` for everything in an object, with dotted paths as for --set. */
void html_rows(FILE *page, const json_t *object, const char *path);

/* Embeds an SVG file: drops everything before <svg and prefixes its identifiers with name, which must be unique on the
 * page. alt: text for screen readers. */
void html_svg(FILE *page, const char *svg, const char *name, const char *alt);

#endif
