/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One exposure after the other: what the methods that go through them in a sequence share. */
#pragma once

#include "experiment/imaging/methods/estimate.h"

G_BEGIN_DECLS

typedef enum { LAC_TOUR_FIXED, LAC_TOUR_RANDOM } LacTourOrder;
extern const char *const lac_tour_orders[];

typedef struct {
  LacImagingEstimate *h;     /* borrowed */
  gsize              *order; /* [n_positions], of the sweep under way */
  double complex
    *change; /* [n_band]: what a scan position adds to the spectrum; 0 between scan positions */
  double complex *step; /* [s*s]: scratch */
} LacTour;

LacTour *lac_tour_new(LacImagingEstimate *estimate);
void     lac_tour_free(LacTour *tour);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacTour, lac_tour_free)

/* The order of sweep @step depends on the seed and on nothing before it. */
void lac_tour_begin(LacTour *tour, LacTourOrder order, gint64 step);

/* What the detector would see of the object as it is: into the first bench, and the spectrum where the scan position sees it. */
void lac_tour_see(LacTour *tour, gsize position);

/* The object goes @length of the change, and back to what is known of it. */
void lac_tour_follow(LacTour *tour, gsize position, double length);

G_END_DECLS
