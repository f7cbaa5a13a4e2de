/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/run/storage.h"

#include "sim/group.h"
#include "src/process/process.h"

bool storage_by_pattern(const Options *options) { return !options->control && !options->verify; }

int storage_choose(const Options *options, ModelStorage *storage, Diagnostics *diagnostics) {
  int rank = process_rank(), ranks = process_ranks();
  int found[2] = {MODEL_DENSE, 0};
  if (rank == 0) {
    found[0] = (int)problem_file_storage(options->argument, options->settings, options->n_settings,
                                         storage_by_pattern(options));
    found[1] = problem_file_wants_petsc(options->argument, options->settings, options->n_settings);
  }
  sim_group_share(process_group(), found, sizeof found);
  *storage = (ModelStorage)found[0];
  bool given = *options->petsc, useless = given && *storage == MODEL_DENSE;
  bool needed = found[1] || *storage == MODEL_SPARSE || (*storage == MODEL_BANDED && (ranks > 1 || given));
  if (useless && rank == 0)
    diagnostics_error(diagnostics, EXIT_USAGE, "%s: options of the solvers of sparse models, which this is not",
                      options->petsc);
  if (useless) return EXIT_USAGE;
  return needed ? process_start_petsc(given ? options->petsc : NULL, diagnostics) : 0;
}
