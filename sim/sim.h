/* stiction's simulation library: mechanical systems with dry friction,
 *
 *     M x'' + D x' + A x + C (lambda - gamma(x')) = f(t) + B u,   lambda_i in sgn(x'_i),                     (1)
 *     x(0) = x0,  x'(0) = v0
 *
 * M symmetric positive definite, A and D symmetric positive semi-definite, C = diag(c) with c_i >= 0,
 * lambda_i = 0 where c_i = 0. SI units throughout (kg, m, s, N). Matrices are dense and row-major, or stored by rows.
 *
 * Use: fill a SimProblem, sim_problem_check it, create a SimModel (all checks, factorisations and
 * allocations) and one SimWorkspace per evaluator, then sim_rollout as often as wanted: stepping allocates
 * nothing. Nothing here prints or opens files. Every function is local to its caller, but for a problem with a
 * group (sim/group.h): sim_problem_check, sim_model_create, sim_workspace_create, sim_rollout, sim_batch are then called
 * by all ranks of the group together, and return the same status on each. */
#ifndef SIM_SIM_H
#define SIM_SIM_H

#include "sim/laws.h"
#include "sim/matrix.h"
#include "sim/signal.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum SimStatus {
  SIM_OK = 0,
  SIM_NOT_CONVERGED, /* a step's friction problem was not solved to its tolerance */
  SIM_NON_FINITE,    /* a state is not a finite number */
  SIM_NO_MEMORY,
  SIM_NOT_FINISHED, /* there was no answer in time: what a driver says, never a simulation */
  SIM_BAD_PROBLEM   /* the problem has a mistake; it has been told to the SimReport */
} SimStatus;

/* A short English phrase for a status; static storage. */
const char *sim_status_text(SimStatus status);

/* Where a check tells the mistakes it finds: one call each. key: dotted path as in problem files
 * ("model.mass"). */
typedef struct SimReport {
  void *context;
  void (*complain)(void *context, const char *key, const char *text);
} SimReport;

/* What moves. One file kind_NAME.c and one line of the table in kind.c each. */
typedef enum SimKind {
  SIM_FRICTION, /* (1) */
  SIM_DASHPOT,  /* one mass on a spring with a dash-pot and, if wanted, a support (Gotika) */
  SIM_CHAIN     /* a chain sliding on a rough support (Bastien-Lamarque) */
} SimKind;

/* How M, A, D of (1) are stored. */
typedef enum SimStorage {
  SIM_DENSE, /* [d][d], of one process */
  SIM_SPARSE /* the entries that are not 0, with the rows spread over the ranks of a group: a string, a chain of blocks */
} SimStorage;

#define SIM_LAW_ENUMERATOR(law, ...) law,

/* The Stribeck term gamma_i of (1): odd, increasing, gamma(0) = 0, 0 < beta < 1, eps > 0 (m/s). */
typedef enum SimStribeck {
  SIM_STRIBECK_NONE,                    /* gamma = 0 */
  SIM_STRIBECK_LAWS(SIM_LAW_ENUMERATOR) /* see sim/laws.h */
} SimStribeck;

typedef enum SimStart { SIM_START_CONSISTENT, SIM_START_PAPER } SimStart;
typedef enum SimMultiplier {
  SIM_UNREGULARIZED,
  SIM_REGULARIZED, /* centered: (1.18) of Glowinski-Kearsley */
  SIM_SMOOTH       /* lie, strang: v / sqrt(eta^2 + v^2) for sgn(v), Glowinski et al. (5) */
} SimMultiplier;
typedef enum SimSolver { SIM_EXACT, SIM_FIXED_POINT } SimSolver;

typedef struct SimParameter SimParameter; /* sim/parameter.h */

/* A time discretisation. One file scheme_NAME.c and one line of the table in scheme.c each. */
typedef struct SimScheme SimScheme;

