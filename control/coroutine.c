#include "control/coroutine.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

struct CtlCoroutine {
  void (*body)(void *context);
  void *context;
  pthread_t thread;
  sem_t inside, outside; /* whose turn it is: posted by the other */
  bool ended, given_up, lost;
};

static void *run(void *context) {
  CtlCoroutine *coroutine = context;
  int before;
  while (sem_wait(&coroutine->inside)) {
  }
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &before); /* it may go round in circles anywhere */
  if (!coroutine->given_up) coroutine->body(coroutine->context);
  pthread_setcanceltype(before, &before);
  coroutine->ended = true;
  sem_post(&coroutine->outside);
  return NULL;
}

/* Signals are the owner's business: none may end up in the thread. */
static bool start(CtlCoroutine *coroutine) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  bool started = pthread_create(&coroutine->thread, NULL, run, coroutine) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return started;
}

CtlCoroutine *ctl_coroutine_create(void (*body)(void *context), void *context) {
  CtlCoroutine *coroutine = calloc(1, sizeof *coroutine);
  if (!coroutine) return NULL;
  coroutine->body = body;
  coroutine->context = context;
  sem_init(&coroutine->inside, 0, 0);
  sem_init(&coroutine->outside, 0, 0);
  if (start(coroutine)) return coroutine;
  sem_destroy(&coroutine->inside);
  sem_destroy(&coroutine->outside);
  free(coroutine);
  return NULL;
}

/* Of its thread, s. */
static double processor_time(const CtlCoroutine *coroutine) {
  struct timespec now = {0};
  clockid_t clock;
  if (pthread_getcpuclockid(coroutine->thread, &clock) == 0) clock_gettime(clock, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Gives the body its turn, and waits for it to come back, which it does, or else is lost. */
static void turn(CtlCoroutine *coroutine) {
  double before = processor_time(coroutine);
  sem_post(&coroutine->inside);
  for (;;) {
    struct timespec later;
    clock_gettime(CLOCK_REALTIME, &later);
    later.tv_sec++;
    if (sem_timedwait(&coroutine->outside, &later) == 0) return;
    if (errno == ETIMEDOUT && processor_time(coroutine) - before > CTL_COROUTINE_SECONDS) break;
  }
  coroutine->lost = true;
  pthread_cancel(coroutine->thread);
}

CtlTurn ctl_coroutine_resume(CtlCoroutine *coroutine) {
  if (!coroutine->ended && !coroutine->lost) turn(coroutine);
  return coroutine->lost ? CTL_TURN_LOST : coroutine->ended ? CTL_TURN_ENDED : CTL_TURN_WAITS;
}

bool ctl_coroutine_wait(CtlCoroutine *coroutine) {
  if (coroutine->given_up) return false;
  sem_post(&coroutine->outside);
  while (sem_wait(&coroutine->inside)) {
  }
  return !coroutine->given_up;
}

bool ctl_coroutine_destroy(CtlCoroutine *coroutine) {
  if (!coroutine) return true;
  coroutine->given_up = true;
  ctl_coroutine_resume(coroutine);
  if (coroutine->lost) { /* it may take a moment to end, and needs the struct for it */
    pthread_detach(coroutine->thread);
    return false;
  }
  pthread_join(coroutine->thread, NULL);
  sem_destroy(&coroutine->inside);
  sem_destroy(&coroutine->outside);
  free(coroutine);
  return true;
}
