/* Whether a spool is served, and what its service says of itself in status.json. */
#ifndef SRC_SPOOL_SERVICE_H
#define SRC_SPOOL_SERVICE_H

#include "src/spool/spool_folders.h"

#include <jansson.h>

typedef enum SpoolPhase {
  SPOOL_UNSERVED, /* no service has worked there yet */
  SPOOL_SERVING,
  SPOOL_STOPPING, /* nothing begins any more */
  SPOOL_ENDED,
  SPOOL_DEAD, /* it has not said so, but has been silent for SPOOL_SILENCE s */
  SPOOL_PHASES
} SpoolPhase;

/* "none", then as in status.json, "dead". */
extern const char *const spool_phase_names[SPOOL_PHASES];

enum { SPOOL_SILENCE = 10 };

/* What a reader remembers between two looks; zero at first. */
typedef struct SpoolService {
  SpoolPhase phase;
  json_t *status; /* status.json; owned; NULL: there is none that can be read */
  long updated;   /* its own clock, s */
  double changed; /* when that has changed, ctl_seconds() here */
  double looked;  /* the last look, likewise */
  double age;     /* s since then */
} SpoolService;

/* Looks again. The clocks of two machines need not agree: at a first look the age is told by this one's and the file's time; from then on
 * by how long nothing has changed, and between two looks by the file's time again, if that is between them. */
void spool_service_look(const SpoolFolders *spool, SpoolService *service);

/* A single look, which tells a service that seems dead from one whose machine has another time: it waits for up to three seconds for it to
 * say something. */
void spool_service_ask(const SpoolFolders *spool, SpoolService *service);

/* Whether it takes jobs now. */
bool spool_service_lives(const SpoolService *service);

void spool_service_clear(SpoolService *service);

#endif