const char *sim_scheme_name(const SimScheme *scheme);
/* The schemes of a kind of model, one by one: k = 0, 1, ..; NULL after the last. */
const SimScheme *sim_scheme_of_kind(SimKind kind, int k);
/* All schemes likewise. */
const SimScheme *sim_scheme_at(int k);
/* The scheme of that name that serves the kind; NULL when there is none. */
const SimScheme *sim_scheme_for(SimKind kind, const char *name);
struct SimProblem;
/* Whether it serves a problem of this kind and storage. */
bool sim_scheme_serves(const SimScheme *scheme, const struct SimProblem *problem);
/* What it is, in one sentence. */
const char *sim_scheme_sentence(const SimScheme *scheme);
/* The keys of a problem file's section `scheme` that it takes besides name, kept in a SimProblem; NULL when there are
 * none. */
const SimParameter *sim_scheme_parameters(const SimScheme *scheme);
bool sim_scheme_takes(const SimScheme *scheme, const char *key);

/* Gear box per degree of freedom: adds k g(delta w) to the left of (1), w = x',
 *     g(s) = (a+b)/2 + (b-a)/2 (sgn s - gamma_gb(s)),   0 < a < b.
 * The friction threshold is then c + |k| (b-a)/2; the load k (a+b)/2 acts like a force. lie and strang alone have it. */
typedef struct SimGearbox {
  bool present;
  SimStribeck law; /* of gamma_gb */
  double *delta;   /* [d] */
  double *k;       /* [d] k(delta), signed, odd and increasing in delta, N */
  double *a, *b;   /* [d] */
  double *beta;    /* [d] of gamma_gb, in (0, 1) */
  double *epsilon; /* [d] of gamma_gb, > 0 */
} SimGearbox;

/* The speed that a force f_d makes beyond |f_d| > f_crit; below, v = 0: see sim/laws.h. */
typedef enum SimDashpotLaw { SIM_DASHPOT_LAWS(SIM_LAW_ENUMERATOR) } SimDashpotLaw;

/* Whether a law takes a key: gamma, f_crit, selection. */
bool sim_dashpot_law_takes(SimDashpotLaw law, const char *key);

/* Which root of the non-monotone law a step takes. */
typedef enum SimSelection { SIM_NEAREST_VELOCITY, SIM_MAX_DISSIPATION } SimSelection;

/* m v' = f + B u - k x - f_d + lambda_contact, x' = v (d = 1); m, k, f_crit: problem->mass, stiffness, friction. */
typedef struct SimDashpot {
  SimDashpotLaw law;
  SimSelection selection;
  double g;                 /* m/(N s), of the law (with its powers of N); > 0 */
  bool has_support;         /* lambda_contact = -support_stiffness max(0, x - support_position) */
  double support_position;  /* L, m */
  double support_stiffness; /* ks, N/m */
} SimDashpot;

typedef enum SimChainCase { SIM_CHAIN_DYNAMICAL, SIM_CHAIN_SEMI_DYNAMICAL, SIM_CHAIN_QUASISTATIC } SimChainCase;
typedef enum SimChainEnd {
  SIM_END_CLAMPED,     /* both ends held */
  SIM_END_FREE,        /* right end free, pushed by the given end force F_{n+1} */
  SIM_END_DISPLACEMENT /* right end's displacement x(t) given */
} SimChainEnd;

/* n = d nodes, K = tridiag(-k_{i-1}, k_{i-1}+k_i, -k_i) (k_n = 0 in the last entry when the end is free), thresholds
 * alpha_i = problem->friction, displacements V = x, velocities W = v. problem->force holds F with the end's share
 * folded into F_n (F_n - F_{n+1}, or F_n + k_n x(t)), force_rate its time derivative likewise, end_value F_{n+1} or
 * x(t), 0 if clamped. mass, stiffness, damping are empty: nothing of a chain takes more than O(n). */
typedef struct SimChain {
  SimChainCase chain_case;
  SimChainEnd end;
  double *springs;   /* [d+1] k_0..k_n, N/m, >= 0 */
  double *node_mass; /* [d] kg: all > 0 (dynamical), the last alone (semi_dynamical), 0 (quasistatic) */
} SimChain;

