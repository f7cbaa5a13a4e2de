/* SPDX-License-Identifier: BSD-2-Clause */
/* Fuzzers of data that other users may have written. A target accepts any bytes. It must neither crash nor violate its
 * invariant. */
#ifndef TESTS_FUZZ_H
#define TESTS_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct FuzzTarget {
  const char *name;
  void (*begin)(void); /* called once, before the first input; NULL: none */
  void (*take)(const uint8_t *bytes, size_t size);
} FuzzTarget;

extern const FuzzTarget fuzz_problem, fuzz_expression, fuzz_matrix, fuzz_load, fuzz_robot, fuzz_search, fuzz_proof,
    fuzz_rollout, fuzz_checkpoint, fuzz_record, fuzz_results, fuzz_hdf5, fuzz_spool, fuzz_package, fuzz_job, fuzz_http;

/* Returns a folder that only this process uses. It is in memory if there is room, and is removed at the end. */
const char *fuzz_folder(void);

enum { FUZZ_PATH_SIZE = 512 };

/* Sets path to NAME in this folder. Returns path. */
char *fuzz_path(const char *name, char path[FUZZ_PATH_SIZE]);

/* Writes a file NAME in this folder. */
void fuzz_write(const char *name, const uint8_t *bytes, size_t size);

/* Splits off the bytes up to the next NUL, or to the end. Returns their number. */
size_t fuzz_part(const uint8_t **bytes, size_t *size, const uint8_t **part);

/* Checks an invariant. */
#define FUZZ_HOLDS(condition)                                                                                          \
  do {                                                                                                                 \
    if (!(condition)) {                                                                                                \
      fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #condition);                                   \
      abort();                                                                                                         \
    }                                                                                                                  \
  } while (0)

#endif
