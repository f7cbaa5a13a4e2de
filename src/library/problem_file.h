/* SPDX-License-Identifier: BSD-2-Clause */
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
  const char *file; /* name of the file, or "--set KEY=VALUE"; NULL, like key: the message has no position */
  long line;        /* line, from 1; 0: not known */
  long column;      /* column, from 1; 0: not known */
  const char *key;  /* dotted path of the key, "model.mass" */
  const char *text; /* what is wrong, and what was expected */
  bool warning;     /* true: a warning; false: an error */
} StictionMessage;

/* Receives errors and warnings, one a call, in the order of the file. */
typedef struct StictionListener {
  void *context;                                               /* first argument of tell */
  void (*tell)(void *context, const StictionMessage *message); /* called for each message */
} StictionListener;

/* Returns a SimReport that passes errors found by sim and control (stiction_model_create, stiction_control_check) to a
 * listener. It borrows the listener, which may be NULL. */
SimReport stiction_listener_report(const StictionListener *listener);

/* Reads a file, and applies n settings "KEY=VALUE", as --set does. Paths in the file are relative to its folder.
 * group: the ranks that share a sparse model; all of them call this together and read the same file. NULL: this
 * process alone. listener may be NULL. *file is NULL unless SIM_OK is returned.
 * - SIM_OK.
 * - SIM_BAD_PROBLEM: an argument is NULL, the file does not exist, or it has errors. The listener has received the
 *   messages, and stiction_status_text returns the first.
 * - SIM_NO_MEMORY. */
SimStatus stiction_file_read(const char *path, int n, char *const *settings, SimGroup *group,
                             const StictionListener *listener, StictionFile **file);
/* Reads a text of `size` bytes as stiction_file_read reads a file. name: its name in messages. Paths in the text are
 * relative to the current folder. */
SimStatus stiction_text_read(const char *name, const char *text, size_t size, int n, char *const *settings,
                             const StictionListener *listener, StictionFile **file);
void stiction_file_destroy(StictionFile *file); /* may be NULL */

/* Returns the problem for stiction_simulate and stiction_solve. It is borrowed from the file; NULL if file is NULL.
 * Sparse models borrow the arrays of their problem, so the file must outlive them. The functions below return NULL or 0
 * if file is NULL. */
const SimProblem *stiction_file_problem(const StictionFile *file);
const CtlProblem *stiction_file_control(const StictionFile *file); /* NULL: no section control */
/* Whether the file has a free T, other costs than effort, limits or other keys of a plan (jobs/problems/which.md). Its
 * stiction_file_control is then a problem with user-defined values: the variables are u, then T or the lengths, x0, v0
 * and times, in the order of the file. f is the sum that is minimised, and E1 the largest miss of a condition divided
 * by its tolerance. */
bool stiction_file_has_plan(const StictionFile *file);
/* Creates the motion of a point [n] of a search, CtlAnswer.control, with its T, lengths, x0 and v0. The first p S
 * entries of the point are its control. Without a plan it is a copy of stiction_file_problem. Destroyed by
 * stiction_problem_destroy; borrows the file. SIM_OK; SIM_NO_MEMORY; SIM_BAD_ARGUMENT: NULL; SIM_BAD_PROBLEM: no
 * motion, as of a T that is not positive. *motion is NULL unless SIM_OK. */
SimStatus stiction_file_motion(const StictionFile *file, const double *point, SimProblem **motion);
const char *stiction_file_title(const StictionFile *file); /* NULL: no title */
/* Returns output.every, k: one of k time steps is written. */
long stiction_file_every(const StictionFile *file);
/* Makes the workspace examine later rollouts (sim_workspace_examine, sim/residual.h) with the functions of time that
 * the file gives. The workspace must belong to a model of the file's problem. Borrows the file. SIM_OK;
 * SIM_BAD_PROBLEM: the scheme is not `event`; SIM_NO_MEMORY. */
SimStatus stiction_file_examine(const StictionFile *file, SimWorkspace *work);
/* Returns every key with its resolved value as JSON, which can be read as a problem file; the caller frees it. NULL if
 * file is NULL or there is no memory. */
char *stiction_file_echo(const StictionFile *file);

SIM_API_END

#endif
