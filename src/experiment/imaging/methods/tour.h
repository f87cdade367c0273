/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sequential sweep over the exposures, shared by the methods that update the object after each one. */
#pragma once

#include "experiment/imaging/methods/estimate.h"

G_BEGIN_DECLS

typedef enum { LAC_TOUR_FIXED, LAC_TOUR_RANDOM } LacTourOrder;
extern const char *const lac_tour_orders[];

typedef struct {
  LacImagingEstimate *h;     /* borrowed */
  gsize              *order; /* [n_positions], order of the current sweep */
  double complex
    *change;            /* [n_band]: spectrum update of a scan position; 0 between scan positions */
  double complex *step; /* [s*s]: scratch */
} LacTour;

LacTour *lac_tour_new(LacImagingEstimate *estimate);
void     lac_tour_free(LacTour *tour);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacTour, lac_tour_free)

/* Draws the order of sweep @step, which depends on the seed alone. */
void lac_tour_begin(LacTour *tour, LacTourOrder order, gint64 step);

/* Predicts the exposure of the current object: into the first bench, and the spectrum at this scan position. */
void lac_tour_see(LacTour *tour, gsize position);

/* Moves the object by @length times the update, then projects it onto the prior knowledge. */
void lac_tour_follow(LacTour *tour, gsize position, double length);

G_END_DECLS
