/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads problem files, which the pages in jobs/problems describe, from YAML into a SimProblem and a CtlProblem. The
 * program reads them in the same way.
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
 * These functions neither print nor abort. MPI need not be started. Models with sparse matrices on more than one rank,
 * and methods of PETSc, need stiction_petsc_start (sim/ranks.h) first. */
#ifndef SRC_LIBRARY_PROBLEM_FILE_H
#define SRC_LIBRARY_PROBLEM_FILE_H

#include "control/control.h"
#include "sim/simulations.h"
#include "sim/version.h"

SIM_API_BEGIN

/* A problem file, read, checked and finalized. */
typedef struct StictionFile StictionFile;

/* An error or a warning. It is valid only during the call that passes it. */
typedef struct StictionMessage {
  const char *file; /* name of the file, or "--set KEY=VALUE"; NULL if the message has no position: then key is NULL,
                     * too */
  long line;        /* line, from 1; 0: not known */
  long column;      /* column, from 1; 0: not known */
  const char *key;  /* dotted path of the key, e.g. "model.mass" */
  const char *text; /* what is wrong, and what was expected */
  bool warning;     /* true: a warning; false: an error */
} StictionMessage;

/* Receives errors and warnings, one in each call, in the order of the file. */
typedef struct StictionListener {
  void *context;                                               /* first argument of tell */
  void (*tell)(void *context, const StictionMessage *message); /* called for each message */
} StictionListener;

/* Returns a SimReport that passes errors, which sim and control find (e.g. in stiction_model_create or
 * stiction_control_check), to a listener. It borrows the listener, which may be NULL. */
SimReport stiction_listener_report(const StictionListener *listener);

/* Reads a file, and applies n settings "KEY=VALUE", as the option --set does. Paths in the file are relative to its
 * folder. group: the ranks that share a sparse model; all of them must call this together and read the same file. NULL:
 * this process alone. listener may be NULL. *file is NULL unless SIM_OK is returned. Returns
 * - SIM_OK;
 * - SIM_BAD_PROBLEM: an argument is NULL, the file does not exist, or it has errors. The listener has received the
 *   messages, and stiction_status_text returns the first;
 * - SIM_NO_MEMORY. */
SimStatus stiction_file_read(const char *path, int n, char *const *settings, SimGroup *group,
                             const StictionListener *listener, StictionFile **file);
/* Works as stiction_file_read, but reads a text of `size` bytes. name: name of the text in messages. Paths in the text
 * are relative to the current folder. */
SimStatus stiction_text_read(const char *name, const char *text, size_t size, int n, char *const *settings,
                             const StictionListener *listener, StictionFile **file);
void stiction_file_destroy(StictionFile *file); /* may be NULL */

/* Returns the problem for stiction_simulate and stiction_solve. The file owns it. Sparse models borrow the arrays of
 * their problem, so the file must outlive them. If file is NULL, this function and those below return NULL or 0. */
const SimProblem *stiction_file_problem(const StictionFile *file);
const CtlProblem *stiction_file_control(const StictionFile *file); /* NULL: no section control */
/* Returns whether the file has a plan, i.e. a free T, other costs than the effort, limits, or other keys that are
 * listed in jobs/problems/which.md. Its stiction_file_control is then a problem with user-defined values. The variables
 * are u, followed by T or the lengths of segments, x0, v0 and times, in the order of the file. f is the sum that is
 * minimised, and E1 the largest miss of a condition divided by its tolerance. */
bool stiction_file_has_plan(const StictionFile *file);
/* Creates the motion problem at a point [n] of a search (CtlAnswer.control), with the T, lengths, x0 and v0 of this
 * point. The first p S entries of the point are its control: p numbers in each of S segments. Without a plan, the
 * result is a copy of stiction_file_problem. It borrows the file, and is destroyed by stiction_problem_destroy. Returns
 * SIM_OK; SIM_NO_MEMORY; SIM_BAD_ARGUMENT if an argument is NULL; SIM_BAD_PROBLEM if the point has no motion, e.g. as
 * its T is not positive. *motion is NULL unless SIM_OK is returned. */
SimStatus stiction_file_motion(const StictionFile *file, const double *point, SimProblem **motion);
const char *stiction_file_title(const StictionFile *file); /* NULL: no title */
/* Returns k, the key output.every: one of k time steps is written to files. */
long stiction_file_every(const StictionFile *file);
/* Makes the workspace examine later rollouts (sim_workspace_examine, sim/residual.h) with the functions of time in the
 * file. The workspace must belong to a model of the file's problem. Borrows the file. Returns SIM_OK; SIM_BAD_PROBLEM
 * if the scheme is not `event`; or SIM_NO_MEMORY. */
SimStatus stiction_file_examine(const StictionFile *file, SimWorkspace *work);
/* Returns all keys with their resolved values as a JSON text, which can be read as a problem file. The caller frees it.
 * Returns NULL if file is NULL or there is no memory. */
char *stiction_file_echo(const StictionFile *file);

SIM_API_END

#endif
