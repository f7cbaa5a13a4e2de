/* SPDX-License-Identifier: BSD-2-Clause */
/* Branch and bound over boxes of controls. The proof has stages. Each stage proves that J is minimal up to a certain
 * relative gap; the gap is halved from stage to stage, down to the requested gap. A box waits for a later stage if its
 * lower bound of J is at least the limit of the current stage. Within a stage the newest boxes are processed first, so
 * that few boxes exist at a time.
 *
 * The boxes of a round are handed out as tasks. The results are processed in the order of the tasks, so that they do
 * not depend on which rank processes which task. */
#include "control/certify/proof.h"
#include "control/base/argument.h"

#include <math.h>
#include <stdlib.h>

static double cap_of(const CtlProof *proof, double gap) { return (1 - gap) * proof->J; }

bool proof_push(Boxes *boxes, const Box *box) {
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

/* Adds a box, for which box_settle has been called, to the list of the current stage or of later stages, according to
 * its lower bound of J. */
static void file_box(CtlProof *proof, const Box *box) {
  bool waits = box->least >= cap_of(proof, proof->stage) && proof->later.n < PROOF_WAITING;
  if (!proof_push(waits ? &proof->later : &proof->now, box)) proof->no_memory = true;
}

/* Returns the limit of J above which boxes need not be examined. It is at most the smallest lower bound among undecided
 * boxes, because values above that bound cannot be proven. */
static double proof_cap(const CtlProof *proof) {
  double cap = cap_of(proof, proof->gap);
  return proof->unsolved ? fmin(cap, proof->blurred) : cap;
}

/* Rounds: sets of boxes that are examined in parallel -------------------------------------------------------------- */

/* Changes to the next stage that has boxes, if there is one. Boxes with a lower bound above the limit of the last
 * stage are dropped. */
static void change_stage(CtlProof *proof) {
  while (!proof->now.n && proof->later.n) {
    proof->stage = fmax(proof->stage / 2, proof->gap);
    proof->nearest = INFINITY;
    double cap = cap_of(proof, proof->stage);
    long kept = 0;
    for (long i = 0; i < proof->later.n; i++) {
      const Box *box = &proof->later.list[i];
      if (box->least < cap)
        proof->no_memory = !proof_push(&proof->now, box) || proof->no_memory;
      else if (proof->stage > proof->gap)
        proof->later.list[kept++] = *box;
    }
    proof->later.n = kept;
  }
}

/* Returns the number of motions that a task may simulate. In a round with few boxes this number is one, since many
 * ranks would be idle otherwise. In other rounds the number is larger, since sending boxes takes time. */
static long motions_of(long tasks) {
  enum { MOTIONS_MIN = 1, TASKS = 16 };
  long each = tasks / TASKS;
  return each < MOTIONS_MIN ? MOTIONS_MIN : each > CTL_PROOF_MOTIONS ? CTL_PROOF_MOTIONS : each;
}

/* Returns the task for box k of the round. */
static Task task_of(const CtlProof *proof, long k) {
  double cap = proof_cap(proof), stage = cap_of(proof, proof->stage);
  const Box *box = &proof->work.list[k];
  /* If this box waits for a later stage, it is in this round only because too many boxes were waiting. */
  return (Task){
      .cap = cap, .stage = box->least >= stage ? cap : stage, .motions = motions_of(proof->work.n), .box = *box};
}

static void write_task(void *context, long k, double *numbers) {
  const CtlProof *proof = context;
  CtlBytes bytes = {.to = (unsigned char *)numbers};
  Task task = task_of(proof, k);
  memset(numbers, 0,
         /* a box may have fewer cuts than its array can hold; the unused numbers are set, too, so that all bytes are
          * defined */
         (size_t)task_numbers(proof->bound) * sizeof *numbers);
  task_serialize(proof->bound, &task, &bytes);
}

bool proof_keep(CtlProof *proof, long task, const void *bytes, size_t size) {
  Answers *answers = &proof->answers;
  if (answers->size + size > answers->room) {
    size_t room = 2 * (answers->size + size);
    unsigned char *larger = realloc(answers->bytes, room);
    if (!larger) return false;
    answers->bytes = larger;
    answers->room = room;
  }
  if (size) memcpy(answers->bytes + answers->size, bytes, size);
  answers->at[task] = answers->size;
  answers->sizes[task] = size;
  answers->size += size;
  return true;
}

static int accept_answer(void *context, long task, const CtlOutcome *outcome) {
  CtlProof *proof = context;
  int64_t size = 0;
  if (outcome->status == SIM_OK) memcpy(&size, outcome->x, sizeof size);
  if (proof_keep(proof, task, outcome->x, (size_t)size)) return 1;
  proof->no_memory = true;
  return -CTL_PROOF_NO_MEMORY;
}

/* Adds the counts of one result to the counts of the proof, and updates the smallest values. */
static void add_counts(CtlProof *proof, const Branch *branch) {
  proof->motions += branch->motions;
  proof->looked += branch->looked;
  proof->unsolved += branch->unsolved;
  proof->blurred = fmin(proof->blurred, branch->blurred);
  if (branch->nearest >= proof->nearest) return;
  proof->nearest = branch->nearest;
  memcpy(proof->at, branch->at, sizeof proof->at);
}

/* Treats a task that failed on all ranks as if its first motion could not be simulated. */
static void take_failed(CtlProof *proof, const Box *box, double cap) {
  Branch branch;
  branch_begin(cap, cap, &branch);
  branch_lay(proof->bound, &branch, box);
  if (branch_goes_on(&branch)) branch_take(proof->bound, &branch, NULL, NULL);
  add_counts(proof, &branch);
  for (int i = 0; i < branch.open; i++) file_box(proof, &branch.boxes[i]);
}

static void take_answer(CtlProof *proof, long k) {
  CtlBytes bytes = {.from = proof->answers.bytes + proof->answers.at[k], .left = proof->answers.sizes[k]};
  Branch branch;
  Answer answer = answer_read(proof->bound, &branch, &bytes);
  add_counts(proof, &branch);
  for (long i = 0; i < answer.boxes; i++) {
    Box box = {0};
    box_serialize(proof->bound, &box, &bytes);
    file_box(proof, &box);
  }
}

bool proof_is_answer(const CtlProof *proof, const void *from, size_t size) {
  Branch branch;
  CtlBytes bytes = {.from = from, .left = size};
  Answer answer = answer_read(proof->bound, &branch, &bytes);
  for (long i = 0; i < answer.boxes && !bytes.bad; i++) {
    Box box = {0};
    box_serialize(proof->bound, &box, &bytes);
  }
  return !bytes.bad && !bytes.left && answer.size == (long)size;
}

/* Updates the lower bound of J that is proven so far. */
static void take_stock(CtlProof *proof) {
  double least = fmin(cap_of(proof, proof->gap), proof->blurred);
  const Boxes *lists[] = {&proof->now, &proof->later};
  for (int k = 0; k < 2; k++)
    for (long i = 0; i < lists[k]->n; i++) least = fmin(least, lists[k]->list[i].least);
  proof->proven = fmax(proof->proven, least);
}

void proof_lay_out(CtlProof *proof) {
  proof->tasks.count = proof->no_memory ? 0 : proof->work.n;
  proof->tasks.next = 0;
  ctl_tasks_init(&proof->tasks);
}

/* Chooses the boxes of the next round. */
static void begin_round(CtlProof *proof) {
  proof->tasks.first += proof->tasks.count;
  proof->work.n = 0;
  proof->answers.size = 0;
  change_stage(proof);
  while (proof->now.n && proof->work.n < PROOF_ROUND && !proof->no_memory) {
    proof->done[proof->work.n] = false;
    if (!proof_push(&proof->work, &proof->now.list[proof->now.n - 1])) proof->no_memory = true;
    proof->now.n--;
  }
  proof_lay_out(proof);
}

static void end_round(void *context) {
  CtlProof *proof = context;
  /* all boxes of the round are compared with the same limit, so that the order in which results arrive does not
   * matter */
  const double cap = proof_cap(proof);
  for (long k = 0; k < proof->work.n; k++) {
    if (proof->answers.sizes[k])
      take_answer(proof, k);
    else
      take_failed(proof, &proof->work.list[k], cap);
  }
  proof->rounds++;
  if (!proof->no_memory) take_stock(proof);
  begin_round(proof);
}

/* Creation and end ------------------------------------------------------------------------------------------------ */

SimStatus proof_create(const CtlBound *bound, double J, double gap, CtlProof **result) {
  CtlProof *proof = calloc(1, sizeof *proof);
  *result = NULL;
  if (!proof) return SIM_NO_MEMORY;
  proof->control = calloc((size_t)bound->n, sizeof *proof->control);
  if (!proof->control) {
    free(proof);
    return SIM_NO_MEMORY;
  }
  proof->bound = bound;
  proof->J = J;
  proof->gap = gap;
  proof->stage = fmax(0.5, gap);
  proof->blurred = proof->nearest = INFINITY;
  proof->tasks =
      (CtlTasks){.done = proof->done, .context = proof, .ask = write_task, .tell = accept_answer, .ended = end_round};
  *result = proof;
  return SIM_OK;
}

SimStatus ctl_proof_create(const CtlBound *bound, double J, double gap, CtlProof **result) {
  ARGUMENT(result != NULL, "proof", "is NULL");
  *result = NULL;
  ARGUMENT_THERE(bound);
  ARGUMENT(J >= 0 && isfinite(J), "J", "is below 0, or not finite");
  ARGUMENT(gap > 0 && gap < 1, "gap", "is not in (0, 1)");
  Box box;
  SimStatus status = proof_create(bound, J, gap, result);
  if (status != SIM_OK) return status;
  CtlProof *proof = *result;
  box_begin(bound, &box);
  proof->looked++;
  if (box_settle(bound, cap_of(proof, gap), &box)) file_box(proof, &box);
  take_stock(proof);
  begin_round(proof);
  if (!proof->no_memory) return SIM_OK;
  ctl_proof_destroy(proof);
  *result = NULL;
  return SIM_NO_MEMORY;
}

void ctl_proof_destroy(CtlProof *proof) {
  if (!proof) return;
  free(proof->now.list);
  free(proof->later.list);
  free(proof->work.list);
  free(proof->answers.bytes);
  free(proof->control);
  free(proof);
}

CtlTasks *ctl_proof_tasks(CtlProof *proof) { return proof ? &proof->tasks : NULL; }

void ctl_proof_state(const CtlProof *proof, CtlProofState *state) {
  if (!proof || !state) return;
  bound_to_control(proof->bound, proof->at, proof->control);
  *state = (CtlProofState){.proven = proof->proven,
                           .rounds = proof->rounds,
                           .motions = proof->motions,
                           .boxes = proof->looked,
                           .unsolved = proof->unsolved,
                           .no_memory = proof->no_memory,
                           .nearest = proof->control};
}
