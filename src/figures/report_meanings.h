/* SPDX-License-Identifier: BSD-2-Clause */
/* What the names of numbers in summary.json mean, for the tables of a report. */
#ifndef SRC_REPORT_MEANINGS_H
#define SRC_REPORT_MEANINGS_H

/* Returns a phrase that explains the member `path` of a section of summary.json; NULL: its name needs no explanation.
 * context: name of the section, such as "counts". Has the type HtmlMeaning, for html_rows. */
const char *report_meaning(const void *context, const char *path);

#endif
