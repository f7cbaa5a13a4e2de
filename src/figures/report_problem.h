/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes the part of a report that lists the resolved problem: the keys of the file and all defaults. */
#ifndef SRC_REPORT_PROBLEM_H
#define SRC_REPORT_PROBLEM_H

#include <jansson.h>
#include <stdio.h>

/* Writes a table of all keys of a problem with their values and the descriptions that `stiction help` prints. */
void report_problem(FILE *page, const char *heading, const json_t *problem);

#endif
