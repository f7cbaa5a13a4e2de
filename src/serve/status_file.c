/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/serve/status_file.h"

#include "sim/version.h"
#include "src/base/json_values.h"
#include "src/spool/spool_read.h"

#include <math.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char STATUS[] = "status.json";

double status_time_left(const StatusShare *shares, int n, double seconds) {
  double left = INFINITY;
  for (int k = 0; k < n; k++)
    if (shares[k].most > 0 && shares[k].used > shares[k].before)
      left = fmin(left, fmax(0, seconds * (shares[k].most - shares[k].used) / (shares[k].used - shares[k].before)));
  return left;
}

json_t *status_problem(const char *name, const CtlState *s, double seconds, double ivps_rate, double time_left) {
  return json_pack("{s:s, s:I, s:I, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "name", name, "rounds",
                   (json_int_t)s->rounds, "evaluations", (json_int_t)s->evaluations, "ivps", (json_int_t)s->ivps,
                   "best", json_finite(s->best), "J", json_finite(s->J), "E1", json_finite(s->E1), "E2",
                   json_finite(s->E2), "edge", json_finite(s->edge), "seconds", json_finite(seconds), "ivps_per_second",
                   json_finite(ivps_rate), "time_left", json_finite(time_left));
}

/* Returns the remaining time of a job that runs in a process, computed by status_time_left from the progress in the
 * job's folder. The seconds of a search include earlier processes that were killed. */
static double process_time_left(const JobProgress *now, double used, const StatusStart *start) {
  const JobProgress *before = &start->progress;
  const double seconds = used - start->used;
  const StatusShare shares[] = {
      {before->seconds + seconds, now->max_seconds, before->seconds},
      {now->rounds, now->max_simplexes, before->rounds},
      {now->evaluations, now->max_evaluations, before->evaluations},
      {(double)now->runs, (double)now->runs_in_all, (double)before->runs},
      {now->t, now->end, before->t},
  };
  return status_time_left(shares, sizeof shares / sizeof *shares, seconds);
}

json_t *status_process(const char *name, double seconds, double rate, const json_t *search, const JobProgress *progress,
                       const StatusStart *start) {
  const json_t *columns = json_object_get(search, "columns"), *rows = json_object_get(search, "rows"),
               *last = json_array_get(rows, json_array_size(rows) - 1);
  size_t k;
  json_t *column, *json = json_pack("{s:s, s:n, s:n, s:n, s:n, s:n, s:n, s:n, s:n, s:o, s:o, s:n}", "name", name,
                                    "rounds", "evaluations", "ivps", "best", "J", "E1", "E2", "edge", "seconds",
                                    json_finite(seconds), "ivps_per_second", json_finite(rate), "time_left");
  json_array_foreach(columns, k, column) {
    const json_t *value = json_array_get(last, k);
    const char *name_of = json_string_value(column);
    bool round = strcmp(name_of, "round") == 0, whole = round || strcmp(name_of, "evaluations") == 0;
    double number = json_number_value(value);
    if (json_is_number(value))
      json_object_set_new(json, round ? "rounds" : name_of,
                          whole ? json_integer((json_int_t)number) : json_real(number));
  }
  job_progress_put(progress, json);
  json_object_set_new(json, "time_left", json_finite(process_time_left(progress, seconds, start)));
  return json;
}

static json_t *counts(const StatusCounts *c) {
  return json_pack("{s:I, s:I, s:I}", "done", (json_int_t)c->done, "failed", (json_int_t)c->failed, "cancelled",
                   (json_int_t)c->cancelled);
}

json_t *status_read(int folder) { return spool_read_json(folder, STATUS); }

StatusCounts status_counts(const json_t *status) {
  const json_t *all = json_object_get(status, "all");
  return (StatusCounts){(long)json_integer_value(json_object_get(all, "done")),
                        (long)json_integer_value(json_object_get(all, "failed")),
                        (long)json_integer_value(json_object_get(all, "cancelled"))};
}

double status_updated(const json_t *status) { return json_number_value(json_object_get(status, "updated")); }

int status_write(const Results *top, const Status *s) {
  char host[256] = "";
  gethostname(host, sizeof host - 1);
  json_t *json = json_pack("{s:s, s:s, s:s, s:I, s:I, s:o, s:i, s:i, s:I, s:I, s:o, s:o, s:o, s:O, s:O}", "phase",
                           s->phase, "version", STICTION_VERSION, "host", host, "began", (json_int_t)s->began,
                           "updated", (json_int_t)time(NULL), "seconds", json_finite(s->seconds), "ranks", s->ranks,
                           "busy", s->busy, "at_once", (json_int_t)s->at_once, "waiting", (json_int_t)s->waiting,
                           "held_up", json_finite(s->held_up), "ivps_per_second", json_finite(s->ivps_rate), "all",
                           counts(&s->all), "used", s->used, "running", s->running);
  json_t *ended = counts(&s->ended);
  bool good = json && ended && json_object_update(json, ended) == 0 && json_object_set(json, "stuck", s->stuck) == 0;
  json_decref(ended);
  json = json_if(good, json);
  int failed = results_write_json(top, STATUS, json, 6);
  json_decref(json);
  return failed == -1 ? -1 : 0; /* if there is no memory, the file is left unchanged and the service continues */
}
