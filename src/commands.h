/* The program's commands, one file cmd_NAME.c each and one line of the table in main.c. Every rank calls
 * them; rank 0 alone reads files and talks. Each returns an exit code. */
#ifndef SRC_COMMANDS_H
#define SRC_COMMANDS_H

#include "src/options.h"
#include "src/run_record.h"

extern const Command command_simulate;
extern const Command command_control;
extern const Command command_check;
extern const Command command_resume;

/* Go on with a run. record: opened, taken over; on rank 0 alone it is looked at. control_resume is collective over
 * MPI_COMM_WORLD, simulate_resume is rank 0's. */
int control_resume(const Options *options, const RunRecord *record);
int simulate_resume(const Options *options, const RunRecord *record);

/* Rank and number of ranks of MPI_COMM_WORLD; 0 of 1 when no launcher has started the program (MPI is then not
 * initialised). */
int command_rank(void);
int command_ranks(void);

#endif
