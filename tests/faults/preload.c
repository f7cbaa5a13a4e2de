/* SPDX-License-Identifier: BSD-2-Clause */
/* Loaded before the program (LD_PRELOAD), it makes call number k of a kind fail, as a disk, a network or lack of
 * memory would.
 *
 *     FAULT=CALL:OUTCOME:K    CALL: open, read, write, sync, truncate, rename, close, malloc or isend.
 *                             OUTCOME: name of an error number (EIO, ENOMEM), or `short`: half is read or written.
 *                             K: from 1; `K+`: this call and all that follow; 0: none.
 *     FAULT_UNDER=FOLDER      for calls on files: only files below this folder, an absolute path
 *     FAULT_IN=NAME           for malloc: only calls from the library with NAME in its file name; default: the program
 *     FAULT_RANK=R            only this rank of mpirun
 *     FAULT_TALLY=FILE        a process that ends by exit writes the number of calls of each kind to FILE
 *
 * Streams write and read inside the C library, where calls cannot be replaced. So streams of files below the folder
 * (fdopen) are replaced by new ones with calls that can be. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <mpi.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { STREAMS_MAX = 64, RANGES_MAX = 16, PATH_SIZE = 4096 };
enum { OUTCOMES = 6 };
static const char *const outcome_names[OUTCOMES] = {"short", "EIO", "ENOSPC", "EINTR", "EMFILE", "ENOMEM"};
static const int outcomes[OUTCOMES] = {0, EIO, ENOSPC, EINTR, EMFILE, ENOMEM};

typedef enum Call { OPEN, READ, WRITE, SYNC, TRUNCATE, RENAME, CLOSE, MALLOC, ISEND, CALLS } Call;
static const char *const names[CALLS] = {"open",   "read",  "write",  "sync", "truncate",
                                         "rename", "close", "malloc", "isend"};

static bool ready; /* true: a fault is still to come, or calls are counted */
static Call call;
static int outcome;
static bool all_that_follow;
static long which;
static atomic_long counts[CALLS];
static const char *under, *tally;
/* ranges of addresses of code; only calls of malloc from these addresses are counted */
static struct { uintptr_t from, to; } ranges[RANGES_MAX];
static int n_ranges;
static struct {
  FILE *stream;
  int file;
} streams[STREAMS_MAX];

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

/* Counts a call. Returns true if it must fail. errno is then the error, or 0 if half of it is done. */
static bool fails(Call kind) {
  long k = atomic_fetch_add(&counts[kind], 1) + 1;
  if (kind != call || which == 0 || (all_that_follow ? k < which : k != which)) return false;
  errno = outcome;
  return true;
}

static int note_ranges(struct dl_phdr_info *info, size_t size, void *context) {
  const char *name = context;
  (void)size;
  if (name && name[0] ? !strstr(info->dlpi_name, name) : info->dlpi_name[0])
    return 0; /* the program itself has an empty name */
  for (int i = 0; i < info->dlpi_phnum && n_ranges < RANGES_MAX; i++) {
    const ElfW(Phdr) *part = &info->dlpi_phdr[i];
    if (part->p_type != PT_LOAD || !(part->p_flags & PF_X)) continue;
    ranges[n_ranges].from = info->dlpi_addr + part->p_vaddr;
    ranges[n_ranges].to = ranges[n_ranges].from + part->p_memsz;
    n_ranges++;
  }
  return 0;
}

static int find(const char *name, const char *const *list, int n) {
  int k = 0;
  while (k < n && strcmp(list[k], name)) k++;
  return k;
}

