/* SPDX-License-Identifier: BSD-2-Clause */
/* Prints jobs (job_list.h) as text on a terminal. */
#ifndef SRC_SPOOL_JOB_PRINT_H
#define SRC_SPOOL_JOB_PRINT_H

#include "src/spool/job_list.h"
#include "src/spool/spool_service.h"

#include <stdio.h>

enum { JOB_OUTCOME_SIZE = 512 };

/* Describes how a job ended, e.g. "target met (tolerance)", or the first line of its error; "" if it has not ended.
 * Returns outcome. */
const char *job_outcome(const json_t *job, char outcome[JOB_OUTCOME_SIZE]);

/* Describes the progress of a job in one line, e.g. "tp1: running  round 12  J 468.07  E1 1.2e-05  40 s left". Returns
 * text. */
const char *job_progress_text(const json_t *job, char text[JOB_OUTCOME_SIZE]);

/* Prints one line about the service, without newline: its phase, the number of its ranks and of those that are busy,
 * its rate of simulations, and numbers of jobs. */
void job_print_service(const SpoolService *service, const JobList *list, FILE *out);

/* Prints a header and a line for each job. */
void job_print_table(const JobList *list, FILE *out);

/* Prints all known data of a job, one per line. */
void job_print_one(const json_t *job, FILE *out);

/* Prints how a job ended, as `submit --wait` does. spool: path of the spool's folder. */
void job_print_outcome(const json_t *job, const char *spool, FILE *out);

#endif
