/* Fuzzers of what others may have written: a target takes any bytes, and must neither crash nor break its invariant. */
#ifndef TESTS_FUZZ_H
#define TESTS_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct FuzzTarget {
  const char *name;
  void (*begin)(void); /* once; NULL: nothing */
  void (*take)(const uint8_t *bytes, size_t size);
} FuzzTarget;

extern const FuzzTarget fuzz_problem, fuzz_expression, fuzz_matrix, fuzz_load, fuzz_search, fuzz_proof, fuzz_rollout,
    fuzz_checkpoint, fuzz_record, fuzz_results, fuzz_hdf5, fuzz_spool, fuzz_package, fuzz_job, fuzz_http;

/* A folder of this process alone, in memory where there is room; removed at its end. */
const char *fuzz_folder(void);

enum { FUZZ_PATH_SIZE = 512 };

/* The path of NAME in it; returns path. */
char *fuzz_path(const char *name, char path[FUZZ_PATH_SIZE]);

/* Writes NAME there. */
void fuzz_write(const char *name, const uint8_t *bytes, size_t size);

/* Takes the part up to the next NUL, or to the end, off the bytes. */
size_t fuzz_part(const uint8_t **bytes, size_t *size, const uint8_t **part);

/* An invariant. */
#define FUZZ_HOLDS(condition)                                                                                          \
  do {                                                                                                                 \
    if (!(condition)) {                                                                                                \
      fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #condition);                                   \
      abort();                                                                                                         \
    }                                                                                                                  \
  } while (0)

#endif
