#define _GNU_SOURCE /* RTLD_DEFAULT */
#include "src/process/settings.h"

#include "control/control.h"
#include "sim/group.h"
#include "src/base/exit_code.h"
#include "src/process/process.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <hdf5.h>
#include <jansson.h>
#include <malloc.h>
#include <mpi.h>
#include <petscsys.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ARENAS = 512, SECONDS_TO_END = 30 };

/* One that is closed would be the next file that is opened, and messages would go into results. */
static void open_standard_streams(void) {
  for (int stream = 0; stream < 3; stream++)
    if (fcntl(stream, F_GETFD) < 0 && errno == EBADF) open("/dev/null", O_RDWR); /* the lowest that is free: this one */
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

/* Jansson leaves out of a text what it has no memory for, and muParser, of C++, aborts. HDF5, at the end of the process or in
 * MPI_Finalize, crashes over a file that it could not write in full: begun before MPI, it does neither. */
static void watch_libraries(void) {
  void (*(*set_new_handler)(void (*)(void)))(void);
  json_set_alloc_funcs(take_for_json, free);
  *(void **)&set_new_handler = dlsym(RTLD_DEFAULT, "_ZSt15set_new_handlerPFvvE"); /* std::set_new_handler */
  if (set_new_handler) set_new_handler(leave_without_memory);
  H5dont_atexit();
  H5open();
}

void process_prepare(void) {
  open_standard_streams();
  watch_libraries();
  signal(SIGXFSZ, SIG_IGN); /* too large a file: a write that fails, like one on a full disk */
#ifdef M_ARENA_MAX
  mallopt(M_ARENA_MAX, ARENAS);
#endif
}

void process_ignore_broken_pipes(void) { signal(SIGPIPE, SIG_IGN); }

/* PETSc's memory, zero when it is taken: some of its solvers (POUNDERS, 3.18) read entries that they have not written, and
 * the same problem must give the same bits whatever has been in that memory before. What PETSc has taken before these are
 * set is of malloc's kind, too. */
static PetscErrorCode take_memory(size_t size, PetscBool clear, int line, const char function[], const char file[],
                                  void **memory) {
  (void)clear, (void)line, (void)function, (void)file;
  *memory = size ? calloc(1, size) : NULL;
  return *memory || !size ? 0 : PETSC_ERR_MEM;
}

static PetscErrorCode give_memory(void *memory, int line, const char function[], const char file[]) {
  (void)line, (void)function, (void)file;
  free(memory);
  return 0;
}

/* What is beyond the old size must be zero, too; malloc's own size of a block is no less than that. */
static PetscErrorCode resize_memory(size_t size, int line, const char function[], const char file[], void **memory) {
  (void)line, (void)function, (void)file;
  void *moved = size ? calloc(1, size) : NULL;
  if (size && !moved) return PETSC_ERR_MEM;
  size_t before = *memory ? malloc_usable_size(*memory) : 0;
  if (moved && *memory) memcpy(moved, *memory, before < size ? before : size);
  free(*memory);
  *memory = moved;
  return 0;
}

SimStatus process_petsc_start(const char *options) {
  static bool set;
  if (set) return sim_petsc_start(options);
  /* PETSc wants MPI: of a process that mpirun has not started, which spawns none, Open MPI needs no daemon beside it, and no
   * folder of the job: such processes are all of the same job, and would remove each other's */
  if (!process_with_mpi()) {
    setenv("OMPI_MCA_ess_singleton_isolated", "1", 0);
    setenv("OMPI_MCA_orte_create_session_dirs", "0", 0);
  }
  PetscBool debugged = PETSC_FALSE; /* by PETSc's own allocator (-malloc_debug), which does not like others */
  if (sim_petsc_start(NULL) != SIM_OK) return SIM_BAD_PROBLEM;
  PetscMallocGetDebug(&debugged, NULL, NULL);
  if (!debugged && PetscMallocSet(take_memory, give_memory, resize_memory)) return SIM_BAD_PROBLEM;
  PetscPushErrorHandler(PetscReturnErrorHandler, NULL);
  set = true;
  return options ? sim_petsc_start(options) : SIM_OK;
}

static int last_code;

static void leave(int signal) {
  (void)signal;
  _exit(last_code);
}

/* Whether MPI must be finalised. */
static bool mpi_is_on(void) {
  int begun = 0, over = 0;
  MPI_Initialized(&begun);
  if (begun) MPI_Finalized(&over);
  return begun && !over;
}

int process_end(int code) {
  bool here = ctl_thread_left();
  last_code = code;
  if (here) { /* MPI may wait for what the thread holds, too */
    signal(SIGALRM, leave);
    alarm(SECONDS_TO_END);
  }
  if (!sim_group_agree(process_group(), here)) sim_petsc_stop(); /* which may finalise MPI */
  if (mpi_is_on()) MPI_Finalize();
  if (here) _exit(code);
  return code;
}
