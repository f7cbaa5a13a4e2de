/* SPDX-License-Identifier: BSD-2-Clause */
/* Simulates by stiction itself: by `event`, which is also the reference, and in steps by `moreau`. */
#include "bench/peers/peer_stiction.h"
#include "sim/version.h"
#include "src/library/problem_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *version(void) { return stiction_version(); }

typedef struct Recording {
  int d;
  long every;
  PeerStates *states;
  bool *rests; /* [PEER_SAMPLES + 1][PEER_DOFS_MAX] whether each block rests */
} Recording;

static void record(void *context, const SimStep *step) {
  Recording *recording = context;
  if (step->n % recording->every) return;
  long k = step->n / recording->every;
  memcpy(recording->states->x[k], step->x, (size_t)recording->d * sizeof(double));
  for (int i = 0; recording->rests && i < recording->d; i++)
    recording->rests[k * PEER_DOFS_MAX + i] = step->slide[i] == 0;
}

static void print_message(void *context, const StictionMessage *message) {
  (void)context;
  fprintf(stderr, "bench-peers: %s: %s: %s\n", message->file, message->key, message->text);
}

/* Runs the file of a motion with a scheme and this number of steps. rests: set to whether each block rests at each
 * sample; may be NULL. */
static bool run_scheme(const PeerMotion *motion, const char *scheme, long steps, PeerStates *states, bool *rests) {
  char path[512], steps_text[64], scheme_text[128];
  snprintf(path, sizeof path, "%s/bench/peers/motions/%s.yaml", STICTION_ROOT, motion->name);
  snprintf(steps_text, sizeof steps_text, "time={end: %.17g, steps: %ld}", motion->end, steps);
  snprintf(scheme_text, sizeof scheme_text, "scheme=%s", scheme);
  char *settings[] = {steps_text, scheme_text};
  const StictionListener listener = {NULL, print_message};
  StictionFile *file;
  if (stiction_file_read(path, 2, settings, NULL, &listener, &file) != SIM_OK) return false;
  double x[PEER_DOFS_MAX], v[PEER_DOFS_MAX];
  SimFinal final = {.x = x, .v = v};
  Recording recording = {motion->d, steps / PEER_SAMPLES, states, rests};
  const SimObserver observer = {.context = &recording, .step = record};
  double from = peer_seconds();
  bool good = stiction_simulate(stiction_file_problem(file), NULL, &observer, &final) == SIM_OK;
  states->seconds = peer_seconds() - from;
  stiction_file_destroy(file);
  return good;
}

bool peer_reference(const PeerMotion *motion, PeerStates *states, bool *rests) {
  return run_scheme(motion, "{name: event, tolerance: 1e-12}", PEER_SAMPLES, states, rests);
}

static bool run_event(const PeerMotion *motion, long steps, PeerStates *states) {
  (void)steps; /* `event` has no time steps */
  return run_scheme(motion, "{name: event}", PEER_SAMPLES, states, NULL);
}
static bool run_moreau(const PeerMotion *motion, long steps, PeerStates *states) {
  return run_scheme(motion, "{name: moreau}", steps, states, NULL);
}

const Peer peer_event = {"stiction event", version, run_event}, peer_moreau = {"stiction moreau", version, run_moreau};
