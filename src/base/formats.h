/* The formats of what is written: whole numbers that rise with each change by which a program that reads the file would go wrong. Each file
 * tells its own as `format`. Readers take those up to the number here, and files without one, which are older; they refuse newer ones. */
#ifndef SRC_BASE_FORMATS_H
#define SRC_BASE_FORMATS_H

#include <jansson.h>
#include <stdbool.h>

enum {
  FORMAT_SUMMARY = 1,    /* summary.json */
  FORMAT_TRAJECTORY = 1, /* trajectory.h5 */
  FORMAT_EVENTS = 1,     /* events.h5 */
  FORMAT_SWEEP = 1,      /* sweep.h5 */
  FORMAT_RUN = 1,        /* checkpoint/run.json */
  FORMAT_CHECK = 1,      /* what `check --json` prints */
  FORMAT_JOB = 1,        /* job.json of a service */
  FORMAT_FAULT_SIZE = 80
};

/* Whether a file's format cannot be read by who reads those up to `most`, and why. format: 0 of a file without one, < 0 of one whose
 * format is no number. */
bool format_fault(int format, int most, char fault[FORMAT_FAULT_SIZE]);

/* The format of a JSON document, likewise. */
int format_of_json(const json_t *root);

/* Which sources this program is built from. */

/* 16 hexadecimal digits of a hash of all that an answer depends on: the sources of sim/, control/ and of the rooms that read
 * problem files, the compiler and its options, the versions of NLopt and PETSc. Builds that differ in it may
 * answer differently, and refuse each other's checkpoints. */
const char *source_hash(void);

#endif
