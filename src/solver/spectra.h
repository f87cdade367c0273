/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Planes and spectra of a pseudo-spectral solver in the memory of its device, in double: one allocation, transforms,
 * and the kernels of the time step and of its transpose. A spectrum is [ny][nxh] pairs (re, im), nxh = nx/2 + 1.
 *
 * The status of the first call that fails is kept until lac_spectra_end(); calls after it are made nevertheless. One
 * thread at a time. */
#pragma once

#include "backend/registry.h"
#include "base/memory-part.h"

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  LacDevice      device;
  gsize          nx, ny, nxh;
  gsize          n_points, n_modes;
  double        *memory;  /* of the device; NULL while it is measured */
  gsize          n_taken; /* numbers of it in use */
  LacMemoryClaim claim;
  LacStatus      status;  /* LAC_STATUS_OK, or that of the first call that failed */
  double         n_bytes; /* that kernels read and wrote, each array once a pass */
} LacSpectra;

/* Takes all arrays of @data by lac_spectra_take(). Called twice: to measure, and with the memory. */
typedef void (*LacSpectraLayout)(gpointer data);

/* Sets the sizes; allocates nothing. */
void lac_spectra_init(LacSpectra *spectra, const LacDevice *device, gsize nx, gsize ny);
/* Allocates the arrays of @layout, all 0, and prepares the transforms of up to @n_batch planes at once. */
void
lac_spectra_allocate(LacSpectra *spectra, LacSpectraLayout layout, gpointer data, gsize n_batch);
void lac_spectra_clear(LacSpectra *spectra);

/* Returns: the status of all calls since the last one to this function. */
LacStatus lac_spectra_end(LacSpectra *spectra);

/* Returns: an array of @n numbers, aligned for transforms. */
double *lac_spectra_take(LacSpectra *spectra, gsize n);

void lac_spectra_upload(LacSpectra *spectra, double *to, const double *host, gsize n);
void lac_spectra_download(LacSpectra *spectra, double *host, const double *from, gsize n);
void lac_spectra_copy(LacSpectra *spectra, double *to, const double *from, gsize n);
void lac_spectra_fill(LacSpectra *spectra, double *to, gsize n); /* with 0 */

/* Transform @n_planes planes, unnormalised, and back; the inverse destroys the spectra. */
void lac_spectra_to_modes(LacSpectra *spectra, gsize n_planes, double *planes, double *modes);
void lac_spectra_to_grid(LacSpectra *spectra, gsize n_planes, double *modes, double *planes);

/* The kernels of the table. Type and n_modes or n_points of @args are set. */
void lac_spectra_combine(LacSpectra *spectra, LacCombine *args);
void lac_spectra_correlate(LacSpectra   *spectra,
                           gsize         n_fields,
                           const double *x,
                           const double *y,
                           double       *sum);
void lac_spectra_multiply(LacSpectra *spectra, LacPolynomial *args);
void lac_spectra_multiply_reverse(LacSpectra *spectra, LacPolynomial *args);
/* Computes sum += x . y over @n numbers; @sum: on the device */
void lac_spectra_dot(LacSpectra *spectra, gsize n, const double *x, const double *y, double *sum);

/* A gradient g with respect to a half-spectrum is stored as h, g = h m / (nx ny) with m = 1 in the columns kx = 0 and
 * nx/2 and m = 2 in the others, which represent two modes. The transpose of the forward transform is then the inverse
 * transform and vice versa, and the weights of a combination are transposed by conjugation alone.
 * Returns: m / (nx ny) of a mode. */
double lac_spectra_get_share(const LacSpectra *spectra, gsize mode);

G_END_DECLS
