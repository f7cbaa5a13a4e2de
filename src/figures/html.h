/* Parts of a page: text that is never markup, tables, and pictures that share a page. */
#ifndef SRC_HTML_H
#define SRC_HTML_H

#include <jansson.h>
#include <stdio.h>

/* Text of anyone's, escaped for elements and quoted attributes. */
void html_text(FILE *page, const char *text);

/* A value: a number to 10 digits, a list in brackets, to be unfolded where it has more than 64 numbers (10000 at most),
 * anything else as JSON; nothing for NULL. Not within <p>. */
void html_value(FILE *page, const json_t *value);

/* Rows `path | value` of everything in an object, by dotted paths as --set takes them. */
void html_rows(FILE *page, const json_t *object, const char *path);

/* An SVG file as an element of the page: without what precedes <svg, its identifiers prefixed by name, which no other
 * on the page may have; alt: what a screen reader says. */
void html_svg(FILE *page, const char *svg, const char *name, const char *alt);

#endif
