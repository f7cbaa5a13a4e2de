/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/web/submit.h"

#include "src/spool/spool_read.h"
#include "src/web/folder.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CHECK_SECONDS = 20, PRIORITY_SIZE = 8 };
static const char END[] = ".yaml", NAME[] = "problem";

/* Returns the output of `stiction submit --json`; NULL if it is not JSON. */
static json_t *read_output(const char *folder) {
  int opened = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  json_t *said = opened < 0 ? NULL : spool_read_json(opened, WEB_OUTPUT);
  if (opened >= 0) close(opened);
  return said;
}

static void answer(WebRequest *r, ProgramEnd end, int code, json_t *said) {
  json_t *mistakes = json_object_get(said, "mistakes"), *name = json_array_get(json_object_get(said, "names"), 0);
  if (end == PROGRAM_TIMED_OUT)
    web_answer_error(&r->answer, 422, "the problem takes too long to be checked");
  else if (end == PROGRAM_EXITED && code == 0 && json_is_string(name))
    web_answer_json(&r->answer, 201, json_pack("{s:O}", "name", name));
  else if (end == PROGRAM_EXITED && code == EXIT_INTERNAL)
    web_answer_error(&r->answer, 422,
                     "the problem takes more memory to be checked than the page has for that, 2 GiB: a command, "
                     "stiction submit, has more");
  else if (end == PROGRAM_EXITED && json_is_array(mistakes))
    web_answer_json(&r->answer, 422,
                    json_pack("{s:s, s:O}", "error", "the problem has mistakes", "mistakes", mistakes));
  else
    web_answer_error(&r->answer, 503, "the problem cannot be checked: it takes too much memory, or there is no room");
}

/* Runs `stiction submit FILE` in the folder that contains FILE. Returns how it ended. */
static ProgramEnd run(WebRequest *r, char *folder, char *file, int *code) {
  char priority[PRIORITY_SIZE];
  char *words[12 + 2 * WEB_SETTINGS_MAX] = {
      "stiction", "submit", r->web->jobs.spool.path, file, "--confined", "--json", "--priority", priority};
  int n = 8;
  snprintf(priority, sizeof priority, "%d", r->target.priority);
  if (*r->target.command) {
    words[n++] = "--command";
    words[n++] = r->target.command;
  }
  for (int k = 0; k < r->target.n_settings; k++) { /* the text after --set or --vary is always taken as its value, and
                                                    * never as an option */
    words[n++] = r->target.settings[k].varies ? "--vary" : "--set";
    words[n++] = r->target.settings[k].text;
  }
  words[n] = NULL;
  return web_folder_run(r->web, folder, &(WebProgram){.words = words, .seconds = CHECK_SECONDS}, code);
}

void web_submit(WebRequest *r) {
  char folder[FILE_PATH_SIZE], file[SPOOL_NAME_MAX + sizeof END];
  int code = 1;
  spool_job_name(*r->target.wanted ? r->target.wanted : NAME, file);
  strcat(file, END);
  if (!web_text_is_plain(r->body ? r->body : "", r->size, true)) {
    web_answer_error(&r->answer, 400, "the problem is no text in UTF-8");
    return;
  }
  bool made = web_folder_make(r->web, folder), written = made && web_folder_write(folder, file, r->body, r->size);
  ProgramEnd end = written ? run(r, folder, file, &code) : PROGRAM_NOT_RUN;
  json_t *said = end == PROGRAM_EXITED ? read_output(folder) : NULL;
  answer(r, end, code, said);
  json_decref(said);
  if (made) web_folder_remove(folder);
}
