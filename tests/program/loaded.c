/* Runs a script with the program loaded once: where the script starts start.c, a copy of this process becomes the program
 * (its main() is wrapped), which spares the loader's work on PETSc's 100 libraries, nearly all that a short run costs.
 *   usage: loaded SCRIPT ARGUMENTS...
 * The program's limits, umask and ignored signals are those of the script's beginning; scripts that are about these, or look
 * for the program among the processes, start it themselves. */
#define _GNU_SOURCE /* syscall */
#include "tests/program/loaded.h"

#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>

extern char **environ;
int __real_main(int argc, char **argv);
int __wrap_main(int argc, char **argv);
void faults_prepare(void) __attribute__((weak)); /* of faults/preload.c, where that was loaded before */

static void must(int outcome, const char *what) {
  if (outcome >= 0) return;
  perror(what);
  _exit(EXIT_FAILURE);
}

static pid_t forked(void) {
  pid_t pid = fork();
  must(pid, "fork");
  return pid;
}

static int ends(pid_t pid) {
  int descriptor = (int)syscall(SYS_pidfd_open, pid, 0);
  must(descriptor, "pidfd_open");
  return descriptor;
}

/* count strings of text, which is moved behind them; NULL after the last */
static char **separate(char **text, int count) {
  char **strings = calloc((size_t)count + 1, sizeof *strings);
  must(strings ? 0 : -1, "calloc");
  for (int i = 0; i < count; i++) {
    strings[i] = *text;
    *text += strlen(*text) + 1;
  }
  return strings;
}

static LoadedRequest receive(int connection, int descriptors[LOADED_DESCRIPTORS]) {
  LoadedRequest request;
  union {
    struct cmsghdr head;
    char room[CMSG_SPACE(LOADED_DESCRIPTORS * sizeof(int))];
  } control;
  struct iovec part = {&request, sizeof request};
  struct msghdr message = {
      .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.room, .msg_controllen = sizeof control.room};
  must(recvmsg(connection, &message, 0) == (ssize_t)sizeof request && CMSG_FIRSTHDR(&message) ? 0 : -1, "request");
  memcpy(descriptors, CMSG_DATA(CMSG_FIRSTHDR(&message)), LOADED_DESCRIPTORS * sizeof *descriptors);
  return request;
}

/* Becomes the program as it was asked for. */
static _Noreturn void run(int connection) {
  int descriptors[LOADED_DESCRIPTORS];
  LoadedRequest request = receive(connection, descriptors);
  char *text = malloc(request.bytes);
  must(text && recv(connection, text, request.bytes, MSG_WAITALL) == (ssize_t)request.bytes ? 0 : -1, "strings");
  char **argv = separate(&text, request.arguments);
  environ = separate(&text, request.variables);
  pid_t pid = getpid();
  must((int)write(connection, &pid, sizeof pid), "answer");
  must(fchdir(descriptors[LOADED_STREAMS]), "working folder");
  for (int i = 0; i < LOADED_STREAMS; i++) must(dup2(descriptors[i], i), "stream");
  for (int i = 0; i < LOADED_DESCRIPTORS; i++) close(descriptors[i]);
  close(connection);
  if (faults_prepare) faults_prepare();
  exit(__real_main(request.arguments, argv));
}

/* Has the program run, and tells how it has ended; kills it if nobody waits for it any more. */
static _Noreturn void serve(int connection) {
  pid_t pid = forked();
  if (!pid) run(connection);
  struct pollfd waits[] = {{.fd = ends(pid), .events = POLLIN}, {.fd = connection}};
  while (!waits[0].revents) {
    poll(waits, 2, -1);
    if (!waits[1].revents) continue;
    kill(pid, SIGKILL);
    waits[1].fd = -1;
  }
  int status;
  must(waitpid(pid, &status, 0), "wait");
  _exit(write(connection, &status, sizeof status) != (ssize_t)sizeof status);
}

int __wrap_main(int argc, char **argv) {
  if (argc && strcmp(argv[0], "stiction") == 0) return __real_main(argc, argv); /* begun by the program, as itself */
  if (argc < 2) return fprintf(stderr, "usage: %s SCRIPT ARGUMENTS...\n", argv[0]), EXIT_FAILURE;
  char name[32];
  snprintf(name, sizeof name, "stiction-%d", (int)getpid());
  struct sockaddr_un address;
  socklen_t length = loaded_address(name, &address);
  int listening = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  must(bind(listening, (struct sockaddr *)&address, length), "bind");
  must(listen(listening, SOMAXCONN), "listen");
  pid_t script = forked();
  if (!script) {
    setenv(LOADED_NAME, name, 1);
    must(execvp(argv[1], argv + 1), argv[1]);
  }
  struct pollfd waits[] = {{.fd = ends(script), .events = POLLIN}, {.fd = listening, .events = POLLIN}};
  for (;;) {
    poll(waits, 2, -1);
    int status;
    for (pid_t ended; (ended = waitpid(-1, &status, WNOHANG)) > 0;)
      if (ended == script) return WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_FAILURE;
    if (!waits[1].revents) continue;
    int connection = accept(listening, NULL, NULL);
    must(connection, "accept");
    if (!forked()) {
      close(listening);
      close(waits[0].fd);
      serve(connection);
    }
    close(connection);
  }
}
