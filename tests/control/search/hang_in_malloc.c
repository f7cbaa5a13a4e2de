/* SPDX-License-Identifier: BSD-2-Clause */
/* Replaces a function of NLopt by a method that loops for ever inside malloc, while it holds the lock of its thread's
 * arena. Problems with SPARED as their first lower bound are passed to NLopt itself. */
#define _GNU_SOURCE
#include "control/local/coroutine.h"

#include <nlopt.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

nlopt_result __wrap_nlopt_optimize(nlopt_opt opt, double *x, double *least);
nlopt_result __real_nlopt_optimize(nlopt_opt opt, double *x, double *least);
CtlCoroutine *__real_ctl_coroutine_create(void (*body)(void *context), void *context, double seconds);
CtlCoroutine *__wrap_ctl_coroutine_create(void (*body)(void *context), void *context, double seconds);

enum { SECONDS = 1 }; /* processor time, s, after which the method is abandoned */

CtlCoroutine *__wrap_ctl_coroutine_create(void (*body)(void *context), void *context, double seconds) {
  (void)seconds;
  return __real_ctl_coroutine_create(body, context, SECONDS);
}

static const double SPARED = -1000;
enum {
  BLOCKS = 64,
  PROBE = 40000
}; /* size of a block in bytes: too large for the thread's cache of free blocks, too small for a mapping of its own */
static pthread_t hung;
static double since;                   /* processor time at which the method began to hang, s */
static void *probe;                    /* a block in the arena of the hung thread */
static atomic_bool interrupted, freed; /* freed: set by another thread after it has freed memory; then the arena was
                                        * not locked */

static void nap(long milliseconds) { nanosleep(&(struct timespec){.tv_nsec = milliseconds * 1000000}, NULL); }

/* Returns the processor time of this thread, s. */
static double used(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Signal handler of the hung thread. It loops while another thread waits for the arena. After its processor time is
 * used up it sleeps, so that other tests get the processor. */
static void stay_while_locked(int signal) {
  (void)signal;
  interrupted = true;
  while (!freed)
    while (used() - since > 1.2 * SECONDS) pause();
}

static void *interrupt(void *context) {
  nap(20);
  pthread_kill(hung, SIGUSR2);
  while (!interrupted) nap(1);
  free(probe);
  freed = true;
  return context;
}

nlopt_result __wrap_nlopt_optimize(nlopt_opt opt, double *x, double *least) {
  static void *blocks[BLOCKS];
  double lower[64];
  sigset_t mine;
  if (nlopt_get_lower_bounds(opt, lower) > 0 && lower[0] == SPARED) return __real_nlopt_optimize(opt, x, least);
  hung = pthread_self();
  since = used();
  sigemptyset(&mine);
  sigaddset(&mine, SIGUSR2);
  signal(SIGUSR2, stay_while_locked);
  pthread_sigmask(SIG_UNBLOCK, &mine, NULL);
  for (;;) {
    pthread_t other;
    interrupted = freed = false;
    probe = malloc(PROBE);
    pthread_create(&other, NULL, interrupt, NULL);
    pthread_detach(other); /* the method may be abandoned before it can join the thread */
    for (unsigned k = 0; !freed; k++) {
      void **block = &blocks[k * 7 % BLOCKS];
      free(*block);
      *block = malloc(1100 + k * 131 % 30000);
    }
  }
}
