/* SPDX-License-Identifier: BSD-2-Clause */
/* Handles PETSc's options with the prefix -step_, which select the solvers of petsc_solver.c. */
#include "sim/operator/petsc_library.h"
#include "sim/operator/sparse.h"

#include <stdio.h>
#include <string.h>

bool sparse_petsc_ready(void) {
  PetscBool started = PETSC_FALSE;
  return !petsc_library_load(true) && !PetscInitialized(&started) && started;
}

bool sparse_petsc_chosen(void) {
  char *options = NULL;
  if (!sparse_petsc_ready() || PetscOptionsGetAll(NULL, &options)) return false;
  bool chosen = options && strstr(options, "-step_") != NULL;
  PetscFree(options);
  return chosen;
}

bool sparse_petsc_unused(char *name, size_t size) {
  PetscInt n = 0;
  char **names, **values;
  bool found = false;
  if (PetscOptionsLeftGet(NULL, &n, &names, &values)) return false;
  for (PetscInt i = 0; i < n && !found; i++) {
    found = strncmp(names[i], "step_", strlen("step_")) == 0;
    if (found) snprintf(name, size, "-%s", names[i]);
  }
  PetscOptionsLeftRestore(NULL, &n, &names, &values);
  return found;
}
