/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Request for one frame of a run to be exported. */
#pragma once

#include "io/format/h5.h"
#include "io/runfile/run-file.h"

#include <stdio.h>

G_BEGIN_DECLS

typedef struct {
  const LacRunFile *run;
  const LacFrame   *frame;
  const gsize      *channels; /* [n_channels]: indices into the run's channels */
  gsize             n_channels;
} LacExport;

static inline const LacPlane *
lac_export_plane(const LacExport *what, gsize i)
{
  return &what->frame->planes[what->channels[i]];
}

static inline const LacRunChannel *
lac_export_channel(const LacExport *what, gsize i)
{
  return &what->run->channels[what->channels[i]];
}

/* Returns the centre of cell @i of @n. @low, @high: centres of the first and the last cell. */
static inline double
lac_export_centre(double low, double high, gsize n, gsize i)
{
  return n > 1 ? low + (high - low) * (double) i / (double) (n - 1) : low;
}

/* Returns TRUE when all planes have the same grid as the first. */
gboolean lac_export_is_one_grid(const LacExport *what);

/* Returns the index of the channel @key; -1 with %LAC_ERROR_UNKNOWN_KEY, which lists those there are. */
gssize lac_export_find_channel(const LacRunFile *run, const char *key, GError **error);

/* Write a coordinate: the centres of @n cells, the first and the last of which are at @range. */
gboolean lac_export_put_axis(hid_t        group,
                             const char  *name,
                             const char  *unit,
                             const double range[2],
                             gsize        n);

gboolean lac_export_h5(const LacExport *what, const char *path);

G_END_DECLS
