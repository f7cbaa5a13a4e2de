/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads a problem file and simulates its motion without control, as `stiction simulate FILE` does.
 *
 *     cc file.c $(pkg-config --cflags --libs stiction) -o file && ./file tp1.yaml time.step=0.005 */
#include <stiction/problem_file.h>

#include <stdio.h>
#include <stdlib.h>

static void print(void *context, const StictionMessage *m) {
  (void)context;
  if (m->file) printf("%s:%ld:%ld: %s: ", m->file, m->line, m->column, m->key);
  puts(m->text);
}

int main(int argc, char **argv) {
  const StictionListener listener = {NULL, print};
  StictionFile *file;
  if (argc < 2) return puts("usage: file FILE [KEY=VALUE..]"), 2;
  if (stiction_file_read(argv[1], argc - 2, argv + 2, NULL, &listener, &file) != SIM_OK) return 2;
  const SimProblem *problem = stiction_file_problem(file);
  int d = stiction_problem_size(problem);
  double *state = calloc(2 * (size_t)d, sizeof *state);
  SimFinal final = {.x = state, .v = state ? state + d : NULL};
  SimStatus status = state ? stiction_simulate(problem, NULL, NULL, &final) : SIM_NO_MEMORY;
  for (int i = 0; i < d && status == SIM_OK; i++) printf("x = %.17g, v = %.17g\n", final.x[i], final.v[i]);
  if (status != SIM_OK) puts(stiction_status_text(status));
  stiction_file_destroy(file);
  free(state);
  return status != SIM_OK;
}
