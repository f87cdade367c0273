/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sequential sweep over the exposures, shared by the methods that update the object after each one. */
#pragma once

#include "experiment/imaging/methods/estimate.h"

G_BEGIN_DECLS

/* The pattern begins in the middle, where the light is: a good start; later, a fixed order would let one bad exposure
 * pull its successors along. */
typedef enum { LAC_TOUR_FIXED, LAC_TOUR_RANDOM, LAC_TOUR_THEN_RANDOM } LacTourOrder;

/* Help of the parameter rows. */
#define LAC_TOUR_HELP                                                                       \
  N_("Fixed: order of the pattern, from the centre outwards; random: new order each pass; " \
     "fixed, then random: from the second pass on")
#define LAC_TOUR_DECAY_HELP                                                                 \
  N_("Passes after which the step length is halved, to suppress noise (0: constant; -1: 5 " \
     "with noise, else constant)")

extern const char *const lac_tour_orders[], *const lac_tour_order_titles[];

typedef struct {
  LacImagingEstimate *h;     /* borrowed */
  gsize              *order; /* [n_positions], order of the current sweep */
  double complex
    *change;            /* [n_band]: spectrum update of a scan position; 0 between scan positions */
  double complex *step; /* [s*s]: scratch */
  double complex *
    before; /* (nullable): [n_band]: spectrum at the start of the sweep; NULL: the object is constrained */
} LacTour;

LacTour *lac_tour_new(LacImagingEstimate *estimate);
void     lac_tour_free(LacTour *tour);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacTour, lac_tour_free)

/* Begins sweep @step. Its order is fixed, or a permutation that depends only on seed and step. */
void lac_tour_begin(LacTour *tour, LacTourOrder order, gint64 step);

/* Ends a sweep: the object is complete. */
void lac_tour_end(LacTour *tour);

/* Returns the factor of the step lengths in sweep @step. @half_life: sweeps until it is a half; 0: constant; below 0:
 * automatic, by the noise. */
double lac_tour_get_decay(const LacTour *tour, double half_life, gint64 step);

/* Predicts the exposure at @position from the current object: its fields and amplitude in benches[0], the spectrum in
 * LacImagingEstimate.spectrum. */
void lac_tour_see(LacTour *tour, gsize position);

/* Adds @length times the update in tour->change to the spectrum of an unconstrained object; otherwise transforms it, adds
 * the result to the object and projects that onto the constraints. For a line, the update is divided by the largest
 * number of its apertures that overlap at one pixel. Clears the update. */
void lac_tour_follow(LacTour *tour, gsize position, double length);

G_END_DECLS
