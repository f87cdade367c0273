/* SPDX-License-Identifier: GPL-3.0-or-later */
/* FFTW plans, made once per process, and their wisdom. */
#pragma once

#include "base/pool.h"
#include "tensor/type.h"

#include <fftw3.h>

/* Plans of one transform; only those of its element type are set. */
typedef struct {
  fftw_plan  forward_f64, inverse_f64;
  fftwf_plan forward_f32, inverse_f32;
  int
    any_alignment; /* the plans accept any pointer; else only pointers with the allocator's alignment */
} LacFftPlans;

/* Returns: (nullable): the plans, made on first use; NULL when FFTW cannot plan the shape. Takes a lock. */
const LacFftPlans *lac_fft_plans_prepare(LacType type, size_t nx, size_t ny);

/* Plans by estimate, for any pointer and not cached: for one call, then lac_fft_plans_forget(). Both take a lock.
 * Returns: 0 when FFTW cannot plan the shape. */
int  lac_fft_plans_estimate(LacType type, size_t nx, size_t ny, LacFftPlans *plans);
void lac_fft_plans_forget(LacFftPlans *plans);

/* Returns: (nullable): the plans if prepared. Takes no lock. */
const LacFftPlans *lac_fft_plans_find(LacType type, size_t nx, size_t ny);

/* Planner callback for other kinds of transforms. Plans @shape with FFTW's @flags; returns 0 on failure. */
typedef int (*LacFftPlanFunc)(void *shape, unsigned flags);

/* Plans with the wisdom in use, or else with that of the cache directory, or else by measuring; the wisdom of a
 * measurement is saved to the cache. Call with the planner locked. */
int  lac_fft_plan(LacType type, LacFftPlanFunc plan, void *shape, unsigned effort);
void lac_fft_lock_planner(void);
/* @has_plans: nonzero when planning succeeded; counted for lac_fft_get_plan_counts(). */
void lac_fft_unlock_planner(int has_plans);

/* Complex transforms of n x n pixels by lines, so that lines known to be zero, or not wanted, are left out. */
typedef struct _LacWavePlan LacWavePlan;

/* Returns: (nullable) (transfer none): the plan, made on first use, which lives as long as the process; NULL when FFTW
 * cannot plan it. Takes a lock. */
const LacWavePlan *lac_wave_plan_prepare(LacType type, gsize n);
/* Returns: (nullable): the plan if prepared. Takes no lock. */
const LacWavePlan *lac_wave_plan_find(LacType type, gsize n);

/* Transform the rows @first ... @first + n_rows - 1, modulo n, and all columns, in place and unnormalised; @data: [n][n]
 * pairs, aligned as the backend's memory is. */
void lac_wave_plan_rows(const LacWavePlan *plan,
                        gboolean           inverse,
                        gpointer           data,
                        gsize              first,
                        gsize              n_rows);
void lac_wave_plan_columns(const LacWavePlan *plan, gboolean inverse, gpointer data);

/* Transforms whole images. @pool: (nullable): of a single large image, lines are shared among its threads; of several,
 * images. The same bits for any number of threads. */
void lac_wave_plan_run(const LacWavePlan *plan,
                       gboolean           inverse,
                       gpointer           data,
                       gsize              n_images,
                       LacPool           *pool);
