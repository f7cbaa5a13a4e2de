#include "control/message.h"

#include <sched.h>
#include <time.h>

enum { EAGER_TURNS = 64, SLEEP_STEP_NS = 5000, SLEEP_MAX_NS = 200000 };

void message_rest(MessageWait *wait) {
  long nanoseconds = (long)(++wait->turns - EAGER_TURNS) * SLEEP_STEP_NS;
  if (nanoseconds <= 0) {
    sched_yield(); /* the rank waited for may need this very core */
    return;
  }
  if (nanoseconds > SLEEP_MAX_NS) {
    nanoseconds = SLEEP_MAX_NS;
    wait->turns--;
  }
  nanosleep(&(struct timespec){.tv_nsec = nanoseconds}, NULL);
}
