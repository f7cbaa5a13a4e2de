/* SPDX-License-Identifier: BSD-2-Clause */
/* Declarations of LAPACK and BLAS functions that several files use, in place of the C headers of these libraries. The
 * functions have Fortran's calling convention and 32-bit integers. */
#ifndef CONTROL_BOUND_LAPACK_H
#define CONTROL_BOUND_LAPACK_H

#include <stddef.h>

void dpotrf_(const char *uplo, const int *n, double *a, const int *lda, int *info, size_t);
void dtrsm_(const char *side, const char *uplo, const char *trans, const char *diag, const int *m, const int *n,
            const double *alpha, const double *a, const int *lda, double *b, const int *ldb, size_t, size_t, size_t,
            size_t);
void dtrsv_(const char *uplo, const char *trans, const char *diag, const int *n, const double *a, const int *lda,
            double *x, const int *incx, size_t, size_t, size_t);
void dsyrk_(const char *uplo, const char *trans, const int *n, const int *k, const double *alpha, const double *a,
            const int *lda, const double *beta, double *c, const int *ldc, size_t, size_t);

#endif
