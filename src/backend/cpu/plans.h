/* SPDX-License-Identifier: GPL-3.0-or-later */
/* FFTW's plans, made once a process, and the wisdom behind them. */
#pragma once

#include "tensor/type.h"

#include <fftw3.h>

/* Plans of one transform, by element type: those of the type's own library are set. */
typedef struct {
  fftw_plan  forward_f64, inverse_f64;
  fftwf_plan forward_f32, inverse_f32;
  int any_alignment; /* the plans take any pointers; else only those aligned like the allocator's */
} LacFftPlans;

/* Returns: (nullable): the plans, made now if need be; NULL when FFTW cannot plan the shape. Takes a lock. */
const LacFftPlans *lac_fft_plans_prepare(LacType type, size_t nx, size_t ny);

/* Plans by estimate, for any pointers, kept nowhere: for one call, then lac_fft_plans_forget(). Both take a lock. Returns: 0 when FFTW
 * cannot plan the shape. */
int  lac_fft_plans_estimate(LacType type, size_t nx, size_t ny, LacFftPlans *plans);
void lac_fft_plans_forget(LacFftPlans *plans);

/* Returns: (nullable): the plans where they have been prepared. Takes no lock. */
const LacFftPlans *lac_fft_plans_find(LacType type, size_t nx, size_t ny);

/* For plans of other shapes. Makes those of @shape with FFTW's @flags; returns 0 when it cannot. */
typedef int (*LacFftPlanFunc)(void *shape, unsigned flags);

/* With the wisdom in use, else with that of the cache directory, else by measuring, which the cache then keeps. Called with the
 * planner locked. */
int  lac_fft_plan(LacType type, LacFftPlanFunc plan, void *shape, unsigned effort);
void lac_fft_lock_planner(void);
/* @has_plans: whether there are plans now; they are counted for lac_fft_get_plan_counts(). */
void lac_fft_unlock_planner(int has_plans);
