#include "src/search/search_checkpoint.h"

#include "src/base/exit_code.h"

#include <stdlib.h>
#include <string.h>

/* What stands behind the saved search, and the proof, if one has begun. */
typedef struct Tail {
  uint64_t proof; /* bytes of it */
  ProofLog log;
  SearchSpent spent;
  ResultsMark mark;
} Tail;

static bool is_out_of_memory(const SearchRun *run) {
  CtlState reached;
  CtlProofState proven = {0};
  ctl_search_state(run->search, &reached);
  if (run->proof) ctl_proof_state(run->proof, &proven);
  return reached.no_memory || proven.no_memory;
}

int search_checkpoint_save(SearchRun *run, double now) {
  if (run->options->unwritten) return 0;
  if (is_out_of_memory(run)) return 0;
  size_t state = ctl_search_saved_size(run->search);
  Tail tail = {.proof = run->proof ? ctl_proof_saved_size(run->proof) : run->proof_size,
               .log = run->proof_log,
               .spent = search_run_spent(run)};
  size_t size = state + tail.proof + sizeof tail;
  char *bytes = malloc(size);
  if (!bytes)
    return diagnostics_error(run->diagnostics, EXIT_INTERNAL, "out of memory for a checkpoint of %zu bytes", size);
  int code = search_log_sync(&run->log, now - run->start) ? EXIT_INTERNAL : 0;
  tail.mark = run->log.mark;
  ctl_search_save(run->search, bytes);
  if (run->proof)
    ctl_proof_save(run->proof, bytes + state);
  else if (tail.proof)
    memcpy(bytes + state, run->proof_saved, tail.proof);
  memcpy(bytes + state + tail.proof, &tail, sizeof tail);
  if (!code) code = run_record_save(&run->record, bytes, size, now);
  free(bytes);
  return code;
}

void search_checkpoint_refuse(void *context, const char *key, const char *text) {
  const SearchRun *run = context;
  diagnostics_error(run->diagnostics, EXIT_USAGE, "%s/checkpoint: %s: %s", run->results.directory, key, text);
}

/* Of a checkpoint, behind its search: the mark of its search.csv, and the proof that was under way. Returns the size of the search, or
 * -1: no memory. */
static ptrdiff_t take_tail(SearchRun *run, const char *bytes, size_t size) {
  Tail tail;
  if (size < sizeof tail) return 0;
  size -= sizeof tail;
  memcpy(&tail, bytes + size, sizeof tail);
  run->log.mark = tail.mark;
  run->proof_log = tail.log;
  run->before = tail.spent;
  if (!tail.proof || tail.proof > size) return (ptrdiff_t)size;
  size -= tail.proof;
  run->proof_saved = malloc(tail.proof);
  if (!run->proof_saved) return -1;
  memcpy(run->proof_saved, bytes + size, tail.proof);
  run->proof_size = tail.proof;
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
    status = bytes ? ctl_search_load(problem, bytes, (size_t)own, &report, &run->search)
                   : ctl_search_create(problem, &run->search);
  free(bytes);
  if (status == SIM_OK) return 0;
  if (status == SIM_BAD_PROBLEM) return EXIT_USAGE;
  return diagnostics_no_memory(run->diagnostics);
}
