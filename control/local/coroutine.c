#define _GNU_SOURCE /* pthread_timedjoin_np */
#include "control/local/coroutine.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

struct CtlCoroutine {
  void (*body)(void *context);
  void *context;
  double seconds;
  pthread_t thread;
  sem_t inside, outside; /* whose turn it is: posted by the other */
  atomic_ulong progress; /* the one thing that both look at at the same time */
  bool ended, given_up, lost, joined;
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

CtlCoroutine *ctl_coroutine_create(void (*body)(void *context), void *context, double seconds) {
  CtlCoroutine *coroutine = calloc(1, sizeof *coroutine);
  if (!coroutine) return NULL;
  coroutine->body = body;
  coroutine->context = context;
  coroutine->seconds = seconds;
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

/* In a second. */
static struct timespec later(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  now.tv_sec++;
  return now;
}

/* Gives the body its turn, and waits for it to come back, which it does, or else is lost. */
static void turn(CtlCoroutine *coroutine) {
  double since = processor_time(coroutine);
  unsigned long progress = coroutine->progress;
  sem_post(&coroutine->inside);
  for (;;) {
    struct timespec until = later();
    if (sem_timedwait(&coroutine->outside, &until) == 0) return;
    if (errno != ETIMEDOUT) continue;
    double now = processor_time(coroutine);
    if (coroutine->progress == progress && now - since > coroutine->seconds) break;
    if (coroutine->progress != progress) since = now;
    progress = coroutine->progress;
  }
  struct timespec until = later();
  coroutine->lost = true;
  pthread_cancel(coroutine->thread);
  coroutine->joined = pthread_timedjoin_np(coroutine->thread, NULL, &until) == 0;
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

void ctl_coroutine_progress(CtlCoroutine *coroutine) { coroutine->progress++; }

bool ctl_coroutine_destroy(CtlCoroutine *coroutine) {
  if (!coroutine) return true;
  coroutine->given_up = true;
  ctl_coroutine_resume(coroutine);
  if (coroutine->lost && !coroutine->joined) { /* it needs the struct for its end, whenever that comes */
    pthread_detach(coroutine->thread);
    return false;
  }
  if (!coroutine->joined) pthread_join(coroutine->thread, NULL);
  sem_destroy(&coroutine->inside);
  sem_destroy(&coroutine->outside);
  free(coroutine);
  return true;
}
