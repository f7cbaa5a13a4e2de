#include "src/web/report.h"

#include "src/web/folder.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DRAWN_MAX = 256 << 20 /* bytes of results */, DRAW_SECONDS = 120 };
static const char SUMMARY[] = "summary.json", REPORT[] = "report.html";

static bool has(const WebJobs *jobs, const char *name, const char *file) {
  size_t size;
  int opened = web_jobs_open(jobs, name, file, &size);
  if (opened >= 0) close(opened);
  return opened >= 0;
}

bool web_report_is_to_be_drawn(const WebJobs *jobs, const char *name) {
  return !has(jobs, name, REPORT) && has(jobs, name, SUMMARY);
}

/* Copies the job's results: their owner may change them, or put links in their place, while they are read. */
static bool copy_results(const WebRequest *r, const char *folder) {
  char file[WEB_FILE_SIZE];
  size_t left = DRAWN_MAX, size;
  bool good = true;
  for (int k = 0; good && web_file_at(k, file); k++) {
    if (strncmp(file, "figures/", 8) == 0) continue;
    int from = web_jobs_open(&r->web->jobs, r->target.name, file, &size);
    if (from < 0) continue;
    good = size <= left && web_folder_copy(folder, file, from, size);
    left -= good ? size : 0;
    close(from);
  }
  return good;
}

void web_report_draw(WebRequest *r) {
  char folder[FILE_PATH_SIZE], path[FILE_PATH_SIZE + sizeof REPORT];
  char *const words[] = {"stiction", "report", ".", "--quiet", NULL};
  struct stat info;
  int code = 1;
  bool made = web_folder_make(r->web, folder), copied = made && copy_results(r, folder);
  bool drawn = copied && web_folder_run(r->web, folder, words, DRAW_SECONDS, &code) == PROGRAM_EXITED && code == 0;
  snprintf(path, sizeof path, "%s/%s", folder, REPORT);
  int file = drawn ? open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC) : -1;
  if (file >= 0 && fstat(file, &info) == 0) {
    web_answer_file(&r->answer, file, (size_t)info.st_size, web_file_type(REPORT));
  } else {
    if (file >= 0) close(file);
    web_answer_error(&r->answer, made && !copied ? 413 : 503,
                     made && !copied ? "the results are too large to be drawn here: fetch them, and run stiction report"
                                     : "no report can be drawn (is gnuplot installed?)");
  }
  if (made) web_folder_remove(folder); /* what is open stays until it is sent */
}
