/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run from disk with additional channels. */
#include "report/figure/derived-run.h"

#include "field/derived-planes.h"

struct _LacDerivedRun {
  const LacRunFile *own;
  LacRunFile        whole; /* borrows all members but its channels */
  LacDerivedPlanes *planes;
};

/* Its texts are owned by the planes. */
static LacRunChannel
make_channel(const LacChannel *channel)
{
  return (LacRunChannel){
    .key = (char *) channel->key,
    .label = (char *) channel->label,
    .unit = (char *) channel->unit,
    .quantity = (char *) channel->quantity,
    .colour_map = (char *) channel->colour_map,
    .axis_x = (char *) channel->axis_x,
    .axis_y = (char *) channel->axis_y,
    .axis_unit_x = (char *) channel->axis_unit_x,
    .axis_unit_y = (char *) channel->axis_unit_y,
    .role = channel->role,
    .periodic = channel->periodic,
    .without_markers = channel->without_markers,
  };
}

LacDerivedRun *
lac_derived_run_new(LacRunFile *run)
{
  g_return_val_if_fail(run != NULL, NULL);
  LacDerivedRun         *derived = g_new0(LacDerivedRun, 1);
  g_autofree LacChannel *own = g_new(LacChannel, run->n_channels + 1);
  gsize                  n;

  for (gsize i = 0; i < run->n_channels; i++)
    own[i] = lac_run_file_get_channel(run, i);
  derived->own = run;
  derived->planes = lac_derived_planes_new(own, run->n_channels);
  const LacChannel *channels = lac_derived_planes_get_channels(derived->planes, &n);
  derived->whole = *run;
  derived->whole.channels = g_new(LacRunChannel, n + 1);
  derived->whole.n_channels = n;
  for (gsize i = 0; i < n; i++)
    derived->whole.channels[i] =
      i < run->n_channels ? run->channels[i] : make_channel(&channels[i]);
  return derived;
}

void
lac_derived_run_free(LacDerivedRun *derived)
{
  if (derived == NULL)
    return;
  lac_derived_planes_free(derived->planes);
  g_free(derived->whole.channels);
  g_free(derived);
}

LacRunFile *
lac_derived_run_get(LacDerivedRun *derived)
{
  return &derived->whole;
}

LacFrame *
lac_derived_run_load_frame(const LacDerivedRun *derived, gsize i, gsize channel, GError **error)
{
  g_return_val_if_fail(channel < derived->whole.n_channels, NULL);
  const char         *quantity = derived->whole.channels[channel].quantity;
  g_autoptr(LacFrame) frame = lac_run_file_load_frame(derived->own, i, error);

  if (frame == NULL)
    return NULL;
  return lac_derived_planes_extend(derived->planes, frame, quantity != NULL ? quantity : "");
}
