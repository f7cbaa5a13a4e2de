/* SPDX-License-Identifier: BSD-2-Clause */
/* The problem as read from a file. All folders of the program share it. */
#ifndef SRC_PROBLEM_H
#define SRC_PROBLEM_H

#include "control/internal.h"
#include "sim/internal.h"
#include "src/base/labels.h"
#include "src/base/options.h"

#include <jansson.h>

typedef struct Force Force;                   /* defined in src/file/values/force.h */
typedef struct Expression Expression;         /* defined in src/file/text/expression.h */
typedef struct ModelKind ModelKind;           /* defined in src/file/model/ */
typedef struct Identification Identification; /* defined in src/file/sections/identification.h */
typedef struct Scenarios Scenarios;           /* defined in src/file/sections/scenarios.h */
typedef struct External External;             /* defined in src/file/sections/external.h */
typedef struct GivenConstants GivenConstants; /* defined in src/file/values/parameter.h */
typedef struct Readings Readings;             /* defined in src/file/sections/variant.h */
typedef struct MotionPlan MotionPlan;         /* defined in src/file/sections/motion_plan.h */
typedef struct Mechanism Mechanism;           /* defined in src/file/model/mechanism.h */
typedef struct Document Document;             /* defined in src/file/text/document.h */

/* Storage of a model and how its evaluation is distributed. */
typedef enum ModelStorage {
  MODEL_DENSE,  /* evaluated by one rank */
  MODEL_BANDED, /* sparse; only neighbours are coupled. Evaluated by several ranks together, or by one without PETSc */
  MODEL_SPARSE  /* sparse; always evaluated with PETSc */
} ModelStorage;

/* A law of elongation as written in the file. For springs it gives the force, and for friction the rise of the
 * threshold. Its variables are the elongation x (or, for friction, the force of the spring) and the index i; the law
 * holds for a range of x, in m. */
typedef struct SpringText {
  Expression *law; /* NULL: there is no law */
  double range[2];
} SpringText;

/* Format of the trajectory. */
typedef enum OutputFormat { OUTPUT_CSV, OUTPUT_HDF5 } OutputFormat;

/* A problem file after reading and checking. All members are owned. */
typedef struct Problem {
  WorkLimits limits;                     /* limits used when the file was read; they also apply to its variants */
  char *title;                           /* NULL: none */
  Labels labels;                         /* model.names, model.units */
  const ModelKind *kind;                 /* model.kind */
  Force *force;                          /* model.force as written in the file */
  Expression *gear_k;                    /* model.gearbox.k, the stiffness, as a function of delta, the elongation;
                                          * NULL: no gear box */
  Force *force_rate;                     /* model.force_rate of a chain, as the next two members; NULL: not given */
  Force *end, *end_rate;                 /* model.end_force or end_displacement */
  Force *surface;                        /* model.surface_velocity; NULL: not given */
  SpringText springs[SIM_SPRING_PLACES]; /* model.springs */
  SpringText rise;                       /* model.friction_rise */
  int rise_of;                           /* SimElongation (sim/) on which the rise depends */
  bool rise_by_force;                    /* whether the law of the rise depends on the force of the spring, not on
                                          * its elongation */
  json_t *as_written; /* keys of the section model that the library sim stores in another form; the resolved problem
                       * repeats them as written. NULL: there are none */
  /* The friction thresholds (model.friction) as functions of time: [0] in forward and [1] in backward motion. [0] is
   * NULL if the thresholds are constant; [1] is NULL if they are the same in both directions. */
  Force *course[2];
  Mechanism *mechanism; /* the mechanism, if the kind of the model is `mechanism`; otherwise NULL */
  ModelStorage storage;
  double spacing;         /* node spacing h of a string, in m; 0 for other models */
  Expression *line_force; /* force per length on a string in s and t, in N/m; NULL: none */
  /* The section model, control.matrix, and position and velocity of control.target as written in the file. A process
   * that stores only some rows of the matrices cannot print these values from its own data, so it prints them from
   * here. NULL with dense storage. */
  json_t *written;
  SimProblem sim;     /* the model; its force is stored as a table, and sim_problem_finalize has been called */
  bool has_control;   /* whether the file has a section control; if not, the member control is neither filled in nor
                       * checked */
  CtlProblem control; /* its member scheme_size is resolved, so it is never 0 */
  MotionPlan *plan;   /* Costs, variables and conditions of a plan; NULL: the usual problem, i.e. the least effort to
                       * a target at a given T. */
  int refine_to;      /* number of segments in time of the refined control; 0 for a constant control */
  char *start_from;   /* path of the results from which control.start was taken; NULL: none */
  long output_every;  /* every output_every-th step has a row in the trajectory; >= 1 */
  OutputFormat output_format;
  bool output_verify;
  double output_peaks_from;       /* time from which the largest and smallest x and v are recorded, in s */
  long ranks_per_evaluation;      /* number of ranks that evaluate a sparse model together, >= 1 */
  double checkpoint_seconds;      /* minimum time between two checkpoints, in s; 0: write one at every opportunity */
  double checkpoint_grace;        /* time that a run which was asked to stop waits for evaluations in progress, in s */
  bool fits;                      /* whether the file has a section identify; the default scheme is then `event` */
  Identification *identification; /* sections identify and measured; NULL: neither is given */
  Scenarios *scenarios;           /* section scenarios; NULL: not given */
  External *external;    /* section evaluator, which replaces the sections model, time, scheme and control; NULL: not
                          * given */
  GivenConstants *given; /* constants of the scheme that the file sets; NULL: the program chooses all of them */
  Document *document;    /* text of the file, kept if it has a section scenarios or identify, as these change numbers in
                          * the file; otherwise NULL */
  Readings *readings;    /* where in the file each number was read, so that variants can replace numbers; NULL: not
                          * kept */
} Problem;

enum { TRAJECTORY_SMALL = 64 }; /* largest number of degrees of freedom for which trajectory.csv can be written */

#endif
