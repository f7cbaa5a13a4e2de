/* Reads a problem file and runs its motion without control: what `stiction simulate FILE` does, in a program of your own.
 *
 *     cc file.c $(pkg-config --cflags --libs stiction) -o file && ./file tp1.yaml time.step=0.005 */
#include <stiction/problem_file.h>

#include <stdio.h>
#include <stdlib.h>

static void tell(void *context, const StictionMessage *m) {
  (void)context;
  if (m->file) printf("%s:%ld:%ld: %s: ", m->file, m->line, m->column, m->key);
  puts(m->text);
}

int main(int argc, char **argv) {
  const StictionListener listener = {NULL, tell};
  StictionFile *file;
  SimModel *model = NULL;
  SimWorkspace *work = NULL;
  if (argc < 2) return puts("usage: file FILE [KEY=VALUE..]"), 2;
  SimStatus status = stiction_file_read(argv[1], argc - 2, argv + 2, NULL, &listener, &file);
  if (status != SIM_OK) return 2;
  int d = stiction_file_problem(file)->d;
  double *state = calloc(2 * (size_t)d, sizeof *state);
  SimFinal final = {.x = state, .v = state + d};
  status = state ? sim_model_create(stiction_file_problem(file), NULL, &model) : SIM_NO_MEMORY;
  if (status == SIM_OK) status = sim_workspace_create(model, &work);
  if (status == SIM_OK) status = sim_rollout(model, work, NULL, NULL, &final);
  for (int i = 0; i < d && status == SIM_OK; i++) printf("x = %.17g, v = %.17g\n", final.x[i], final.v[i]);
  if (status != SIM_OK) puts(sim_status_text(status));
  sim_workspace_destroy(work);
  sim_model_destroy(model);
  stiction_file_destroy(file);
  free(state);
  return status != SIM_OK;
}
