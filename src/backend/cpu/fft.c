/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Batched 2-D real transforms with FFTW: one plan for one transform, run over the batch, so that callers may
 * split a batch over threads as they like and always get the same bits. */
#include "backend/cpu/cpu-private.h"
#include "backend/cpu/plans.h"

LacStatus
lac_cpu_fft_prepare(void *self, const LacFft *args)
{
  return lac_fft_plans_prepare(args->type, args->nx, args->ny) ? LAC_STATUS_OK
                                                               : LAC_STATUS_OUT_OF_MEMORY;
}

/* FFTW's plans hold for pointers of the alignment they were made for. */
static LacStatus
check(const LacFftPlans *plans, const LacFft *args)
{
  if (!plans)
    return LAC_STATUS_UNSUPPORTED;
  if (plans->any_alignment)
    return LAC_STATUS_OK;
  if (fftw_alignment_of(args->real) || fftw_alignment_of(args->spectrum))
    return LAC_STATUS_BAD_POINTER;
  return LAC_STATUS_OK;
}

static void
run_forward(const LacFftPlans *plans, const LacFft *args)
{
  const size_t n_real = args->ny * args->nx, n_spectrum = args->ny * (args->nx / 2 + 1);

  for (size_t b = 0; b < args->n_batch; b++)
    if (args->type == LAC_F32)
      fftwf_execute_dft_r2c(plans->forward_f32, (float *) args->real + b * n_real,
                            (fftwf_complex *) args->spectrum + b * n_spectrum);
    else
      fftw_execute_dft_r2c(plans->forward_f64, (double *) args->real + b * n_real,
                           (fftw_complex *) args->spectrum + b * n_spectrum);
}

static void
run_inverse(const LacCpu *cpu, const LacFftPlans *plans, const LacFft *args)
{
  const size_t       n_real = args->ny * args->nx, n_spectrum = args->ny * (args->nx / 2 + 1);
  const LacCpuLoops *loops = cpu->loops[args->type];

  for (size_t b = 0; b < args->n_batch; b++) {
    char *real = (char *) args->real + b * n_real * lac_type_size(args->type);

    if (args->type == LAC_F32)
      fftwf_execute_dft_c2r(plans->inverse_f32, (fftwf_complex *) args->spectrum + b * n_spectrum,
                            (float *) real);
    else
      fftw_execute_dft_c2r(plans->inverse_f64, (fftw_complex *) args->spectrum + b * n_spectrum,
                           (double *) real);
    loops->scale(real, 1.0 / (double) n_real, n_real);
  }
}

LacStatus
lac_cpu_fft_forward(void *self, const LacFft *args)
{
  const LacFftPlans *plans = lac_fft_plans_find(args->type, args->nx, args->ny);
  const LacStatus    status = check(plans, args);

  if (status == LAC_STATUS_OK)
    run_forward(plans, args);
  return status;
}

LacStatus
lac_cpu_fft_inverse(void *self, const LacFft *args)
{
  const LacFftPlans *plans = lac_fft_plans_find(args->type, args->nx, args->ny);
  const LacStatus    status = check(plans, args);

  if (status == LAC_STATUS_OK)
    run_inverse(self, plans, args);
  return status;
}

LacStatus
lac_cpu_fft_prepare_nothing(void *self, const LacFft *args)
{
  return LAC_STATUS_OK;
}

LacStatus
lac_cpu_fft_forward_planning(void *self, const LacFft *args)
{
  LacFftPlans plans = {0};

  if (!lac_fft_plans_estimate(args->type, args->nx, args->ny, &plans))
    return LAC_STATUS_OUT_OF_MEMORY;
  run_forward(&plans, args);
  lac_fft_plans_forget(&plans);
  return LAC_STATUS_OK;
}

LacStatus
lac_cpu_fft_inverse_planning(void *self, const LacFft *args)
{
  LacFftPlans plans = {0};

  if (!lac_fft_plans_estimate(args->type, args->nx, args->ny, &plans))
    return LAC_STATUS_OUT_OF_MEMORY;
  run_inverse(self, &plans, args);
  lac_fft_plans_forget(&plans);
  return LAC_STATUS_OK;
}