/* Reads the faults from the environment. */
__attribute__((constructor)) static void prepare(void) {
  const char *text = getenv("FAULT"), *rank = getenv("OMPI_COMM_WORLD_RANK"), *wanted = getenv("FAULT_RANK");
  char kind[16], how[16], plus = 0;
  if (!text || (wanted && (!rank || strcmp(rank, wanted)))) return;
  unsetenv("LD_PRELOAD"); /* so that programs which this one starts have no faults */
  int n = sscanf(text, "%15[a-z]:%15[A-Za-z]:%ld%c", kind, how, &which, &plus);
  int k = n < 3 ? CALLS : find(kind, names, CALLS), o = n < 3 ? OUTCOMES : find(how, outcome_names, OUTCOMES);
  if (k == CALLS || o == OUTCOMES || (n == 4 && plus != '+')) {
    fprintf(stderr, "FAULT=%s cannot be\n", text);
    _exit(EXIT_FAILURE);
  }
  call = (Call)k;
  outcome = outcomes[o];
  all_that_follow = plus != 0;
  under = getenv("FAULT_UNDER");
  tally = getenv("FAULT_TALLY");
  dl_iterate_phdr(note_ranges, getenv("FAULT_IN"));
  ready = true;
}

__attribute__((destructor)) static void tell(void) {
  FILE *file = ready && tally ? fopen(tally, "w") : NULL;
  if (!file) return;
  for (int k = 0; k < CALLS; k++) fprintf(file, "%s %ld\n", names[k], atomic_load(&counts[k]));
  fclose(file);
}

/* Files -------------------------------------------------------------------------------------------------------- */

static bool is_below(const char *path) {
  size_t length = under ? strlen(under) : 0;
  return under && strncmp(path, under, length) == 0 && (path[length] == '/' || path[length] == 0);
}

static bool path_counts(const char *path) {
  char whole[PATH_SIZE] = "";
  if (path[0] != '/' && !getcwd(whole, sizeof whole)) return false;
  size_t length = strlen(whole);
  snprintf(whole + length, sizeof whole - length, "%s%s", length ? "/" : "", path);
  return is_below(whole);
}

static bool file_counts(int file) {
  char link[64], path[PATH_SIZE];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return false;
  path[length] = 0;
  return is_below(path);
}

/* Returns the number of bytes that the call shall read or write; -1 if the call fails. */
static ssize_t part_of(Call kind, int file, size_t size) {
  if (!ready || !file_counts(file) || !fails(kind)) return (ssize_t)size;
  return errno ? -1 : (ssize_t)(size - size / 2);
}

ssize_t write(int file, const void *bytes, size_t size) {
  ssize_t part = part_of(WRITE, file, size);
  return part < 0 ? -1 : syscall(SYS_write, file, bytes, part);
}

ssize_t pwrite(int file, const void *bytes, size_t size, off_t at) {
  ssize_t part = part_of(WRITE, file, size);
  return part < 0 ? -1 : syscall(SYS_pwrite64, file, bytes, part, at);
}

ssize_t read(int file, void *bytes, size_t size) {
  ssize_t part = part_of(READ, file, size);
  return part < 0 ? -1 : syscall(SYS_read, file, bytes, part);
}

ssize_t pread(int file, void *bytes, size_t size, off_t at) {
  ssize_t part = part_of(READ, file, size);
  return part < 0 ? -1 : syscall(SYS_pread64, file, bytes, part, at);
}

/* Other names under which compilers, and code for large files, call these functions. */
ssize_t pwrite64(int file, const void *bytes, size_t size, off_t at) __attribute__((alias("pwrite")));
ssize_t pread64(int file, void *bytes, size_t size, off_t at) __attribute__((alias("pread")));
ssize_t __read_chk(int file, void *bytes, size_t size, size_t room);
ssize_t __read_chk(int file, void *bytes, size_t size, size_t room) {
  return size > room ? -1 : read(file, bytes, size);
}
ssize_t __pread_chk(int file, void *bytes, size_t size, off_t at, size_t room);
ssize_t __pread_chk(int file, void *bytes, size_t size, off_t at, size_t room) {
  return size > room ? -1 : pread(file, bytes, size, at);
}

int fsync(int file) { return ready && file_counts(file) && fails(SYNC) ? -1 : (int)syscall(SYS_fsync, file); }

int ftruncate(int file, off_t size) {
  return ready && file_counts(file) && fails(TRUNCATE) ? -1 : (int)syscall(SYS_ftruncate, file, size);
}

/* A close that fails still closes the file. */
int close(int file) {
  bool failed = ready && file_counts(file) && fails(CLOSE);
  int number = errno, closed = (int)syscall(SYS_close, file);
  if (failed) errno = number;
  return failed ? -1 : closed;
}

