/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds out whether a service is running for a spool, and reads its state from status.json. */
#ifndef SRC_SPOOL_SERVICE_H
#define SRC_SPOOL_SERVICE_H

#include "src/spool/spool_folders.h"

#include <jansson.h>

typedef enum SpoolPhase {
  SPOOL_UNSERVED, /* no service has ever run for this spool */
  SPOOL_SERVING,
  SPOOL_STOPPING, /* the service is stopping: no further job begins */
  SPOOL_ENDED,
  SPOOL_DEAD, /* the service seems dead: it has not reported its end, but has not updated status.json for
               * SPOOL_SILENCE s */
  SPOOL_PHASES
} SpoolPhase;

/* Names of the phases: "none", those in status.json, and "dead". */
extern const char *const spool_phase_names[SPOOL_PHASES];

enum { SPOOL_SILENCE = 10 };

/* State of a reader between two calls. It is zero before the first call. */
typedef struct SpoolService {
  SpoolPhase phase;
  json_t *status; /* content of status.json; owned; NULL: missing or not readable */
  long updated;   /* time in status.json, by the clock of the service's machine, in s */
  double changed; /* time (ctl_seconds) here at which `updated` last changed */
  double looked;  /* time (ctl_seconds) of the last call */
  double age;     /* time since the last update of status.json, in s */
} SpoolService;

/* Reads the state again. The clocks of the two machines may differ. So the first call computes the age from the local
 * clock and the file's time. Later calls compute it from how long nothing has changed, or from the file's time if that
 * lies between two calls. */
void spool_service_look(const SpoolFolders *spool, SpoolService *service);

/* Reads the state once. If the service seems dead, waits for an update for up to three seconds, as the clock of its
 * machine may differ. */
void spool_service_ask(const SpoolFolders *spool, SpoolService *service);

/* Returns whether the service accepts jobs now. */
bool spool_service_lives(const SpoolService *service);

void spool_service_clear(SpoolService *service);

#endif