/* The ranks that evaluate one model together: see sim/group.h. */
typedef struct SimGroup SimGroup;

/* What a model is made of. The arrays belong to the SimProblem: sim_problem_init allocates them (zeroed, but
 * for control_matrix, whose diagonal is 1), sim_problem_clear frees them. */
typedef struct SimProblem {
  SimKind kind;
  SimStorage storage;
  int d; /* degrees of freedom, >= 1 */
  /* Rows first .. first + count - 1 of the system are this rank's; the ranks of the group have consecutive ones. All [d]
   * below, here and in SimFinal and SimStep, are then [count]. */
  SimGroup *group; /* NULL: this process alone, with all rows; borrowed, outlives problem and model */
  int first, count;
  int n_control;    /* entries p of u, >= 0 */
  SimSignal signal; /* of u */
  int segments;     /* its S, 1..steps */

  /* a chain has none of the three matrices; sparse storage has them in `sparse` */
  double *mass;           /* [d][d] M, kg */
  double *stiffness;      /* [d][d] A, N/m */
  double *damping;        /* [d][d] D, N s/m */
  double *friction;       /* [d] c, N */
  double *x0;             /* [d] m */
  double *v0;             /* [d] m/s */
  double *control_matrix; /* [d][p] B */

  SimStribeck stribeck;
  double *stribeck_beta;    /* [d] */
  double *stribeck_epsilon; /* [d] m/s */

  SimGearbox gearbox; /* friction */
  SimDashpot dashpot; /* dashpot */
  SimChain chain;     /* chain */
  SimSparse sparse;   /* friction, of sparse storage */

  double end;  /* T, s */
  double step; /* dt, s; end = steps * step */
  long steps;  /* N >= 1 */

  const SimScheme *scheme;
  double alpha;             /* centered, lie, strang: weight of the outer levels, in [0, 1/2] */
  double theta;             /* moreau: in [1/2, 1] */
  SimStart start;           /* centered */
  SimMultiplier multiplier; /* (1.10) or (1.18) of Glowinski-Kearsley */
  SimSolver solver;
  double tolerance; /* fixed_point: eta of (1.15); lie, strang: on the change of lambda */
  double r;         /* the r of (1.10), 1/(N m/s); used by fixed_point and by the regularised law; lie, strang: rho of
                     * Shiau-Glowinski (4.21); 0: the scheme's default */
  double epsilon;   /* s; the regularised law's; 0: the default, step^(6/5) */
  double eta;       /* m/s; the smooth law's */

  int friction_substeps; /* lie: P per step; strang: per half step */
  int elastic_substeps;  /* lie, strang: Q */
  bool elastic_exact;    /* lie, strang: the elastic step by eigenvectors instead of differences */

  /* At the times sim_force_time(k), k = 0..sim_force_count - 1; NULL until sim_problem_alloc_force. */
  double *force;      /* [count][d] f, N; NULL: load has it */
  double *force_rate; /* [count][d] f', N/s, from the right; if sim_force_rate_wanted, else NULL */
  double *end_value;  /* [count] chain alone, else NULL; see SimChain */
  SimLoad load;       /* where force is NULL */
} SimProblem;

/* kind, d and p set, everything else zero or the default of the problem file's keys. SIM_NO_MEMORY leaves it
 * cleared. */
SimStatus sim_problem_init(SimProblem *problem, SimKind kind, int d, int n_control);
/* Takes the kind's scheme of that name, and the defaults of all that it takes. SIM_BAD_PROBLEM: there is none. */
SimStatus sim_problem_set_scheme(SimProblem *problem, const char *name);
/* The same for SIM_FRICTION of sparse storage with this rank's rows, all matrices zero. B's default is 1 where
 * row = column. */
