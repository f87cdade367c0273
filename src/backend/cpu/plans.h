/* SPDX-License-Identifier: GPL-3.0-or-later */
/* FFTW plans, made once per process, and their wisdom. */
#pragma once

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
