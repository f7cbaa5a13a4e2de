/* SPDX-License-Identifier: BSD-2-Clause */
#define _GNU_SOURCE /* declares pipe2, close_range, environ and CPU_SET */
#include "src/process/program.h"

#include "control/base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* NOT_STARTED: exit code of a child that cannot start the program. LOOK_MS: longest time between two looks at children,
 * in ms. KILL_SECONDS: time after which children that cannot be killed are given up, in s. */
enum { NOT_STARTED = 127, LOOK_MS = 20, KILL_SECONDS = 5 };

/* Message by which the guard process reports the end of the program to this process. */
typedef struct Report {
  int32_t end, code;
} Report;

static bool begins_with_one(const char *text, const char *const *list, size_t n) {
  bool any = false;
  for (size_t k = 0; k < n; k++) any |= strncmp(text, list[k], strlen(list[k])) == 0;
  return any;
}

/* Returns the environment for the program. If this process is a rank of MPI, the variables that mark it as such are
 * left out. Returns NULL if there is no memory. */
static char **environment(void) {
  static const char *const of_ranks[] = {"OMPI_COMM_WORLD_RANK=", "PMI_RANK=", "PMIX_RANK=", "SLURM_PROCID="};
  static const char *const ours[] = {"PMIX_",
                                     "PMI_", /* the entries from PMIX_ on are set by the launchers of Open MPI and
                                              * Slurm */
                                     "OMPI_COMM_WORLD_",
                                     "OMPI_MCA_ess",
                                     "OMPI_MCA_orte_",
                                     "OMPI_MCA_pmix",
                                     "OMPI_MCA_shmem_",
                                     "OMPI_MCA_rmaps_",
                                     "OMPI_MCA_initial_wdir",
                                     "OMPI_APP_CTX",
                                     "OMPI_UNIVERSE_SIZE",
                                     "OMPI_FIRST_RANKS",
                                     "OMPI_NUM_APP_CTX",
                                     "OMPI_COMMAND",
                                     "OMPI_ARGV",
                                     "OMPI_FILE_LOCATION",
                                     "HYDI_", /* the entries from HYDI_ on are set by the launcher of MPICH */
                                     "MPI_LOCALRANKID",
                                     "MPI_LOCALNRANKS",
                                     "IPATH_NO_BACKTRACE",
                                     "HFI_NO_BACKTRACE", /* set by mpirun */
                                     "SLURM_PROCID",
                                     "SLURM_LOCALID",
                                     "SLURM_NODEID",
                                     "SLURM_NTASKS",
                                     "SLURM_NPROCS",
                                     "SLURM_STEP",
                                     "SLURM_GTIDS",
                                     "SLURM_TASK_PID",
                                     "SLURM_PMI",
                                     "SLURM_MPI_TYPE"}; /* the entries of Slurm are set by srun for each task */
  size_t n = 0, kept = 0;
  bool is_rank = false; /* whether a launcher started this process; if not, such variables were set by the user and are
                         * kept */
  for (; environ[n]; n++) is_rank |= begins_with_one(environ[n], of_ranks, sizeof of_ranks / sizeof *of_ranks);
  char **list = malloc((n + 1) * sizeof *list);
  for (size_t i = 0; i < n && list; i++)
    if (!is_rank || !begins_with_one(environ[i], ours, sizeof ours / sizeof *ours)) list[kept++] = environ[i];
  if (list) list[kept] = NULL;
  return list;
}

/* After fork() in a process with several threads, the child may call only functions that are allowed in signal
 * handlers. The functions below, which run in the child, use no others. */

/* Closes all file descriptors except a and b. */
static void close_others(int a, int b) {
  unsigned low = (unsigned)(a < b ? a : b), high = (unsigned)(a < b ? b : a);
  if (low > 0) close_range(0, low - 1, 0);
  if (high > low + 1) close_range(low + 1, high - 1, 0);
  close_range(high + 1, ~0U, 0);
}

static void set_signals(void (*of_requests)(int)) {
  static const int requests[] = {SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};
  sigset_t none;
  sigemptyset(&none);
  for (int s = 1; s < NSIG; s++) signal(s, SIG_DFL);
  for (size_t k = 0; k < sizeof requests / sizeof *requests; k++) signal(requests[k], of_requests);
  sigprocmask(SIG_SETMASK, &none, NULL);
}

static bool open_as(int wanted, const char *path, int flags) {
  int file = open(path, flags, 0666);
  if (file < 0 || file == wanted) return file >= 0;
  bool good = dup2(file, wanted) >= 0;
  close(file);
  return good;
}

