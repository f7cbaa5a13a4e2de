/* The program's commands, one file cmd_NAME.c each and one line of the table in main.c. Every rank calls
 * them; rank 0 alone reads files and talks. Each returns an exit code. */
#ifndef SRC_COMMANDS_H
#define SRC_COMMANDS_H

#include "src/base/options.h"
#include "src/run/run_record.h"

extern const Command command_simulate;
extern const Command command_control;
extern const Command command_check;
extern const Command command_plot;
extern const Command command_report;
extern const Command command_resume;
extern const Command command_serve;

/* Goes on with a run of `simulate`. options: its problem file is the record's, which every rank reads. record: rank 0's,
 * opened, taken over. Called by all ranks. */
int simulate_resume(const Options *options, RunRecord *record, Diagnostics *diagnostics);

#endif
