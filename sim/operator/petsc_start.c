/* SPDX-License-Identifier: BSD-2-Clause */
/* Starts PETSc, and MPI if necessary, and ends PETSc. Defines PETSc's memory allocation and its error handling. */
#define _DEFAULT_SOURCE /* declares setenv */
#include "sim/base/argument.h"
#include "sim/group.h"
#include "sim/operator/petsc_library.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

bool sim_mpi_launched(void) {
  static const char *const signs[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"};
  for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
    if (getenv(signs[i])) return true;
  return false;
}

/* PETSc's allocator returns zeroed memory here. Some of its solvers (POUNDERS, 3.18) read entries that they have not
 * written, and the same problem must give the same bits for any earlier content of memory. Memory that PETSc allocated
 * before this function was set also comes from malloc. */
static PetscErrorCode take_memory(size_t size, PetscBool clear, int line, const char function[], const char file[],
                                  void **memory) {
  (void)clear, (void)line, (void)function, (void)file;
  *memory = size ? calloc(1, size) : NULL;
  return *memory || !size ? 0 : PETSC_ERR_MEM;
}

static PetscErrorCode give_memory(void *memory, int line, const char function[], const char file[]) {
  (void)line, (void)function, (void)file;
  free(memory);
  return 0;
}

/* The part beyond the old size must also be zero. malloc reports the size of a block, which is at least the old
 * size. */
static PetscErrorCode resize_memory(size_t size, int line, const char function[], const char file[], void **memory) {
  (void)line, (void)function, (void)file;
  void *moved = size ? calloc(1, size) : NULL;
  if (size && !moved) return PETSC_ERR_MEM;
  size_t before = *memory ? malloc_usable_size(*memory) : 0;
  if (moved && *memory) memcpy(moved, *memory, before < size ? before : size);
  free(*memory);
  *memory = moved;
  return 0;
}

static PetscErrorCode set_memory_and_errors(void) {
  /* whether -malloc_debug selects PETSc's own allocator, which cannot be combined with another one */
  PetscBool debugged = PETSC_FALSE;
  PetscErrorCode error = PetscPushErrorHandler(PetscReturnErrorHandler, NULL);
  if (!error) error = PetscMallocGetDebug(&debugged, NULL, NULL);
  if (!error && !debugged) error = PetscMallocSet(take_memory, give_memory, resize_memory);
  return error;
}

static PetscErrorCode initialise(void) {
  char name[] = "stiction", quiet[] = "-no_signal_handler";
  char *arguments[] = {name, quiet, NULL}, **argv = arguments;
  int argc = 2;
  /* a caller may use PETSc from several threads, one after the other */
  PETSC_MPI_THREAD_REQUIRED = MPI_THREAD_SERIALIZED;
  return PetscInitialize(&argc, &argv, NULL, NULL);
}

/* Starts PETSc together with MPI, in a process that mpirun has not started. Such a process spawns no others, so Open
 * MPI needs no daemon and no session folder for it. All such processes belong to the same job for Open MPI, and would
 * remove each other's folders. */
static PetscErrorCode initialise_alone(void) {
  static const char *const settings[][2] = {{"OMPI_MCA_ess_singleton_isolated", "1"},
                                            {"OMPI_MCA_orte_create_session_dirs", "0"}};
  enum { SETTINGS = sizeof settings / sizeof *settings };
  bool ours[SETTINGS] = {false};
  for (int i = 0; i < SETTINGS; i++) {
    ours[i] = !getenv(settings[i][0]);
    setenv(settings[i][0], settings[i][1], 0);
  }
  PetscErrorCode error = initialise();
  for (int i = 0; i < SETTINGS; i++) /* the environment variables are removed again, since programs that this one starts
                                      * have an MPI of their own */
    if (ours[i]) unsetenv(settings[i][0]);
  return error;
}

SimStatus stiction_petsc_start(const char *options) {
  PetscBool started = PETSC_FALSE;
  int with_mpi = 0;
  const char *fault = petsc_library_load(false);
  ARGUMENT(!fault, "PETSc", fault);
  if (PetscInitialized(&started) || MPI_Initialized(&with_mpi)) return SIM_BAD_PROBLEM;
  if (!started) {
    if (with_mpi || sim_mpi_launched() ? initialise() : initialise_alone()) return SIM_BAD_PROBLEM;
    if (set_memory_and_errors()) return SIM_BAD_PROBLEM;
  }
  if (options && PetscOptionsInsertString(NULL, options)) return SIM_BAD_PROBLEM;
  return SIM_OK;
}

SimStatus sim_petsc_status(int error) {
  if (!error) return SIM_OK;
  return error == PETSC_ERR_MEM || error == 1 ? SIM_NO_MEMORY : SIM_BAD_PROBLEM;
}

void stiction_petsc_stop(void) {
  PetscBool started = PETSC_FALSE;
  if (!petsc_library_load(true) && !PetscInitialized(&started) && started) PetscFinalize();
}