SimStatus sim_problem_init_sparse(SimProblem *problem, SimGroup *group, int d, int first, int count, int n_control);
/* Room for a matrix of so many rows and entries, zeroed. */
SimStatus sim_matrix_alloc(SimMatrix *matrix, int rows, long entries);
void sim_matrix_clear(SimMatrix *matrix);
/* An even share of d rows for each of `size` ranks. */
void sim_share(int d, int size, int rank, int *first, int *count);

/* A string of this length (m) with fixed ends and d interior nodes s_i = i h, i = 1..d, h = length/(d+1): fills mass,
 * stiffness, friction of a problem from sim_problem_init_sparse by
 *     m_i = density(s_i) h,   (A x)_i = (T_{i-1/2} (x_i - x_{i-1}) - T_{i+1/2} (x_{i+1} - x_i)) / h,   c_i = friction(s_i) h
 * with this rank's rows, s_i of node row + 1: density [count] (kg/m), tension [count+1] (N, at s_i - h/2, and at the end
 * s_i + h/2 of the last), friction [count] (N/m). f_i = f(s_i, t) h is the caller's SimLoad. */
SimStatus sim_string_fill(SimProblem *problem, double length, const double *density, const double *tension,
                          const double *friction);
/* Bytes of memory that problem, model, workspace and one SimFinal take on this rank for so many rows and entries of M, A,
 * D together; an estimate from above for `exact` and one rank (tridiagonal M, A, D: no fill). */
double sim_sparse_memory(int rows, long entries, int n_control);

/* Allocates problem->force, and for a chain end_value and, if wanted, force_rate, zeroed; kind, case, end, step,
 * steps and scheme must be set. */
SimStatus sim_problem_alloc_force(SimProblem *problem);
void sim_problem_clear(SimProblem *problem);

/* How many force samples the scheme wants, and when (s). end, step, steps and scheme must be set. */
long sim_force_count(const SimProblem *problem);
double sim_force_time(const SimProblem *problem, long k);

/* Whether the scheme wants problem->force_rate, too: implicit_euler where nodes of a chain have no mass. */
bool sim_force_rate_wanted(const SimProblem *problem);

/* Quantities that decide stability and the step's iteration; also what `stiction check` prints. */
typedef struct SimBounds {
  double mass_min, mass_max; /* extreme eigenvalues of M, kg */
  double stiffness_max;      /* largest eigenvalue of A, N/m */
  double frequency_squared;  /* nu: largest eigenvalue of M^-1 A, 1/s^2 */
  double delta;              /* largest eigenvalue of E^-1 C^2, E the scheme's step operator (centered:
                              * M + dt/2 D + dt^2 alpha A; moreau: half of M + dt D + dt^2 theta^2 A; lie, strang:
                              * dt/(2 tau) M, tau the friction substep), C with a gear box's share, so that the fixed
                              * point converges for 0 < r < 4/(delta dt): for lie, strang 2/(tau beta_d), (4.23) */
  double step_limit;         /* stability bound on dt, s; INFINITY when there is none */
  bool semidefinite;         /* sparse matrices: A and D proven to be so; of other models that is always checked */
  bool estimated;            /* sparse matrices: all of these are Gershgorin's bounds, from the safe side */
} SimBounds;

/* Checks everything but the force, r and epsilon (which may depend on the bounds); tells each mistake; fills
 * *bounds when there is none. Returns SIM_OK, SIM_BAD_PROBLEM or SIM_NO_MEMORY. */
SimStatus sim_problem_check(const SimProblem *problem, const SimReport *report, SimBounds *bounds);

/* Puts their defaults where the scheme's constants that have such (r, epsilon) are 0: of a problem that has passed
 * sim_problem_check. sim_model_create does so in its copy. */
void sim_problem_set_constants(SimProblem *problem, const SimBounds *bounds);
/* Checks r and epsilon against the bounds of a problem that has passed sim_problem_check. */
SimStatus sim_problem_check_constants(const SimProblem *problem, const SimBounds *bounds, const SimReport *report);

