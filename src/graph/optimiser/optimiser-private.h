/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the optimisers share: one block of device memory, vectors in it, and the line search. */
#pragma once

#include "graph/optimiser/optimiser.h"

G_BEGIN_DECLS

/* One row per kind. */
typedef struct {
  LacOptimiserSettings defaults;
  /* Sets n_kept, n_scratch and n_numbers. */
  void (*lay_out)(LacOptimiser *optimiser);
  /* (optional) Fills the memory of a new optimiser. */
  void (*start)(LacOptimiser *optimiser);
  gboolean (*step)(LacOptimiser       *optimiser,
                   gpointer            theta,
                   LacOptimiserReport *report,
                   GError            **error);
  /* (optional): a step in two parts that looks at nothing: the numbers of this step to device memory; kernels that go from
   * the gradient, the first of the scratch, to theta by these numbers, the same ones each time. */
  void (*prepare)(LacOptimiser *optimiser);
  LacStatus (*advance)(gpointer optimiser);
  gsize n_device_numbers;
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
  guint8              *memory;         /* device: what is saved, then scratch */
  gsize                n_kept;         /* elements of memory that are saved */
  gsize                n_scratch;      /* elements after them */
  double              *numbers;        /* host; saved */
  double              *device_numbers; /* in device memory, of prepare(); NULL: never asked for */
  gsize                n_numbers;
  double              *work; /* host, the larger of n_numbers and n_work: scratch of a step */
  gsize                n_work;
  LacStatus            status; /* first trouble of a kernel since the step began */
  /* of the step that is going on */
  gpointer    theta; /* of advance() */
  LacEvaluate evaluate;
  gpointer    user_data;
  guint       n_evaluations;
};

/* The numbers every method keeps first. */
enum {
  LAC_NUMBER_LOSS,    /* at theta */
  LAC_NUMBER_FRESH,   /* 1: loss and gradient belong to theta and the objective as it is now */
  LAC_NUMBER_UPDATES, /* since the memory was reset */
  LAC_NUMBER_FAILURES,
  LAC_N_NUMBERS,
};

/* Element @offset of the memory. */
gpointer lac_vector(LacOptimiser *optimiser, gsize offset);

/* Kernels on vectors of length n; trouble is kept in optimiser->status. */
double lac_vector_dot(LacOptimiser *optimiser, gconstpointer x, gconstpointer y);
/* y = alpha x + beta y */
void
lac_vector_axpby(LacOptimiser *optimiser, double alpha, gconstpointer x, double beta, gpointer y);
void lac_vector_fill(LacOptimiser *optimiser, gpointer y, double value);
/* A vector of @n to and from the host; of lac_vector_read() the caller keeps the status. */
LacStatus lac_vector_read(const LacOptimiser *optimiser, gconstpointer x, double *values, gsize n);
void      lac_vector_download(LacOptimiser *optimiser, gconstpointer x, double *values, gsize n);
void      lac_vector_upload(LacOptimiser *optimiser, gpointer x, const double *values, gsize n);
/* The part of theta from @first on that has one rate. Returns: where it ends; @factor: (out): of the rate */
gsize lac_optimiser_rate_range(const LacOptimiser *optimiser, gsize first, double *factor);
/* Over the pool where there is one and the device may be called from several threads. */
void
lac_vector_over_pool(LacOptimiser *optimiser, gsize n_items, LacPoolFunc func, gpointer user_data);
gboolean lac_optimiser_evaluate(LacOptimiser *optimiser,
                                gconstpointer theta,
                                gpointer      gradient,
                                double       *loss,
                                GError      **error);

/* The strong Wolfe search along @direction. */
typedef struct {
  gconstpointer start, direction;
  gpointer      trial, gradient; /* theta and gradient at the step that is returned */
  double        loss, slope;     /* at the start */
  double        first;           /* length tried first */
  /* results */
  double   length; /* 0: no step lowers the loss */
  double   trial_loss;
  gboolean wolfe; /* both conditions hold; otherwise the loss is merely lower */
} LacLineSearch;

/* Returns: FALSE when the device failed. Source: Nocedal and Wright (2006), algorithms 3.5 and 3.6. */
gboolean lac_line_search(LacOptimiser *optimiser, LacLineSearch *search, GError **error);

G_END_DECLS
