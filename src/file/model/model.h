/* SPDX-License-Identifier: BSD-2-Clause */
/* The section model of a problem file, and control.matrix, which determines the number of controls. */
#ifndef SRC_MODEL_H
#define SRC_MODEL_H

#include "src/file/values/force.h"
#include "src/file/values/parameter.h"

/* A kind of model. Each kind has a file in this folder and a line in the table of kinds.c. Most of a kind is defined by
 * its table of keys. */
typedef struct ModelKind {
  const char *name;
  const char *sentence;     /* description of the kind, one sentence */
  const SimParameter *keys; /* keys of the kind in the section model, without the key `kind`; NULL: the keys that sim
                             * defines for this SimKind */
  SimKind sim;              /* kind of its SimProblem */
  ModelStorage storage;     /* storage of its matrices by default */
  int d;                    /* number of degrees of freedom; 0: the keys determine it */
  int most;                 /* maximum number of degrees of freedom with dense storage */
  int entries;              /* approximate number of nonzero entries in a row of its matrices with sparse storage */
  const char *variable;     /* name of the variable in formulas for entries of vectors, e.g. "i" (see Reader) */
  KeyRules rules;
  /* Functions for values that the table of keys does not cover; NULL: no function.
   * read: checks and reads values before sizes are known
   * fill: fills other members of problem->sim
   * echo: adds other keys to the echo, the resolved problem that the program prints
   * finish: computes data that depend on time, after the force has been tabulated */
  void (*read)(Reader *reader, Node *model, WrittenKeys *keys);
  void (*fill)(Reader *reader, Node *model, WrittenKeys *keys);
  bool (*echo)(const Problem *problem, json_t *model);
  void (*finish)(Reader *reader);
} ModelKind;

/* Returns another reference to the same mechanism, which must also be released; NULL for NULL. Defined in
 * mechanism.c. */
Mechanism *mechanism_share(Mechanism *mechanism);
void mechanism_release(Mechanism *mechanism); /* mechanism may be NULL */

/* Returns the factor from the value at a chain's end to the force on its last node. It is -1 if the value is a force,
 * the stiffness k_n in N/m if it is a displacement, and 0 for other kinds of models. */
double end_share(const SimProblem *sim);

/* Returns kind number k of models, from 0; NULL after the last. */
const ModelKind *model_kind(int k);
/* Returns the keys of a kind in the section model, without the key `kind`. */
const SimParameter *model_keys(const ModelKind *kind);
/* Indices of the keys that all kinds of models have. */
enum { MODEL_KIND, MODEL_NAMES, MODEL_UNITS };
extern const SimParameter model_parameters[], model_units[];

/* Reads the keys `names` and `units` into problem->labels, once reader->d is known. */
void read_labels(Reader *reader, Node *model);
/* Appends the name of the degree of freedom to each error message about its entry in a list. */
void labels_note(Reader *reader);

/* Returns the storage that the section `model` of a problem file selects. The section may be invalid. If the file does
 * not choose the storage, it depends on the model's size and, if by_pattern, on the pattern of its matrices. */
ModelStorage model_storage(const Node *model, const char *problem_path, bool by_pattern);

/* Initialises problem->sim for a kind, with reader->d degrees of freedom and reader->p controls; with sparse storage
 * only this rank's rows. The problem is valid even if no values are read into it. If d is unknown, it has one degree of
 * freedom. If the problem is too large for the memory, reports this and sets reader->d to 0. Returns false if an
 * allocation fails. */
bool start_problem(Reader *reader, const ModelKind *kind);

/* Reads friction thresholds that depend on time. Functions `read` of kinds may call it. */
void read_friction(Reader *reader, Node *model, WrittenKeys *keys);
/* Fills the friction thresholds of each direction of motion, multiplied by `scale`, if the file gives them. */
void fill_thresholds(Reader *reader, WrittenKeys *keys, double scale);
/* Fills viscous friction, if the file gives it, multiplied by `scale`; the damping matrix must be filled before. */
void fill_viscous(Reader *reader, WrittenKeys *keys, double scale);

/* Returns the JSON object with those keys of the section model that the resolved problem repeats as written in the
 * file. NULL: no memory. */
json_t *as_written(Problem *problem);
/* Reports that a required key of the kind is missing. */
void require_key(Reader *reader, const Node *model, WrittenKeys *keys, const char *key);

/* Sets sim.load, which evaluates the force with sparse storage. Reports a force that is not finite: at any time if
 * there are few rows, otherwise at the first and the last time. */
void set_load(Reader *reader);

/* Functions of springs.c, which reads model.springs: springs with a nonlinear law of force and elongation. */

/* Sets the springs of the section in problem->sim, which must have its sizes; reports errors. */
void read_springs(Reader *reader, Node *model);
/* Adds the springs, as read from the file, to the section model of a resolved problem. Returns false if there is no
 * memory. */
bool echo_springs(const Problem *problem, json_t *model);

/* Reads the range of a law of an elongation; reports an invalid one, and returns whether it is valid. */
bool read_law_range(Reader *reader, Node *section, double range[2]);
/* Returns whether the estimated work and memory for tabulating a law with this number of columns are within the limits;
 * reports an excess. what: description of the law for the message. */
bool law_allowed(Reader *reader, const char *key, const char *what, const Expression *law, int columns);
/* Returns the value of SimLoad.looks for a law of an elongation with this number of columns. */
long law_looks(int columns);
/* Reports the reason why a law could not be approximated by polynomial pieces, at the elongation `where`. Reports
 * nothing for SIM_BAD_PROBLEM, which the caller reports. */
void report_law(Reader *reader, const char *key, SimStatus status, double where);

/* Functions of friction_rise.c, which reads model.friction_rise: thresholds that depend on a joint's position or on the
 * force in a spring. */

/* Reads the section model.friction_rise, if the file has it, into problem->rise; reports errors. */
void read_friction_rise(Reader *reader, Node *model);
/* Sets the rise of friction in problem->sim, of which the thresholds and springs must be set before; reports errors. */
void make_friction_rise(Reader *reader);
/* Returns the rise h of the threshold of dof i (from 0) at the elongation e, in N, evaluated from the expression in the
 * file. */
double friction_rise(const Problem *problem, int i, double e);
/* Adds the rise of friction, as read from the file, to the section model of a resolved problem. Returns false if there
 * is no memory. */
bool echo_friction_rise(const Problem *problem, json_t *model);

/* Function of friction_table.c, which reads model.friction_table: friction measured at some speeds. ---------------- */

/* Reads the table, if the file has one, into problem->sim, of which the thresholds must be set before. Thresholds that
 * the file does not give are set to `scale` times the table's values at speed 0. The values of the table are added to
 * the echo, the resolved problem that the program prints. */
void fill_friction_table(Reader *reader, Node *model, WrittenKeys *keys, double scale);

#endif