/* The r for problems that name none: 2/(delta dt); lie, strang: 3/(delta dt), 3/4 of the bound. 1 without friction. */
double sim_default_r(const SimProblem *problem, const SimBounds *bounds);

/* The friction threshold of dof i, N: c_i, and a gear box's share |k_i| (b_i - a_i)/2. */
double sim_problem_threshold(const SimProblem *problem, int i);

/* The friction force of dof i, N, on the left of (1): c_i (lambda - gamma_i(v)), with a gear box's share. */
double sim_friction_force(const SimProblem *problem, int i, double v, double lambda);

/* A SimProblem with its force as bytes, and back, for sending to other processes of the same build. Without
 * load. Not of sparse storage (size 0): each rank fills its own rows. */
size_t sim_problem_packed_size(const SimProblem *problem);
void sim_problem_pack(const SimProblem *problem, void *bytes);
SimStatus sim_problem_unpack(SimProblem *problem, const void *bytes, size_t size);

/* M, A, C, B, the tabulated force, factored operators. Immutable: one serves all evaluators of a process. */
typedef struct SimModel SimModel;

/* Copies what it needs from a checked problem; the problem may be cleared afterwards (sparse storage: borrows the problem's
 * arrays, which must outlive the model). force NULL and no load: f = 0. SIM_OK, SIM_NO_MEMORY, or SIM_BAD_PROBLEM (a
 * factorisation failed, told to report). */
SimStatus sim_model_create(const SimProblem *problem, const SimReport *report, SimModel **model);
void sim_model_destroy(SimModel *model);
int sim_model_size(const SimModel *model);     /* d */
int sim_model_rows(const SimModel *model);     /* this rank's, of d */
int sim_model_controls(const SimModel *model); /* variables of a control, p S */

/* How many values SimStep.extra has for a kind of model, and their names for column headers: static storage.
 * dashpot: f_d, f_s, lambda_contact; chain: the reactions and the end's displacement. */
int sim_kind_extras(SimKind kind, const char *const **names);
const char *sim_kind_extra_unit(SimKind kind, int k); /* of the k-th, "N" or "m" */
/* Whether lambda is a result of its own for the kind (it is not for a dash-pot, whose f_d is). */
bool sim_kind_has_multiplier(SimKind kind);

/* All that one evaluator writes while it steps. Never shared; nothing is allocated after its creation. */
typedef struct SimWorkspace SimWorkspace;
SimStatus sim_workspace_create(const SimModel *model, SimWorkspace **work);
void sim_workspace_destroy(SimWorkspace *work);

/* Where the processor time of a friction model's steps goes, by centered and moreau, summed over all that a workspace steps. */
typedef struct SimProfile {
  long linear;     /* iterations of the linear solver, where it iterates */
  double solves;   /* s: linear solves, with the branches found on the way; by fixed_point, the whole step problem */
  double friction; /* s: the rest of the step's friction problem: its check, and the ways out where Newton cycles */
  double steps;    /* s: the steps as a whole */
} SimProfile;
/* From now on adds to profile what the workspace's steps take (NULL: no more); borrowed. */
void sim_workspace_profile(SimWorkspace *work, SimProfile *profile);

/* How a rollout ended. */
typedef struct SimFinal {
  double *x; /* [d] x(T), m; caller's storage */
  double *v; /* [d] x'(T), m/s, as the scheme defines it; caller's storage */
  long
      iterations; /* of the per-step solver, all steps: sweeps (exact; sparse storage: steps of Newton) or linear systems
                     * (1.13) (fixed_point) */
  double residual;  /* largest residual of the friction law over the steps: exact: max_i |lambda_i - P(lambda_i + s_i)|;
                     * fixed_point: the last relative change (1.15), or change of lambda (lie, strang); dashpot: of the
                     * law, m/s */
  SimStatus status; /* SIM_OK, SIM_NOT_CONVERGED or SIM_NON_FINITE: data for a search, an error for a simulation */
} SimFinal;

