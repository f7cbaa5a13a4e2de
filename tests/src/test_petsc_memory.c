/* PETSc's memory is zero when it is taken, and what is added when it grows; where there is none, that is known for the reason. */
#include "sim/group.h"
#include "src/process/settings.h"
#include "tests/fixture.h"
#include "tests/no_memory.h"

#include <petscvec.h>

enum { SMALL = 100, LARGE = 100000 };

/* Memory that has been used, back in the hands of the allocator. */
static void dirty(void) {
  enum { PIECES = 8 };
  unsigned char *pieces[PIECES];
  for (int i = 0; i < PIECES; i++) memset(pieces[i] = malloc(LARGE), 0xff, LARGE);
  for (int i = 0; i < PIECES; i++) free(pieces[i]);
}

static long count_nonzero(const unsigned char *bytes, size_t from, size_t to) {
  long count = 0;
  for (size_t i = from; i < to; i++) count += bytes[i] != 0;
  return count;
}

static void grown_memory_is_zero(void **state) {
  (void)state;
  unsigned char *bytes;
  dirty();
  assert_int_equal(PetscMalloc1(SMALL, &bytes), 0);
  assert_int_equal(count_nonzero(bytes, 0, SMALL), 0);
  memset(bytes, 1, SMALL);
  assert_int_equal(PetscRealloc(LARGE, &bytes), 0);
  assert_int_equal(count_nonzero(bytes, 0, SMALL), SMALL);
  assert_int_equal(count_nonzero(bytes, SMALL, LARGE), 0);
  assert_int_equal(PetscRealloc(SMALL, &bytes), 0);
  assert_int_equal(PetscRealloc(2 * SMALL, &bytes), 0);
  assert_int_equal(count_nonzero(bytes, SMALL, 2 * SMALL), 0);
  assert_int_equal(PetscFree(bytes), 0);
}

/* PETSc itself tells some of them by PETSC_ERR_MEM, others by 1. */
static void no_memory_is_known(void **state) {
  (void)state;
  long k = 0, ones = 0;
  Vec first; /* with it PETSc registers its kinds of vectors, and does not try again where memory ends in that */
  assert_int_equal(VecCreateSeq(PETSC_COMM_SELF, SMALL, &first), 0);
  VecDestroy(&first);
  for (bool failed = true; failed;) {
    Vec vector = NULL;
    no_memory_left = ++k;
    PetscErrorCode error = VecCreateSeq(PETSC_COMM_SELF, SMALL, &vector);
    failed = no_memory_failed();
    no_memory_left = 0;
    assert_int_equal(sim_petsc_status(error), failed ? SIM_NO_MEMORY : SIM_OK);
    ones += error == 1;
    if (vector) VecDestroy(&vector);
  }
  assert_true(ones > 0 && k > ones + 1);
  assert_int_equal(sim_petsc_status(PETSC_ERR_ARG_OUTOFRANGE), SIM_BAD_PROBLEM);
}

int main(void) {
  if (process_petsc_start(NULL) != SIM_OK) return EXIT_FAILURE;
  const struct CMUnitTest tests[] = {cmocka_unit_test(grown_memory_is_zero), cmocka_unit_test(no_memory_is_known)};
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  sim_petsc_stop();
  return failed;
}
