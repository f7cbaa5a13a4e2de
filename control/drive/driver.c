#include "control/drive/driver.h"

static int tell_listener(CtlSearch *search, bool ended, const CtlListener *listener, double seconds) {
  for (; ended; ended = ctl_search_advance(search)) {
    CtlState state;
    ctl_search_state(search, &state);
    int stop = listener->simplex(listener->context, &state, seconds);
    if (stop) return stop;
  }
  return 0;
}

int driver_tell(CtlSearch *search, long ticket, const CtlOutcome *outcome, const CtlListener *listener,
                double seconds) {
  return tell_listener(search, ctl_search_tell(search, ticket, outcome, seconds), listener, seconds);
}

int ctl_drive_resume(CtlSearch *search, const CtlListener *listener) {
  return tell_listener(search, ctl_search_advance(search), listener, 0);
}
