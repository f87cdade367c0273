/* SPDX-License-Identifier: GPL-3.0-or-later */
/* In-place linear combination and orthonormalisation of a few long rows, in slabs of columns. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Replaces the first @n_out rows of @rows, [n_in][n], by the product of @transform, [n_out][n_in], and all rows;
 * n_out <= n_in. */
void lac_rows_combine(double *rows, gsize n_in, gsize n, const double *transform, gsize n_out);

/* Orthonormalises by two passes of Cholesky QR. @transform: (out): [n_rows][n_rows], the applied matrix. Returns: the
 * number of orthonormal rows, those before the first linearly dependent one. */
gsize lac_rows_orthonormalise(double *rows, gsize n_rows, gsize n, double *transform);

/* Orthonormalises short rows one by one by Gram-Schmidt, resolving near-dependence down to rounding. Zero rows are
 * dropped. Returns: the number of rows left. */
gsize lac_rows_make_basis(double *rows, gsize n_rows, gsize n);

G_END_DECLS