/* Removes the binding to cores that a launcher may have set for this process. */
static void use_all_cores(void) {
  cpu_set_t all;
  CPU_ZERO(&all);
  for (size_t core = 0; core < CPU_SETSIZE; core++) CPU_SET(core, &all);
  sched_setaffinity(0, sizeof all, &all); /* the kernel reduces the set to the cores that exist and that the control
                                           * group allows */
}

static _Noreturn void become(const ProgramCall *call, char *const *environment) {
  prctl(PR_SET_PDEATHSIG, SIGKILL); /* the kernel will kill the program if the guard is killed */
  setpgid(0, 0);
  set_signals(SIG_DFL);
  if (call->any_core) use_all_cores();
  if (call->nice) setpriority(PRIO_PROCESS, 0, call->nice);
#ifndef __SANITIZE_ADDRESS__ /* the limit is not set with the address sanitizer, which maps terabytes of address
                              * space */
  if (call->bytes > 0) setrlimit(RLIMIT_DATA, &(struct rlimit){(rlim_t)call->bytes, (rlim_t)call->bytes});
#endif
  bool good = open_as(STDERR_FILENO, call->errors, O_WRONLY | O_CREAT | (call->appends ? O_APPEND : O_TRUNC));
  good = good && open_as(STDIN_FILENO, call->input, O_RDONLY) &&
         open_as(STDOUT_FILENO, call->output, O_WRONLY | O_CREAT | O_TRUNC);
  close_range(3, ~0U, 0);
  if (good && !chdir(call->directory)) execve(call->program, call->words, environment);
  const char *why = strerrordesc_np(errno);
  if (write(STDERR_FILENO, "cannot be started: ", 19) > 0 && why && write(STDERR_FILENO, why, strlen(why)) > 0)
    (void)!write(STDERR_FILENO, "\n", 1);
  _exit(NOT_STARTED);
}

/* Returns whether a file that the program writes exceeds its limit. If so, cuts the file. */
static bool floods(const ProgramCall *call) {
  const char *const paths[] = {call->output, call->errors, call->written};
  struct stat status;
  bool any = false;
  for (size_t k = 0; k < sizeof paths / sizeof *paths && call->printed > 0; k++) {
    if (!paths[k] || lstat(paths[k], &status) || !S_ISREG(status.st_mode) || status.st_size <= call->printed) continue;
    any = true;
    (void)!truncate(paths[k], call->printed);
  }
  return any;
}

/* Reaps children that have ended: the program, and processes that it has left behind. Returns whether the program has
 * ended; if so, sets *status to its status. */
static bool reap(pid_t program, int *status) {
  bool over = false;
  int its;
  for (pid_t pid; (pid = waitpid(-1, &its, WNOHANG)) > 0;) {
    if (pid != program) continue;
    over = true;
    *status = its;
  }
  return over;
}

/* Sends SIGKILL to all children listed in /proc. */
static void kill_listed(void) {
  char list[4096];
  int file = open("/proc/thread-self/children", O_RDONLY);
  ssize_t size = file < 0 ? 0 : read(file, list, sizeof list);
  if (file >= 0) close(file);
  pid_t pid = 0;
  for (ssize_t i = 0; i < size; i++) {
    if (list[i] == ' ' && pid > 0) kill(pid, SIGKILL);
    pid = list[i] == ' ' ? 0 : 10 * pid + (list[i] - '0');
  }
}

/* Kills all children. They include processes that have left the process group: because of PR_SET_CHILD_SUBREAPER, these
 * become children of the guard when their parent ends. A process that cannot be killed within some seconds is given up.
 * Examples are a process of another user, and one that waits for a disk. */
static void kill_children(void) {
  double start = ctl_seconds();
  for (int pause = 1; ctl_seconds() - start < KILL_SECONDS; pause += pause < LOOK_MS) {
    kill_listed();
    pid_t ended;
    while ((ended = waitpid(-1, NULL, WNOHANG)) > 0) continue;
    if (ended < 0) return; /* no children are left */
    poll(NULL, 0, pause);
  }
}

/* Reads from the pipe to the parent. Returns the number of a signal to forward to the program; 0 if the pipe was
 * closed. */
static int hear(int life) {
  unsigned char number = 0;
  ssize_t got = read(life, &number, 1);
  return got > 0 ? number : got < 0 && errno == EINTR ? SIGCONT : 0;
}

/* Waits until the program ends, its time limit is exceeded, or the parent closes the pipe. Returns how the program
 * ended. */
