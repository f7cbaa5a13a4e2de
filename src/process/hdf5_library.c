/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/process/hdf5_library.h"

Hdf5Table hdf5_table;

#define LIBRARY_TABLE Hdf5Table
/* cppcheck-suppress syntaxError ; cppcheck expands names that the macro turns into strings */
static const LibrarySymbol symbols[] = {HDF5_SYMBOLS(LIBRARY_SYMBOL)};

bool hdf5_load(Diagnostics *diagnostics) {
  static Library hdf5 = LIBRARY(SRC_HDF5_LIBRARY, hdf5_table, symbols); /* the file name is set by src/CMakeLists.txt */
  const char *fault = library_load(&hdf5, false);
  if (fault) diagnostics_error(diagnostics, EXIT_INTERNAL, "HDF5 %s", fault);
  return !fault;
}

/* After HDF5 has failed to write a file, it can crash at the end of the process, or in MPI_Finalize. To avoid this,
 * HDF5 is started before MPI, and its exit handler is disabled. */
bool hdf5_begin(Diagnostics *diagnostics) {
  static bool begun;
  if (!begun) {
    if (!hdf5_load(diagnostics)) return false;
    H5dont_atexit();
    begun = true;
  }
  return H5open() >= 0;
}
