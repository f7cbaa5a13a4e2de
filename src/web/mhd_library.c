/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/web/mhd_library.h"

MhdTable mhd_table;

#define LIBRARY_TABLE MhdTable
/* cppcheck-suppress syntaxError ; it expands names that are turned into strings */
static const LibrarySymbol symbols[] = {MHD_SYMBOLS(LIBRARY_SYMBOL)};

const char *mhd_library_load(void) {
  /* the macro SRC_MHD_LIBRARY, the file name of the library, is set by src/CMakeLists.txt */
  static Library mhd = LIBRARY(SRC_MHD_LIBRARY, mhd_table, symbols);
  return library_load(&mhd, false);
}
