/* Fuzzers of data that other users may have written: a target accepts any bytes, and must neither crash nor violate its
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
  void (*begin)(void); /* called once; NULL: none */
  void (*take)(const uint8_t *bytes, size_t size);
} FuzzTarget;

extern const FuzzTarget fuzz_problem, fuzz_expression, fuzz_matrix, fuzz_load, fuzz_robot, fuzz_search, fuzz_proof,
    fuzz_rollout, fuzz_checkpoint, fuzz_record, fuzz_results, fuzz_hdf5, fuzz_spool, fuzz_package, fuzz_job, fuzz_http;

/* Returns a folder for this process only, in memory if there is room; removed at the end. */
const char *fuzz_folder(void);

enum { FUZZ_PATH_SIZE = 512 };

/* Sets path to NAME in it; returns path. */
char *fuzz_path(const char *name, char path[FUZZ_PATH_SIZE]);

/* Writes NAME there. */
void fuzz_write(const char *name, const uint8_t *bytes, size_t size);

/* Splits the part up to the next NUL, or to the end, off the bytes. */
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
