/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls of the device's table that keep the first failure. */
#include "solver/spectra.h"

#include "backend/device-log.h"

#define ALIGNMENT ((gsize) 8) /* numbers: 64 bytes */

static void
keep(LacSpectra *spectra, LacStatus status)
{
  if (spectra->status == LAC_STATUS_OK)
    spectra->status = status;
}

#define CALL(spectra, name, ...) \
  keep(spectra, (spectra)->device.table->name((spectra)->device.self, __VA_ARGS__))

/* Counts numbers that a kernel reads or writes. */
static void
count(LacSpectra *spectra, gsize n)
{
  spectra->n_bytes += (double) (n * sizeof(double));
}

void
lac_spectra_init(LacSpectra *spectra, const LacDevice *device, gsize nx, gsize ny)
{
  *spectra = (LacSpectra){
    .device = *device,
    .nx = nx,
    .ny = ny,
    .nxh = nx / 2 + 1,
    .n_points = nx * ny,
    .n_modes = (nx / 2 + 1) * ny,
  };
}

LacStatus
lac_spectra_end(LacSpectra *spectra)
{
  const LacStatus status = spectra->status;

  spectra->status = LAC_STATUS_OK;
  return status;
}

double *
lac_spectra_take(LacSpectra *spectra, gsize n)
{
  double *array = spectra->memory ? spectra->memory + spectra->n_taken : NULL;

  spectra->n_taken += (n + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  return array;
}

void
lac_spectra_allocate(LacSpectra *spectra, LacSpectraLayout layout, gpointer data, gsize n_batch)
{
  const LacFft plan = {LAC_F64, spectra->nx, spectra->ny, n_batch, NULL, NULL};
  gpointer     memory = NULL;

  layout(data);
  CALL(spectra, alloc, spectra->n_taken * sizeof(double), &memory);
  if (spectra->status != LAC_STATUS_OK)
    return;
  spectra->memory = memory;
  lac_memory_claim(&spectra->claim, LAC_MEMORY_TRANSFORMS, spectra->n_taken * sizeof(double));
  lac_spectra_fill(spectra, spectra->memory, spectra->n_taken);
  spectra->n_taken = 0;
  layout(data);
  for (LacFft one = plan; one.n_batch > 0; one.n_batch--)
    CALL(spectra, fft_prepare, &one);
}

void
lac_spectra_clear(LacSpectra *spectra)
{
  if (spectra->memory)
    spectra->device.table->release(spectra->device.self, spectra->memory);
  spectra->memory = NULL;
  lac_memory_unclaim(&spectra->claim);
}

void
lac_spectra_upload(LacSpectra *spectra, double *to, const double *host, gsize n)
{
  keep(spectra, lac_device_upload(spectra->device, to, host, n * sizeof *host));
}

void
lac_spectra_download(LacSpectra *spectra, double *host, const double *from, gsize n)
{
  keep(spectra, lac_device_download(spectra->device, host, from, n * sizeof *host));
}

void
lac_spectra_copy(LacSpectra *spectra, double *to, const double *from, gsize n)
{
  count(spectra, 2 * n);
  CALL(spectra, strided,
       &(LacStrided){
         .type = LAC_F64,
         .n_rows = 1,
         .n_columns = n,
         .x_stride = n,
         .y_stride = n,
         .alpha = 1,
         .x = from,
         .y = to,
       });
}

void
lac_spectra_fill(LacSpectra *spectra, double *to, gsize n)
{
  count(spectra, n);
  CALL(spectra, fill, LAC_F64, to, 0, n);
}

void
lac_spectra_to_modes(LacSpectra *spectra, gsize n_planes, double *planes, double *modes)
{
  count(spectra, n_planes * (spectra->n_points + 2 * spectra->n_modes));
  CALL(spectra, fft_forward, &(LacFft){LAC_F64, spectra->nx, spectra->ny, n_planes, planes, modes});
}

void
lac_spectra_to_grid(LacSpectra *spectra, gsize n_planes, double *modes, double *planes)
{
  count(spectra, n_planes * (spectra->n_points + 2 * spectra->n_modes));
  CALL(spectra, fft_inverse, &(LacFft){LAC_F64, spectra->nx, spectra->ny, n_planes, planes, modes});
}

void
lac_spectra_combine(LacSpectra *spectra, LacCombine *args)
{
  args->type = LAC_F64;
  args->n_modes = spectra->n_modes;
  count(spectra, 2 * ((gsize) args->n_terms + 1) * args->n_fields * spectra->n_modes);
  CALL(spectra, combine, args);
}

void
lac_spectra_correlate(LacSpectra   *spectra,
                      gsize         n_fields,
                      const double *x,
                      const double *y,
                      double       *sum)
{
  count(spectra, 2 * (2 * n_fields + 2) * spectra->n_modes);
  CALL(spectra, correlate, &(LacCorrelate){LAC_F64, n_fields, spectra->n_modes, x, y, sum});
}

void
lac_spectra_multiply(LacSpectra *spectra, LacPolynomial *args)
{
  args->type = LAC_F64;
  args->n_points = spectra->n_points;
  count(spectra, (args->n_planes + args->n_out) * spectra->n_points);
  CALL(spectra, polynomial, args);
}

void
lac_spectra_multiply_reverse(LacSpectra *spectra, LacPolynomial *args)
{
  args->type = LAC_F64;
  args->n_points = spectra->n_points;
  count(spectra, (2 * args->n_planes + args->n_out) * spectra->n_points);
  CALL(spectra, polynomial_reverse, args);
}

void
lac_spectra_dot(LacSpectra *spectra, gsize n, const double *x, const double *y, double *sum)
{
  count(spectra, 2 * n);
  CALL(spectra, dot, &(LacDot){.type = LAC_F64, .n = n, .x = x, .y = y, .sum = sum});
}

double
lac_spectra_get_share(const LacSpectra *spectra, gsize mode)
{
  const gsize x = mode % spectra->nxh;

  return (x == 0 || 2 * x == spectra->nx ? 1 : 2) / (double) spectra->n_points;
}
