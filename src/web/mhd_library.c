#include "src/web/mhd_library.h"

MhdTable mhd_table;

#define LIBRARY_TABLE MhdTable
/* cppcheck-suppress syntaxError ; it expands names that are made strings of */
static const LibrarySymbol symbols[] = {MHD_SYMBOLS(LIBRARY_SYMBOL)};

const char *mhd_library_load(void) {
  static Library mhd = {.file = SRC_MHD_LIBRARY, /* from src/CMakeLists.txt */
                        .table = &mhd_table,
                        .symbols = symbols,
                        .n_symbols = sizeof symbols / sizeof *symbols};
  return library_load(&mhd, false);
}
