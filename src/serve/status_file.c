#include "src/serve/status_file.h"

#include "sim/version.h"
#include "src/base/json_values.h"
#include "src/spool/spool_read.h"

#include <time.h>
#include <unistd.h>

static const char STATUS[] = "status.json";

json_t *status_problem(const char *name, const CtlState *s, double seconds, double ivps_rate) {
  return json_pack("{s:s, s:I, s:I, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "name", name, "rounds",
                   (json_int_t)s->rounds, "evaluations", (json_int_t)s->evaluations, "ivps", (json_int_t)s->ivps,
                   "best", json_finite(s->best), "J", json_finite(s->J), "E1", json_finite(s->E1), "E2",
                   json_finite(s->E2), "edge", json_finite(s->edge), "seconds", json_finite(seconds), "ivps_per_second",
                   json_finite(ivps_rate));
}

json_t *status_process(const char *name, double seconds) {
  return json_pack("{s:s, s:n, s:n, s:n, s:n, s:n, s:n, s:n, s:n, s:o, s:n}", "name", name, "rounds", "evaluations",
                   "ivps", "best", "J", "E1", "E2", "edge", "seconds", json_finite(seconds), "ivps_per_second");
}

static json_t *counts(const StatusCounts *c) {
  return json_pack("{s:I, s:I, s:I}", "done", (json_int_t)c->done, "failed", (json_int_t)c->failed, "cancelled",
                   (json_int_t)c->cancelled);
}

StatusCounts status_counts(int folder) {
  json_t *status = spool_read_json(folder, STATUS);
  const json_t *all = json_object_get(status, "all");
  const StatusCounts c = {(long)json_integer_value(json_object_get(all, "done")),
                          (long)json_integer_value(json_object_get(all, "failed")),
                          (long)json_integer_value(json_object_get(all, "cancelled"))};
  json_decref(status);
  return c;
}

int status_write(const Results *top, const Status *s) {
  char host[256] = "";
  gethostname(host, sizeof host - 1);
  json_t *json = json_pack("{s:s, s:s, s:s, s:I, s:I, s:o, s:i, s:i, s:I, s:I, s:o, s:o, s:O}", "phase", s->phase,
                           "version", STICTION_VERSION, "host", host, "began", (json_int_t)s->began, "updated",
                           (json_int_t)time(NULL), "seconds", json_finite(s->seconds), "ranks", s->ranks, "busy",
                           s->busy, "at_once", (json_int_t)s->at_once, "waiting", (json_int_t)s->waiting,
                           "ivps_per_second", json_finite(s->ivps_rate), "all", counts(&s->all), "running", s->running);
  json_t *ended = counts(&s->ended);
  bool good = json && ended && json_object_update(json, ended) == 0;
  json_decref(ended);
  json = json_if(good, json);
  int failed = results_write_json(top, STATUS, json, 6);
  json_decref(json);
  return failed == -1 ? -1 : 0; /* for want of memory the file stays as it is, and the service goes on */
}
