/* SPDX-License-Identifier: BSD-2-Clause */
/* Serialised form of a proof: its format, the hash of the sources, its state, its boxes, and the results of the current
 * round. */
#include "control/base/argument.h"
#include "control/base/saved.h"
#include "control/certify/proof.h"

#include <math.h>
#include <stdlib.h>

enum { FORMAT = 5 };

/* Writes or reads a list of at most `most` boxes. Returns false when out of memory. */
static bool serialize_boxes(const CtlBound *bound, Boxes *boxes, long most, CtlBytes *bytes) {
  long n = ctl_bytes_integer(bytes, boxes->n, 0, most);
  for (long i = 0; i < n && !bytes->bad; i++) {
    Box read = {0}, *box = bytes->from ? &read : &boxes->list[i];
    box_serialize(bound, box, bytes);
    if (bytes->from && !proof_push(boxes, &read)) return false;
  }
  return true;
}

static void put_answers(CtlProof *proof, CtlBytes *bytes) {
  for (long k = 0; k < proof->work.n; k++) {
    const Answers *answers = &proof->answers;
    ctl_bytes_integer(bytes, proof->done[k], 0, 1);
    if (!proof->done[k]) continue;
    ctl_bytes_integer(bytes, (long)answers->sizes[k], 0, 0);
    ctl_bytes_copy(bytes, answers->bytes + answers->at[k], answers->sizes[k]);
  }
}

static bool get_answers(CtlProof *proof, CtlBytes *bytes) {
  for (long k = 0; k < proof->work.n && !bytes->bad; k++) {
    proof->done[k] = ctl_bytes_integer(bytes, 0, 0, 1);
    if (!proof->done[k]) continue;
    size_t size = (size_t)ctl_bytes_integer(bytes, 0, 0, (long)bytes->left);
    const unsigned char *answer = bytes->from + bytes->done;
    bytes->bad |= size > bytes->left || (size && !proof_is_answer(proof, answer, size));
    if (bytes->bad) return true;
    if (!proof_keep(proof, k, answer, size)) return false;
    bytes->done += size;
    bytes->left -= size;
  }
  return true;
}

static bool serialize_proof(CtlProof *proof, CtlBytes *bytes) {
  const CtlBound *bound = proof->bound;
  ctl_bytes_numbers(bytes, &proof->stage, 1);
  ctl_bytes_numbers(bytes, &proof->blurred, 1);
  ctl_bytes_numbers(bytes, &proof->nearest, 1);
  ctl_bytes_numbers(bytes, proof->at, BOUND_N);
  ctl_bytes_numbers(bytes, &proof->proven, 1);
  long *const counts[] = {&proof->looked, &proof->unsolved, &proof->motions, &proof->rounds};
  for (int k = 0; k < 4; k++) *counts[k] = ctl_bytes_integer(bytes, *counts[k], 0, CTL_COUNT_MAX);
  if (!serialize_boxes(bound, &proof->now, PROOF_BOXES, bytes) ||
      !serialize_boxes(bound, &proof->later, PROOF_BOXES, bytes) ||
      !serialize_boxes(bound, &proof->work, PROOF_ROUND, bytes))
    return false;
  if (!bytes->from) {
    put_answers(proof, bytes);
    return true;
  }
  for (int k = 0; k < BOUND_N; k++) bytes->bad |= !isfinite(proof->at[k]);
  bytes->bad |= !(proof->stage >= proof->gap && proof->stage < 1) || isnan(proof->blurred) || isnan(proof->nearest) ||
                !isfinite(proof->proven);
  return get_answers(proof, bytes);
}

static void write_proof(CtlBytes *bytes, const CtlProof *proof) {
  ctl_saved_header(bytes, FORMAT, "proof", NULL);
  serialize_proof((CtlProof *)proof, bytes); /* writing does not change the proof, so that the cast is safe */
}

size_t ctl_proof_saved_size(const CtlProof *proof) {
  if (!proof) return 0;
  CtlBytes bytes = {0};
  write_proof(&bytes, proof);
  return bytes.done;
}

void ctl_proof_save(const CtlProof *proof, void *to) {
  if (!proof || !to) return;
  CtlBytes bytes = {.to = to};
  write_proof(&bytes, proof);
}

SimStatus ctl_proof_load(const CtlBound *bound, double J, double gap, const void *from, size_t size,
                         const SimReport *report, CtlProof **result) {
  ARGUMENT(result != NULL, "proof", "is NULL");
  *result = NULL;
  ARGUMENT_THERE(bound);
  ARGUMENT(J >= 0 && isfinite(J), "J", "is below 0, or not finite");
  ARGUMENT(gap > 0 && gap < 1, "gap", "is not in (0, 1)");
  ARGUMENT(from != NULL, "bytes", "is NULL");
  CtlBytes bytes = {.from = from, .left = size};
  CtlProof *proof;
  ctl_saved_header(&bytes, FORMAT, "proof", report);
  if (bytes.bad) return SIM_BAD_PROBLEM;
  SimStatus status = proof_create(bound, J, gap, &proof);
  if (status != SIM_OK) return status;
  if (!serialize_proof(proof, &bytes)) status = SIM_NO_MEMORY;
  if (status == SIM_OK && (bytes.bad || bytes.left)) {
    status = SIM_BAD_PROBLEM;
    if (report) report->complain(report->context, "proof", "not a saved proof of this problem");
  }
  if (status == SIM_OK) {
    proof_lay_out(proof);
    *result = proof;
  } else
    ctl_proof_destroy(proof);
  return status;
}
