/* The reader's side of a motion plan, within src/file/sections. */
#ifndef SRC_PROBLEM_MOTION_PLAN_READ_H
#define SRC_PROBLEM_MOTION_PLAN_READ_H

#include "src/file/sections/motion_plan.h"
#include "src/file/values/parameter.h"

/* Tables of the keys. */
extern const SimParameter planned_end_parameters[];      /* time.end as a section */
extern const SimParameter planned_minimize_parameters[]; /* control.minimize as a section */
extern const SimChoice planned_minimize_words[];         /* and as a word */
extern const SimParameter planned_limits_parameters[];   /* control.limits */
extern const SimParameter planned_initial_parameters[];  /* control.initial */
extern const SimParameter planned_periodic_parameters[]; /* control.periodic as a section */
extern const SimChoice planned_periodic_words[];         /* and as a word */

/* Whether a target has entries that are intervals. node: may be NULL. */
bool planned_has_intervals(const Node *node);

/* Reading, in this order. Mistakes are reported. */
/* Sets problem->plan if the file asks for one; false: it asks for one of a model that can have none, reported. */
bool planned_open(Reader *reader);
/* Reads the section time if T is a variable; false: T is given. */
bool planned_read_time(Reader *reader, Node *time);
/* Takes position (k = 0) or velocity (k = 1) of the target: intervals are read here, all else has been. */
void planned_read_target(Reader *reader, Node *target, int k, const SimParameter *row);
/* A time in which the model moves to its target, s; of models without a time scale 1. */
double planned_time_scale(const Problem *problem);
/* Sets what time.end leaves open, from the times of via points in the section control; the target, bounds and limits have been
 * read. */
void planned_find_end(Reader *reader, Node *control);
/* The latest time at which a via point of the section target is, as far as it is given, s; 0: none. */
double planned_latest_via(Reader *reader, Node *target);
/* Refuses references that are not finite from 0 to the greatest T, if that is known. */
void planned_check_references(Reader *reader);
void planned_read_control(Reader *reader, Node *section); /* the rest of the section control */
void planned_check(Reader *reader, const SimReport *report);
void planned_check_sense(Reader *reader); /* conditions that contradict one another */

/* The keys that a search for a plan has not. */
void planned_refuse_search(Reader *reader, Node *section);

/* Echo: puts the plan's keys into the sections. False: no memory. */
bool planned_echo_time(const Problem *problem, json_t *time);
bool planned_echo_control(const Problem *problem, json_t *control);

/* Within the reader of plans
 * ---------------------------------------------------------------------------------------- */

/* An entry that may be given, free, within an interval, or absent. */
typedef enum BandKind { BAND_NONE, BAND_VALUE, BAND_FREE, BAND_WITHIN } BandKind;
typedef struct Band {
  BandKind kind;
  double value;        /* of BAND_VALUE */
  double lower, upper; /* of BAND_WITHIN; infinite: none */
  double start;        /* NAN: not given */
} Band;

/* What a band may be besides a number. */
enum { BAND_MAY_BE_NULL = 1, BAND_MAY_BE_FREE = 2, BAND_MAY_START = 4 };

/* Reads one, or n (a list of n, or one for all), from a key. Returns false without any, or if they are wrong. */
bool band_read(Reader *reader, Node *node, unsigned may, Band *band);
bool bands_read(Reader *reader, Node *section, const char *key, unsigned may, int n, Band *bands);

/* Adds to problem->plan. NULL: no memory, noted. */
CtlQuantity *planned_add(Reader *reader, const char *format, ...) LIKE_PRINTF(2, 3);
CtlVariable *planned_vary(Reader *reader, CtlVary what, int entry, const char *format, ...) LIKE_PRINTF(4, 5);
/* A vector of d zeros that quantities may borrow. NULL: no memory, noted. */
double *planned_weights(Reader *reader);
/* The vector with 1 at an entry. */
const double *planned_unit(Reader *reader, int entry);
/* "shoulder", or the number of a dof from 0. */
const char *planned_dof(const Reader *reader, int dof, char name[LABEL_SIZE]);
/* Adds quantities that hold a line of the motion (copied from `like`) in a band. */
void planned_hold(Reader *reader, const CtlQuantity *like, const Band *band, const char *name);
/* Keeps a key as it was written, for the echo, below a section of control (NULL: control itself). */
void planned_keep(Reader *reader, const char *section, const Node *node);

/* Parts of planned_read_control. */
void planned_read_minimize(Reader *reader, Node *section);
void planned_read_limits(Reader *reader, Node *section);
void planned_read_ends(Reader *reader, Node *section); /* via, combinations, initial, periodic, lengths */
void planned_tell(Problem *problem);                   /* sets the sentence */

#endif
