/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/tiers/prism-work.h"

void
lac_prism_forward(gpointer transform)
{
  const LacPrismTransform *t = transform;

  lac_fourier_forward(t->fourier, t->data);
}

void
lac_prism_inverse(gpointer transform)
{
  const LacPrismTransform *t = transform;

  lac_fourier_inverse(t->fourier, t->data);
}

void
lac_prism_round_trip(gpointer transform)
{
  const LacPrismTransform *t = transform;

  lac_prism_forward(transform);
  lac_prism_inverse(transform);
  for (gsize i = 0; i < t->n; i++)
    t->data[i] /= (double) t->n;
}

gboolean
lac_prism_model_init(LacPrismModel *model, gsize grid, guint n_threads, GError **error)
{
  const gsize n = grid / 2 * (grid / 2);

  *model = (LacPrismModel){
    .settings = {.grid = grid, .output = grid / 2, .bound = LAC_BOUND_SIGMOID, .type = LAC_F32}};
  if (!lac_decoder_check(&model->settings, error))
    return FALSE;
  model->pool = lac_pool_new(n_threads);
  model->picture = g_new0(double, n);
  model->bar = g_new0(double, n);
  return TRUE;
}

void
lac_prism_model_clear(LacPrismModel *model)
{
  lac_decoder_free(model->decoder);
  if (model->pool != NULL)
    lac_pool_free(model->pool);
  g_free(model->picture);
  g_free(model->bar);
}

void
lac_prism_construct(gpointer data)
{
  LacPrismModel *model = data;

  lac_decoder_free(model->decoder);
  model->decoder = lac_decoder_new(&model->settings, &(LacDecoderMeans){.pool = model->pool}, NULL);
  lac_decoder_init(model->decoder, 1);
}

void
lac_prism_look(gpointer data)
{
  const LacPrismModel *model = data;

  lac_decoder_forward(model->decoder, model->picture);
}

void
lac_prism_train(gpointer data)
{
  const LacPrismModel *model = data;
  const gsize          n = model->settings.output * model->settings.output;

  lac_prism_look(data);
  for (gsize i = 0; i < n; i++)
    model->bar[i] = (model->picture[i] - (double) (i & 1)) / (double) n;
  lac_decoder_reverse(model->decoder, model->bar);
  lac_decoder_step(model->decoder, 1e-3);
}
