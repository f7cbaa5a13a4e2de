/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/search/search_checkpoint.h"

#include <stdlib.h>
#include <string.h>

/* The end of a checkpoint. A checkpoint begins with the state of the search; then follow the states of the proof and of
 * the bound, if they have begun. */
typedef struct Tail {
  uint64_t proof, bound; /* sizes of the states of the proof and of the bound, in bytes */
  ProofLog log;
  LowerBoundLog bound_log;
  SearchSpent spent;
  ResultsMark mark;
} Tail;

static bool is_out_of_memory(const SearchRun *run) {
  CtlState reached;
  CtlProofState proven = {0};
  stiction_asktell_state(run->search, &reached);
  if (run->proof) ctl_proof_state(run->proof, &proven);
  return reached.no_memory || proven.no_memory;
}

int search_checkpoint_save(SearchRun *run, double now) {
  if (run->options->unwritten) return 0;
  if (is_out_of_memory(run)) return 0;
  size_t state = stiction_asktell_saved_size(run->search);
  Tail tail = {.proof = run->proof ? ctl_proof_saved_size(run->proof) : run->proof_size,
               .bound = run->bound.size,
               .log = run->proof_log,
               .bound_log = run->bound.log,
               .spent = search_run_spent(run)};
  size_t size = state + tail.proof + tail.bound + sizeof tail;
  char *bytes = malloc(size);
  if (!bytes)
    return diagnostics_error(run->diagnostics, EXIT_INTERNAL, "out of memory for a checkpoint of %zu bytes", size);
  int code = search_log_sync(&run->log, now - run->start) ? EXIT_INTERNAL : 0;
  tail.mark = run->log.mark;
  stiction_asktell_save(run->search, bytes);
  if (run->proof)
    ctl_proof_save(run->proof, bytes + state);
  else if (tail.proof)
    memcpy(bytes + state, run->proof_saved, tail.proof);
  if (tail.bound) memcpy(bytes + state + tail.proof, run->bound.state, tail.bound);
  memcpy(bytes + size - sizeof tail, &tail, sizeof tail);
  if (!code) code = run_record_save(&run->record, bytes, size, now);
  free(bytes);
  return code;
}

void search_checkpoint_refuse(void *context, const char *key, const char *text) {
  const SearchRun *run = context;
  diagnostics_error(run->diagnostics, EXIT_USAGE, "%s/checkpoint: %s: %s", run->results.directory, key, text);
}

/* Copies the last `length` bytes, and subtracts length from *size. Returns false if there is no memory. */
static bool take_block(const char *bytes, size_t *size, uint64_t length, void **block, size_t *block_size) {
  if (!length || length > *size) return true;
  *block = malloc(length);
  if (!*block) return false;
  *size -= length;
  memcpy(*block, bytes + *size, length);
  *block_size = length;
  return true;
}

/* Reads the parts of a checkpoint after the state of the search: the length of search.csv, and the states of an
 * unfinished bound and proof. Returns the size of the state of the search in bytes, or -1 if there is no memory. */
static ptrdiff_t take_tail(SearchRun *run, const char *bytes, size_t size) {
  Tail tail;
  if (size < sizeof tail) return 0;
  size -= sizeof tail;
  memcpy(&tail, bytes + size, sizeof tail);
  run->log.mark = tail.mark;
  run->proof_log = tail.log;
  run->bound.log = tail.bound_log;
  run->before = tail.spent;
  if (!take_block(bytes, &size, tail.bound, &run->bound.state, &run->bound.size)) return -1;
  if (!take_block(bytes, &size, tail.proof, &run->proof_saved, &run->proof_size)) return -1;
  return (ptrdiff_t)size;
}

int search_checkpoint_open(SearchRun *run, const CtlProblem *problem) {
  void *bytes = NULL;
  size_t size = 0;
  int code = run->resumed ? run_record_state(&run->record, &bytes, &size) : 0;
  if (code) return code;
  const SimReport report = {run, search_checkpoint_refuse};
  SimStatus status = SIM_NO_MEMORY;
  ptrdiff_t own = bytes ? take_tail(run, bytes, size) : 0;
  if (own >= 0)
    status = bytes ? (SimStatus)stiction_asktell_load(problem, bytes, (size_t)own, &report, &run->search)
                   : (SimStatus)stiction_asktell_create(problem, &run->search);
  free(bytes);
  if (status == SIM_OK) return 0;
  if (status == SIM_BAD_PROBLEM) return EXIT_USAGE;
  return diagnostics_no_memory(run->diagnostics);
}
