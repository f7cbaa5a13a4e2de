/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/file/values/reader.h"

#include "src/process/process.h"

#include <math.h>
#include <string.h>

double work_most_bytes(Work *work, double bytes) {
  /* Size of a request, in bytes, below which it is allowed without reading the size of the free memory. That would open
   * about a hundred system files, which takes longer than solving a small problem. */
  static const double SMALL = 1 << 24;
  if (bytes > SMALL && !work->looked) {
    work->most_bytes = fmin(work->most_bytes, memory_available() + work->held);
    work->looked = true;
  }
  return work->most_bytes;
}

static bool exceeds(Work *work, double seconds, double bytes) {
  double all = work->bytes + bytes;
  return work->seconds + seconds > work->most_seconds || all > work_most_bytes(work, all);
}

bool work_allowed(Reader *reader, const char *path, const char *what, double seconds, double bytes) {
  /* work that takes longer than this, in s, is shown in the progress line */
  static const double LONG = 0.5;
  Work *work = &reader->work;
  if (work->refused) return false;
  work->refused = exceeds(work, seconds, bytes);
  work->seconds += seconds;
  work->bytes += bytes;
  if (work->seconds > work->most_seconds)
    key_error(reader, path, "%s: about %.3g s of work before the first step (expected at most %g s, --max-seconds)",
              what, work->seconds, work->most_seconds);
  else if (work->refused)
    key_error(reader, path, "%s: about %.3g GiB of memory (expected at most %.3g GiB here, --max-memory)", what,
              work->bytes / (1 << 30), work->most_bytes / (1 << 30));
  else if (seconds > LONG)
    progress_draw(&work->progress, "%s: about %.2g s", what, seconds);
  return !work->refused;
}

void work_begin(Reader *reader) {
  const WorkLimits *limits = &reader->ranks.limits;
  double held = (double)document_bytes(reader->document);
  reader->work = (Work){.most_seconds = limits->seconds > 0 ? limits->seconds : INFINITY,
                        .most_bytes = limits->bytes > 0 ? limits->bytes : INFINITY,
                        .held = held,
                        .progress.stream = reader->ranks.progress_line};
  work_allowed(reader, "model", "what the file holds", 0, held);
}

bool work_allows_expression(Reader *reader, const Node *node, const char *text) {
  char path[NODE_PATH_SIZE];
  double seconds, bytes;
  expression_cost(text, &seconds, &bytes);
  if (reader->work.refused || exceeds(&reader->work, seconds, bytes))
    return work_allowed(reader, node_path(node, path), "expressions", seconds, bytes);
  reader->work.seconds += seconds;
  reader->work.bytes += bytes;
  return true;
}

void work_show(Reader *reader, const char *key, double part) {
  progress_draw(&reader->work.progress, "%s: %.0f %%", key, 100 * part);
}
