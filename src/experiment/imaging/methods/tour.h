/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sequential sweep over the exposures, shared by the methods that update the object after each one. */
#pragma once

#include "experiment/imaging/methods/estimate.h"

G_BEGIN_DECLS

typedef enum { LAC_TOUR_FIXED, LAC_TOUR_RANDOM } LacTourOrder;
extern const char *const lac_tour_orders[], *const lac_tour_order_titles[];

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

/* Sets the order of sweep @step: fixed, or a permutation that depends only on seed and step. */
void lac_tour_begin(LacTour *tour, LacTourOrder order, gint64 step);

/* Predicts the exposure at @position from the current object: its fields and amplitude in benches[0], the spectrum in
 * LacImagingEstimate.spectrum. */
void lac_tour_see(LacTour *tour, gsize position);

/* Transforms the update in tour->change and adds @length times the result to the object; for a line, the result is
 * divided by the largest number of its apertures that overlap at one pixel. Then clears the update and projects the
 * object onto the constraints. */
void lac_tour_follow(LacTour *tour, gsize position, double length);

G_END_DECLS
