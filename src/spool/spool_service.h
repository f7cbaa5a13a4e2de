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
  SPOOL_DEAD, /* the service seems to be dead: it has not reported its end, but status.json has not been updated for
               * SPOOL_SILENCE s */
  SPOOL_PHASES
} SpoolPhase;

/* Names of the phases: "none", those in status.json, and "dead". */
extern const char *const spool_phase_names[SPOOL_PHASES];

/* time without an update of status.json after which a service counts as dead, in s */
enum { SPOOL_SILENCE = 10 };

/* State of a reader of status.json between two calls. It must be zero before the first call. */
typedef struct SpoolService {
  SpoolPhase phase;
  json_t *status; /* content of status.json; owned; NULL: the file is missing or cannot be read */
  long updated;   /* time in status.json, in s, by the clock of the machine on which the service runs */
  double changed; /* time on this machine (ctl_seconds) at which `updated` last changed */
  double looked;  /* time (ctl_seconds) of the last call */
  double age;     /* time since the last update of status.json, in s */
} SpoolService;

/* Reads the state again. The clocks of the two machines may differ. The first call has to compute the age from the
 * local clock and the time of the file. Later calls compute it from the time for which nothing has changed; if the
 * file's time lies between two calls, from the file's time. */
void spool_service_look(const SpoolFolders *spool, SpoolService *service);

/* Reads the state once. If the service seems to be dead, waits up to three seconds for an update, since the clock of
 * its machine may differ. */
void spool_service_ask(const SpoolFolders *spool, SpoolService *service);

/* Returns whether the service accepts jobs now. */
bool spool_service_lives(const SpoolService *service);

void spool_service_clear(SpoolService *service);

#endif
