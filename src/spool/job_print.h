/* Prints jobs (job_list.h) as text on a terminal. */
#ifndef SRC_SPOOL_JOB_PRINT_H
#define SRC_SPOOL_JOB_PRINT_H

#include "src/spool/job_list.h"
#include "src/spool/spool_service.h"

#include <stdio.h>

enum { JOB_OUTCOME_SIZE = 512 };

/* Describes a job's outcome: "target met (tolerance)", the first line of its error; "": not ended. Returns outcome. */
const char *job_outcome(const json_t *job, char outcome[JOB_OUTCOME_SIZE]);

/* Describes a job's progress in a line: "tp1: running  round 12  J 468.07  E1 1.2e-05  40 s left". Returns text. */
const char *job_progress_text(const json_t *job, char text[JOB_OUTCOME_SIZE]);

/* Prints the service in a line, without newline: its phase, ranks, number of busy ranks, rate; counts of jobs. */
void job_print_service(const SpoolService *service, const JobList *list, FILE *out);

/* Prints a header and a line for each job. */
void job_print_table(const JobList *list, FILE *out);

/* Prints all known data of a job, one per line. */
void job_print_one(const json_t *job, FILE *out);

/* Prints the outcome as for `submit --wait`. spool: the path of its folder. */
void job_print_outcome(const json_t *job, const char *spool, FILE *out);

#endif
