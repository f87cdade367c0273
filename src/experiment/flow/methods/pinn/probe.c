/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Evaluation of residuals or fields at any number of points, in batches of fixed size. */
#include "experiment/flow/methods/pinn/loss.h"

#include <string.h>

LacPinnProbe *
lac_pinn_probe_new(const LacPinnModel *model,
                   gboolean            residuals,
                   gsize               n_points,
                   const LacContext   *context,
                   GError            **error)
{
  g_autoptr(LacPinnProbe) probe = g_new0(LacPinnProbe, 1);
  const LacPde           *pde = model->subject->pde;
  const LacProgramOptions options = {
    .device = context->device,
    .type = g_str_equal(context->precision, "f32") ? LAC_F32 : LAC_F64,
    .pool = context->pool,
    .perf = context->perf,
    .lane = context->lane,
    .without = context->without & ~(guint) LAC_WITHOUT_REPLAY,
  };

  probe->model = *model;
  probe->graph = lac_graph_new();
  lac_graph_set_plain_layers(probe->graph, context->without & LAC_WITHOUT_FUSION);
  probe->theta = lac_pinn_model_declare(&probe->model, probe->graph);
  probe->set = lac_pinn_set_new(&probe->model, probe->graph, 0, n_points);
  if (residuals)
    lac_pinn_build_residuals(&probe->set, &probe->theta, probe->outputs);
  else
    lac_pinn_build_fields(&probe->set, &probe->theta, NULL, probe->outputs);
  probe->n_outputs = residuals ? pde->n_residuals : pde->n_fields;
  probe->x = g_new0(double, n_points * pde->n_axes);
  probe->scratch = g_new0(double, n_points * pde->n_axes);
  probe->values = g_new0(double, n_points);
  probe->program =
    lac_program_new(probe->graph, LAC_NO_NODE, probe->outputs, probe->n_outputs, &options, error);
  return probe->program ? g_steal_pointer(&probe) : NULL;
}

void
lac_pinn_probe_open(LacPinnProbe *probe, double n_open)
{
  for (guint i = 0; i < probe->theta.n_masks; i++)
    lac_network_feed_mask(&probe->model.network, probe->program, probe->theta.masks[i], n_open);
}

void
lac_pinn_probe_free(LacPinnProbe *probe)
{
  if (!probe)
    return;
  lac_program_free(probe->program);
  lac_graph_free(probe->graph);
  g_free(probe->x);
  g_free(probe->scratch);
  g_free(probe->values);
  g_free(probe);
}

/* Evaluates a batch whose first @count points are those at @x. */
static gboolean
run_round(LacPinnProbe *probe,
          gconstpointer theta,
          const double *x,
          gsize         count,
          gint64        step,
          GError      **error)
{
  const guint n_axes = probe->model.subject->pde->n_axes;

  /* the last batch is padded with one of its points, whose results are ignored */
  for (gsize i = 0; i < probe->set.n; i++)
    memcpy(probe->x + i * n_axes, x + MIN(i, count - 1) * n_axes, n_axes * sizeof(double));
  lac_pinn_set_feed(&probe->set, probe->program, probe->x, probe->scratch);
  return lac_program_run(probe->program, theta, step, NULL, error);
}

gboolean
lac_pinn_probe_run(LacPinnProbe *probe,
                   gconstpointer theta,
                   const double *x,
                   gsize         n,
                   gint64        step,
                   double       *values,
                   GError      **error)
{
  const guint n_axes = probe->model.subject->pde->n_axes;

  for (gsize first = 0; first < n; first += probe->set.n) {
    const gsize count = MIN(probe->set.n, n - first);

    if (!run_round(probe, theta, x + first * n_axes, count, step, error))
      return FALSE;
    for (guint i = 0; i < probe->n_outputs; i++) {
      lac_program_read(probe->program, probe->outputs[i], probe->values);
      memcpy(values + i * n + first, probe->values, count * sizeof(double));
    }
  }
  return TRUE;
}

gboolean
lac_pinn_probe_put(LacPinnProbe      *probe,
                   gconstpointer      theta,
                   const double      *x,
                   gsize              n,
                   gint64             step,
                   const LacPinnDrop *drop,
                   GError           **error)
{
  const guint n_axes = probe->model.subject->pde->n_axes;
  const gsize size = lac_type_size(lac_program_get_type(probe->program));

  for (gsize first = 0; first < n; first += probe->set.n) {
    const gsize count = MIN(probe->set.n, n - first);

    if (!run_round(probe, theta, x + first * n_axes, count, step, error))
      return FALSE;
    for (guint i = 0; i < probe->n_outputs; i++)
      lac_program_put(probe->program, probe->outputs[i], count, drop->readback,
                      (drop->at + i * n + first) * size);
  }
  return TRUE;
}
