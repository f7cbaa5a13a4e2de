/* The study of the regularization: the schemes it compares. */
#ifndef BENCH_PAPERS_STUDY_H
#define BENCH_PAPERS_STUDY_H

/* Unregularized, epsilon = dt^q, Moreau-Jean. */
enum { VARIANTS = 10, UNREGULARIZED = 0, PAPERS_OWN = 3, MOREAU = VARIANTS - 1 };
typedef struct Variant {
  const char *name;
  double q; /* 0: no epsilon */
  const char *exact, *fixed_point;
} Variant;

#define STUDY_REGULARIZED(q)                                                                                           \
  {                                                                                                                    \
    "dt^" #q, q, "scheme={name: centered, multiplier: regularized, epsilon: step^" #q "}",                             \
        "scheme={name: centered, multiplier: regularized, epsilon: step^" #q ", solver: fixed_point}"                  \
  }
static const Variant variants[VARIANTS] = {
    {"unregularized", 0, "scheme={name: centered, multiplier: unregularized}",
     "scheme={name: centered, multiplier: unregularized, solver: fixed_point}"},
    STUDY_REGULARIZED(1.05),
    STUDY_REGULARIZED(1.1),
    STUDY_REGULARIZED(1.2),
    STUDY_REGULARIZED(1.35),
    STUDY_REGULARIZED(1.5),
    STUDY_REGULARIZED(2),
    STUDY_REGULARIZED(2.5),
    STUDY_REGULARIZED(3),
    {"moreau", 0, "scheme={name: moreau}", "scheme={name: moreau, solver: fixed_point}"}};

#endif
