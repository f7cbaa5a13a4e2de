/* SPDX-License-Identifier: BSD-2-Clause */
/* Shared libraries that are loaded on first use instead of linked. Loading PETSc, with the 80 libraries that it needs,
 * takes longer than most runs of the program, which do not use it. Functions and variables are reached through a table
 * of addresses, with types from the library's own headers. */
#ifndef SIM_LIBRARY_H
#define SIM_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

/* Macros X for a list of names LIST(X): LIBRARY_MEMBER declares the members of a table of addresses, LIBRARY_SYMBOL
 * makes the entries that describe them. LIBRARY_TABLE is the type of the table. */
#define LIBRARY_MEMBER(name) __typeof__(&name) at_##name;
#define LIBRARY_SYMBOL(name) {#name, offsetof(LIBRARY_TABLE, at_##name)},

typedef struct LibrarySymbol {
  const char *name;
  size_t place; /* offset, in bytes, of the symbol's address in the table */
} LibrarySymbol;

typedef struct Library {
  const char *file; /* file name for dlopen */
  void *table;
  const LibrarySymbol *symbols;
  size_t n_symbols;
  bool loaded;
} Library;

/* Initialises a Library from a file name, its table, and the array of its symbols. */
#define LIBRARY(file_, table_, symbols_)                                                                               \
  { .file = (file_), .table = &(table_), .symbols = (symbols_), .n_symbols = sizeof(symbols_) / sizeof *(symbols_) }

/* Loads the library and fills its table, unless this has already been done. Returns NULL, or the reason of a failure,
 * "cannot be loaded: ..", which is valid until this thread's next call. there: succeed only if the process has already
 * loaded the library. Any thread may call the function. The library stays loaded until the process ends. */
const char *library_load(Library *library, bool there);

#endif
