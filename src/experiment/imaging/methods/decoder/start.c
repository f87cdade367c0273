/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A picture that the network learns before it sees any exposure; it is compared with itself, not through the optics. */
#include "experiment/imaging/methods/decoder/fit.h"
#include "experiment/imaging/optics/exposures.h"

#include <math.h>
#include <string.h>

static void
draw_circle(gsize side, double *image)
{
  const double middle = ((double) side - 1) / 2, radius = (double) side / 2;

  for (gsize y = 0; y < side; y++)
    for (gsize x = 0; x < side; x++)
      image[y * side + x] = hypot((double) y - middle, (double) x - middle) <= radius;
}

/* The unknown factor of a mean does not matter: the picture is stretched. */
static void
add_views(const LacExposures *exposures, gsize n_visits, double *image)
{
  const gsize        n = exposures->support * exposures->support;
  g_autofree double *view = g_new(double, n);

  for (gsize visit = 0; visit < n_visits; visit++) {
    lac_exposures_view(exposures, visit, view);
    for (gsize i = 0; i < n; i++)
      image[i] += view[i];
  }
}

static void
stretch(gsize n, double *image)
{
  double low = INFINITY, high = -INFINITY;

  for (gsize i = 0; i < n; i++) {
    low = fmin(low, image[i]);
    high = fmax(high, image[i]);
  }
  for (gsize i = 0; i < n; i++)
    image[i] = high > low ? (image[i] - low) / (high - low) : 1;
}

void
lac_decoder_fit_aim(LacDecoderFit *fit, LacDecoderStart start)
{
  const LacExposures *exposures = fit->h->problem.exposures;
  const gsize         n = fit->h->s * fit->h->s;

  g_clear_pointer(&fit->target, g_free);
  if (start == LAC_START_NONE)
    return;
  fit->target = g_new0(double, n);
  if (start == LAC_START_CIRCLE)
    draw_circle(fit->h->s, fit->target);
  else
    add_views(exposures, start == LAC_START_FIRST ? 1 : exposures->n_visits, fit->target);
  stretch(n, fit->target);
}

double
lac_decoder_fit_compare_start(LacDecoderFit *fit)
{
  const LacAmplitudeLoss loss = {
    .kind = LAC_LOSS_L1,
    .normalised = TRUE,
    .n = fit->h->s * fit->h->s,
    .predicted = fit->picture,
    .measured = fit->target,
  };

  fit->n_terms = 0;
  return lac_amplitude_loss(&loss, 1, fit->picture_bar);
}

void
lac_decoder_fit_learn_start(LacDecoderFit *fit, double rate)
{
  lac_decoder_reverse(fit->network, fit->picture_bar);
  lac_decoder_step(fit->network, rate);
}
