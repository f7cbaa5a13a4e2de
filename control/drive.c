#include "control/drive.h"

int ctl_drive_tell(CtlSearch *search, long ticket, const CtlOutcome *outcome, const CtlListener *listener,
                   double seconds) {
  bool ended = ctl_search_tell(search, ticket, outcome, seconds);
  for (; ended; ended = ctl_search_advance(search)) {
    CtlState state;
    ctl_search_state(search, &state);
    int stop = listener->simplex(listener->context, &state, seconds);
    if (stop) return stop;
  }
  return 0;
}
