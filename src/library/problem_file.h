/* Problem files (pages of jobs/problems) read from YAML into a SimProblem and a CtlProblem, as the program reads them.
 *
 *     static void print(void *context, const StictionMessage *m) {
 *       printf("%s:%ld: %s: %s\n", m->file, m->line, m->key, m->text);
 *     }
 *     ..
 *     const StictionListener listener = {NULL, print};
 *     char *settings[] = {"time.step=0.01"};
 *     StictionFile *file;
 *     if (stiction_file_read("tp1.yaml", 1, settings, NULL, &listener, &file) != SIM_OK) return 2;
 *     stiction_simulate(stiction_file_problem(file), NULL, NULL, &final);
 *
 * These functions neither print nor abort. MPI need not be started. Models with sparse matrices and more than one rank,
 * and methods of PETSc, need stiction_petsc_start (sim/ranks.h) first. */
#ifndef SRC_LIBRARY_PROBLEM_FILE_H
#define SRC_LIBRARY_PROBLEM_FILE_H

#include "control/control.h"
#include "sim/simulations.h"
#include "sim/version.h"

SIM_API_BEGIN

/* A problem file, read, checked and finalized. */
typedef struct StictionFile StictionFile;

/* An error or a warning; valid during the call. */
typedef struct StictionMessage {
  const char *file; /* file name, or "--set KEY=VALUE"; NULL, like key, if the message has no position */
  long line;        /* from 1; 0: unknown */
  long column;      /* from 1; 0: unknown */
  const char *key;  /* dotted path, "model.mass" */
  const char *text; /* what is wrong, and what is expected */
  bool warning;     /* false: an error */
} StictionMessage;

/* Receives errors and warnings, one call each, in the order of the file. */
typedef struct StictionListener {
  void *context;                                               /* argument of report */
  void (*tell)(void *context, const StictionMessage *message); /* called for each message */
} StictionListener;

/* Returns a report that passes errors found by sim and control (stiction_model_create, stiction_control_check) to a listener,
 * which it borrows; may be NULL. */
SimReport stiction_listener_report(const StictionListener *listener);

/* Reads a file, and applies n settings "KEY=VALUE", as --set does. Paths in the file are relative to its folder. group:
 * the ranks that share a sparse model; all call this together and read the same file. NULL: this process alone.
 * listener may be NULL. SIM_OK; SIM_BAD_PROBLEM: an argument is NULL, or the file has errors or does not exist: the
 * listener has received the messages, and stiction_status_text names the first; SIM_NO_MEMORY. *file is NULL unless SIM_OK. */
SimStatus stiction_file_read(const char *path, int n, char *const *settings, SimGroup *group,
                             const StictionListener *listener, StictionFile **file);
/* Reads a text of `size` bytes likewise. name: for messages. Paths in it are relative to the current folder. */
SimStatus stiction_text_read(const char *name, const char *text, size_t size, int n, char *const *settings,
                             const StictionListener *listener, StictionFile **file);
void stiction_file_destroy(StictionFile *file); /* may be NULL */

/* The problem that was read, for stiction_simulate and stiction_solve; borrowed from the file; NULL or 0 if file is NULL. Sparse
 * models borrow their problem's arrays, so the file must outlive them. */
const SimProblem *stiction_file_problem(const StictionFile *file);
const CtlProblem *stiction_file_control(const StictionFile *file); /* NULL: no section control */
/* Whether the file has a free T, other costs than effort, limits or other keys of a plan (jobs/problems/which.md). Its
 * stiction_file_control is then a problem of values: n counts T or the lengths, x0, v0 and times behind u, in the order
 * of the file, f is what is minimised and E1 the largest miss of a condition in its tolerance. */
bool stiction_file_has_plan(const StictionFile *file);
/* Creates the motion of a point [n] of a search, CtlAnswer.control, with its T, lengths, x0 and v0: the first p S entries
 * of the point are its control. Without a plan it is a copy of stiction_file_problem. Destroyed by
 * stiction_problem_destroy; borrows the file. SIM_OK; SIM_NO_MEMORY; SIM_BAD_ARGUMENT: NULL; SIM_BAD_PROBLEM: no motion,
 * as of a T that is not positive. *motion is NULL unless SIM_OK. */
SimStatus stiction_file_motion(const StictionFile *file, const double *point, SimProblem **motion);
const char *stiction_file_title(const StictionFile *file);         /* NULL: no title */
/* output.every: one of this number of instants is written */
long stiction_file_every(const StictionFile *file);
/* Examines later rollouts in a workspace (sim_workspace_examine, sim/residual.h) by the file's own functions. The
 * workspace belongs to a model of the file's problem. Borrows the file. SIM_OK; SIM_BAD_PROBLEM: the scheme is not
 * `event`; SIM_NO_MEMORY. */
SimStatus stiction_file_examine(const StictionFile *file, SimWorkspace *work);
/* Returns every key with its resolved value as JSON, which is also a problem file; the caller frees it. NULL: no
 * memory, or no file. */
char *stiction_file_echo(const StictionFile *file);

SIM_API_END

#endif
