/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A few long rows: combined and made orthonormal in place, a slab of columns at a time. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The first @n_out rows of @rows: [n_in][n] become transform: [n_out][n_in] times them all; n_out <= n_in. */
void lac_rows_combine(double *rows, gsize n_in, gsize n, const double *transform, gsize n_out);

/* Gram-Schmidt by Cholesky factors, twice. @transform: (out): [n_rows][n_rows], what the rows were multiplied with.
 * Returns: how many are orthonormal: those before the first that depends on the ones before it. */
gsize lac_rows_orthonormalise(double *rows, gsize n_rows, gsize n, double *transform);

/* Gram-Schmidt one row after the other, for short rows: down to rows that depend but for rounding. Rows of nothing are
 * dropped. Returns: how many are left. */
gsize lac_rows_make_basis(double *rows, gsize n_rows, gsize n);

G_END_DECLS
