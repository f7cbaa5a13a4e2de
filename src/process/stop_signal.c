/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/process/stop_signal.h"

#include "control/base/clock.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t seen, spared, interrupts, hurried;
static double since; /* time (ctl_seconds) at which a signal was first noticed; 0: no signal yet */

static void note(int number) {
  seen = 1;
  if (number != SIGINT || (++interrupts < 2 && spared)) return;
  signal(SIGINT, SIG_DFL);
  raise(SIGINT); /* the new signal is delivered after this handler has returned */
}

void stop_signal_watch(void) {
  static const int numbers[] = {SIGTERM, SIGINT, SIGUSR1};
  struct sigaction action = {.sa_handler = note, .sa_flags = SA_RESTART};
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) sigaction(numbers[i], &action, NULL);
}

void stop_signal_spare(void) { spared = 1; }

void stop_signal_hurry(bool on) {
  hurried = on;
  since = on ? ctl_seconds() : 0;
}

bool stop_signal_presses(void) {
  static const double SHORT = 0.5; /* age of a signal, in s, up to which a short computation may still finish */
  if (!stop_signal_seen()) return false;
  if (since == 0) since = ctl_seconds();
  return ctl_seconds() - since > SHORT;
}

bool stop_signal_hurries(void) { return hurried && !seen; }

bool stop_signal_seen(void) { return seen || hurried; }
