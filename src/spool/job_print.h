/* Jobs (job_list.h) as text on a terminal. */
#ifndef SRC_SPOOL_JOB_PRINT_H
#define SRC_SPOOL_JOB_PRINT_H

#include "src/spool/job_list.h"
#include "src/spool/spool_service.h"

#include <stdio.h>

enum { JOB_OUTCOME_SIZE = 512 };

/* What has become of a job, in some words: "target met (tolerance)", the first line of its error; "": nothing yet. Returns outcome. */
const char *job_outcome(const json_t *job, char outcome[JOB_OUTCOME_SIZE]);

/* How far a job is, in a line: "tp1: running  round 12  J 468.07  E1 1.2e-05  40 s left". Returns text. */
const char *job_progress_text(const json_t *job, char text[JOB_OUTCOME_SIZE]);

/* The service in a line: its phase, ranks, how many are busy, rate; counts of jobs. Without its line end. */
void job_print_service(const SpoolService *service, const JobList *list, FILE *out);

/* A line a job, under a line of heads. */
void job_print_table(const JobList *list, FILE *out);

/* All that is known of one: a line each. */
void job_print_one(const json_t *job, FILE *out);

/* The lines on an outcome that `submit --wait` prints. spool: the path of its folder. */
void job_print_outcome(const json_t *job, const char *spool, FILE *out);

#endif
