/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared parts of the optimisers: one block of device memory, vectors in it, and the line search. */
#pragma once

#include "base/memory-part.h"
#include "graph/optimiser/optimiser.h"

G_BEGIN_DECLS

/* Implementation of one kind of optimiser. */
typedef struct {
  LacOptimiserSettings defaults;
  /* Sets n_kept, n_scratch, n_numbers and n_device_numbers. */
  void (*lay_out)(LacOptimiser *optimiser);
  /* (optional) Initialises the memory of a new optimiser. */
  void (*start)(LacOptimiser *optimiser);
  gboolean (*step)(LacOptimiser       *optimiser,
                   gpointer            theta,
                   LacOptimiserReport *report,
                   GError            **error);
  /* (optional) A step in two parts without readback. prepare() copies the values of this step to device memory.
   * advance() enqueues kernels, the same at each step, that use these values to update theta from the gradient, which
   * is the first vector of the scratch. */
  void (*prepare)(LacOptimiser *optimiser);
  LacStatus (*advance)(gpointer optimiser);
  /* (optional): computes @y = H @x with the approximate inverse Hessian. Returns: FALSE while it is the identity */
  gboolean (*precondition)(LacOptimiser *optimiser, const double *x, double *y);
} LacMethod;

extern const LacMethod lac_method_adam, lac_method_lbfgs, lac_method_ssbroyden, lac_method_bfgs,
  lac_method_ssbroyden1, lac_method_ssbfgs, lac_method_soap;

struct _LacOptimiser {
  const LacMethod     *method;
  LacOptimiserSettings settings;
  gsize                n;
  LacDevice            device;
  LacType              type;
  LacPool             *pool;
  LacMemoryClaim       claim;
  guint8              *memory;         /* device memory: saved state, then scratch */
  gsize                n_kept;         /* elements of saved state */
  gsize                n_scratch;      /* elements of scratch, after the saved state */
  double              *numbers;        /* host memory; part of the saved state */
  double              *device_numbers; /* device memory; NULL with n_device_numbers 0 */
  gsize                n_device_numbers, n_numbers;
  double
       *work; /* host memory, scratch of a step; its length is the larger of n_numbers and n_work */
  gsize n_work;
  double    yy;     /* L-BFGS: y.y of the last pair; 0: unknown, for the state was restored */
  LacStatus status; /* first failure of a kernel in the current step */
  /* arguments of the current step */
  gpointer    theta; /* argument of advance() */
  LacEvaluate evaluate;
  gpointer    user_data;
  guint       n_evaluations;
};

/* Leading entries of numbers, common to all methods. */
enum {
  LAC_NUMBER_LOSS, /* loss at theta */
  LAC_NUMBER_FRESH, /* 1: the stored loss and gradient are those of theta and the current objective */
  LAC_NUMBER_UPDATES, /* number of updates since the last reset */
  LAC_NUMBER_FAILURES,
  LAC_N_NUMBERS,
};

/* Returns the address of element @offset of the memory. */
gpointer lac_vector(LacOptimiser *optimiser, gsize offset);

/* Kernels on vectors of length n; failures are stored in optimiser->status. */
double lac_vector_dot(LacOptimiser *optimiser, gconstpointer x, gconstpointer y);
/* Adds x.y to @sum, a number on the device, without waiting for it. */
void lac_vector_add_dot(LacOptimiser *optimiser, gconstpointer x, gconstpointer y, double *sum);
/* Computes y = alpha x + beta y. */
void
lac_vector_axpby(LacOptimiser *optimiser, double alpha, gconstpointer x, double beta, gpointer y);
/* Computes y += alpha factor x, with @factor on the device. */
void lac_vector_add(LacOptimiser *optimiser,
                    double        alpha,
                    const double *factor,
                    gconstpointer x,
                    gpointer      y);
/* Set and read the first @n numbers on the device. */
void lac_vector_clear_numbers(LacOptimiser *optimiser, gsize n);
void lac_vector_read_numbers(LacOptimiser *optimiser, double *numbers, gsize n);
void lac_vector_fill(LacOptimiser *optimiser, gpointer y, double value);
/* Copy a vector of @n elements from the device or to it; the caller of lac_vector_read() handles the status. */
LacStatus lac_vector_read(const LacOptimiser *optimiser, gconstpointer x, double *values, gsize n);
void      lac_vector_download(LacOptimiser *optimiser, gconstpointer x, double *values, gsize n);
void      lac_vector_upload(LacOptimiser *optimiser, gpointer x, const double *values, gsize n);
/* Finds the range of theta that starts at @first and has a single rate. @factor: (out): factor of the rate. Returns:
 * the end of the range. */
gsize lac_optimiser_rate_range(const LacOptimiser *optimiser, gsize first, double *factor);
/* Calls @func for each item, on the pool if there is one and the device supports concurrent calls. */
void
lac_vector_over_pool(LacOptimiser *optimiser, gsize n_items, LacPoolFunc func, gpointer user_data);
gboolean lac_optimiser_evaluate(LacOptimiser *optimiser,
                                gconstpointer theta,
                                gpointer      gradient,
                                double       *loss,
                                GError      **error);

/* Strong Wolfe line search along @direction. */
typedef struct {
  gconstpointer start, direction;
  gpointer      trial, gradient; /* theta and gradient at the returned step */
  double        loss, slope;     /* loss and slope at the start */
  double        first;           /* initial trial length */
  /* results */
  double length; /* 0: no step lowers the loss */
  double trial_loss;
  gboolean
    wolfe; /* both conditions hold; FALSE: the loss is lower, but the conditions do not both hold */
} LacLineSearch;

/* Searches along the direction. Returns: FALSE when the device failed. Source: Nocedal and Wright (2006), algorithms
 * 3.5 and 3.6. */
gboolean lac_line_search(LacOptimiser *optimiser, LacLineSearch *search, GError **error);

G_END_DECLS
