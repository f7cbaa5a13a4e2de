/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs the seeds of a target, and then random changes of them, for some seconds. Unlike libFuzzer it does not see
 * which code an input reaches, but it needs no special compiler.
 *
 *     usage: fuzz_mutations TARGET FOLDER [SECONDS [FIRST]]
 *
 * FOLDER has the seeds of the target; FIRST is the number of the first input.
 *
 * Inputs are numbered. A child process takes them. If it does not reach its end, the input is made again and written
 * to TARGET-NUMBER in the working folder, and the exit code is 1. */
#define _GNU_SOURCE /* MAP_ANONYMOUS, mallopt */
#include "tests/fuzz/fuzz.h"

#include <glob.h>
#include <malloc.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { INPUT_SIZE = 1 << 16, HANGS = 60 /* HANGS: time after which an input counts as hanging, s */ };

typedef struct Bytes {
  uint8_t *at;
  size_t size;
} Bytes;

static Bytes *seeds;
static size_t n_seeds;

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static Bytes read_whole(const char *path) {
  FILE *file = fopen(path, "rb");
  Bytes read = {.at = malloc(INPUT_SIZE)};
  FUZZ_HOLDS(file && read.at);
  read.size = fread(read.at, 1, INPUT_SIZE, file);
  fclose(file);
  return read;
}

static void read_seeds(const char *folder) {
  char pattern[FUZZ_PATH_SIZE];
  glob_t found;
  snprintf(pattern, sizeof pattern, "%s/*", folder);
  if (glob(pattern, 0, NULL, &found) != 0) {
    fprintf(stderr, "%s: no seeds\n", folder);
    exit(2);
  }
  n_seeds = found.gl_pathc;
  seeds = calloc(n_seeds, sizeof *seeds);
  FUZZ_HOLDS(seeds);
  for (size_t i = 0; i < n_seeds; i++) seeds[i] = read_whole(found.gl_pathv[i]);
  globfree(&found);
}

/* Returns a random number, by splitmix64. */
static uint64_t drawn(uint64_t *state) {
  uint64_t z = *state += 0x9e3779b97f4a7c15;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}

static size_t below(uint64_t *state, size_t n) { return n ? (size_t)(drawn(state) % n) : 0; }

/* Replaces `cut` bytes at a place by other bytes, as far as there is room. */
static void put(Bytes *input, size_t place, size_t cut, const void *with, size_t size) {
  size_t rest = input->size - place - cut;
  if (place + size + rest > INPUT_SIZE) return;
  memmove(input->at + place + size, input->at + place + cut, rest);
  memmove(input->at + place, with, size);
  input->size = place + size + rest;
}

/* Makes one change: flips bits, removes bytes, inserts a part of a seed, or inserts a text that is difficult for
 * readers. */
static void change(Bytes *input, uint64_t *state) {
  static const char *const tokens[] = {
      "-",      "0",   "1e308", "nan",      "inf", "-1", "4294967296", "9223372036854775808",
      "1e-320", "",    "\n",    ": ",       "{",   "}",  "[",          "]",
      ",",      "\"",  "'",     "#",        "&a",  "*a", "- ",         "%TAG",
      "null",   "!!x", "\t",    "\xff\xfe", "(",   ")^"};
  size_t place = below(state, input->size + 1), left = input->size - place;
  size_t cut = below(state, left < 64 ? left + 1 : 64);
  switch (drawn(state) % 5) {
  case 0:
    if (left) input->at[place] ^= (uint8_t)(1u << drawn(state) % 8);
    break;
  case 1:
    if (left) input->at[place] = (uint8_t)drawn(state);
    break;
  case 2: put(input, place, cut, "", 0); break;
  case 3: {
    const Bytes *seed = &seeds[below(state, n_seeds)];
    size_t from = below(state, seed->size), size = seed->size - from;
    put(input, place, cut, seed->at + from, below(state, size < 256 ? size + 1 : 256));
    break;
  }
  default: {
    size_t k = below(state, sizeof tokens / sizeof *tokens);
    put(input, place, drawn(state) % 2 ? cut : 0, tokens[k], strlen(tokens[k]) + (*tokens[k] == '\0'));
  }
  }
}

/* Makes input number k. The first inputs are the seeds, the later ones have changes. */
static void make(uint64_t k, Bytes *input) {
  uint64_t state = k;
  const Bytes *seed = &seeds[k < n_seeds ? k : below(&state, n_seeds)];
  memcpy(input->at, seed->at, seed->size);
  input->size = seed->size;
  if (k < n_seeds) return;
  for (uint64_t changes = (uint64_t)1 << drawn(&state) % 5; changes; changes--) change(input, &state);
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

enum { FINISHED = 42 }; /* an exit code that no reader uses */

/* Runs all seeds, and then further inputs until the time is over. next: number of the current input. */
static _Noreturn void take(Bytes *input, double seconds, volatile uint64_t *next) {
  mallopt(M_PERTURB, 0xa5); /* fills memory, so that reads of uninitialised or freed memory have an effect */
  mallopt(M_TRIM_THRESHOLD,
          1 << 30); /* keeps memory in the process, since returning it to the system would dominate the time of an
                     * alias bomb */
  mallopt(M_TOP_PAD, 1 << 24);
  for (double until = now() + seconds; *next < n_seeds || now() < until; ++*next) {
    if (*next == n_seeds) until = now() + seconds;
    make(*next, input);
    alarm(HANGS);
    uint8_t *copy = malloc(input->size); /* the copy has exactly the input's size, so that reads past its end are
                                          * detected */
    FUZZ_HOLDS(copy);
    memcpy(copy, input->at, input->size);
    LLVMFuzzerTestOneInput(copy, input->size);
    free(copy);
  }
  exit(FINISHED);
}

static int tell(const char *target, uint64_t number, Bytes *input, int status) {
  char name[64];
  snprintf(name, sizeof name, "%s-%llu", target, (unsigned long long)number);
  make(number, input);
  FILE *file = fopen(name, "wb");
  FUZZ_HOLDS(file && fwrite(input->at, 1, input->size, file) == input->size && fclose(file) == 0);
  bool killed = WIFSIGNALED(status);
  fprintf(stderr, "%s ends with %s %d at input %s\n", target, killed ? "signal" : "exit code",
          killed ? WTERMSIG(status) : WEXITSTATUS(status), name);
  return 1;
}

int main(int argc, char **argv) {
  Bytes input = {.at = malloc(INPUT_SIZE)};
  uint64_t *next = mmap(NULL, sizeof *next, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (argc < 3) return fprintf(stderr, "usage: %s TARGET FOLDER [SECONDS [FIRST]]\n", argv[0]), 2;
  FUZZ_HOLDS(input.at && next != MAP_FAILED && setenv("STICTION_FUZZ", argv[1], 1) == 0);
  read_seeds(argv[2]);
  LLVMFuzzerInitialize(&argc, &argv);
  uint64_t first = *next = argc > 4 ? strtoull(argv[4], NULL, 10) : 0;
  int status;
  pid_t child = fork();
  if (child == 0) take(&input, argc > 3 ? strtod(argv[3], NULL) : 5, next);
  FUZZ_HOLDS(child > 0 && waitpid(child, &status, 0) == child);
  printf("%s: %zu seeds, %llu inputs\n", argv[1], n_seeds, (unsigned long long)(*next - first));
  bool finished = WIFEXITED(status) && WEXITSTATUS(status) == FINISHED;
  return finished ? 0 : tell(argv[1], *next, &input, status);
}
