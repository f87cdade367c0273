/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Complex Fourier transforms of host memory in double precision, in one and two dimensions, in place and not normalised. */
#pragma once

#include <glib.h>

#include <complex.h>

G_BEGIN_DECLS

typedef struct _LacFourier LacFourier;

/**
 * lac_fourier_prepare:
 * @ny, @nx: rows and columns, each 1 or more; ny = 1 for a transform in one dimension
 *
 * Plans by measuring, once a machine and shape: wisdom is kept as for the other transforms (backend/fft.h). Any thread; takes a
 * lock.
 *
 * Returns: (nullable) (transfer none): a transform that lives as long as the process; %NULL where FFTW cannot plan it.
 */
const LacFourier *lac_fourier_prepare(gsize ny, gsize nx);

/* The same, but planned by estimate in each call and forgotten: to measure what plans are worth. */
const LacFourier *lac_fourier_prepare_plain(gsize ny, gsize nx);

/* X[q] = sum_j x[j] exp(-2 pi i q j / n), and the same with +i; @data: [ny][nx], at a multiple of 16 bytes as all allocations are.
 * Any thread, any number of them; nothing is allocated, unless it is a plain one. */
void lac_fourier_forward(const LacFourier *fourier, double complex *data);
void lac_fourier_inverse(const LacFourier *fourier, double complex *data);

G_END_DECLS
