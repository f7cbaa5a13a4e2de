/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes what the reports of runs and of sweeps have in common: the beginning and the end of the page, and figures. */
#ifndef SRC_REPORT_PAGE_H
#define SRC_REPORT_PAGE_H

#include "src/figures/figure.h"

/* report_page_begin writes the head of the page with its style and title; the title is text, and becomes the heading,
 * too. report_page_end writes the end of the page. */
void report_page_begin(FILE *page, const char *title);
void report_page_end(FILE *page);

/* Draws figures [n] by gnuplot and writes each with its heading and caption, within <div class="figures">. Returns
 * 0; or EXIT_USAGE or EXIT_INTERNAL after reporting an error. */
int report_page_figures(FILE *page, const Figure *figures, int n, Diagnostics *diagnostics);

#endif
