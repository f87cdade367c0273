/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Dense linear algebra on host memory in double precision (OpenBLAS, LAPACK), for small problems and work outside a
 * step. Row-major. Any thread; calls are serialised. Deterministic: uses the serial library. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Allocates the library's memory now, for all later calls. Otherwise the first call does so, and the library aborts
 * the program if that fails. Returns: FALSE with an error message stating limit and need. */
gboolean lac_dense_reserve(GError **error);
gsize    lac_dense_get_unreserved(void); /* bytes still to be allocated; 0 afterwards */

/* c = alpha op(a) op(b) + beta c; op(a) is m x k, op(b) k x n */
void lac_dense_gemm(gboolean      transpose_a,
                    gboolean      transpose_b,
                    gsize         m,
                    gsize         n,
                    gsize         k,
                    double        alpha,
                    const double *a,
                    gsize         lda,
                    const double *b,
                    gsize         ldb,
                    double        beta,
                    double       *c,
                    gsize         ldc);

/* Symmetric eigenproblem: @a (n x n) is overwritten by eigenvectors in rows, largest eigenvalue first;
 * the largest |entry| of each vector is positive. Returns: FALSE when it does not converge. */
gboolean lac_dense_eigh(double *a, gsize n, double *values);

/* The same without allocating; @work: [LAC_DENSE_EIGH_WORK(n)]. */
#define LAC_DENSE_EIGH_WORK(n) (2 * (n) * (n) + 9 * (n) + 3)
gboolean lac_dense_eigh_within(double *a, gsize n, double *values, double *work);

/* Solves a x = b for symmetric positive definite a (n x n, destroyed), b: [n, n_right] overwritten by x.
 * Returns: FALSE when a is not positive definite. */
gboolean lac_dense_cholesky_solve(double *a, gsize n, double *b, gsize n_right);

/* First k pivots of QR with column pivoting of a (m x n, destroyed), LAPACK dgeqp3: reference for sensor/qr. */
gboolean lac_dense_qr_pivots(double *a, gsize m, gsize n, gsize *pivots, gsize k);

/* Minimum-norm least squares a x = b (dgelsd); a: m x n destroyed; b: [max(m,n), n_right]. Returns: FALSE on failure. */
gboolean lac_dense_least_squares(double *a, gsize m, gsize n, double *b, gsize n_right);

#define LAC_DENSE_ORTHONORMAL_WORK 33 /* block size of the factorisation, plus one */

/* @a (n_rows x n_columns, n_rows <= n_columns) is overwritten by orthonormal rows: for every k the first k span the
 * same space as the original first k, if these are independent (Householder QR of the transpose). Allocates nothing;
 * @work: scratch, [LAC_DENSE_ORTHONORMAL_WORK n_rows]. Returns: FALSE on failure. */
gboolean lac_dense_orthonormal_rows(double *a, gsize n_rows, gsize n_columns, double *work);

/* Returns name and version of the library, for provenance: "OpenBLAS 0.3.21 Cooperlake". */
const char *lac_dense_library(void);

G_END_DECLS
