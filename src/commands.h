/* The program's commands, one file cmd_NAME.c each and one line of the table in main.c. Every rank calls
 * them; rank 0 alone reads files and talks. Each returns an exit code. */
#ifndef SRC_COMMANDS_H
#define SRC_COMMANDS_H

#include "src/base/options.h"
#include "src/problem/file.h"
#include "src/run/run_record.h"

extern const Command command_simulate;
extern const Command command_control;
extern const Command command_check;
extern const Command command_plot;
extern const Command command_report;
extern const Command command_resume;
extern const Command command_serve;

/* Go on with a run. options: its problem file is the record's, which every rank reads. record: rank 0's, opened, taken
 * over. Called by all ranks. */
int control_resume(const Options *options, RunRecord *record, Diagnostics *diagnostics);
int simulate_resume(const Options *options, RunRecord *record, Diagnostics *diagnostics);

/* Rank and number of ranks of MPI_COMM_WORLD; 0 of 1 when no launcher has started the program (MPI is then not
 * initialised). */
int command_rank(void);
int command_ranks(void);

/* How the problem file's model is evaluated, by rank 0's word; PETSc is started with the command line's -step_ options
 * where that needs it. Called by all ranks. Returns 0, or EXIT_USAGE after telling of these options, on all of them. */
int command_storage(const Options *options, ModelStorage *storage, Diagnostics *diagnostics);

#endif