/* Energies of the discrete motion since t = 0, J. work = stored + dissipated + numerical + (closing error). */
typedef struct SimEnergy {
  double work;       /* of f + B u, less a gear box's load */
  double stored;     /* kinetic and elastic, now less at t = 0 */
  double dissipated; /* by friction and damping, at the velocity at which their law holds: never decreases
                      * (but for the creep of the regularised law) */
  double numerical;  /* taken out by the scheme itself; zero for centered, O(dt) for moreau, lie, strang */
} SimEnergy;

/* One instant of a rollout, as an observer sees it; all borrowed, valid during the call. */
typedef struct SimStep {
  long n; /* 0..N */
  double t;
  const double *x;      /* [d] */
  const double *v;      /* [d] */
  const double *lambda; /* [d] in [-1, 1] */
  const double *u;      /* [p] u(t), N; at a jump from the right */
  const double *extra;  /* [sim_model_extras] what else the kind of model tells */
  bool contact;         /* dash-pot: the mass touches its support */
  const signed char
      *slip; /* [d] -1 slips backward, 0 sticks, +1 slips forward, by the friction law's own branch (the smooth law
                            * has none that sticks: the sign of its velocity) */
  const SimEnergy *energy; /* up to t */
} SimStep;

/* Sees each instant of one rollout, n = 0..N. */
typedef struct SimObserver {
  void *context;
  void (*step)(void *context, const SimStep *step);
} SimObserver;

/* Runs one control, [sim_model_controls], N (NULL: 0; borrowed), to T; observer may be NULL. Returns final->status. */
SimStatus sim_rollout(const SimModel *model, SimWorkspace *work, const double *control, const SimObserver *observer,
                      SimFinal *final);

/* A rollout in pieces, for those that take long: begin (n = 0), then run_to with rising `until` <= N, which may end
 * early with a status other than SIM_OK, then end, which fills final as sim_rollout does. The observer, NULL or not, must
 * be the same throughout. */
SimStatus sim_rollout_begin(const SimModel *model, SimWorkspace *work, const double *control,
                            const SimObserver *observer);
SimStatus sim_rollout_run_to(const SimModel *model, SimWorkspace *work, const SimObserver *observer, long until);
SimStatus sim_rollout_end(const SimModel *model, const SimWorkspace *work, SimFinal *final);
long sim_rollout_position(const SimWorkspace *work); /* n: steps done */

/* The state of a rollout between two pieces as bytes, for a process of the same build; one loaded into a workspace of the
 * same model goes on bit for bit. Of a group each rank saves and loads its own rows: see rollout_save.h. Load: SIM_OK, or
 * SIM_BAD_PROBLEM when the bytes cannot be such a state. */
size_t sim_workspace_saved_size(const SimModel *model);
void sim_workspace_save(const SimModel *model, const SimWorkspace *work, void *bytes);
SimStatus sim_workspace_load(const SimModel *model, SimWorkspace *work, const void *bytes, size_t size);

/* Runs n controls, [n][sim_model_controls]. final[i] is as sim_rollout gives it for row i, bit for bit, whatever n. */
void sim_batch(const SimModel *model, SimWorkspace *work, int n, const double *control, SimFinal *final);

/* The kernels of sim_batch by name: 0 is `ref`, one sim_rollout after another; the others run several controls side by side,
 * the wider the later. NULL beyond the last. Whether this processor runs one (of an index beyond them: no). */
const char *sim_kernel_name(int k);
bool sim_kernel_runs(int k);
/* Which kernel a workspace takes: the widest that runs, unless told otherwise; `ref` if told one that does not run. All give
 * the same bits. */
void sim_workspace_set_kernel(SimWorkspace *work, int k);
/* The one that sim_batch in fact takes for a model: `ref` where the others do not serve. */
const char *sim_batch_kernel(const SimModel *model, const SimWorkspace *work);
/* How many controls that kernel runs side by side: batches of multiples of it waste nothing. */
int sim_batch_lanes(const SimModel *model, const SimWorkspace *work);

#endif
