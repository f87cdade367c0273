/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Planes of one frame as plain HDF5: a data set [ny][nx] a channel, and its coordinates. A file with one channel reads
 * back as a field (io/input.h). */
#include "io/export-private.h"
#include "io/h5.h"

static gboolean
put_axis(hid_t group, const char *name, const char *unit, const LacPlane *plane, gboolean along_x)
{
  hsize_t            n = along_x ? plane->nx : plane->ny;
  double             low = along_x ? plane->x_min : plane->y_min;
  double             high = along_x ? plane->x_max : plane->y_max;
  g_autofree double *centres = g_new(double, n + 1);

  for (gsize i = 0; i < n; i++)
    centres[i] = lac_export_centre(low, high, n, i);
  hid_t set = lac_h5_write(group, name, H5T_NATIVE_DOUBLE, 1, &n, centres);
  if (set < 0)
    return FALSE;
  gboolean done = lac_h5_put_text(set, "unit", unit);
  return H5Dclose(set) >= 0 && done;
}

static gboolean
put_channel(hid_t group, const LacExport *what, gsize i)
{
  const LacRunChannel *channel = lac_export_channel(what, i);
  const LacPlane      *plane = lac_export_plane(what, i);
  hsize_t              sizes[2] = {plane->ny, plane->nx};
  hid_t set = lac_h5_write(group, channel->key, H5T_NATIVE_FLOAT, 2, sizes, plane->data);

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
    /* channels on grids of their own each get a group */
    hid_t group = shared ? file : lac_h5_group(file, channel->key);

    done = group >= 0 && put_channel(group, what, i);
    if (done && (!shared || i == 0))
      done = put_axis(group, channel->axis_x, channel->axis_unit_x, plane, TRUE) &&
             put_axis(group, channel->axis_y, channel->axis_unit_y, plane, FALSE);
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
