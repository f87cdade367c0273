/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Complex transforms with FFTW: the plans of a shape are made once per process and never freed. */
#include "backend/fourier.h"

#include "backend/cpu/plans.h"

#include <limits.h>

struct _LacFourier {
  gsize       nx, ny;
  gboolean    is_plain; /* without cached plans */
  fftw_plan   forward, inverse;
  LacFourier *next;
};

static LacFourier *prepared; /* newest first */

static LacFourier *
find(gsize ny, gsize nx, gboolean is_plain)
{
  for (LacFourier *f = g_atomic_pointer_get(&prepared); f; f = f->next)
    if (f->ny == ny && f->nx == nx && f->is_plain == is_plain)
      return f;
  return NULL;
}

/* Argument of the planner: the transform, and an array that planning overwrites. */
typedef struct {
  LacFourier   *fourier;
  fftw_complex *scratch;
} Shape;

static void
destroy_plans(LacFourier *f)
{
  fftw_destroy_plan(f->forward);
  fftw_destroy_plan(f->inverse);
  f->forward = f->inverse = NULL;
}

static fftw_plan
plan_one(const Shape *shape, int sign, unsigned flags)
{
  const LacFourier *f = shape->fourier;
  fftw_complex     *x = shape->scratch;

  if (f->ny == 1)
    return fftw_plan_dft_1d((int) f->nx, x, x, sign, flags);
  return fftw_plan_dft_2d((int) f->ny, (int) f->nx, x, x, sign, flags);
}

static int
plan_shape(void *data, unsigned flags)
{
  const Shape *shape = data;
  LacFourier  *f = shape->fourier;

  destroy_plans(f);
  f->forward = plan_one(shape, FFTW_FORWARD, flags);
  f->inverse = plan_one(shape, FFTW_BACKWARD, flags);
  return f->forward && f->inverse;
}

static LacFourier *
new_fourier(gsize ny, gsize nx)
{
  LacFourier    *f = g_new0(LacFourier, 1);
  const unsigned effort = ny * nx <= 64 * 64 ? FFTW_PATIENT : FFTW_MEASURE;
  Shape          shape = {f, fftw_alloc_complex(ny * nx)};
  gboolean       planned;

  *f = (LacFourier){.nx = nx, .ny = ny, .next = prepared};
  planned = shape.scratch && lac_fft_plan(LAC_F64, plan_shape, &shape, effort);
  fftw_free(shape.scratch);
  if (planned)
    return f;
  destroy_plans(f);
  g_free(f);
  return NULL;
}

const LacFourier *
lac_fourier_prepare(gsize ny, gsize nx)
{
  LacFourier *fourier;

  g_return_val_if_fail(nx >= 1 && ny >= 1 && nx <= INT_MAX && ny <= INT_MAX, NULL);
  lac_fft_lock_planner();
  fourier = find(ny, nx, FALSE);
  if (!fourier) {
    fourier = new_fourier(ny, nx);
    if (fourier)
      g_atomic_pointer_set(&prepared, fourier);
  }
  lac_fft_unlock_planner(fourier != NULL);
  return fourier;
}

const LacFourier *
lac_fourier_prepare_plain(gsize ny, gsize nx)
{
  LacFourier *fourier;

  g_return_val_if_fail(nx >= 1 && ny >= 1 && nx <= INT_MAX && ny <= INT_MAX, NULL);
  lac_fft_lock_planner();
  fourier = find(ny, nx, TRUE);
  if (!fourier) {
    fourier = g_new0(LacFourier, 1);
    *fourier = (LacFourier){.nx = nx, .ny = ny, .is_plain = TRUE, .next = prepared};
    g_atomic_pointer_set(&prepared, fourier);
  }
  lac_fft_unlock_planner(FALSE);
  return fourier;
}

/* Planning by estimate does not write to the data. */
static void
run_plain(const LacFourier *fourier, int sign, double complex *data)
{
  LacFourier  once = *fourier;
  const Shape shape = {&once, data};
  fftw_plan   plan;

  lac_fft_lock_planner();
  plan = plan_one(&shape, sign, FFTW_ESTIMATE);
  lac_fft_unlock_planner(FALSE);
  g_assert(plan);
  fftw_execute(plan);
  lac_fft_lock_planner();
  fftw_destroy_plan(plan);
  lac_fft_unlock_planner(FALSE);
}

static void
run(const LacFourier *fourier, int sign, double complex *data)
{
  if (fourier->is_plain)
    run_plain(fourier, sign, data);
  else
    fftw_execute_dft(sign == FFTW_FORWARD ? fourier->forward : fourier->inverse, data, data);
}

void
lac_fourier_forward(const LacFourier *fourier, double complex *data)
{
  g_return_if_fail(fourier && fftw_alignment_of((double *) data) == 0);
  run(fourier, FFTW_FORWARD, data);
}

void
lac_fourier_inverse(const LacFourier *fourier, double complex *data)
{
  g_return_if_fail(fourier && fftw_alignment_of((double *) data) == 0);
  run(fourier, FFTW_BACKWARD, data);
}
