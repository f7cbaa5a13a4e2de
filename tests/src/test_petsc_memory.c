/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests that memory for PETSc is zeroed when it is allocated and when it grows. A failed allocation is reported as the
 * reason of PETSc's error. */
#include "control/fit.h"
#include "sim/group.h"
#include "tests/fixture.h"
#include "tests/no_memory.h"

#include <petscvec.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
#else
static void __lsan_disable(void) {}
static void __lsan_enable(void) {}
#endif

enum { SMALL = 100, LARGE = 100000 };

/* Fills memory with nonzero bytes and returns it to the allocator. */
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

/* PETSc itself reports some failed allocations as PETSC_ERR_MEM, others as 1. */
static void no_memory_is_known(void **state) {
  (void)state;
  long k = 0, ones = 0;
  Vec first; /* with its first vector PETSc registers its kinds of vectors; after a lack of memory it would not do so
              * again */
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

/* p0 t^p1 = t */
static bool power(void *context, const double *p, double *r, double *jacobian) {
  (void)context;
  for (int k = 0; k < 3; k++) {
    double t = k + 1;
    r[k] = p[0] * pow(t, p[1]) - t;
    if (!jacobian) continue;
    jacobian[2 * k] = pow(t, p[1]);
    jacobian[2 * k + 1] = p[0] * pow(t, p[1]) * log(t);
  }
  return true;
}

/* Memory fails at any point of a least-squares fit. The fit reports this, or has its answer. PETSc may leak some memory
 * then. */
static void fits_without_memory(void **state) {
  const double lower[] = {0, 0}, upper[] = {4, 4};
  const CtlFit fit = {2, 3, lower, upper, NULL, power};
  double answer[2], p[2] = {2, 2};
  CtlFitEnd end;
  long k = 0, reported = 0;
  (void)state;
  assert_int_equal(ctl_fit_solve(&fit, p, &end), SIM_OK);
  memcpy(answer, p, sizeof p);
  assert_true(fabs(p[0] - 1) + fabs(p[1] - 1) < 1e-6);
  __lsan_disable();
  for (bool failed = true; failed;) {
    p[0] = p[1] = 2;
    no_memory_left = ++k;
    SimStatus status = ctl_fit_solve(&fit, p, &end);
    failed = no_memory_failed();
    no_memory_left = 0;
    if (status == SIM_OK) assert_memory_equal(p, answer, sizeof p);
    if (status != SIM_OK) assert_true(failed && status == SIM_NO_MEMORY);
    reported += status != SIM_OK;
  }
  __lsan_enable();
  assert_true(reported > 100);
}

static int errors_printed;

static PetscErrorCode tell_error(MPI_Comm comm, int line, const char *function, const char *file, PetscErrorCode code,
                                 PetscErrorType type, const char *text, void *context) {
  (void)comm, (void)line, (void)function, (void)file, (void)type, (void)text, (void)context;
  errors_printed++;
  return code;
}

/* Returns whether an error in a call of PETSc is returned to the caller and passed to the current error handler. */
static bool mistake_comes_back(void) {
  Vec vector;
  errors_printed = 0;
  if (VecCreate(MPI_COMM_SELF, &vector)) return false;
  bool back = VecSetType(vector, "of no kind") != 0;
  VecDestroy(&vector);
  return back;
}

/* Returns whether PETSc, started, ended and started again, gives zeroed memory each time, and leaves a host's own start
 * alone. Called in a separate process. */
static bool starts_again(void) {
  unsigned char *bytes;
  PetscBool all_zero = PETSC_TRUE;
  MPI_Init(NULL, NULL);
  for (int turn = 0; turn < 2; turn++) {
    if (stiction_petsc_start(NULL) != SIM_OK || !mistake_comes_back()) return false;
    dirty();
    if (PetscMalloc1(SMALL, &bytes) || count_nonzero(bytes, 0, SMALL)) all_zero = PETSC_FALSE;
    PetscFree(bytes);
    stiction_petsc_stop();
  }
  if (PetscInitialize(NULL, NULL, NULL, NULL) || PetscPushErrorHandler(tell_error, NULL)) return false;
  if (stiction_petsc_start("-of_the_host 1") != SIM_OK || !mistake_comes_back() || !errors_printed) return false;
  PetscFinalize();
  MPI_Finalize();
  return all_zero;
}

/* Starts PETSc in a child process, before MPI is started here. */
static bool another_starts_again(void) {
  int status = -1;
  pid_t child = fork();
  if (child == 0) {
    if (!freopen("/dev/null", "w", stderr)) _exit(2);
    _exit(starts_again() ? 0 : 1);
  }
  return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

static bool again;

static void start_and_host(void **state) {
  (void)state;
  assert_true(again);
  assert_null(getenv("OMPI_MCA_ess_singleton_isolated")); /* so that programs started by this one have an unchanged
                                                   * environment */
  assert_null(getenv("OMPI_MCA_orte_create_session_dirs"));
}

int main(void) {
  again = another_starts_again();
  if (stiction_petsc_start(NULL) != SIM_OK) return EXIT_FAILURE;
  const struct CMUnitTest tests[] = {cmocka_unit_test(grown_memory_is_zero), cmocka_unit_test(no_memory_is_known),
                                     cmocka_unit_test(fits_without_memory), cmocka_unit_test(start_and_host)};
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  stiction_petsc_stop();
  return failed;
}
