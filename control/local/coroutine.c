/* SPDX-License-Identifier: BSD-2-Clause */
#include "control/local/coroutine.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* a body that uses no processor time is abandoned after this many times its limit of processor time, measured by the
 * clock */
enum { IDLE_FACTOR = 3 };

struct CtlCoroutine {
  void (*body)(void *context);
  void *context;
  double seconds, limit; /* processor time in s that the body may use without reporting progress; limit of the current
                          * turn, in s */
  pthread_t thread;
  sem_t inside, outside; /* semaphores by which body (inside) and owner (outside) pass the turn to each other */
  /* held by the body between ctl_coroutine_enter and ctl_coroutine_leave, and by the owner while it decides whether to
   * abandon the body */
  pthread_mutex_t entered;
  atomic_ulong progress;
  atomic_bool given_up;
  bool ended, hung, late;
  bool left; /* whether the body has been abandoned; guarded by `entered` */
};

static atomic_bool any_left;

bool ctl_coroutine_any_left(void) { return any_left; }

bool ctl_coroutine_enter(CtlCoroutine *coroutine) {
  pthread_mutex_lock(&coroutine->entered);
  bool left = coroutine->left;
  if (left) {
    pthread_mutex_unlock(&coroutine->entered);
    for (;;) pause(); /* an abandoned thread sleeps for ever */
  }
  return !coroutine->given_up;
}

void ctl_coroutine_leave(CtlCoroutine *coroutine) { pthread_mutex_unlock(&coroutine->entered); }

static void wait_inside(CtlCoroutine *coroutine) {
  while (sem_wait(&coroutine->inside)) {
  }
}

static void *thread_main(void *context) {
  CtlCoroutine *coroutine = context;
  wait_inside(coroutine);
  if (!coroutine->given_up) coroutine->body(coroutine->context);
  ctl_coroutine_enter(coroutine);
  coroutine->ended = true;
  ctl_coroutine_leave(coroutine);
  sem_post(&coroutine->outside);
  return NULL;
}

/* Starts the thread with all signals blocked, since the owner handles signals. Returns whether the thread was
 * started. */
static bool start_thread(CtlCoroutine *coroutine) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  bool started = pthread_create(&coroutine->thread, NULL, thread_main, coroutine) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return started;
}

static void coroutine_clear(CtlCoroutine *coroutine) {
  sem_destroy(&coroutine->inside);
  sem_destroy(&coroutine->outside);
  pthread_mutex_destroy(&coroutine->entered);
  free(coroutine);
}

CtlCoroutine *ctl_coroutine_create(void (*body)(void *context), void *context, double seconds) {
  CtlCoroutine *coroutine = calloc(1, sizeof *coroutine);
  if (!coroutine) return NULL;
  coroutine->body = body;
  coroutine->context = context;
  coroutine->seconds = seconds;
  coroutine->limit = INFINITY;
  sem_init(&coroutine->inside, 0, 0);
  sem_init(&coroutine->outside, 0, 0);
  pthread_mutex_init(&coroutine->entered, NULL);
  if (start_thread(coroutine)) return coroutine;
  coroutine_clear(coroutine);
  return NULL;
}

/* Returns the processor time that the body's thread has used, in s. */
static double processor_time(const CtlCoroutine *coroutine) {
  struct timespec now = {0};
  clockid_t clock;
  if (pthread_getcpuclockid(coroutine->thread, &clock) == 0) clock_gettime(clock, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Whether the body passes the turn back within one second. */
static bool comes_back(CtlCoroutine *coroutine) {
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec++;
  int failed;
  while ((failed = sem_timedwait(&coroutine->outside, &until)) && errno == EINTR) {
  }
  return !failed;
}

/* Waits for the body. Returns true when the body waits or ends. Returns false if it makes no progress for too long or
 * exceeds the limit of its turn. */
static bool watch_body(CtlCoroutine *coroutine) {
  double since = processor_time(coroutine), last = since;
  unsigned long progress = coroutine->progress;
  /* time is measured by the number of waits, not by the clock, since a process may be suspended for hours */
  int idle = 0, waits = 0;
  while (!comes_back(coroutine)) {
    coroutine->late = ++waits >= coroutine->limit;
    if (coroutine->late) return false;
    double now = processor_time(coroutine);
    bool gets_on = coroutine->progress != progress;
    idle = now > last || gets_on ? 0 : idle + 1;
    if (gets_on) since = now;
    if (now - since > coroutine->seconds || idle > IDLE_FACTOR * coroutine->seconds) return false;
    progress = coroutine->progress;
    last = now;
  }
  return true;
}

/* Lets the body run until it waits or ends. If the body has been abandoned meanwhile, it must end at its next call. */
static void give_turn(CtlCoroutine *coroutine) {
  sem_post(&coroutine->inside);
  if (watch_body(coroutine)) return;
  coroutine->hung = true;
  coroutine->given_up = true;
  while (comes_back(coroutine)) {
    if (coroutine->ended) return;
    sem_post(&coroutine->inside); /* wakes the waiting body, which then sees that it must return */
  }
  pthread_mutex_lock(&coroutine->entered);
  coroutine->left = !coroutine->ended;
  pthread_mutex_unlock(&coroutine->entered);
  if (!coroutine->left) return;
  pthread_detach(coroutine->thread);
  any_left = true;
}

void ctl_coroutine_limit(CtlCoroutine *coroutine, double seconds) { coroutine->limit = seconds; }

CtlTurn ctl_coroutine_resume(CtlCoroutine *coroutine) {
  if (!coroutine->ended && !coroutine->hung) give_turn(coroutine);
  return coroutine->late    ? CTL_TURN_LATE
         : coroutine->hung  ? CTL_TURN_HUNG
         : coroutine->ended ? CTL_TURN_ENDED
                            : CTL_TURN_WAITS;
}

bool ctl_coroutine_wait(CtlCoroutine *coroutine) {
  if (coroutine->given_up) return false;
  ctl_coroutine_leave(coroutine);
  sem_post(&coroutine->outside);
  wait_inside(coroutine);
  return ctl_coroutine_enter(coroutine);
}

void ctl_coroutine_progress(CtlCoroutine *coroutine) { coroutine->progress++; }

bool ctl_coroutine_destroy(CtlCoroutine *coroutine) {
  if (!coroutine) return true;
  coroutine->given_up = true;
  ctl_coroutine_resume(coroutine);
  if (coroutine->left) return false; /* the struct is still used by an abandoned body */
  pthread_join(coroutine->thread, NULL);
  coroutine_clear(coroutine);
  return true;
}
