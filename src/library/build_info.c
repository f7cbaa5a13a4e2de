/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/library/build_info.h"
#include "sim/internal.h"
#include "sim/version.h"
#include "src/base/formats.h"

#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *source_commit(void); /* the commit from which the library was built, set by commit.cmake */

typedef struct Text {
  char *start;
  size_t size, length;
} Text;

__attribute__((format(printf, 2, 3))) static void add(Text *text, const char *format, ...) {
  bool room = text->length < text->size;
  va_list list;
  va_start(list, format);
  int n = vsnprintf(room ? text->start + text->length : NULL, room ? text->size - text->length : 0, format, list);
  va_end(list);
  if (n > 0) text->length += (size_t)n;
}

/* Adds the first part of MPI's description of itself, e.g. "Open MPI v4.1.4" or "MPICH Version: 4.0.2". */
static void add_mpi(Text *text) {
  char name[MPI_MAX_LIBRARY_VERSION_STRING];
  int length, major, minor;
  MPI_Get_library_version(name, &length);
  MPI_Get_version(&major, &minor);
  for (char *tab = strchr(name, '\t'); tab; tab = strchr(tab, '\t')) *tab = ' '; /* MPICH separates words by tabs */
  add(text, "%.*s (MPI %d.%d)", (int)strcspn(name, ",\n"), name, major, minor);
}

/* Adds the names of the kernels of the batch evaluation, each of which is code for one instruction set. Marks those
 * that this processor does not support. */
static void add_kernels(Text *text) {
  for (int k = 0; sim_kernel_name(k); k++)
    add(text, "%s%s%s", k ? ", " : "", sim_kernel_name(k), sim_kernel_runs(k) ? "" : " (not on this processor)");
}

size_t stiction_build_info(char *start, size_t size) {
  Text text = {start, size, 0};
  add(&text, "stiction %s (sources %s)\n", STICTION_VERSION, source_hash());
  if (*source_commit()) add(&text, "commit     %s\n", source_commit());
  add(&text, "libraries  ");
  add_mpi(&text);
  add(&text, ", " BUILD_LIBRARIES "\nbuilt by   " BUILD_COMPILER "\nkernels    ");
  add_kernels(&text);
  add(&text, "\n");
  return text.length;
}
