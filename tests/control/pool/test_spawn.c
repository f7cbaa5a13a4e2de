/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests that a pool is freed completely if MPI cannot start its workers. MPI_Comm_spawn is replaced here by a function
 * that fails. */
#include "control/pool.h"
#include "tests/fixture.h"

#include <malloc.h>

int MPI_Comm_spawn(const char *command, char *argv[], int maxprocs, MPI_Info info, int root, MPI_Comm comm,
                   MPI_Comm *intercomm, int array_of_errcodes[]) {
  (void)command, (void)argv, (void)maxprocs, (void)info, (void)root, (void)comm, (void)array_of_errcodes;
  *intercomm = MPI_COMM_NULL;
  return MPI_ERR_SPAWN;
}

static CtlPool *spawn_none(void) {
  static char *arguments[] = {NULL};
  const CtlSpawn spawn = {.program = "none", .arguments = arguments, .workers = 1000, .respawns = 1};
  const CtlPoolOptions options = {0};
  CtlPool *pool = (CtlPool *)(void *)arguments; /* any pointer but NULL; it is never followed */
  assert_int_equal(ctl_pool_spawn(&spawn, &options, &pool), SIM_BAD_PROBLEM);
  return pool;
}

static void no_worker_is_no_pool(void **state) {
  (void)state;
  assert_null(spawn_none());
}

static void memory_is_given_back(void **state) {
  (void)state;
  enum {
    TIMES = 20,
    LITTLE = 10000
  }; /* LITTLE: limit in bytes for memory that remains in use; the state of 1000 workers is larger, and would be lost
      * each time. */
  spawn_none();
  size_t before = mallinfo2().uordblks;
  for (int i = 0; i < TIMES; i++) spawn_none();
  assert_true(mallinfo2().uordblks < before + LITTLE);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const struct CMUnitTest tests[] = {cmocka_unit_test(no_worker_is_no_pool), cmocka_unit_test(memory_is_given_back)};
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  MPI_Finalize();
  return failed;
}
