/* SPDX-License-Identifier: BSD-2-Clause */
/* The section model of a problem file, and control.matrix, which determines the number of controls. */
#ifndef SRC_MODEL_H
#define SRC_MODEL_H

#include "src/file/values/force.h"
#include "src/file/values/parameter.h"

/* A kind of model: a file of this folder and a line of the table in kinds.c. Most of a kind is defined by its rows of
 * keys. */
typedef struct ModelKind {
  const char *name;
  const char *sentence;     /* description of the kind, one sentence */
  const SimParameter *keys; /* keys of the kind in the section model, except the key kind; NULL: the keys of its
                             * SimKind */
  SimKind sim;              /* kind of its SimProblem */
  ModelStorage storage;     /* storage of its matrices by default */
  int d;                    /* number of degrees of freedom; 0: the keys determine it */
  int most;                 /* maximum number of degrees of freedom with dense storage */
  int entries;              /* approximate number of entries in a row of the matrices, sparse storage */
  const char *variable;     /* name of the variable in formulas for vectors (see Reader) */
  KeyRules rules;
  /* Functions for values that the rows of keys do not cover; NULL: no function. read: checks and reads values before
   * sizes are known. fill: fills other members of problem->sim. echo: adds other keys to the echo. finish: computes
   * data that depend on time, after the force has been tabulated. */
  void (*read)(Reader *reader, Node *model, WrittenKeys *keys);
  void (*fill)(Reader *reader, Node *model, WrittenKeys *keys);
  bool (*echo)(const Problem *problem, json_t *model);
  void (*finish)(Reader *reader);
} ModelKind;

/* mechanism.c: returns another reference to the same mechanism, which must also be released; NULL for NULL. */
Mechanism *mechanism_share(Mechanism *mechanism);
void mechanism_release(Mechanism *mechanism); /* mechanism may be NULL */

/* Factor from the value at a chain's end to the force on its last node: -1 for a force, k_n, in N/m, for a
 * displacement; 0 for other kinds of models. */
double end_share(const SimProblem *sim);

/* Returns kind k = 0, 1, .. of a file; NULL after the last. */
const ModelKind *model_kind(int k);
/* Returns the keys of a kind in the section model, except kind. */
const SimParameter *model_keys(const ModelKind *kind);
/* Indices of the keys that all kinds of models have. */
enum { MODEL_KIND, MODEL_NAMES, MODEL_UNITS };
extern const SimParameter model_parameters[], model_units[];

/* Reads the keys `names` and `units` into problem->labels, once reader->d is known. */
void read_labels(Reader *reader, Node *model);
/* Adds the name of the degree of freedom to messages about its entry in a list. */
void labels_note(Reader *reader);

/* Returns the storage that a problem file's section `model` selects; the section may be invalid. by_pattern: whether
 * the pattern of the matrices decides if the file makes no choice. */
ModelStorage model_storage(const Node *model, const char *problem_path, bool by_pattern);

/* Initialises problem->sim for a kind, reader->d and reader->p, with this rank's rows if storage is sparse. The problem
 * is valid even if nothing is read into it; it has one degree of freedom if d is unknown. If the problem is too large
 * for the memory, reports this and sets reader->d to 0. Returns false if an allocation fails. */
bool start_problem(Reader *reader, const ModelKind *kind);

/* Reads thresholds that depend on time; a kind's function `read` may call it. */
void read_friction(Reader *reader, Node *model, WrittenKeys *keys);
/* Fills the thresholds for each direction, if the file gives them, multiplied by `scale`. */
void fill_thresholds(Reader *reader, WrittenKeys *keys, double scale);
/* Fills viscous friction, if the file gives it, multiplied by `scale`; the damping matrix must be filled before. */
void fill_viscous(Reader *reader, WrittenKeys *keys, double scale);

/* Returns keys of the section model that are echoed as written. NULL: no memory. */
json_t *as_written(Problem *problem);
/* Reports that a required key of the kind is missing. */
void require_key(Reader *reader, const Node *model, WrittenKeys *keys, const char *key);

/* Sparse storage: sets the load. Reports a force that is not finite at the first or the last time, or, if there are few
 * rows, at any time. */
void set_load(Reader *reader);

/* springs.c reads model.springs: springs with a nonlinear law of force and elongation. */

/* Sets the springs of the section in problem->sim, which must have its sizes; reports errors. */
void read_springs(Reader *reader, Node *model);
/* Adds the springs as read to an echo of the section model. Returns false without memory. */
bool echo_springs(const Problem *problem, json_t *model);

/* Reads the range of a law of an elongation; reports an invalid one, and returns whether it is valid. */
bool read_law_range(Reader *reader, Node *section, double range[2]);
/* Whether the work and the memory of a law with this number of columns are within the limits; reports an excess. */
bool law_allowed(Reader *reader, const char *key, const char *what, const Expression *law, int columns);
/* Returns SimLoad.looks for a law of an elongation with this number of columns. */
long law_looks(int columns);
/* Reports why a law could not be approximated by pieces. The caller reports SIM_BAD_PROBLEM itself. */
void report_law(Reader *reader, const char *key, SimStatus status, double where);

/* friction_rise.c reads model.friction_rise: thresholds that depend on a joint's position or on the force in a
 * spring. */

/* Reads the section model.friction_rise, if the file has it, into problem->rise; reports mistakes. */
void read_friction_rise(Reader *reader, Node *model);
/* Sets the rise of friction in problem->sim, which must have its thresholds and springs; reports errors. */
void make_friction_rise(Reader *reader);
/* Returns the rise h of the threshold of dof i (from 0) at the elongation e, in N, evaluated from the expression in the
 * file. */
double friction_rise(const Problem *problem, int i, double e);
/* Adds the rise of friction, as read, to an echo of the section model. Returns false without memory. */
bool echo_friction_rise(const Problem *problem, json_t *model);

/* friction_table.c reads model.friction_table: friction measured at some speeds. */

/* Reads the table, if present, into problem->sim, which must have its thresholds. Thresholds that the file does not
 * give are set to `scale` times the table's values at speed 0. The values of the table are added to the echo, the
 * resolved problem that the program prints. */
void fill_friction_table(Reader *reader, Node *model, WrittenKeys *keys, double scale);

#endif