int rename(const char *from, const char *to) {
  bool failed = ready && path_counts(to) && fails(RENAME);
  return failed ? -1 : (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

int open(const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  bool failed = ready && path_counts(path) && fails(OPEN);
  return failed ? -1 : (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

int open64(const char *path, int flags, ...) __attribute__((alias("open")));
int __open_2(const char *path, int flags);
int __open_2(const char *path, int flags) { return open(path, flags); }
int __open64_2(const char *path, int flags) __attribute__((alias("__open_2")));

/* Streams ------------------------------------------------------------------------------------------------------ */

static int file_of(void *cookie) { return (int)(intptr_t)cookie; }

static ssize_t stream_read(void *cookie, char *bytes, size_t size) { return read(file_of(cookie), bytes, size); }

/* Works as in the C library: further calls write the rest, until one fails. */
static ssize_t stream_write(void *cookie, const char *bytes, size_t size) {
  size_t done = 0;
  while (done < size) {
    ssize_t part = write(file_of(cookie), bytes + done, size - done);
    if (part < 0) break;
    done += (size_t)part;
  }
  return (ssize_t)done;
}

static int stream_seek(void *cookie, off64_t *at, int whence) {
  *at = lseek(file_of(cookie), *at, whence);
  return *at < 0 ? -1 : 0;
}

static int stream_close(void *cookie) {
  for (int i = 0; i < STREAMS_MAX; i++)
    if (streams[i].stream && streams[i].file == file_of(cookie)) streams[i].stream = NULL;
  return close(file_of(cookie));
}

FILE *fdopen(int file, const char *mode) {
  static FILE *(*real)(int, const char *);
  if (!real) *(void **)&real = dlsym(RTLD_NEXT, "fdopen");
  int free_one = 0;
  while (free_one < STREAMS_MAX && streams[free_one].stream) free_one++;
  if (!ready || free_one == STREAMS_MAX || !file_counts(file)) return real(file, mode);
  const cookie_io_functions_t functions = {stream_read, stream_write, stream_seek, stream_close};
  FILE *stream = fopencookie((void *)(intptr_t)file, mode, functions);
  streams[free_one].file = file;
  streams[free_one].stream = stream;
  return stream;
}

int fileno(FILE *stream) {
  static int (*real)(FILE *);
  if (!real) *(void **)&real = dlsym(RTLD_NEXT, "fileno");
  for (int i = 0; i < STREAMS_MAX; i++)
    if (streams[i].stream == stream) return streams[i].file;
  return real(stream);
}

/* Memory ------------------------------------------------------------------------------------------------------- */

static bool no_memory(const void *caller) {
  if (!ready) return false;
  bool ours = false;
  for (int i = 0; i < n_ranges; i++)
    ours = ours || ((uintptr_t)caller >= ranges[i].from && (uintptr_t)caller < ranges[i].to);
  if (!ours || !fails(MALLOC)) return false;
  return true;
}

void *malloc(size_t size) { return no_memory(__builtin_return_address(0)) ? NULL : __libc_malloc(size); }
void *calloc(size_t n, size_t size) { return no_memory(__builtin_return_address(0)) ? NULL : __libc_calloc(n, size); }
void *realloc(void *memory, size_t size) {
  return no_memory(__builtin_return_address(0)) ? NULL : __libc_realloc(memory, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  return no_memory(__builtin_return_address(0)) ? NULL : __libc_memalign(alignment, size);
}
char *strdup(const char *text) {
  size_t size = strlen(text) + 1;
  char *copy = no_memory(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
  return copy ? memcpy(copy, text, size) : NULL;
}

/* Messages ----------------------------------------------------------------------------------------------------- */

/* Calls the error handler of the communicator, as MPI does; the default handler ends all ranks. */
int MPI_Isend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *request) {
  if (!ready || !fails(ISEND)) return PMPI_Isend(buffer, count, type, to, tag, comm, request);
  PMPI_Comm_call_errhandler(comm, MPI_ERR_OTHER);
  return MPI_ERR_OTHER;
}