static Report watch(const ProgramCall *call, pid_t program, int life) {
  double start = ctl_seconds();
  int status = 0, pause = 1;
  while (!reap(program, &status)) {
    struct pollfd pipe = {.fd = life, .events = POLLIN};
    bool late = call->seconds > 0 && ctl_seconds() - start >= call->seconds, flooded = floods(call);
    bool heard = poll(&pipe, 1, pause) > 0;
    int signal = heard ? hear(life) : 0;
    bool alone = heard && !signal;
    if (signal) kill(-program, signal);
    if (late || alone || flooded) {
      kill(-program, SIGKILL);
      return (Report){.end = alone ? PROGRAM_CANCELLED : flooded ? PROGRAM_FLOODED : PROGRAM_TIMED_OUT};
    }
    if (pause < LOOK_MS) pause++;
  }
  kill(-program, SIGKILL); /* this also kills processes that the program has left running */
  if (floods(call)) return (Report){.end = PROGRAM_FLOODED};
  bool exited = WIFEXITED(status);
  return (Report){.end = exited ? PROGRAM_EXITED : PROGRAM_SIGNALLED,
                  .code = exited ? WEXITSTATUS(status) : WTERMSIG(status)};
}

/* Body of the guard process. The guard has its own process group. Thus a signal to the group of the parent, sent by
 * mpirun or a terminal, does not kill the guard, which can then end the program. */
static _Noreturn void guard(const ProgramCall *call, char *const *environment, int life, int answer) {
  setpgid(0, 0);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  set_signals(SIG_IGN);
  signal(SIGPIPE, SIG_IGN);
  close_others(life, answer);
  pid_t program = fork();
  if (program == 0) become(call, environment);
  Report report = {.end = PROGRAM_NOT_RUN, .code = program < 0 ? errno : 0};
  if (program > 0) {
    setpgid(program, program); /* both the guard and the program call setpgid, since either may run first */
    report = watch(call, program, life);
    kill_children();
    floods(call); /* cuts files again, since processes of the program may have written to them until now */
  }
  (void)!write(answer, &report, sizeof report);
  _exit(0);
}

/* The functions below run in the parent process, not in the guard. ------------------------------------------------- */

/* Waits up to `milliseconds` until the guard reports how the program ended, or the guard itself ends. Returns whether
 * one of these happened; the guard process then no longer exists. */
static bool listen_for(Program *program, int milliseconds, ProgramEnd *end, int *code) {
  Report report = {.end = PROGRAM_NOT_RUN};
  struct pollfd pipe = {.fd = program->answer, .events = POLLIN};
  ssize_t size;
  if (poll(&pipe, 1, milliseconds) <= 0) return false;
  while ((size = read(program->answer, &report, sizeof report)) < 0 && errno == EINTR) {
  }
  *code = report.code;
  *end = size == (ssize_t)sizeof report ? (ProgramEnd)report.end : PROGRAM_NOT_RUN;
  program_cancel(program);
  close(program->answer);
  while (waitpid(program->guard, NULL, 0) < 0 && errno == EINTR) {
  }
  return true;
}

bool program_start(const ProgramCall *call, Program *program) {
  int life[2], answer[2];
  if (pipe2(life, O_CLOEXEC)) return false;
  if (pipe2(answer, O_CLOEXEC)) {
    close(life[0]);
    close(life[1]);
    return false;
  }
  char **variables = environment();
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before); /* all signals are blocked during fork, so that the guard never runs the
                                                * signal handlers of this process */
  pid_t pid = variables ? fork() : -1;
  if (pid == 0) guard(call, variables, life[0], answer[1]);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  free(variables);
  close(life[0]);
  close(answer[1]);
  *program = (Program){pid, life[1], answer[0]};
  if (pid > 0) return true;
  close(life[1]);
  close(answer[0]);
  return false;
}

bool program_over(Program *program, ProgramEnd *end, int *code) { return listen_for(program, 0, end, code); }

void program_signal(const Program *program, int signal) {
  unsigned char number = (unsigned char)signal;
  if (program->life >= 0) (void)!write(program->life, &number, 1);
}

void program_cancel(Program *program) {
  if (program->life >= 0) close(program->life);
  program->life = -1;
}

ProgramEnd program_run(const ProgramCall *call, int *code) {
  Program program;
  ProgramEnd end;
  if (!program_start(call, &program)) {
    *code = errno;
    return PROGRAM_NOT_RUN;
  }
  while (!listen_for(&program, LOOK_MS, &end, code))
    if (call->cancelled && call->cancelled(call->context)) program_cancel(&program);
  return end;
}
