/* SPDX-License-Identifier: BSD-2-Clause */
/* bench-peers compares motions with those by other simulators of mechanics. */
#include "bench/peers/peer_stiction.h"
#include "bench/tools/measure.h"
#include "bench/tools/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: bench-peers [--quick] [--csv | --markdown]\n"
    "Motions with dry friction by stiction and by the other simulators that this program was built with. For each "
    "step\n"
    "of time: the largest error of x at T, m or rad; the creep, m/s or rad/s: how fast what rests moves, at most; and "
    "the\n"
    "time of a motion divided by that of stiction's event. Simulators without steps of the user's choice have one "
    "row.\n"
    "--quick   a step of 0.01 s only\n";

extern const Peer peer_event, peer_moreau;
#ifdef BENCH_CVODE
extern const Peer peer_cvode;
#endif
#ifdef BENCH_MUJOCO
extern const Peer peer_mujoco, peer_mujoco_noslip;
#endif
#ifdef BENCH_SICONOS
extern const Peer peer_siconos;
#endif
#ifdef BENCH_DART
extern const Peer peer_dart;
#endif
#ifdef BENCH_SIMBODY
extern const Peer peer_simbody;
#endif
#ifdef BENCH_ODE
extern const Peer peer_ode;
#endif
#ifdef BENCH_BULLET
extern const Peer peer_bullet;
#endif

/* A row of the table: a simulator, and whether the user chooses its steps. */
typedef struct PeerRow {
  const Peer *peer;
  bool stepped;
} PeerRow;
static const PeerRow rows[] = {
    {&peer_event, false},  {&peer_moreau, true},
#ifdef BENCH_CVODE
    {&peer_cvode, false},
#endif
#ifdef BENCH_MUJOCO
    {&peer_mujoco, true},  {&peer_mujoco_noslip, true},
#endif
#ifdef BENCH_SICONOS
    {&peer_siconos, true},
#endif
#ifdef BENCH_DART
    {&peer_dart, true},
#endif
#ifdef BENCH_SIMBODY
    {&peer_simbody, true},
#endif
#ifdef BENCH_ODE
    {&peer_ode, true},
#endif
#ifdef BENCH_BULLET
    {&peer_bullet, true},
#endif
};
enum { ROWS = sizeof rows / sizeof *rows };

double peer_seconds(void) { return measure_seconds(); }

/* Returns the largest difference of positions at T, m or rad. */
static double error_at_end(const PeerMotion *motion, const PeerStates *states, const PeerStates *reference) {
  double most = 0;
  for (int i = 0; i < motion->d; i++) {
    double error = fabs(states->x[PEER_SAMPLES][i] - reference->x[PEER_SAMPLES][i]);
    if (!(error <= most)) most = error; /* written so that a NAN stays */
  }
  return most;
}

/* Returns the speed, m/s or rad/s, of the fastest one between two samples at which the reference rests; NAN: nothing
 * rests. */
static double creep(const PeerMotion *motion, const PeerStates *states, const PeerStates *reference,
                    const bool *rests) {
  double most = NAN, apart = motion->end / PEER_SAMPLES;
  for (int k = 2; k <= PEER_SAMPLES; k++)
    for (int i = 0; i < motion->d; i++) {
      /* The sample at which a block stops is left out, as simulators stop it at slightly different times. */
      bool rest =
          rests[k * PEER_DOFS_MAX + i] && rests[(k - 1) * PEER_DOFS_MAX + i] && rests[(k - 2) * PEER_DOFS_MAX + i];
      if (!rest || reference->x[k][i] != reference->x[k - 2][i]) continue;
      double speed = fabs(states->x[k][i] - states->x[k - 1][i]) / apart;
      if (!(speed <= most)) most = speed;
    }
  return most;
}

static void add_rows(TextTable *table, const PeerMotion *motion, bool quick) {
  static const double steps_of[] = {1e-2, 1e-3, 1e-4};
  static PeerStates reference, states;
  static bool rests[(PEER_SAMPLES + 1) * PEER_DOFS_MAX];
  double event_seconds = NAN;
  if (!peer_reference(motion, &reference, rests)) exit(1);
  for (int k = 0; k < ROWS; k++)
    for (int s = 0; s < (rows[k].stepped && !quick ? 3 : 1); s++) {
      long steps = lround(motion->end / steps_of[s]);
      const Peer *peer = rows[k].peer;
      if (peer == &peer_event) peer->run(motion, steps, &states); /* this run fills the caches */
      bool good = peer->run(motion, steps, &states);
      if (peer == &peer_event) event_seconds = states.seconds;
      double error = good ? error_at_end(motion, &states, &reference) : NAN;
      text_table_word(table, "%s", motion->name);
      text_table_word(table, "%s", peer->name);
      text_table_number(table, "%g", rows[k].stepped ? steps_of[s] : NAN);
      text_table_number(table, "%.1e", error);
      text_table_number(table, "%.1e", good ? creep(motion, &states, &reference, rests) : NAN);
      text_table_number(table, "%.3g", good ? states.seconds / event_seconds : NAN);
    }
}

int main(int argc, char **argv) {
  static const char *const heads[] = {"motion", "simulator", "step", "error", "creep", "time"};
  TextTableForm form;
  bool quick;
  int code;
  if (!table_arguments(argc, argv, "bench-peers", usage, &form, &quick, &code)) return code;
  TextTable *table = text_table_create(sizeof heads / sizeof *heads, heads);
  for (int k = 0; k < peer_motion_count; k++) add_rows(table, &peer_motions[k], quick);
  table_print(table, form, stdout);
  text_table_destroy(table);
  if (form == TABLE_CSV) return 0;
  puts("\nstep: s. error: the largest of x at T, m or rad. creep: the largest speed of what rests, m/s or rad/s. "
       "time: of a motion, divided by that of stiction's event.");
  printf("\nVersions:");
  for (int k = 0; k < ROWS; k++)
    if (k == 0 || strcmp(rows[k].peer->version(), rows[k - 1].peer->version()) != 0)
      printf("%s %s %s", k ? "," : "", rows[k].peer->name, rows[k].peer->version());
  puts("");
  return 0;
}
