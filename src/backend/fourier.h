/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Complex Fourier transforms of host memory in double precision, in one and two dimensions, in place and
 * unnormalised. */
#pragma once

#include <glib.h>

#include <complex.h>

G_BEGIN_DECLS

typedef struct _LacFourier LacFourier;

/**
 * lac_fourier_prepare:
 * @ny, @nx: rows and columns, each 1 or more; ny = 1 for a one-dimensional transform
 *
 * Plans by measuring, once per machine and shape; wisdom is saved as for the other transforms (backend/fft.h). Any
 * thread; takes a lock.
 *
 * Returns: (nullable) (transfer none): a transform that lives as long as the process; %NULL when FFTW cannot plan it.
 */
const LacFourier *lac_fourier_prepare(gsize ny, gsize nx);

/* The same, but planned by estimate at each call without caching: baseline for measuring the gain of plans. */
const LacFourier *lac_fourier_prepare_plain(gsize ny, gsize nx);

/* X[q] = sum_j x[j] exp(-2 pi i q j / n), and the inverse with +i; @data: [ny][nx], aligned to 16 bytes as every
 * allocation is. Any thread, concurrently; allocates nothing, except for a plain transform. */
void lac_fourier_forward(const LacFourier *fourier, double complex *data);
void lac_fourier_inverse(const LacFourier *fourier, double complex *data);

G_END_DECLS
