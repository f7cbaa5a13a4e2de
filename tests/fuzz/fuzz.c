/* SPDX-License-Identifier: BSD-2-Clause */
/* Entry point for libFuzzer. The variable STICTION_FUZZ names the target. */
#include "tests/fuzz/fuzz.h"

#include "src/process/settings.h"

#include <ftw.h>
#include <string.h>
#include <unistd.h>

static const FuzzTarget *const targets[] = {&fuzz_problem,    &fuzz_expression, &fuzz_matrix,  &fuzz_load,
                                            &fuzz_robot,      &fuzz_search,     &fuzz_proof,   &fuzz_rollout,
                                            &fuzz_checkpoint, &fuzz_record,     &fuzz_results, &fuzz_hdf5,
                                            &fuzz_spool,      &fuzz_package,    &fuzz_job,     &fuzz_http};
static const FuzzTarget *chosen;
static char folder[64];

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *where) {
  (void)info, (void)kind, (void)where;
  return remove(path);
}

static void remove_folder(void) { nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS); }

const char *fuzz_folder(void) { return folder; }

char *fuzz_path(const char *name, char path[FUZZ_PATH_SIZE]) {
  snprintf(path, FUZZ_PATH_SIZE, "%s/%s", folder, name);
  return path;
}

void fuzz_write(const char *name, const uint8_t *bytes, size_t size) {
  char path[FUZZ_PATH_SIZE];
  FILE *file = fopen(fuzz_path(name, path), "wb");
  FUZZ_HOLDS(file && fwrite(bytes, 1, size, file) == size);
  FUZZ_HOLDS(fclose(file) == 0);
}

size_t fuzz_part(const uint8_t **bytes, size_t *size, const uint8_t **part) {
  const uint8_t *end = *size ? memchr(*bytes, 0, *size) : NULL;
  size_t length = end ? (size_t)(end - *bytes) : *size;
  *part = *bytes;
  *bytes += length + (end != NULL);
  *size -= length + (end != NULL);
  return length;
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
  const char *name = getenv("STICTION_FUZZ");
  (void)argc, (void)argv;
  for (size_t i = 0; i < sizeof targets / sizeof *targets && name; i++)
    if (strcmp(targets[i]->name, name) == 0) chosen = targets[i];
  if (!chosen) {
    fprintf(stderr, "STICTION_FUZZ is to name a target:");
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) fprintf(stderr, " %s", targets[i]->name);
    fprintf(stderr, "\n");
    exit(2);
  }
  snprintf(folder, sizeof folder, "%s/stiction-fuzz-XXXXXX", access("/dev/shm", W_OK) ? P_tmpdir : "/dev/shm");
  FUZZ_HOLDS(mkdtemp(folder));
  atexit(remove_folder);
  process_prepare();
  if (chosen->begin) chosen->begin();
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  chosen->take(bytes, size);
  return 0;
}
