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
  LacImagingEstimate *h;      /* borrowed; it has a k_space from here on */
  gsize              *order;  /* [n_positions], order of the current sweep */
  double             *shares; /* [n_positions], of the step length, see count_overlap() in tour.c */
  double             *lengths; /* [n_positions]: scratch */
} LacTour;

/* @share: as in LacKSpaceSettings. Returns: (nullable): NULL with an error when the device has too little memory. */
LacTour *lac_tour_new(LacImagingEstimate *estimate, double share, GError **error);
void     lac_tour_free(LacTour *tour);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacTour, lac_tour_free)

/* Begins sweep @step. Its order is fixed, or a permutation that depends only on seed and step. */
void lac_tour_begin(LacTour *tour, LacTourOrder order, gint64 step);

/* Performs the sweep, pupil included; @length, @pupil_length: fractions of the correction applied to object and pupil. For a
 * line, the correction of the object is divided by the largest number of its apertures that overlap at one pixel. The work is
 * added to @span. */
void lac_tour_sweep(LacTour *tour, double length, double pupil_length, LacSpan *span);

/* Returns TRUE unless a device failed in a sweep; else sets LAC_ERROR_DEVICE. */
gboolean lac_tour_is_sound(const LacTour *tour, GError **error);

/* Returns the factor of the step lengths in sweep @step. @half_life: sweeps until it is a half; 0: constant; below 0:
 * automatic, by the noise. */
double lac_tour_get_decay(const LacTour *tour, double half_life, gint64 step);

G_END_DECLS
