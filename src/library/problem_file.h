/* Problem files, as the program reads them (pages of jobs/problems): from YAML to a SimProblem and a CtlProblem.
 *
 *     static void tell(void *context, const StictionMessage *m) { printf("%s:%ld:%ld: %s: %s\n", m->file, m->line, m->column, m->key, m->text); }
 *     ..
 *     const StictionListener listener = {NULL, tell};
 *     char *settings[] = {"time.step=0.01"};
 *     StictionFile *file;
 *     if (stiction_file_read("tp1.yaml", 1, settings, NULL, &listener, &file) != SIM_OK) return 2;
 *     sim_model_create(stiction_file_problem(file), NULL, &model);
 *
 * Nothing here prints, or ends the process. MPI need not have been started. Models with sparse matrices and more than one rank, and methods of
 * PETSc's, want sim_petsc_start (stiction/group.h) first. */
#ifndef SRC_LIBRARY_PROBLEM_FILE_H
#define SRC_LIBRARY_PROBLEM_FILE_H

#include "control/control.h"
#include "sim/sim.h"
#include "sim/version.h"

SIM_API_BEGIN

/* A problem file, read, checked and finalized. */
typedef struct StictionFile StictionFile;

/* A mistake, or a warning; valid during the call. */
typedef struct StictionMessage {
  const char *file; /* its name, or "--set KEY=VALUE"; of what stands nowhere NULL, as key */
  long line;        /* from 1; 0: not known */
  long column;      /* from 1; 0: not known */
  const char *key;  /* dotted path, "model.mass" */
  const char *text; /* what is wrong, and what was expected */
  bool warning;     /* else it is an error */
} StictionMessage;

/* Receives errors and warnings, one call each, in the order of the file. */
typedef struct StictionListener {
  void *context;                                               /* passed to tell */
  void (*tell)(void *context, const StictionMessage *message); /* called for each message */
} StictionListener;

/* Returns a report that passes what sim and control find wrong (sim_model_create, ctl_problem_check) to a listener; borrows it, may be NULL. */
SimReport stiction_listener_report(const StictionListener *listener);

/* Reads a file, overlaid with n settings "KEY=VALUE" as of --set; paths in it are relative to its folder. group: the ranks that share a sparse model,
 * all of which call this together and see the same file; NULL: this process alone. listener may be NULL. SIM_OK; SIM_BAD_PROBLEM: there are mistakes,
 * or there is no such file, and the listener has been told; SIM_NO_MEMORY. *file is NULL unless SIM_OK. */
SimStatus stiction_file_read(const char *path, int n, char *const *settings, SimGroup *group,
                             const StictionListener *listener, StictionFile **file);
/* The same from a text of so many bytes; name: for messages; files that it names are relative to the current folder. */
SimStatus stiction_text_read(const char *name, const char *text, size_t size, int n, char *const *settings,
                             const StictionListener *listener, StictionFile **file);
void stiction_file_destroy(StictionFile *file); /* may be NULL */

/* What was read; borrowed from the file; NULL or 0 where that is NULL. Sparse models borrow their problem's arrays, so the file must outlive those models. */
const SimProblem *stiction_file_problem(const StictionFile *file);
const CtlProblem *stiction_file_control(const StictionFile *file); /* NULL: the file has no section control */
const char *stiction_file_title(const StictionFile *file);         /* NULL: it has none */
long stiction_file_every(const StictionFile *file);                /* output.every: of so many instants one is wanted */
/* Rollouts in a workspace of a model of the file's problem are examined from then on (sim_workspace_examine, sim/residual.h) by the file's own
 * functions; borrows the file. SIM_OK; SIM_BAD_PROBLEM: the scheme is not `event`; SIM_NO_MEMORY. */
SimStatus stiction_file_examine(const StictionFile *file, SimWorkspace *work);
/* Every key with its resolved value, as JSON, which is a problem file, too; to be freed. NULL: no memory, or no file. */
char *stiction_file_echo(const StictionFile *file);

SIM_API_END

#endif
