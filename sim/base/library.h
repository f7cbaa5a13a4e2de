/* Shared libraries that are not linked, but loaded when they are first needed: to load PETSc, with the 80 libraries that it needs, takes
 * longer than most runs of the program, which need none of it. Functions and variables are then reached through a table of their
 * addresses, which has their types from the library's own headers. */
#ifndef SIM_LIBRARY_H
#define SIM_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

/* The members of a table, and its symbols: X of a list of names, LIST(X). LIBRARY_TABLE: the type of the table. */
#define LIBRARY_MEMBER(name) __typeof__(&name) at_##name;
#define LIBRARY_SYMBOL(name) {#name, offsetof(LIBRARY_TABLE, at_##name)},

typedef struct LibrarySymbol {
  const char *name;
  size_t place; /* of its address in the table, bytes */
} LibrarySymbol;

typedef struct Library {
  const char *file; /* as dlopen takes it */
  void *table;
  const LibrarySymbol *symbols;
  size_t n_symbols;
  bool loaded;
} Library;

/* Of a file, its table and the array of its symbols. */
#define LIBRARY(file_, table_, symbols_)                                                                               \
  { .file = (file_), .table = &(table_), .symbols = (symbols_), .n_symbols = sizeof(symbols_) / sizeof *(symbols_) }

/* Loads the library and fills its table, where that has not been done, and returns NULL; or else why it cannot, "cannot be loaded: ..", kept until
 * this thread's next call. there: only where somebody has loaded it into this process already. From any thread. It stays to the end of the process. */
const char *library_load(Library *library, bool there);

#endif
