/* A problem as it was read: what all rooms of the program share of it. */
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
typedef struct Document Document;             /* src/file/text/document.h */

/* How a model is evaluated. */
typedef enum ModelStorage {
  MODEL_DENSE,  /* by one rank */
  MODEL_BANDED, /* sparse, neighbours alone are coupled: by several ranks together, or by one without PETSc */
  MODEL_SPARSE  /* the same, with PETSc always */
} ModelStorage;

/* A law of elongations, as it was written: of springs the force in x, their elongation, and i, over a range, m; of friction what it rises by
 * in x, the force in the spring, and i. */
typedef struct SpringText {
  Expression *law; /* NULL: none */
  double range[2];
} SpringText;

/* Of the trajectory. */
typedef enum OutputFormat { OUTPUT_CSV, OUTPUT_HDF5 } OutputFormat;

/* A problem file, read and checked. All members are owned. */
typedef struct Problem {
  WorkLimits limits;                     /* of its reading; its variants have them, too */
  char *title;                           /* NULL: none */
  Labels labels;                         /* model.names, model.units */
  const ModelKind *kind;                 /* model.kind */
  Force *force;                          /* model.force as it was written */
  Expression *gear_k;                    /* model.gearbox.k in delta; NULL: no gear box */
  Force *force_rate;                     /* chain: likewise, these three; NULL: not given */
  Force *end, *end_rate;                 /* model.end_force or end_displacement */
  Force *surface;                        /* model.surface_velocity; NULL: not given */
  SpringText springs[SIM_SPRING_PLACES]; /* model.springs */
  SpringText rise;                       /* model.friction_rise */
  int rise_of;                           /* its elongation: SimElongation */
  bool rise_by_force;                    /* whether its law uses the force in the spring */
  json_t *as_written; /* keys of the section model whose numbers sim has in another form; NULL: none */
  Force *course[2];   /* model.friction in time, forward and backward; NULL: not in time, one for both */
  ModelStorage storage;
  double spacing;         /* h of a string, m; 0 of other models */
  Expression *line_force; /* of a string, in s and t, N/m; NULL: none */
  /* Where a process may have but some rows: model, control.matrix, position and velocity of control.target by these names,
   * as they were written, for the echo; NULL: dense storage. */
  json_t *written;
  SimProblem sim;     /* with its force tabulated; finalized */
  bool has_control;   /* whether there is a control section; without it control is not filled in or checked */
  CtlProblem control; /* scheme_size is resolved, never 0 */
  int refine_to;      /* segments of the signal that the refined answer is to have; those of a constant: 0 */
  char *start_from;   /* the results that control.start is from; NULL: none */
  long output_every;  /* >= 1 */
  OutputFormat output_format;
  bool output_verify;
  double output_peaks_from;       /* s */
  long ranks_per_evaluation;      /* >= 1; of a sparse model */
  double checkpoint_seconds;      /* least time between two checkpoints; 0: one whenever there may be one */
  double checkpoint_grace;        /* s: how long a run that is to stop waits for the evaluations under way */
  Identification *identification; /* the sections identify and measured; NULL: neither is there */
  Scenarios *scenarios;           /* the section scenarios; NULL: it is not there */
  External *external; /* the section evaluator, in place of a model, time, scheme and control; NULL: it is not there */
  GivenConstants *given; /* of the scheme; NULL: they are what they were found to be */
  Document
      *document; /* of a file with scenarios or something to identify, which put other numbers into it; else NULL */
  Readings *readings; /* what its numbers were read as, for others in their place; NULL: not kept */
} Problem;

enum { TRAJECTORY_SMALL = 64 }; /* degrees of freedom up to which trajectory.csv can be written */

#endif
