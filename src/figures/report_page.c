/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/figures/report_page.h"

#include "src/figures/html.h"

#include <stdlib.h>

static const char style[] =
    ":root{color-scheme:light dark;--ink:#1b1f24;--dim:#57606a;--paper:#fff;--rule:#d0d7de;--head:#f3f5f7}\n"
    "@media(prefers-color-scheme:dark){:root{--ink:#e6edf3;--dim:#9aa5b1;--paper:#14181d;--rule:#3a424c;"
    "--head:#1f252c}}\n"
    "*{box-sizing:border-box}\n"
    "body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,sans-serif}\n"
    "main{max-width:66rem;margin:0 auto;padding:1rem 1rem 3rem}\n"
    "h1{font-size:1.6rem;line-height:1.25;margin:.5rem 0;overflow-wrap:anywhere}\n"
    "h2{font-size:1.2rem;margin:2rem 0 .5rem}\nh3{font-size:1rem;margin:0}\n"
    "p{margin:.3rem 0}\n.dim,figcaption p{color:var(--dim);font-size:.9rem}\n"
    ".tables{display:flex;flex-wrap:wrap;gap:1rem 2rem}\n.tables>section{min-width:0;max-width:100%}\n"
    ".scroll{overflow-x:auto;max-width:100%}\nsummary{cursor:pointer}\n"
    "table{border-collapse:collapse;font-size:.9rem;font-variant-numeric:tabular-nums}\n"
    "th,td{border-bottom:1px solid var(--rule);padding:.25rem .75rem .25rem .25rem;text-align:left;"
    "vertical-align:top}\n"
    "thead th{background:var(--head)}\ntd.n,th.n{text-align:right;white-space:nowrap}\n"
    "td.w{white-space:nowrap}td.long{min-width:16rem}\n"
    "tbody th{font-weight:500}\ntd,th{overflow-wrap:normal}\n"
    "@media(max-width:40rem){table{font-size:.75rem}th,td{padding:.25rem .4rem .25rem 0}th.n{white-space:normal}}\n"
    ".figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,30rem),1fr));gap:1.5rem}\n"
    "figure{margin:0;min-width:0}\n"
    "figure svg{display:block;max-width:100%;height:auto;margin-top:.5rem;border-radius:4px}\n";

void report_page_begin(FILE *page, const char *title) {
  fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>",
        page);
  html_text(page, title);
  fprintf(page, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<main>\n<h1>", style);
  html_text(page, title);
  fputs("</h1>\n", page);
}

void report_page_end(FILE *page) { fputs("</main>\n</body>\n</html>\n", page); }

int report_page_figures(FILE *page, const Figure *figures, int n, Diagnostics *diagnostics) {
  for (int k = 0; k < n; k++) {
    char *picture;
    size_t size;
    int code = figure_draw(&figures[k], NULL, FIGURE_SVG, &picture, &size, diagnostics);
    if (code) return code;
    fprintf(page, "<figure id=\"%s\"><figcaption><h3>", figures[k].name);
    html_text(page, figures[k].heading);
    fprintf(page, "</h3><p>%s</p></figcaption>\n", figures[k].caption);
    html_svg(page, picture, figures[k].name, figures[k].caption);
    fputs("</figure>\n", page);
    free(picture);
  }
  return 0;
}
