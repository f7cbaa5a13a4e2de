#include "control/coroutine.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

struct CtlCoroutine {
  void (*body)(void *context);
  void *context;
  pthread_t thread;
  pthread_mutex_t mutex;
  pthread_cond_t turned;
  bool inside; /* whose turn it is: the body's */
  bool ended;
  bool given_up;
};

/* Gives the turn away and comes back with it. Called with the mutex. */
static void turn(CtlCoroutine *coroutine, bool to_inside) {
  coroutine->inside = to_inside;
  pthread_cond_signal(&coroutine->turned);
  while (coroutine->inside == to_inside && !coroutine->ended) pthread_cond_wait(&coroutine->turned, &coroutine->mutex);
}

static void *run(void *context) {
  CtlCoroutine *coroutine = context;
  pthread_mutex_lock(&coroutine->mutex);
  while (!coroutine->inside) pthread_cond_wait(&coroutine->turned, &coroutine->mutex);
  if (!coroutine->given_up) coroutine->body(coroutine->context);
  coroutine->ended = true;
  coroutine->inside = false;
  pthread_cond_signal(&coroutine->turned);
  pthread_mutex_unlock(&coroutine->mutex);
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
  pthread_mutex_init(&coroutine->mutex, NULL);
  pthread_cond_init(&coroutine->turned, NULL);
  if (start(coroutine)) return coroutine;
  pthread_cond_destroy(&coroutine->turned);
  pthread_mutex_destroy(&coroutine->mutex);
  free(coroutine);
  return NULL;
}

bool ctl_coroutine_resume(CtlCoroutine *coroutine) {
  pthread_mutex_lock(&coroutine->mutex);
  if (!coroutine->ended) turn(coroutine, true);
  bool waits = !coroutine->ended;
  pthread_mutex_unlock(&coroutine->mutex);
  return waits;
}

/* The mutex is the body's as long as it runs. */
bool ctl_coroutine_wait(CtlCoroutine *coroutine) {
  if (!coroutine->given_up) turn(coroutine, false);
  return !coroutine->given_up;
}

void ctl_coroutine_destroy(CtlCoroutine *coroutine) {
  if (!coroutine) return;
  pthread_mutex_lock(&coroutine->mutex);
  coroutine->given_up = true;
  if (!coroutine->ended) turn(coroutine, true);
  pthread_mutex_unlock(&coroutine->mutex);
  pthread_join(coroutine->thread, NULL);
  pthread_cond_destroy(&coroutine->turned);
  pthread_mutex_destroy(&coroutine->mutex);
  free(coroutine);
}
