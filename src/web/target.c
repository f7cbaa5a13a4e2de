/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/web/target.h"

#include "src/base/result_files.h"
#include "src/spool/job_file.h"
#include "src/spool/job_list.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Files of a job that are shown in addition to result_files and figures. */
static const char *const other_files[] = {"problem.yaml", "job.json", "messages.txt", "error.txt", NULL};

/* Naming the files that are shown ---------------------------------------------------------------------------------- */

/* Returns whether a file is shown. Some files of a job are only used by programs. */
static bool is_shown(const char *file) {
  return strncmp(file, "checkpoint/", 11) != 0 && !text_ends_with(file, ".part");
}

bool web_file_at(int k, char file[WEB_FILE_SIZE]) {
  int i = 0;
  for (; other_files[i]; i++)
    if (k-- == 0) return snprintf(file, WEB_FILE_SIZE, "%s", other_files[i]) > 0;
  for (i = 0; result_files[i]; i++)
    if (is_shown(result_files[i]) && k-- == 0) return snprintf(file, WEB_FILE_SIZE, "%s", result_files[i]) > 0;
  for (i = 0; figure_names[i]; i++)
    for (int format = FIGURE_SVG; format <= FIGURE_PNG; format++)
      if (k-- == 0)
        return snprintf(file, WEB_FILE_SIZE, "figures/%s%s", figure_names[i], figure_suffix((FigureFormat)format)) > 0;
  return false;
}

static bool is_file(const char *text) {
  char file[WEB_FILE_SIZE];
  for (int k = 0; web_file_at(k, file); k++)
    if (strcmp(text, file) == 0) return true;
  return false;
}

const char *web_file_type(const char *file) {
  static const char *const types[][2] = {{".html", "text/html; charset=utf-8"},
                                         {".css", "text/css; charset=utf-8"},
                                         {".js", "text/javascript; charset=utf-8"},
                                         {".svg", "image/svg+xml"},
                                         {".png", "image/png"},
                                         {".json", "application/json"},
                                         {".csv", "text/csv; charset=utf-8"},
                                         {".yaml", "text/plain; charset=utf-8"},
                                         {".txt", "text/plain; charset=utf-8"}};
  for (size_t k = 0; k < sizeof types / sizeof *types; k++)
    if (text_ends_with(file, types[k][0])) return types[k][1];
  return "application/octet-stream";
}

/* Checking and decoding text --------------------------------------------------------------------------------------- */

/* Returns the number of bytes of the first UTF-8 character of a text of `length` bytes; 0 if it is invalid. */
static size_t character(const unsigned char *c, size_t length) {
  size_t n = c[0] < 0x80 ? 1 : c[0] < 0xc2 ? 0 : c[0] < 0xe0 ? 2 : c[0] < 0xf0 ? 3 : c[0] < 0xf5 ? 4 : 0;
  if (n == 0 || n > length) return 0;
  for (size_t k = 1; k < n; k++)
    if ((c[k] & 0xc0) != 0x80) return 0;
  bool overlong = (c[0] == 0xe0 && c[1] < 0xa0) || (c[0] == 0xf0 && c[1] < 0x90);
  /* surrogates, and characters above U+10FFFF, are invalid */
  bool beyond = (c[0] == 0xed && c[1] > 0x9f) || (c[0] == 0xf4 && c[1] > 0x8f);
  return overlong || beyond ? 0 : n;
}

bool web_text_is_plain(const char *text, size_t length, bool lines) {
  for (size_t at = 0, n; at < length; at += n) {
    unsigned char c = (unsigned char)text[at];
    bool control = c < 0x20 || c == 0x7f, blank = c == '\t' || c == '\n' || c == '\r';
    n = character((const unsigned char *)text + at, length - at);
    if (n == 0 || (control && !(lines && blank))) return false;
  }
  return true;
}

static int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Decodes %XX and + in a text. Returns false if the result is too long, % is not followed by two hexadecimal digits, or
 * the result has control characters. */
static bool decode(const char *from, size_t length, char to[WEB_VALUE_SIZE]) {
  size_t n = 0;
  for (size_t at = 0; at < length; at++) {
    char c = from[at];
    if (c == '%') {
      int high = at + 2 < length ? digit(from[at + 1]) : -1, low = high >= 0 ? digit(from[at + 2]) : -1;
      if (low < 0) return false;
      c = (char)(16 * high + low);
      at += 2;
    } else if (c == '+') {
      c = ' ';
    }
    if (n == WEB_VALUE_SIZE - 1) return false;
    to[n++] = c;
  }
  to[n] = 0;
  return web_text_is_plain(to, n, false);
}

/* Reading the query of a request's target -------------------------------------------------------------------------- */

static bool whole(const char *text, long most, int *value) {
  char *end;
  errno = 0;
  long number = strtol(text, &end, 10);
  if (!*text || *end || errno || !strchr("-0123456789", *text) || labs(number) > most) return false;
  *value = (int)number;
  return true;
}

static bool may_repeat(const char *key) { return strcmp(key, "set") == 0 || strcmp(key, "vary") == 0; }

static const char *take_setting(const char *key, const char *value, WebTarget *target) {
  if (target->n_settings == WEB_SETTINGS_MAX) return "set, vary: too many of them";
  WebSetting *setting = &target->settings[target->n_settings++];
  setting->varies = strcmp(key, "vary") == 0;
  snprintf(setting->text, sizeof setting->text, "%s", value);
  return *value ? NULL : "set, vary: expected KEY=VALUE";
}

