/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Order and step lengths of sequential updates. */
#include "experiment/imaging/methods/tour.h"

#include "base/rng.h"
#include "experiment/imaging/methods/k-space.h"

#include <glib/gi18n-lib.h>

#include <math.h>

#define HALF_LIFE 5                             /* passes, with noise */
#define STREAM    ((guint64) 0x746f7572u << 32) /* random streams: one per sweep */

const char *const lac_tour_orders[] = {[LAC_TOUR_FIXED] = "fixed",
                                       [LAC_TOUR_RANDOM] = "random",
                                       [LAC_TOUR_THEN_RANDOM] = "then-random",
                                       NULL};
const char *const lac_tour_order_titles[] = {[LAC_TOUR_FIXED] = N_("Fixed"),
                                             [LAC_TOUR_RANDOM] = N_("Random"),
                                             [LAC_TOUR_THEN_RANDOM] = N_("Fixed, then random")};

/* Returns how many apertures of a line may overlap at one pixel: their summed updates would overshoot by this
 * factor. */
static double
count_overlap(const LacImagingEstimate *h, gsize position)
{
  const LacScanBox *line = &lac_optics_get_settings(h->optics)->scan[position];
  const double      length = hypot(line->end_y - line->y, line->end_x - line->x);
  const double      n = (double) h->n_along;

  if (h->n_along == 1)
    return 1;
  return fmin(n, floor(2 * h->problem.exposures->aperture.radius * (n - 1) / length) + 1);
}

LacTour *
lac_tour_new(LacImagingEstimate *h, double share, GError **error)
{
  g_autoptr(LacTour) tour = g_new0(LacTour, 1);

  tour->h = h;
  if (h->problem.common->leave_out_exposures && !(h->problem.common->position_error > 0))
    h->first_misfits = g_new0(double, h->n_positions);
  tour->order = g_new(gsize, h->n_positions);
  tour->shares = g_new(double, h->n_positions);
  tour->lengths = g_new(double, h->n_positions);
  for (gsize v = 0; v < h->n_positions; v++)
    tour->shares[v] = 1 / count_overlap(h, v);
  h->k_space =
    lac_k_space_new(h, &(LacKSpaceSettings){.kind = LAC_K_SPACE_SWEEPS, .share = share}, error);
  return h->k_space ? g_steal_pointer(&tour) : NULL;
}

void
lac_tour_free(LacTour *tour)
{
  if (!tour)
    return;
  g_free(tour->order);
  g_free(tour->shares);
  g_free(tour->lengths);
  g_free(tour);
}

void
lac_tour_begin(LacTour *tour, LacTourOrder order, gint64 step)
{
  LacImagingEstimate *h = tour->h;
  LacRng              rng = lac_rng(h->problem.context->seed, STREAM + (guint64) step);

  for (gsize i = 0; i < h->n_positions; i++)
    tour->order[i] = i;
  if (order == LAC_TOUR_RANDOM || (order == LAC_TOUR_THEN_RANDOM && step > 0))
    lac_rng_shuffle(&rng, tour->order, h->n_positions);
}

void
lac_tour_sweep(LacTour *tour, double length, double pupil_length, LacSpan *span)
{
  LacImagingEstimate *h = tour->h;

  for (gsize v = 0; v < h->n_positions; v++)
    tour->lengths[v] = length * tour->shares[v];
  lac_k_space_sweep(h->k_space, tour->order, tour->lengths, pupil_length);
  lac_k_space_count(h->k_space, span);
}

gboolean
lac_tour_is_sound(const LacTour *tour, GError **error)
{
  return lac_k_space_is_sound(tour->h->k_space, error);
}

double
lac_tour_get_decay(const LacTour *tour, double half_life, gint64 step)
{
  const double automatic = tour->h->is_noisy ? HALF_LIFE : 0;
  const double passes = half_life < 0 ? automatic : half_life;

  return passes > 0 ? 1 / (1 + (double) step / passes) : 1;
}
