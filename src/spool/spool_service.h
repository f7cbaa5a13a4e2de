/* Whether a spool is served, and the service's state in status.json. */
#ifndef SRC_SPOOL_SERVICE_H
#define SRC_SPOOL_SERVICE_H

#include "src/spool/spool_folders.h"

#include <jansson.h>

typedef enum SpoolPhase {
  SPOOL_UNSERVED, /* no service has run there yet */
  SPOOL_SERVING,
  SPOOL_STOPPING, /* no further job begins */
  SPOOL_ENDED,
  SPOOL_DEAD, /* it has not reported its end, but has not updated status.json for SPOOL_SILENCE s */
  SPOOL_PHASES
} SpoolPhase;

/* Names of the phases: "none", those in status.json, "dead". */
extern const char *const spool_phase_names[SPOOL_PHASES];

enum { SPOOL_SILENCE = 10 };

/* A reader's memory between two calls; zero at first. */
typedef struct SpoolService {
  SpoolPhase phase;
  json_t *status; /* status.json; owned; NULL: missing or not readable */
  long updated;   /* by the service's clock, s */
  double changed; /* local time at which `updated` last changed, ctl_seconds() */
  double looked;  /* time of the last call, ctl_seconds() */
  double age;     /* time since the last update, s */
} SpoolService;

/* Updates the state. The clocks of two machines may differ: the first call computes the age from the local clock and
 * the file's time; later calls from how long nothing has changed, or from the file's time if that lies between two
 * calls. */
void spool_service_look(const SpoolFolders *spool, SpoolService *service);

/* Updates the state once. If the service seems dead, waits for up to three seconds for an update, as its machine may
 * have another time. */
void spool_service_ask(const SpoolFolders *spool, SpoolService *service);

/* Whether it accepts jobs now. */
bool spool_service_lives(const SpoolService *service);

void spool_service_clear(SpoolService *service);

#endif
