/* The method CTL_METHOD_CERTIFY: a branch and bound over boxes. The stages' gaps fall by halves to the one wanted: a box whose controls
 * all cost as much as the stage looks at waits for a later one. In a stage the boxes last made come first, so there are few of
 * them at a time. */
#include "control/outcome/method.h"
#include "control/certify/box.h"

#include <math.h>
#include <stdlib.h>

enum {
  ROUND = 4096,       /* boxes of a round, at most */
  WAITING = 1 << 18,  /* boxes that wait for a later stage, at most: the others are looked at at once */
  BOXES_MAX = 1 << 24 /* read from a saved search */
};

typedef struct Boxes {
  Box *list; /* [room], n of them used; owned */
  long n, room;
} Boxes;

typedef struct CertifyRun {
  CtlRun run;
  Boxes now, later, work; /* of the stage; of later ones; of the round */
  double stage;           /* gap */
  double blurred;         /* the least J of boxes too small to tell, which stay as they are */
  double nearest;         /* the incumbent's miss */
  long looked;            /* boxes settled */
  long unsolved;          /* left, for their motions fail */
} CertifyRun;

static CertifyRun *of(CtlRun *run) { return (CertifyRun *)run; }
static double cap_of(const CtlRun *run, double gap) { return (1 - gap) * run->problem->certified; }
static double least_gap(const CtlRun *run) { return run->problem->certify_gap; }

/* A copy at the end of a list. Returns false when out of memory. */
static bool push(Boxes *boxes, const Box *box) {
  if (boxes->n == boxes->room) {
    long room = boxes->room ? 2 * boxes->room : 64;
    Box *list = realloc(boxes->list, (size_t)room * sizeof *list);
    if (!list) return false;
    boxes->list = list;
    boxes->room = room;
  }
  boxes->list[boxes->n++] = *box;
  return true;
}

/* Lays a settled box where it belongs. */
static void file(CertifyRun *certify, const Box *box) {
  const CtlRun *run = &certify->run;
  bool waits = box->least >= cap_of(run, certify->stage) && certify->later.n < WAITING;
  if (!push(waits ? &certify->later : &certify->now, box)) run->objective->state.no_memory = true;
}

/* J up to which boxes count: with one unsolved no more than its least can be proven. */
static double wanted(const CertifyRun *certify) {
  double cap = cap_of(&certify->run, least_gap(&certify->run));
  return certify->unsolved ? fmin(cap, certify->blurred) : cap;
}

/* What is left of it stays as it is. */
static void leave(CertifyRun *certify, const Box *box) { certify->blurred = fmin(certify->blurred, box->least); }

/* Settles a box, and lays it where it belongs. */
static void lay(CertifyRun *certify, Box *box) {
  static const double SMALL = 1e-10; /* part of the whole */
  const CtlBound *bound = certify->run.problem->certificate;
  certify->looked++;
  if (!box_settle(bound, wanted(certify), box)) return;
  if (box_size(bound, box) < SMALL)
    leave(certify, box);
  else
    file(certify, box);
}

/* What is proven so far. */
static void take_stock(CertifyRun *certify) {
  CtlState *state = &certify->run.objective->state;
  const CtlRun *run = &certify->run;
  double least = fmin(cap_of(run, least_gap(run)), certify->blurred);
  const Boxes *lists[] = {&certify->now, &certify->later, &certify->work};
  for (int k = 0; k < 3; k++)
    for (long i = 0; i < lists[k]->n; i++) least = fmin(least, lists[k]->list[i].least);
  state->proven = fmax(state->proven, least);
  state->boxes = certify->looked;
  state->unsolved = certify->unsolved;
}

static bool start(CtlRun *run, const double *control, double step) {
  CertifyRun *certify = of(run);
  Box box;
  (void)control;
  (void)step;
  certify->stage = fmax(0.5, least_gap(run));
  certify->blurred = certify->nearest = INFINITY;
  certify->unsolved = certify->looked = certify->now.n = certify->later.n = certify->work.n = 0;
  run->objective->state.edge = INFINITY;
  box_begin(run->problem->certificate, &box);
  lay(certify, &box);
  return true;
}

/* The first stage after this one that has boxes, if there is one. */
static void change_stage(CertifyRun *certify) {
  while (!certify->now.n && certify->later.n) {
    certify->stage = fmax(certify->stage / 2, least_gap(&certify->run));
    certify->nearest = INFINITY;
    double cap = cap_of(&certify->run, certify->stage);
    long kept = 0;
    for (long i = 0; i < certify->later.n; i++) {
      Box *box = &certify->later.list[i];
      if (box->least >= cap)
        certify->later.list[kept++] = *box;
      else if (!push(&certify->now, box))
        certify->run.objective->state.no_memory = true;
    }
    certify->later.n = kept;
  }
}

static long round_of(const CtlProblem *problem) {
  (void)problem;
  return ROUND;
}

static long next(CtlRun *run) {
  CertifyRun *certify = of(run);
  ctl_cache_empty(&run->objective->cache);
  if (certify->work.n) return certify->work.n; /* of a saved search */
  change_stage(certify);
  while (certify->now.n && certify->work.n < ROUND)
    if (!push(&certify->work, &certify->now.list[--certify->now.n])) run->objective->state.no_memory = true;
  return run->objective->state.no_memory ? 0 : certify->work.n;
}

