/* In place of the program in scripts that loaded.c runs: hands over its arguments, environment, streams and folder, hands
 * signals on, and ends as the program does. Anywhere else, and with a stream closed, it becomes the
 * program. */
#include "tests/program/loaded.h"

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

extern char **environ;
static pid_t program;

static void hand_on(int signal) { kill(program, signal); }

static int count(char **strings, size_t *bytes) {
  int n = 0;
  for (; strings[n]; n++) *bytes += strlen(strings[n]) + 1;
  return n;
}

static bool write_strings(int connection, char **strings) {
  for (; *strings; strings++) {
    size_t left = strlen(*strings) + 1;
    for (const char *at = *strings; left;) {
      ssize_t written = write(connection, at, left);
      if (written < 0) return false;
      at += written;
      left -= (size_t)written;
    }
  }
  return true;
}

static bool ask(int connection, char **argv) {
  LoadedRequest request = {0};
  request.arguments = count(argv, &request.bytes);
  request.variables = count(environ, &request.bytes);
  int descriptors[LOADED_DESCRIPTORS] = {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO, open(".", O_RDONLY | O_DIRECTORY)};
  union {
    struct cmsghdr head;
    char room[CMSG_SPACE(sizeof descriptors)];
  } control = {.room = {0}};
  struct iovec part = {&request, sizeof request};
  struct msghdr message = {
      .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.room, .msg_controllen = sizeof control.room};
  struct cmsghdr *rights = CMSG_FIRSTHDR(&message);
  *rights =
      (struct cmsghdr){.cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(sizeof descriptors)};
  memcpy(CMSG_DATA(rights), descriptors, sizeof descriptors);
  return sendmsg(connection, &message, 0) == (ssize_t)sizeof request && write_strings(connection, argv) &&
         write_strings(connection, environ) && read(connection, &program, sizeof program) == (ssize_t)sizeof program;
}

int main(int argc, char **argv) {
  (void)argc;
  const char *name = getenv(LOADED_NAME);
  bool open = true;
  for (int i = 0; i < LOADED_STREAMS; i++) open = open && fcntl(i, F_GETFD) >= 0;
  if (!name || !open) {
    argv[0] = (char[]){STICTION_PROGRAM};
    execv(STICTION_PROGRAM, argv);
    perror(STICTION_PROGRAM);
    return EXIT_FAILURE;
  }
  struct sockaddr_un address;
  socklen_t length = loaded_address(name, &address);
  int connection = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (connection < 0 || connect(connection, (struct sockaddr *)&address, length) || !ask(connection, argv)) {
    perror("the loaded program");
    return EXIT_FAILURE;
  }
  static const int handed_on[] = {SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGUSR2};
  for (size_t i = 0; i < sizeof handed_on / sizeof *handed_on; i++)
    sigaction(handed_on[i], &(struct sigaction){.sa_handler = hand_on, .sa_flags = SA_RESTART}, NULL);
  int status = 0;
  if (read(connection, &status, sizeof status) != (ssize_t)sizeof status) return EXIT_FAILURE;
  if (WIFSIGNALED(status)) {
    signal(WTERMSIG(status), SIG_DFL);
    raise(WTERMSIG(status));
  }
  return WEXITSTATUS(status);
}
