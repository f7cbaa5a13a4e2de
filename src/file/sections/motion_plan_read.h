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

/* Whether a target has an entry that is an interval. node may be NULL. */
bool planned_has_intervals(const Node *node);

/* The next functions read a plan and are called in this order. These functions report errors. */
/* Sets problem->plan if the file has keys of a motion plan. Returns false if there is no memory. */
bool planned_open(Reader *reader);
/* Reads the section time if T is a variable. Returns false if T is given. */
bool planned_read_time(Reader *reader, Node *time);
/* Adds the targets of the position (k = 0) or velocity (k = 1) to the plan. Intervals are read here; plain numbers
 * have been read before. */
void planned_read_target(Reader *reader, Node *target, int k, const SimParameter *row);
/* Returns the time in which the model can move to its target, in s; 1 s for models without a time scale. *limit: the
 * speed limit that determines this time; NULL: none does. */
double planned_time_scale(const Problem *problem, const CtlQuantity **limit);
/* Sets the parts of time.end that the file does not give, from the model and from the times of via points in the
 * section control. Call this function after the target, the bounds and the limits were read. */
void planned_find_end(Reader *reader, Node *control);
/* Returns the latest time that the via points of the section target give, in s; 0 if they give none. */
double planned_latest_via(Reader *reader, Node *target);
/* Reports reference functions that are not finite at time 0 or, if it is known, at the largest end time T. */
void planned_check_references(Reader *reader);
void planned_read_control(Reader *reader, Node *section); /* reads all other keys of plans in the section control */
void planned_check(Reader *reader, const SimReport *report);
/* Reports conditions on the motion that contradict each other: targets, via points, limits, rigid stops, the initial
 * state. The problem may have no plan; then targets of the position beyond stops are reported. */
void check_contradictions(Reader *reader);
/* Reports an error at the key from which a quantity or variable comes, such as limits.power[1]. */
void planned_error(Reader *reader, const char *name, const char *text);

/* Reports keys of the section search that are not possible with a plan. */
void planned_refuse_search(Reader *reader, Node *section);

/* Add the plan's keys to the echo of the sections time and control. Both functions return false if memory is
 * lacking. */
bool planned_echo_time(const Problem *problem, json_t *time);
bool planned_echo_control(const Problem *problem, json_t *control);

/* Functions shared by the files that read plans ------------------------------------------------------------------ */

/* A band: the values that an entry may have. The entry may be absent, a given number, free, or within an interval. */
typedef enum BandKind { BAND_NONE, BAND_VALUE, BAND_FREE, BAND_WITHIN } BandKind;
typedef struct Band {
  BandKind kind;
  double value;        /* the given number, for BAND_VALUE */
  double lower, upper; /* ends of the interval, for BAND_WITHIN; an infinite end means no limit */
  double start;        /* start value of a variable; NAN: not given */
} Band;

/* Flags of the forms that a band may have besides a number or an interval: null, the word free, and a start value. */
enum { BAND_MAY_BE_NULL = 1, BAND_MAY_BE_FREE = 2, BAND_MAY_START = 4 };

/* Reads one band. The next function reads n bands of a key: a list of n, or one for all. Both functions return false if
 * the band is absent or after reporting an error. */
bool band_read(Reader *reader, Node *node, unsigned may, Band *band);
bool bands_read(Reader *reader, Node *section, const char *key, unsigned may, int n, Band *bands);

/* Add a quantity or a variable to problem->plan, with a name from the format. Both functions return NULL after
 * recording that memory is lacking. */
CtlQuantity *planned_add(Reader *reader, const char *format, ...) LIKE_PRINTF(2, 3);
CtlVariable *planned_vary(Reader *reader, CtlVary what, int entry, const char *format, ...) LIKE_PRINTF(4, 5);
/* Returns a new vector of d zeros, which the plan owns and quantities may borrow. NULL: there is no memory, which is
 * recorded, or the plan has too many of them, which is reported. */
double *planned_weights(Reader *reader);
/* Returns a vector of d numbers, which the plan owns: 1 at one entry, 0 at all others. */
const double *planned_unit(Reader *reader, int entry);
/* Returns the name of a dof, such as "shoulder", or its number from 0 if it has none. */
const char *planned_dof(const Reader *reader, int dof, char name[LABEL_SIZE]);
/* Adds constraints that keep a quantity (a copy of `like`) within a band. */
void planned_hold(Reader *reader, const CtlQuantity *like, const Band *band, const char *name);
/* Adds constraints that keep a coordinate, `entry` from 0, of a mechanism's point within a band, as planned_hold does.
 * key: beginning of the names of these constraints. */
void planned_hold_point(Reader *reader, const CtlQuantity *like, int point, int entry, const Band *band,
                        const char *key);
/* Reads `points: {NAME: [BAND, ..]}` of a section: bands of a mechanism's named points. key: beginning of the names of
 * the quantities, copies of `like`, that are added to the plan. */
void planned_read_points(Reader *reader, Node *section, const CtlQuantity *like, const char *key);
/* Stores a key as written, for the echo. section: the section below control that contains the key; NULL: control
 * itself. */
void planned_keep(Reader *reader, const char *section, const Node *node);

/* Functions that planned_read_control calls: */
void planned_read_minimize(Reader *reader, Node *section);
void planned_read_limits(Reader *reader, Node *section);
void planned_read_ends(Reader *reader, Node *section); /* reads via points, combinations, initial, periodic and
                                                        * lengths */
void planned_tell(Problem *problem);                   /* sets the sentence that describes the plan */

#endif
