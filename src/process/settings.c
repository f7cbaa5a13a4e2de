/* SPDX-License-Identifier: BSD-2-Clause */
#define _GNU_SOURCE /* declares RTLD_DEFAULT */
#include "src/process/settings.h"

#include "control/internal.h"
#include "sim/group.h"
#include "src/process/process.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <malloc.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ARENAS = 512, SECONDS_TO_END = 30 };

/* Opens standard streams that are closed. Otherwise the next file that is opened would get the number of such a stream,
 * and messages would be written into this file. */
static void open_standard_streams(void) {
  for (int stream = 0; stream < 3; stream++) /* open returns the lowest free number, which is the number of the closed
                                              * stream */
    if (fcntl(stream, F_GETFD) < 0 && errno == EBADF) open("/dev/null", O_RDWR);
}

static void leave_without_memory(void) {
  fputs("stiction: out of memory\n", stderr);
  _exit(EXIT_INTERNAL);
}

static void *take_for_json(size_t size) {
  void *memory = malloc(size);
  if (!memory) leave_without_memory();
  return memory;
}

/* Makes lack of memory an error in libraries that do not report it: Jansson drops text, and the C++ parts of NLopt
 * abort. */
static void watch_libraries(void) {
  void (*(*set_new_handler)(void (*)(void)))(void);
  json_set_alloc_funcs(take_for_json, free);
  /* mangled name of std::set_new_handler */
  *(void **)&set_new_handler = dlsym(RTLD_DEFAULT, "_ZSt15set_new_handlerPFvvE");
  if (set_new_handler) set_new_handler(leave_without_memory);
}

void process_prepare(void) {
  open_standard_streams();
  watch_libraries();
  signal(SIGXFSZ, SIG_IGN); /* a write beyond the limit of file size then fails, as on a full disk */
#ifdef M_ARENA_MAX
  mallopt(M_ARENA_MAX, ARENAS);
#endif
}

void process_ignore_broken_pipes(void) { signal(SIGPIPE, SIG_IGN); }

static int last_code;

static void leave(int signal) {
  (void)signal;
  _exit(last_code);
}

/* Returns whether MPI is initialised and must be finalised. */
static bool mpi_is_on(void) {
  int begun = 0, over = 0;
  MPI_Initialized(&begun);
  if (begun) MPI_Finalized(&over);
  return begun && !over;
}

int process_end(int code) {
  bool here = stiction_thread_left();
  last_code = code;
  if (here) { /* MPI might wait for a lock that the abandoned thread holds; SIGALRM then ends the process */
    signal(SIGALRM, leave);
    alarm(SECONDS_TO_END);
  }
  /* if PETSc has started MPI, this also finalises MPI */
  if (!sim_group_agree(process_group(), here)) stiction_petsc_stop();
  if (mpi_is_on()) MPI_Finalize();
  if (here) _exit(code);
  return code;
}
