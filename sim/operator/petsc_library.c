/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/operator/petsc_library.h"

PetscTable petsc_table;

#define LIBRARY_TABLE PetscTable
/* cppcheck-suppress syntaxError ; cppcheck expands names that are turned into strings */
static const LibrarySymbol symbols[] = {PETSC_SYMBOLS(LIBRARY_SYMBOL)};

const char *petsc_library_load(bool there) {
  /* sim/CMakeLists.txt sets the file name of the library */
  static Library petsc = LIBRARY(SIM_PETSC_LIBRARY, petsc_table, symbols);
  return library_load(&petsc, there);
}
