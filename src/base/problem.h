/* The problem as read from a file, shared by all rooms of the program. */
#ifndef SRC_PROBLEM_H
#define SRC_PROBLEM_H

#include "control/internal.h"
#include "sim/internal.h"
#include "src/base/labels.h"
#include "src/base/options.h"

#include <jansson.h>

typedef struct Force Force;                   /* src/file/values/force.h */
typedef struct Expression Expression;         /* src/file/text/expression.h */
typedef struct ModelKind ModelKind;           /* src/file/model/ */
typedef struct Identification Identification; /* src/file/sections/identification.h */
typedef struct Scenarios Scenarios;           /* src/file/sections/scenarios.h */
typedef struct External External;             /* src/file/sections/external.h */
typedef struct GivenConstants GivenConstants; /* src/file/values/parameter.h */
typedef struct Readings Readings;             /* src/file/sections/variant.h */
typedef struct MotionPlan MotionPlan;         /* src/file/sections/motion_plan.h */
typedef struct Mechanism Mechanism;           /* src/file/model/mechanism.h */
typedef struct Document Document;             /* src/file/text/document.h */

/* Storage of a model and how its evaluation is distributed. */
typedef enum ModelStorage {
  MODEL_DENSE,  /* evaluated by one rank */
  MODEL_BANDED, /* sparse; only neighbours are coupled. Evaluated by several ranks together, or by one without PETSc */
  MODEL_SPARSE  /* sparse; always evaluated with PETSc */
} ModelStorage;

/* A law of elongation as written in the file. Springs: the force as a function of the elongation x and the index i,
 * over a range in m. Friction: the rise of the threshold as a function of the elongation or spring force x and the
 * index i. */
typedef struct SpringText {
  Expression *law; /* NULL: no law */
  double range[2];
} SpringText;

/* Format of the trajectory. */
typedef enum OutputFormat { OUTPUT_CSV, OUTPUT_HDF5 } OutputFormat;

/* A problem file after reading and checking. All members are owned. */
typedef struct Problem {
  WorkLimits limits;                     /* used when the file was read; also applied to its variants */
  char *title;                           /* NULL: none */
  Labels labels;                         /* model.names, model.units */
  const ModelKind *kind;                 /* model.kind */
  Force *force;                          /* model.force as it was written */
  Expression *gear_k;                    /* model.gearbox.k in delta; NULL: no gear box */
  Force *force_rate;                     /* chain only, like the next three; NULL: not given */
  Force *end, *end_rate;                 /* model.end_force or end_displacement */
  Force *surface;                        /* model.surface_velocity; NULL: not given */
  SpringText springs[SIM_SPRING_PLACES]; /* model.springs */
  SpringText rise;                       /* model.friction_rise */
  int rise_of;                           /* SimElongation on which the rise depends */
  bool rise_by_force;                    /* whether its law uses the force in the spring */
  json_t *as_written; /* keys of the section model that sim stores in another form, for the echo; NULL: none */
  /* model.friction as a function of time, forward and backward; NULL: constant, or [1]: the same in both directions */
  Force *course[2];
  Mechanism *mechanism; /* of the kind mechanism; else NULL */
  ModelStorage storage;
  double spacing;         /* node spacing h of a string, m; 0 for other models */
  Expression *line_force; /* force per length on a string in s and t, N/m; NULL: none */
  /* The section model, control.matrix, and position and velocity of control.target, as written in the file, for the
   * echo of a process that may store only some rows. NULL with dense storage. */
  json_t *written;
  SimProblem sim;     /* with its force tabulated; finalized */
  bool has_control;   /* whether there is a control section; otherwise control is neither filled in nor checked */
  CtlProblem control; /* scheme_size is resolved, never 0 */
  MotionPlan *plan;   /* other costs, variables and conditions than least effort to a target at a given T; NULL: none */
  int refine_to;      /* number of segments of the refined control; 0 for a constant control */
  char *start_from;   /* path of the results from which control.start was taken; NULL: none */
  long output_every;  /* >= 1 */
  OutputFormat output_format;
  bool output_verify;
  double output_peaks_from;       /* s */
  long ranks_per_evaluation;      /* >= 1; of a sparse model */
  double checkpoint_seconds;      /* least time between two checkpoints; 0: a checkpoint at every opportunity */
  double checkpoint_grace;        /* s: how long a run that must stop waits for evaluations in progress */
  Identification *identification; /* sections identify and measured; NULL: neither is given */
  Scenarios *scenarios;           /* section scenarios; NULL: not given */
  External *external;    /* section evaluator, which replaces model, time, scheme and control; NULL: not given */
  GivenConstants *given; /* constants of the scheme as given; NULL: they are what they were found to be */
  Document *document;    /* of a file with the section scenarios or identify, which change numbers in it; else NULL */
  Readings *readings;    /* where each number was read, so that variants can replace numbers; NULL: not kept */
} Problem;

enum { TRAJECTORY_SMALL = 64 }; /* degrees of freedom up to which trajectory.csv can be written */

#endif