static void points(CtlRun *run, long first, int count, double *controls) {
  const CertifyRun *certify = of(run);
  const CtlProblem *problem = run->problem;
  for (int i = 0; i < count; i++) {
    double w[BOUND_N];
    box_middle(problem->certificate, &certify->work.list[first + i], w);
    bound_to_control(problem->certificate, w, controls + i * problem->n);
  }
}

/* Of all simulated controls of a stage that cost less than the answer does, the one that misses the target least is the incumbent. */
static void note_nearest(CertifyRun *certify, long entry) {
  const CtlProblem *problem = certify->run.problem;
  CtlObjective *objective = certify->run.objective;
  const CtlCache *cache = &objective->cache;
  double errors[2];
  ctl_errors(problem, ctl_cache_x(cache, entry), ctl_cache_v(cache, entry), errors);
  double miss = fmax(errors[0], errors[1]);
  if (miss >= certify->nearest) return;
  certify->nearest = miss;
  ctl_objective_set_incumbent(objective, entry);
  ctl_objective_centre(objective);
}

/* A box whose motion has ended: it is cut, and halved unless that has left no more than half of it. Where motions fail small boxes stay. */
static void take(CertifyRun *certify, Box *box, long entry) {
  static const double NEAR = 4;        /* times what is allowed: no cut tells of it */
  static const double UNSOLVED = 1e-3; /* part of the whole */
  CtlRun *run = &certify->run;
  const CtlBound *bound = run->problem->certificate;
  const CtlCache *cache = &run->objective->cache;
  double volume = box_volume(bound, box), cap = wanted(certify);
  if (box->least >= cap) return;
  bool known = entry != CTL_OUTSIDE && cache->records[entry].known && cache->records[entry].status == SIM_OK;
  if (known) {
    const double *x = ctl_cache_x(cache, entry), *v = ctl_cache_v(cache, entry);
    note_nearest(certify, entry);
    if (bound_miss(bound, x, v) < NEAR) {
      leave(certify, box);
      return;
    }
    box_cut(bound, box, x, v);
    certify->looked++;
    if (!box_settle(bound, cap, box)) return;
  }
  if (known && box_volume(bound, box) <= volume / 2) {
    file(certify, box);
    return;
  }
  if (!known && box_size(bound, box) < UNSOLVED) {
    certify->unsolved++;
    leave(certify, box);
    return;
  }
  Box other;
  box_halve(bound, box, &other);
  lay(certify, box);
  lay(certify, &other);
}

static bool tell(CtlRun *run) {
  CertifyRun *certify = of(run);
  for (long k = 0; k < certify->work.n; k++) take(certify, &certify->work.list[k], run->objective->entries[k]);
  certify->work.n = 0;
  take_stock(certify);
  return true;
}

static void improve(CtlObjective *objective) { (void)objective; } /* of a round that is not whole nothing is taken */

static long restart(CtlRun *run) {
  (void)run;
  return 0;
}

static long ahead(CtlRun *run, bool restarts) {
  (void)restarts;
  return of(run)->work.n;
}

/* Returns false when out of memory. */
static bool serialize_boxes(const CtlBound *bound, Boxes *boxes, CtlBytes *bytes) {
  long n = ctl_bytes_integer(bytes, boxes->n, 0, BOXES_MAX);
  if (!bytes->from) {
    for (long i = 0; i < n; i++) box_serialize(bound, &boxes->list[i], bytes);
    return true;
  }
  boxes->n = 0;
  for (long i = 0; i < n && !bytes->bad; i++) {
    Box box = {0};
    box_serialize(bound, &box, bytes);
    if (!push(boxes, &box)) return false;
  }
  return true;
}

static bool serialize(CtlRun *run, CtlBytes *bytes) {
  CertifyRun *certify = of(run);
  const CtlBound *bound = run->problem->certificate;
  Boxes *lists[] = {&certify->now, &certify->later, &certify->work};
  ctl_bytes_numbers(bytes, &certify->stage, 1);
  ctl_bytes_numbers(bytes, &certify->blurred, 1);
  ctl_bytes_numbers(bytes, &certify->nearest, 1);
  ctl_bytes_numbers(bytes, &run->objective->state.proven, 1);
  certify->looked = ctl_bytes_integer(bytes, certify->looked, 0, CTL_COUNT_MAX);
  certify->unsolved = ctl_bytes_integer(bytes, certify->unsolved, 0, CTL_COUNT_MAX);
  for (int k = 0; k < 3; k++)
    if (!serialize_boxes(bound, lists[k], bytes)) return false;
  run->objective->state.boxes = certify->looked;
  run->objective->state.unsolved = certify->unsolved;
  if (bytes->from)
    bytes->bad |= !(certify->stage >= least_gap(run) && certify->stage < 1) || isnan(certify->blurred) ||
                  isnan(certify->nearest) || certify->work.n > ROUND || !isfinite(run->objective->state.proven);
  return true;
}

static void end(CtlRun *run) {
  CertifyRun *certify = of(run);
  free(certify->now.list);
  free(certify->later.list);
  free(certify->work.list);
}

static const CtlMethodOps ops = {
    CTL_METHOD_FUNCTIONS, .size = sizeof(CertifyRun), .rounds = {"round", "rounds"}, .round = round_of,
    .tell = tell,         .improve = improve};

const CtlMethod ctl_certify_method = {
    .name = "certify", .about = "the proof that no control of less effort meets the target", .ops = &ops};
