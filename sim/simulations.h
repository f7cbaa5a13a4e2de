/* SPDX-License-Identifier: BSD-2-Clause */
/* Many simulations of one problem: the model is factored once, and memory is allocated once. For one simulation see
 * stiction_simulate in sim/sim.h, which also has the rules for threads and groups. */
#ifndef SIM_SIMULATIONS_H
#define SIM_SIMULATIONS_H

#include "sim/sim.h"

SIM_API_BEGIN

/* A model ready to run: its matrices, the tabulated force and the factored operators. It never changes, so all
 * workspaces of a process can share one. */
typedef struct SimModel SimModel;

/* Creates a model from a finalized problem. The model copies what it needs, so the problem may be destroyed afterwards.
 * Exception: with sparse matrices the model borrows the problem's arrays, which must outlive it. Returns SIM_OK,
 * SIM_NO_MEMORY, or SIM_BAD_PROBLEM with the reason in report: the problem is not finalized or has changed since; the
 * force is not finite or not in the form that the scheme needs; or a matrix could not be factored. */
SimStatus stiction_model_create(const SimProblem *problem, const SimReport *report, SimModel **model);
void stiction_model_destroy(SimModel *model);       /* may be NULL */
int stiction_model_size(const SimModel *model);     /* returns d */
int stiction_model_rows(const SimModel *model);     /* returns the number of dofs that this rank holds, at most d */
int stiction_model_controls(const SimModel *model); /* returns the number of variables of a control, p S */

/* All memory that a rollout writes to. One thread may use it at a time. Rollouts allocate no further memory. */
typedef struct SimWorkspace SimWorkspace;
/* Creates a workspace of a model. The model must outlive the workspace. Returns SIM_OK or SIM_NO_MEMORY. */
SimStatus stiction_workspace_create(const SimModel *model, SimWorkspace **work);
void stiction_workspace_destroy(SimWorkspace *work); /* may be NULL */

/* Limits that end a rollout early. `event` checks them in each segment. The other schemes check them every 1000 steps
 * with one dof, and more often with more. */
typedef struct SimInterrupt {
  void *context; /* argument of `stops`; borrowed */
  /* Returns whether to end the rollout with SIM_CANCELLED; NULL: never. The thread that runs the rollout calls it
   * often, so it must be fast (read a flag or a clock). Once it has returned true it must do so until the call that
   * runs rollouts has returned. In a group all ranks have such a function, and the rollout ends if any of them returns
   * true. */
  bool (*stops)(void *context);
  /* Largest work of a rollout; 0: no limit. The unit is a segment of a motion by `event` with one dof, about 2.5e-6 s
   * on a core of 3 GHz. A rollout with more work ends with SIM_TOO_LONG, by any kernel. Work is counted in segments for
   * `event`, otherwise in steps or solver iterations, whichever number is larger. */
  double most;
} SimInterrupt;
/* Sets the limits of all later rollouts of a workspace, alone or in a batch. *interrupt is copied; NULL removes the
 * limits. A cancelled rollout cannot continue. */
void stiction_workspace_interrupt(SimWorkspace *work, const SimInterrupt *interrupt);

/* Simulates the motion of one control [stiction_model_controls], in N, to T. control: borrowed; NULL: 0. observer may
 * be NULL. Returns final->status. */
SimStatus stiction_rollout(const SimModel *model, SimWorkspace *work, const double *control,
                           const SimObserver *observer, SimFinal *final);

/* Simulates n controls, control [n][stiction_model_controls]. final[i] has the same bits as stiction_rollout of row i,
 * for any n. */
void stiction_batch(const SimModel *model, SimWorkspace *work, int n, const double *control, SimFinal *final);

