/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/figures/gnuplot.h"

#include "src/base/diagnostics.h"

#include <errno.h>
#include <jansson.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

void gnuplot_text(FILE *script, const char *text, size_t room) {
  json_t *valid = json_string(text); /* checks that the text is valid UTF-8: json_string returns NULL if it is not */
  size_t length = text_cut(text, room);
  fputc('\'', script);
  for (size_t k = 0; k < length; k++) {
    unsigned char c = (unsigned char)text[k];
    bool noncharacter = strncmp(text + k, "\xef\xbf\xbe", 3) == 0 || strncmp(text + k, "\xef\xbf\xbf", 3) == 0;
    if (c < 0x20 || c == 0x7f)
      fputc(' ', script);
    else if (c >= 0x80 && !valid)
      fputc('?', script);
    else if (noncharacter) { /* U+FFFE and U+FFFF are not allowed in XML */
      fputc('?', script);
      k += 2;
    } else
      fputs(c == '\'' ? "\u2019" : (char[]){(char)c, 0}, script);
  }
  fputs(text[length] ? "...'" : "'", script);
  json_decref(valid);
}

/* Returns the whole content of a stream, NUL-terminated; NULL if it cannot be read. */
static char *contents(FILE *stream, size_t *size) {
  long end = fseek(stream, 0, SEEK_END) ? -1 : ftell(stream);
  char *bytes = end < 0 ? NULL : malloc((size_t)end + 1);
  if (!bytes) return NULL;
  rewind(stream);
  *size = fread(bytes, 1, (size_t)end, stream);
  bytes[*size] = 0;
  if (*size == (size_t)end) return bytes;
  free(bytes);
  return NULL;
}

/* Runs gnuplot with the given standard input, output and error. Returns its exit code; -1 on failure; -2 if gnuplot is
 * not installed. */
static int spawn(FILE *script, FILE *out, FILE *err) {
  /* -d ignores the user's settings. The script is passed as a file name, since gnuplot reads standard input byte by
   * byte */
  static const char *const arguments[] = {"gnuplot", "-d", "/dev/stdin", NULL};
  posix_spawn_file_actions_t actions;
  pid_t child;
  int status = 0;
  if (fflush(script) || lseek(fileno(script), 0, SEEK_SET) || posix_spawn_file_actions_init(&actions)) return -1;
  int failed = posix_spawn_file_actions_adddup2(&actions, fileno(script), STDIN_FILENO);
  if (!failed) failed = posix_spawn_file_actions_adddup2(&actions, fileno(out), STDOUT_FILENO);
  if (!failed) failed = posix_spawn_file_actions_adddup2(&actions, fileno(err), STDERR_FILENO);
  if (!failed) failed = posix_spawnp(&child, arguments[0], &actions, NULL, (char *const *)arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed) return failed == ENOENT || failed == EACCES ? -2 : -1;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void report_failure(int code, FILE *err, Diagnostics *diagnostics) {
  size_t size = 0;
  char *said = contents(err, &size);
  diagnostics_error(diagnostics, EXIT_INTERNAL, "gnuplot failed (exit code %d)%s%.600s", code, said && size ? ": " : "",
                    said ? said : "");
  free(said);
}

static bool ends_with(const char *bytes, size_t size, const char *ending) {
  size_t length = strlen(ending);
  return bytes && size >= length && memcmp(bytes + size - length, ending, length) == 0;
}

static int draw(FILE *script, FILE *out, FILE *err, const char *ending, char **picture, size_t *size,
                Diagnostics *diagnostics) {
  int code = spawn(script, out, err);
  if (code == -2)
    return diagnostics_error(diagnostics, EXIT_USAGE, "gnuplot was not found (it is in Debian's package gnuplot-nox)");
  if (code) {
    report_failure(code, err, diagnostics);
    return EXIT_INTERNAL;
  }
  *picture = contents(out, size);
  if (ends_with(*picture, *size, ending)) return 0;
  free(*picture);
  *picture = NULL;
  return diagnostics_error(diagnostics, EXIT_INTERNAL, "what gnuplot has drawn is not whole (is the disk full?)");
}

int gnuplot_run(FILE *script, const char *ending, char **picture, size_t *size, Diagnostics *diagnostics) {
  FILE *out = tmpfile(), *err = tmpfile();
  int code = EXIT_INTERNAL;
  *picture = NULL;
  *size = 0;
  if (out && err && !ferror(script))
    code = draw(script, out, err, ending, picture, size, diagnostics);
  else
    diagnostics_error(diagnostics, EXIT_INTERNAL, "no temporary files for gnuplot: %s", strerror(errno));
  if (out) fclose(out);
  if (err) fclose(err);
  return code;
}
