/* The section model of a problem file, and control.matrix, which tells the number of controls. */
#ifndef SRC_MODEL_H
#define SRC_MODEL_H

#include "src/file/values/force.h"
#include "src/file/values/parameter.h"

/* A kind of model: a file of this room and a line of the table in kinds.c. Its rows of keys say most of it. */
typedef struct ModelKind {
  const char *name;
  const char *sentence;     /* what it is */
  const SimParameter *keys; /* of the section model besides kind */
  SimKind sim;              /* what it is solved as */
  ModelStorage storage;     /* unless the file asks for another */
  int d;                    /* degrees of freedom; 0: told by the keys */
  int most;                 /* of them, of dense storage */
  int entries;              /* of the matrices in a row, of sparse storage, about */
  const char *variable;     /* of formulas of vectors: see Reader */
  KeyRules rules;
  /* The rest, each NULL for none: what the rows do not say of what is written, before the sizes are known; what they do not
   * fill of problem->sim; what they do not echo; what it has over time, once the force is tabulated. */
  void (*read)(Reader *reader, Node *model, WrittenKeys *keys);
  void (*fill)(Reader *reader, Node *model, WrittenKeys *keys);
  bool (*echo)(const Problem *problem, json_t *model);
  void (*finish)(Reader *reader);
} ModelKind;
extern const ModelKind model_friction, model_dashpot, model_chain, model_string;

/* What of the value at a chain's end acts on its last node: N a N, or N a m. */
double end_share(const SimProblem *sim);

/* The kinds of a file, one by one: k = 0, 1, ..; NULL after the last. */
const ModelKind *model_kind(int k);
/* The keys of all kinds, and the parts of the last. */
enum { MODEL_KIND, MODEL_NAMES, MODEL_UNITS };
extern const SimParameter model_parameters[], model_units[];

/* Reads names and units, once reader->d is known; into problem->labels. */
void read_labels(Reader *reader, Node *model);
/* Names the degree of freedom in what has been told of its entry in a list. */
void labels_note(Reader *reader);

/* What a problem file's section `model` asks for, which need not be right. by_pattern: where it does not say, what its matrices suggest. */
ModelStorage model_storage(const Node *model, const char *problem_path, bool by_pattern);

/* Initialises problem->sim for a kind, reader->d and reader->p, with this rank's rows if its storage is sparse: a valid problem,
 * whatever is not read into it, of one degree of freedom when d is not known. Tells when it cannot fit in memory, and sets
 * reader->d to 0. False: no memory. */
bool start_problem(Reader *reader, const ModelKind *kind);

/* A kind's read: thresholds in time. */
void read_friction(Reader *reader, Node *model, WrittenKeys *keys);
/* Thresholds that differ by direction, where they are given, times scale. */
void fill_thresholds(Reader *reader, WrittenKeys *keys, double scale);
/* Viscous friction, where it is given, times scale; D must be filled in. */
void fill_viscous(Reader *reader, WrittenKeys *keys, double scale);

/* Keys of the section model that are echoed as they were written. NULL: no memory. */
json_t *as_written(Problem *problem);
/* Reports that a key which the kind takes is missing. */
void require_key(Reader *reader, const Node *model, WrittenKeys *keys, const char *key);

/* Of sparse storage: sets the load; tells a force that is not finite at the first or the last time, or, of a few rows, at
 * any. */
void set_load(Reader *reader);

/* springs.c: model.springs, springs whose force is a law of their elongation. */

/* Gives problem->sim, whose sizes are set, the springs that the section says; mistakes are told. */
void read_springs(Reader *reader, Node *model);
/* Adds them as they were read to an echo of the section model. False: no memory. */
bool echo_springs(const Problem *problem, json_t *model);

/* Of any law of an elongation. Its range; reports one that is none, and returns whether it is one. */
bool read_law_range(Reader *reader, Node *section, double range[2]);
/* Whether the work and the memory that a law of so many columns takes are allowed; reports if not. */
bool law_allowed(Reader *reader, const char *key, const char *what, const Expression *law, int columns);
/* SimLoad.looks of such a law. */
long law_looks(int columns);
/* Reports why a law has no pieces; SIM_BAD_PROBLEM is the caller's to report. */
void report_law(Reader *reader, const char *key, SimStatus status, double where);

/* friction_rise.c: model.friction_rise, what thresholds rise by with a joint's place, or with the force in a spring. */

/* Reads the section, if it is there, into problem->rise; reports mistakes. */
void read_friction_rise(Reader *reader, Node *model);
/* Gives problem->sim, whose thresholds and springs are set, what has been read; reports what cannot be. */
void make_friction_rise(Reader *reader);
/* h of dof i (from 0) at the elongation e, N, by the text itself. */
double friction_rise(const Problem *problem, int i, double e);
/* Adds it as it was read to an echo of the section model. False: no memory. */
bool echo_friction_rise(const Problem *problem, json_t *model);

/* friction_table.c: model.friction_table, friction measured at some speeds. */

/* Reads it, if it is there, into problem->sim, whose thresholds are filled in; where they are not told otherwise they
 * are the table's first numbers times scale. Its numbers join the echo. */
void fill_friction_table(Reader *reader, Node *model, WrittenKeys *keys, double scale);

#endif
