/* SPDX-License-Identifier: BSD-2-Clause */
/* Functions that read a motion plan (motion_plan.h), for use within src/file/sections only. */
#ifndef SRC_PROBLEM_MOTION_PLAN_READ_H
#define SRC_PROBLEM_MOTION_PLAN_READ_H

#include "src/file/sections/motion_plan.h"
#include "src/file/values/parameter.h"

/* Tables of the keys of motion plans. */
extern const SimParameter planned_end_parameters[];      /* keys of time.end as a section */
extern const SimParameter planned_minimize_parameters[]; /* keys of control.minimize as a section */
extern const SimChoice planned_minimize_words[];         /* words of control.minimize */
extern const SimParameter planned_limits_parameters[];   /* control.limits */
extern const SimParameter planned_initial_parameters[];  /* control.initial */
extern const SimParameter planned_periodic_parameters[]; /* control.periodic as a section */
extern const SimChoice planned_periodic_words[];         /* control.periodic as a word */

/* Returns whether a target has an entry that is an interval. node may be NULL. */
bool planned_has_intervals(const Node *node);

/* Functions that read a plan, declared in the order in which they are called. They report errors. ------------------ */
/* Sets problem->plan if the file has keys of a motion plan. Returns false if there is no memory. */
bool planned_open(Reader *reader);
/* Reads the section time if T is a variable. Returns false if T is given. */
bool planned_read_time(Reader *reader, Node *time);
/* Adds the targets of the position (k = 0) or of the velocity (k = 1) to the plan. Targets that are intervals are read
 * here; those that are numbers have been read before. */
void planned_read_target(Reader *reader, Node *target, int k, const SimParameter *row);
/* Returns an estimate of the time in which the model can move to its target, in s; 1 s for models without a time scale.
 * Sets *limit to the speed limit that determines this time; NULL if none does. */
double planned_time_scale(const Problem *problem, const CtlQuantity **limit);
/* Sets those of the start and the bounds of time.end that the file does not give. They follow from the model and from
 * the times of via points in the section control. The target, the bounds and the limits must have been read before. */
void planned_find_end(Reader *reader, Node *control);
/* Returns the latest time that a via point of the section target gives, in s; 0 if there is none. */
double planned_latest_via(Reader *reader, Node *target);
/* Reports reference functions with values that are not finite at time 0 or at the largest end time T, if T is known. */
void planned_check_references(Reader *reader);
void planned_read_control(Reader *reader, Node *section); /* reads all keys of plans in the section control that are not
                                                           * read before */
void planned_check(Reader *reader, const SimReport *report);
/* Reports conditions on the motion that contradict each other: targets, via points, limits, rigid stops, the initial
 * state. If the problem has no plan, only targets of the position beyond stops are reported. */
void check_contradictions(Reader *reader);
/* Reports an error at the key from which a quantity or a variable was read. name: its name, such as limits.power[1]. */
void planned_error(Reader *reader, const char *name, const char *text);

/* Reports keys of the section search that cannot be used with a plan. */
void planned_refuse_search(Reader *reader, Node *section);

/* Add the keys of the plan to the sections time and control of the resolved problem. Both functions return false if
 * there is no memory. */
bool planned_echo_time(const Problem *problem, json_t *time);
bool planned_echo_control(const Problem *problem, json_t *control);

/* Functions shared by the files that read plans -------------------------------------------------------------------- */

/* A band is the set of values that an entry may have. It may be absent, a single number, any value (free), or an
 * interval. */
typedef enum BandKind { BAND_NONE, BAND_VALUE, BAND_FREE, BAND_WITHIN } BandKind;
typedef struct Band {
  BandKind kind;
  double value;        /* the given number, for BAND_VALUE */
  double lower, upper; /* ends of the interval, for BAND_WITHIN; an infinite end means that this side has no limit */
  double start;        /* start value of a variable; NAN: not given */
} Band;

/* Flags of the forms, besides a number and an interval, in which a band may be written: null, the word free, and with a
 * start value. */
enum { BAND_MAY_BE_NULL = 1, BAND_MAY_BE_FREE = 2, BAND_MAY_START = 4 };

/* band_read reads one band. bands_read reads n bands of a key, which has a list of n or one value for all. Both
 * functions return false if the band is absent, or after reporting an error. */
bool band_read(Reader *reader, Node *node, unsigned may, Band *band);
bool bands_read(Reader *reader, Node *section, const char *key, unsigned may, int n, Band *bands);

/* Add a quantity or a variable to problem->plan, with a name that is formatted as by printf. Both functions return NULL
 * after recording that there is no memory. */
CtlQuantity *planned_add(Reader *reader, const char *format, ...) LIKE_PRINTF(2, 3);
CtlVariable *planned_vary(Reader *reader, CtlVary what, int entry, const char *format, ...) LIKE_PRINTF(4, 5);
/* Returns a new vector of d zeros, which the plan owns and quantities may borrow. Returns NULL after recording that
 * there is no memory, or after reporting that the plan has too many vectors. */
double *planned_weights(Reader *reader);
/* Returns a vector of d numbers, 1 at this entry and 0 at all others. The plan owns it. */
const double *planned_unit(Reader *reader, int entry);
/* Returns the name of a degree of freedom, such as "shoulder"; if it has no name, its number from 0. */
const char *planned_dof(const Reader *reader, int dof, char name[LABEL_SIZE]);
/* Adds constraints that keep a quantity within a band. like: the quantity without role and target, which is copied. */
void planned_hold(Reader *reader, const CtlQuantity *like, const Band *band, const char *name);
/* Adds constraints that keep a coordinate (`entry`, from 0) of a mechanism's point within a band, in the same way as
 * planned_hold. key: beginning of the names of these constraints. */
void planned_hold_point(Reader *reader, const CtlQuantity *like, int point, int entry, const Band *band,
                        const char *key);
/* Reads `points: {NAME: [BAND, ..]}` of a section, where NAME is a point of a mechanism, and adds quantities to the
 * plan. These are copies of `like` with names that begin with `key`. */
void planned_read_points(Reader *reader, Node *section, const CtlQuantity *like, const char *key);
/* Stores the value of a key as written, for the resolved problem. section: the section below control that contains the
 * key; NULL: it is in control itself. */
void planned_keep(Reader *reader, const char *section, const Node *node);

/* Functions that planned_read_control calls ------------------------------------------------------------------------ */
void planned_read_minimize(Reader *reader, Node *section);
void planned_read_limits(Reader *reader, Node *section);
void planned_read_ends(Reader *reader, Node *section); /* reads via points, combinations, initial, periodic and
                                                        * lengths */
void planned_tell(Problem *problem);                   /* sets the sentence that describes the plan */

#endif