static const char *take_from(const char *value, WebTarget *target) {
  for (int f = 0; f < SPOOL_FOLDERS; f++) {
    if (strcmp(value, job_state_name((SpoolFolder)f)) != 0) continue;
    target->from = (SpoolFolder)f;
    return NULL;
  }
  return "from: expected waiting, running, done, failed or cancelled";
}

/* Stores a key of the query with its value. Returns NULL, or an error message. */
static const char *take(const char *key, const char *value, WebTarget *target) {
  if (*target->name && strcmp(key, "from") == 0) return take_from(value, target);
  if (target->route == WEB_JOBS && strcmp(key, "name") == 0) {
    snprintf(target->wanted, sizeof target->wanted, "%s", value);
    return *value && !strchr(value, '/') ? NULL : "name: expected the name of a file, without a folder";
  }
  if (target->route == WEB_JOBS && strcmp(key, "command") == 0) {
    snprintf(target->command, sizeof target->command, "%s", value);
    return job_command_find(value) ? NULL : "command: expected control, simulate, sweep or identify";
  }
  if (target->route == WEB_JOBS && strcmp(key, "priority") == 0)
    return whole(value, JOB_PRIORITY_MAX, &target->priority) ? NULL
                                                             : "priority: expected a whole number from -100 to 100";
  if (target->route == WEB_JOBS && strcmp(key, "most") == 0)
    return whole(value, WEB_JOBS_MAX, &target->most) && target->most >= 0
               ? NULL
               : "most: expected a whole number from 0 to 1000";
  if (target->route == WEB_JOBS && may_repeat(key)) return take_setting(key, value, target);
  return "the query has an unknown key";
}

static const char *read_query(const char *text, WebTarget *target) {
  char keys[WEB_QUERY_MAX][WEB_VALUE_SIZE];
  for (int n = 0; *text; n++) {
    char value[WEB_VALUE_SIZE];
    size_t length = strcspn(text, "&"), key = strcspn(text, "=&");
    if (n == WEB_QUERY_MAX) return "the query has too many keys";
    if (key == length) return "the query expects KEY=VALUE";
    if (!decode(text, key, keys[n]) || !decode(text + key + 1, length - key - 1, value))
      return "the query has bytes that are no text, or too many";
    for (int k = 0; k < n; k++)
      if (strcmp(keys[k], keys[n]) == 0 && !may_repeat(keys[n])) return "the query has a key twice";
    const char *fault = take(keys[n], value, target);
    if (fault) return fault;
    text += length;
    if (*text) text++;
  }
  return NULL;
}

/* Reading the path of a request's target --------------------------------------------------------------------------- */

/* Reads the part of a path after /jobs/, and modifies it. Returns false if no target has this path. */
static bool read_job(char *path, WebTarget *target) {
  char *slash = strchr(path, '/');
  if (slash) *slash = 0;
  if (!spool_is_name(path)) return false;
  memcpy(target->name, path, strlen(path) + 1); /* a valid name fits into the buffer */
  target->route = WEB_JOB;
  if (!slash) return true;
  const char *rest = slash + 1;
  target->route = strcmp(rest, "search") == 0 ? WEB_SEARCH : strcmp(rest, "files") == 0 ? WEB_FILES : WEB_FILE;
  if (target->route != WEB_FILE) return true;
  if (strncmp(rest, "files/", 6) != 0 || !is_file(rest + 6)) return false;
  snprintf(target->file, sizeof target->file, "%s", rest + 6);
  return true;
}

/* Returns whether a path may be that of a file of the page. The list of these files is searched later. */
static bool is_page_file(const char *path) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyz_";
  size_t name = strspn(path, letters), length = strlen(path);
  return name > 0 && path[name] == '.' && name + 1 + strspn(path + name + 1, letters) == length &&
         length < WEB_FILE_SIZE;
}

static bool read_path(char *path, WebTarget *target) {
  const char *file = strcmp(path, "/") == 0 ? "page.html" : path + 1;
  if (strncmp(path, "/jobs/", 6) == 0) return read_job(path + 6, target);
  target->route = strcmp(path, "/jobs") == 0 ? WEB_JOBS : strcmp(path, "/status") == 0 ? WEB_STATUS : WEB_PAGE;
  if (target->route != WEB_PAGE) return true;
  if (!is_page_file(file)) return false;
  snprintf(target->file, sizeof target->file, "%s", file);
  return true;
}

int web_target_read(const char *text, WebTarget *target, const char **why) {
  char path[SPOOL_NAME_MAX + WEB_FILE_SIZE + 32];
  size_t length = strcspn(text, "?");
  *target = (WebTarget){.route = WEB_PAGE, .most = WEB_JOBS_MAX};
  *why = NULL;
  if (*text != '/') *why = "expected the path of something here";
  if (memchr(text, '%', length)) *why = "no path has a percent sign here";
  if (!web_text_is_plain(text, strlen(text), false)) *why = "the target is no text";
  if (*why) return 400;
  if (length >= sizeof path) return 404;
  memcpy(path, text, length);
  path[length] = 0;
  if (!read_path(path, target)) return 404;
  *why = text[length] ? read_query(text + length + 1, target) : NULL;
  return *why ? 400 : 200;
}
