/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/figures/html.h"

#include <string.h>

/* A list of up to UNFOLDED_MAX values is shown whole. Of a longer one FOLDED_SHOWN values are shown, and up to
 * VALUES_MAX when it is unfolded. KEY_MAX: size of the path of a key, in bytes. */
enum { UNFOLDED_MAX = 64, FOLDED_SHOWN = 4, VALUES_MAX = 10000, KEY_MAX = 256 };

void html_text(FILE *page, const char *text) {
  for (; *text; text++) switch (*text) {
    case '&': fputs("&amp;", page); break;
    case '<': fputs("&lt;", page); break;
    case '>': fputs("&gt;", page); break;
    case '"': fputs("&quot;", page); break;
    case '\'': fputs("&#39;", page); break;
    default: fputc((unsigned char)*text < 0x20 || *text == 0x7f ? ' ' : *text, page);
    }
}

static size_t count(const json_t *value) {
  size_t n = 0, k;
  json_t *entry;
  if (!json_is_array(value)) return 1;
  json_array_foreach((json_t *)value, k, entry) n += count(entry); /* the cast is safe, since the value is only read */
  return n;
}

/* Writes a JSON value, but at most *left numbers of it. Subtracts the number of numbers written from *left. */
static void write_value(FILE *page, const json_t *value, size_t *left) {
  if (json_is_array(value)) {
    size_t n = json_array_size(value), k;
    fputc('[', page);
    for (k = 0; k<n && * left> 0; k++) {
      if (k) fputs(", ", page);
      write_value(page, json_array_get(value, k), left);
    }
    fputs(k == n ? "]" : ", ...", page);
    return;
  }
  --*left;
  if (json_is_string(value))
    html_text(page, json_string_value(value));
  else if (json_is_integer(value))
    fprintf(page, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
  else if (json_is_real(value))
    fprintf(page, "%.10g", json_real_value(value));
  else
    fputs(json_is_true(value) ? "true" : json_is_false(value) ? "false" : "none", page);
}

void html_value(FILE *page, const json_t *value) {
  size_t n = count(value), most = n, few = FOLDED_SHOWN;
  if (!value) return;
  if (n <= UNFOLDED_MAX) {
    write_value(page, value, &most);
    return;
  }
  fprintf(page, "<details><summary>%zu values: ", n);
  write_value(page, value, &few);
  fputs("</summary>", page);
  most = VALUES_MAX;
  write_value(page, value, &most);
  if (n > VALUES_MAX) fprintf(page, " and %zu more in summary.json", n - VALUES_MAX);
  fputs("</details>", page);
}

void html_cell(FILE *page, const json_t *value) {
  fputs("<td class=\"n\">", page);
  if (json_is_number(value))
    fprintf(page, "%.6g", json_number_value(value));
  else
    html_value(page, value);
  fputs("</td>", page);
}

void html_rows(FILE *page, const json_t *object, const char *path, HtmlMeaning *meaning, const void *context) {
  const char *key;
  json_t *value;
  json_object_foreach((json_t *)object, key, value) {
    char inner[KEY_MAX];
    snprintf(inner, sizeof inner, "%s%s%s", path, *path ? "." : "", key);
    if (json_is_object(value)) {
      html_rows(page, value, inner, meaning, context);
      continue;
    }
    fputs("<tr><th>", page);
    html_text(page, inner);
    fputs("</th><td>", page);
    html_value(page, value);
    const char *text = meaning ? meaning(context, inner) : NULL;
    if (text) fputs("</td><td class=\"dim\">", page);
    if (text) html_text(page, text);
    fputs("</td></tr>\n", page);
  }
}

void html_svg(FILE *page, const char *svg, const char *name, const char *alt) {
  static const char *const marks[] = {" id=\"", " id='", "href='#", "href=\"#", "url(#"};
  svg = strstr(svg, "<svg");
  if (!svg) return;
  fputs("<svg role=\"img\" aria-label=\"", page);
  html_text(page, alt);
  fputc('"', page);
  for (svg += strlen("<svg"); *svg;) {
    size_t length = 0;
    for (size_t k = 0; k < sizeof marks / sizeof *marks && !length; k++)
      if (strncmp(svg, marks[k], strlen(marks[k])) == 0) length = strlen(marks[k]);
    if (length)
      fprintf(page, "%.*s%s-", (int)length, svg, name);
    else
      fputc(*svg, page), length = 1;
    svg += length;
  }
}