/* Quantities by which the final state can be differentiated. */
typedef enum SimDependence {
  SIM_ON_CONTROL,  /* entries of a control, in N */
  SIM_ON_POSITION, /* x0_i in m */
  SIM_ON_VELOCITY, /* v0_i in m/s */
  /* thresholds c_i in N; all must be > 0 and constant in time and place. A bias (thresholds by direction) is held
   * fixed. */
  SIM_ON_FRICTION,
  SIM_ON_MASS,    /* masses M_ii in kg; not with moving surfaces, nor for the scheme that computes steps by
                   * eigenvectors */
  SIM_ON_DAMPING, /* damping coefficients D_ii in N s/m; only with damping and without moving surfaces */
  SIM_ON_BETA,    /* beta_i of the friction law gamma; all must be > 0 */
  /* forces F, in N, in all rows of a friction table, [columns][points]; the scale c is held fixed. Only the scheme
   * `event` supports derivatives by them, for models without a gear box. */
  SIM_ON_TABLE,
  /* end time T in s; segments of the control keep their u and their fraction of T. Only the scheme `event` of friction
   * models and chains supports this derivative. */
  SIM_ON_END,
  /* lengths of the control's segments, in s; each length shifts all later segments and T. Only the scheme `event` of
   * friction models and chains supports these derivatives. */
  SIM_ON_LENGTH,
  SIM_ON_PARAMETER /* parameters of a mechanism, in their order */
} SimDependence;

/* Forward derivatives of x(T), v(T), computed along with a rollout. A sensitivity is used by one thread at a time. It
 * has one column for each number of each quantity on [n], in this order. Constants of the scheme that have defaults,
 * such as r, are held fixed. Schemes with steps differentiate their own discrete motion. */
typedef struct SimSensitivity SimSensitivity;
/* Creates derivatives by the quantities on [n]. Returns SIM_OK, SIM_NO_MEMORY, or SIM_BAD_PROBLEM if the scheme cannot
 * differentiate this model or the model has no such quantities. */
SimStatus stiction_sensitivity_create(const SimModel *model, int n, const SimDependence *on,
                                      SimSensitivity **sensitivity);
void stiction_sensitivity_destroy(SimSensitivity *sensitivity);      /* may be NULL */
int stiction_sensitivity_columns(const SimSensitivity *sensitivity); /* returns the number of columns */
/* Derivatives of the final state; the caller owns the arrays. In a group each rank has its own rows.
 *
 * A dof that sticks at T has zeros in its row of v, since v(T) stays 0. Its row of `stop` shows how the time of its
 * stop changes. Without the stop the velocity would be stop_acceleration (T - stop_time), and the row is the derivative
 * of this velocity at fixed acceleration. So d stop_time = dT - row/stop_acceleration, with dT = 1 for columns of
 * SIM_ON_END and SIM_ON_LENGTH, else 0.
 *
 * With steps, a dof stops in the first step at the end of which it sticks. The acceleration is that of the step before,
 * or of this step if the former would not stop the dof. With a regularized multiplier and for `lie` and `strang`, a dof
 * that sticks creeps slowly, and its derivatives are those of the creeping motion. */
typedef struct SimDerivative {
  double *state; /* [2 d][columns] derivatives of x(T), then of v(T) */
  /* [d][columns] derivatives of v_i just before dof i stopped, for dofs that slid before and stick at T; 0 for
   * others */
  double *stop;
  double *stop_time; /* [d] time of the last stop, in s; NAN: the dof slides at T, or has never slid */
  /* [d] acceleration v_i' just before the stop, in m/s^2, relative to the surface; 0 without a stop */
  double *stop_acceleration;
  /* Whether the derivatives exist. For a dof that slides from rest at t = 0, derivatives by v0_i are one-sided, in the
   * direction of slip. For `event` smooth is false if two dofs stopped at the same time, a velocity touched 0 without a
   * stop, or a dash-pot's law was at a fold or had two equal solutions. For `moreau` it is false if a dof without
   * friction rests at a stop without a reaction. */
  bool smooth;
} SimDerivative;
/* Simulates as stiction_rollout does, with the same bits, and computes derivatives. Returns final->status. */
SimStatus stiction_rollout_sensitivity(const SimModel *model, SimWorkspace *work, SimSensitivity *sensitivity,
                                       const double *control, SimFinal *final, SimDerivative *derivative);

SIM_API_END

#endif
