/* SPDX-License-Identifier: BSD-2-Clause */
/* Version numbers of the file formats. A number rises with each change that would break a program that reads the file.
 * Each file stores its number under `format`. Readers accept all numbers up to the one here, and files without a
 * number, which are older. They refuse higher numbers. */
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
  FORMAT_CHECK = 1,      /* output of `check --json` */
  FORMAT_JOB = 1,        /* job.json of a service */
  FORMAT_FAULT_SIZE = 80
};

/* Returns whether a reader that supports format numbers up to `most` must refuse this file, and then sets fault to the
 * reason. format: the number in the file; 0 if it has none; < 0 if it is not a number. */
bool format_fault(int format, int most, char fault[FORMAT_FAULT_SIZE]);

/* Returns the format number of a JSON document: 0 if it has none, < 0 if it is not a number. */
int format_of_json(const json_t *root);

/* Returns 16 hexadecimal digits that identify the sources of this program. They are a hash of everything that can
 * affect an answer: the sources of sim/, control/ and of the folders that read problem files; the compiler and its
 * options; the versions of NLopt and PETSc. Builds with different hashes may give different answers, so they refuse
 * each other's checkpoints. */
const char *source_hash(void);

#endif
