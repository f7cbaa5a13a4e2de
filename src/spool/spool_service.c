/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/spool/spool_service.h"

#include "control/base/clock.h"
#include "src/spool/spool_read.h"

#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

const char *const spool_phase_names[SPOOL_PHASES] = {"none", "serving", "stopping", "ended", "dead"};
/* PATIENCE: time for which a sign of life of a service that seems dead is awaited. LOOK_SECONDS: time between two
 * looks. Both in s. */
static const double PATIENCE = 3, LOOK_SECONDS = 0.2;

static SpoolPhase phase_of(const json_t *status) {
  const char *phase = json_string_value(json_object_get(status, "phase"));
  for (int k = SPOOL_SERVING; phase && k <= SPOOL_ENDED; k++)
    if (strcmp(phase, spool_phase_names[k]) == 0) return (SpoolPhase)k;
  return SPOOL_UNSERVED;
}

void spool_service_look(const SpoolFolders *spool, SpoolService *service) {
  struct stat info;
  json_t *status = spool_read_json(spool->self, "status.json");
  double now = ctl_seconds();
  bool first = !service->status;
  if (status && fstatat(spool->self, "status.json", &info, AT_SYMLINK_NOFOLLOW)) info.st_mtime = time(NULL);
  json_decref(service->status);
  service->status = status;
  service->phase = phase_of(status);
  if (service->phase == SPOOL_UNSERVED) return;
  long updated = (long)json_integer_value(json_object_get(status, "updated"));
  /* the result is right only if the clocks of the two machines agree */
  double old = fmax(0, difftime(time(NULL), info.st_mtime));
  if (first)
    service->changed = now - old;
  else if (updated != service->updated)
    service->changed = now - fmin(old, now - service->looked);
  service->updated = updated;
  service->looked = now;
  service->age = now - service->changed;
  if (service->phase != SPOOL_ENDED && service->age > SPOOL_SILENCE) service->phase = SPOOL_DEAD;
}

void spool_service_ask(const SpoolFolders *spool, SpoolService *service) {
  double start = ctl_seconds();
  spool_service_look(spool, service);
  while (service->phase == SPOOL_DEAD && ctl_seconds() - start < PATIENCE) {
    nanosleep(&(struct timespec){.tv_nsec = (long)(1e9 * LOOK_SECONDS)}, NULL);
    spool_service_look(spool, service);
  }
}

bool spool_service_lives(const SpoolService *service) {
  return service->phase == SPOOL_SERVING || service->phase == SPOOL_STOPPING;
}

void spool_service_clear(SpoolService *service) {
  json_decref(service->status);
  *service = (SpoolService){.phase = SPOOL_UNSERVED};
}
