/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/process/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* processor time that a child may use, in s */
enum { CHILD_SECONDS = 300 };

pid_t process_child(void) {
  pid_t child = fork();
  if (child) return child;
  /* MPI and PETSc have handlers for these signals that would end all ranks */
  static const int deadly[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
  for (size_t i = 0; i < sizeof deadly / sizeof *deadly; i++) signal(deadly[i], SIG_DFL);
  setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
  setrlimit(RLIMIT_CPU, &(struct rlimit){CHILD_SECONDS, CHILD_SECONDS});
  int nowhere = open("/dev/null", O_WRONLY);
  dup2(nowhere, STDERR_FILENO); /* discards messages that the C library prints when it aborts */
  return child;
}

bool process_child_ended(pid_t child) {
  int status;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return false;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}
