/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/base/argument.h"
#include "sim/internal.h"
#include "sim/version.h"

const char *stiction_status_text(SimStatus status) {
  switch (status) {
  case SIM_OK: return "ok";
  case SIM_NOT_CONVERGED: return "a step's friction problem did not converge (a shorter step may help)";
  case SIM_EVENTS_ACCUMULATE: return "events accumulate: more than scheme.max_events before the end";
  case SIM_SLIDES_ALONG_KINK:
    return "the motion slides along a kink of its equations, from both sides of which it comes back";
  case SIM_OUT_OF_RANGE:
    return "the motion leaves the range of a law, of springs or of friction_rise, or a threshold falls below 0";
  case SIM_RESIDUAL_LARGE: return "its series do not obey the equation of motion";
  case SIM_ENERGY_OPEN: return "its energy does not close";
  case SIM_NOT_FINISHED: return "no answer in time";
  case SIM_NON_FINITE: return "the motion is not finite";
  case SIM_NO_MEMORY: return "out of memory";
  case SIM_BAD_ARGUMENT: return argument_refused();
  case SIM_BAD_PROBLEM: return argument_invalid();
  case SIM_CANCELLED: return "ended by a request to stop";
  case SIM_TOO_LONG: return "it takes more work than is allowed";
  }
  return "unknown status";
}

const char *stiction_version(void) { return STICTION_VERSION; }
