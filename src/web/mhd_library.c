/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/web/mhd_library.h"

MhdTable mhd_table;

#define LIBRARY_TABLE MhdTable
/* cppcheck-suppress syntaxError ; cppcheck expands names that the macro turns into strings */
static const LibrarySymbol symbols[] = {MHD_SYMBOLS(LIBRARY_SYMBOL)};

const char *mhd_library_load(void) {
  /* src/CMakeLists.txt sets the macro SRC_MHD_LIBRARY to the file name of the library */
  static Library mhd = LIBRARY(SRC_MHD_LIBRARY, mhd_table, symbols);
  return library_load(&mhd, false);
}
