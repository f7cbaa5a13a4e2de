/* What start.c asks of loaded.c, over a socket: one request a connection, answered by the pid of the program that runs and,
 * when it has ended, by its status as wait() has it. */
#ifndef TESTS_LOADED_H
#define TESTS_LOADED_H

#include <stddef.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define LOADED_NAME "STICTION_LOADED" /* the environment's name of the socket */

enum { LOADED_STREAMS = 3, LOADED_DESCRIPTORS = 4 }; /* the standard streams and the working folder go along */

typedef struct LoadedRequest {
  size_t bytes;             /* of the strings that follow, a zero after each: */
  int arguments, variables; /* so many of them */
} LoadedRequest;

/* a name without a file: nothing is left behind by a test that is killed */
static inline socklen_t loaded_address(const char *name, struct sockaddr_un *address) {
  *address = (struct sockaddr_un){.sun_family = AF_UNIX};
  int length = snprintf(address->sun_path + 1, sizeof address->sun_path - 1, "%s", name);
  return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length);
}

#endif
