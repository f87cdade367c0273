/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Planes of one frame as plain HDF5: a data set [ny][nx], or [nz][ny][nx] for a volume, per channel, and its
 * coordinates. A file with one channel reads back as a field (io/input/input.h). */
#include "io/export/export-private.h"

#include <string.h>

gboolean
lac_export_is_one_grid(const LacExport *what)
{
  const LacPlane *first = lac_export_plane(what, 0);

  for (gsize i = 1; i < what->n_channels; i++) {
    const LacPlane *plane = lac_export_plane(what, i);
    double          there[] = {plane->x_min, plane->x_max, plane->y_min, plane->y_max};
    double          here[] = {first->x_min, first->x_max, first->y_min, first->y_max};

    if (plane->nx != first->nx || plane->ny != first->ny || memcmp(here, there, sizeof here) != 0 ||
        lac_export_channel(what, i)->layers.n != lac_export_channel(what, 0)->layers.n)
      return FALSE;
  }
  return TRUE;
}

gboolean
lac_export_put_axis(hid_t group, const char *name, const char *unit, const double range[2], gsize n)
{
  hsize_t            size = n;
  g_autofree double *centres = g_new(double, n + 1);

  for (gsize i = 0; i < n; i++)
    centres[i] = lac_export_centre(range[0], range[1], n, i);
  hid_t set = lac_h5_write(group, name, H5T_NATIVE_DOUBLE, 1, &size, centres);
  if (set < 0)
    return FALSE;
  gboolean done = lac_h5_put_text(set, "unit", unit);
  return H5Dclose(set) >= 0 && done;
}

static gboolean
put_axes(hid_t group, const LacRunChannel *channel, const LacPlane *plane)
{
  const LacLayers *layers = &channel->layers;
  gboolean         is_volume = layers->n > 0;
  gsize            rows = is_volume ? lac_layers_rows(layers, plane) : plane->ny;
  const double     along_x[2] = {plane->x_min, plane->x_max};
  const double     along_y[2] = {plane->y_min,
                             is_volume ? lac_layers_y_max(layers, plane) : plane->y_max};
  const double     along_z[2] = {layers->low, layers->high};

  return lac_export_put_axis(group, channel->axis_x, channel->axis_unit_x, along_x, plane->nx) &&
         lac_export_put_axis(group, channel->axis_y, channel->axis_unit_y, along_y, rows) &&
         (!is_volume || lac_export_put_axis(group, "z", channel->axis_unit_y, along_z, layers->n));
}

static gboolean
put_channel(hid_t group, const LacExport *what, gsize i)
{
  const LacRunChannel *channel = lac_export_channel(what, i);
  const LacPlane      *plane = lac_export_plane(what, i);
  gsize                n_layers = channel->layers.n;
  hsize_t              sizes[3] = {n_layers, plane->ny / MAX(n_layers, 1), plane->nx};
  hid_t                set = n_layers > 0
                               ? lac_h5_write(group, channel->key, H5T_NATIVE_FLOAT, 3, sizes, plane->data)
                               : lac_h5_write(group, channel->key, H5T_NATIVE_FLOAT, 2, sizes + 1, plane->data);

  if (set < 0)
    return FALSE;
  gboolean done =
    lac_h5_put_text(set, "unit", channel->unit) && lac_h5_put_text(set, "label", channel->label);
  return H5Dclose(set) >= 0 && done;
}

static gboolean
put_all(hid_t file, const LacExport *what)
{
  gboolean shared = lac_export_is_one_grid(what);
  gboolean done = lac_h5_put_text(file, "experiment", what->run->experiment) &&
                  lac_h5_put_integer(file, "step", what->frame->step) &&
                  lac_h5_put_real(file, "seconds", what->frame->seconds);

  for (gsize i = 0; done && i < what->n_channels; i++) {
    const LacRunChannel *channel = lac_export_channel(what, i);
    const LacPlane      *plane = lac_export_plane(what, i);
    /* channels on different grids get a group each */
    hid_t group = shared ? file : lac_h5_group(file, channel->key);

    done = group >= 0 && put_channel(group, what, i);
    if (done && (!shared || i == 0))
      done = put_axes(group, channel, plane);
    if (!shared && group >= 0)
      H5Gclose(group);
  }
  return done;
}

gboolean
lac_export_h5(const LacExport *what, const char *path)
{
  lac_h5_lock();
  hid_t    file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  gboolean done = file >= 0 && put_all(file, what);
  if (file >= 0)
    done &= H5Fclose(file) >= 0;
  lac_h5_unlock();
  return done;
}
