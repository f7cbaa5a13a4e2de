#include "control/worker/message.h"

#include "control/base/clock.h"

#include <sched.h>
#include <time.h>

/* A sleep is a sixteenth of the wait so far at most: that is what it can add. The cap bounds the latency after a long
 * wait, and is long enough that asking takes no more than a per cent of a core. */
static const double EAGER_SECONDS = 200e-6, SLEEP_SHARE = 1.0 / 16, SLEEP_MOST_SECONDS = 1e-3;

void message_rest(MessageWait *wait) {
  double now = ctl_seconds();
  if (!wait->waiting) *wait = (MessageWait){.waiting = true, .since = now};
  double waited = now - wait->since, sleep = SLEEP_SHARE * waited;
  if (waited < EAGER_SECONDS) {
    sched_yield(); /* the rank waited for may need this very core */
    return;
  }
  if (sleep > SLEEP_MOST_SECONDS) sleep = SLEEP_MOST_SECONDS;
  nanosleep(&(struct timespec){.tv_nsec = (long)(1e9 * sleep)}, NULL);
}

int message_batch_most(int n, int d) {
  enum { NUMBERS_WANTED = 1 << 18 }; /* 2 MiB */
  int size = n > message_outcome_size(d) ? n : message_outcome_size(d);
  int fit = NUMBERS_WANTED / size;
  return fit < 1 ? 1 : fit > MESSAGE_BATCH_MAX ? MESSAGE_BATCH_MAX : fit;
}
