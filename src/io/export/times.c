/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writer of fields at several times: one chunk per time and channel. */
#include "io/export/times.h"

#include "base/error.h"
#include "io/export/export-private.h"
#include "io/format/write-error.h"

#include <glib/gstdio.h>

#include <errno.h>

struct _LacTimesExport {
  const LacRunFile *run;
  gssize            only; /* index of the only channel; -1: all */
  char             *path, *temporary;
  hid_t             file;
  hid_t            *sets;  /* [n_channels]; negative: not written */
  GArray           *times; /* double */
  gsize             n_times;
};

static gboolean
refuse(const LacTimesExport *self, GError **error)
{
  return lac_write_error(error, errno != 0 ? errno : ENOSPC, self->path, 0);
}

static gboolean
is_field(const LacRunChannel *channel)
{
  return channel->chart.n == 0 && channel->layers.n == 0;
}

LacTimesExport *
lac_times_export_new(const LacRunFile *run, const char *channel, const char *path, GError **error)
{
  const gssize              only = channel ? lac_export_find_channel(run, channel, error) : -1;
  g_autoptr(LacTimesExport) self = g_new0(LacTimesExport, 1);

  *self = (LacTimesExport){.run = run,
                           .only = only,
                           .path = g_strdup(path),
                           .temporary = g_strconcat(path, ".tmp", NULL),
                           .file = H5I_INVALID_HID,
                           .sets = g_new(hid_t, run->n_channels + 1),
                           .times = g_array_new(FALSE, FALSE, sizeof(double))};
  for (gsize c = 0; c <= run->n_channels; c++)
    self->sets[c] = H5I_INVALID_HID;
  if (channel && only < 0)
    return NULL;
  if (channel && !is_field(&run->channels[only])) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_USAGE,
                "channel = %s is a chart or a volume; choose a field, such as %s", channel,
                run->channels[0].key);
    return NULL;
  }
  lac_h5_lock();
  errno = 0;
  self->file = H5Fcreate(self->temporary, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  lac_h5_unlock();
  if (self->file < 0) {
    refuse(self, error);
    return NULL;
  }
  return g_steal_pointer(&self);
}

static hid_t
make_set(LacTimesExport *self, const LacRunChannel *channel, const LacPlane *plane)
{
  hid_t set = lac_h5_make_planes(self->file, channel->key, self->n_times, plane->ny, plane->nx);

  if (set >= 0) {
    lac_h5_put_text(set, "unit", channel->unit);
    lac_h5_put_text(set, "label", channel->label);
  }
  return set;
}

static gboolean
is_like(const LacPlane *plane, const LacPlane *first)
{
  return plane->nx == first->nx && plane->ny == first->ny && plane->x_min == first->x_min &&
         plane->x_max == first->x_max && plane->y_min == first->y_min &&
         plane->y_max == first->y_max;
}

/* Makes the data sets and coordinates: fields on the grid of the first, without charts and volumes. */
static gboolean
make_sets(LacTimesExport *self, const LacFrame *frame)
{
  const LacRunFile *run = self->run;
  const gsize       first = self->only >= 0 ? (gsize) self->only : 0;
  const LacPlane   *grid = &frame->planes[first];
  const double      x[2] = {grid->x_min, grid->x_max}, y[2] = {grid->y_min, grid->y_max};
  gboolean          done = lac_h5_put_text(self->file, "experiment", run->experiment);

  for (gsize c = 0; done && c < MIN(run->n_channels, frame->n_planes); c++) {
    if ((self->only >= 0 && c != first) || !is_field(&run->channels[c]) ||
        !is_like(&frame->planes[c], grid))
      continue;
    self->sets[c] = make_set(self, &run->channels[c], &frame->planes[c]);
    done = self->sets[c] >= 0;
  }
  return done &&
         lac_export_put_axis(self->file, run->channels[first].axis_x,
                             run->channels[first].axis_unit_x, x, grid->nx) &&
         lac_export_put_axis(self->file, run->channels[first].axis_y,
                             run->channels[first].axis_unit_y, y, grid->ny);
}

static gboolean
put_plane(hid_t set, gsize i, const LacPlane *plane)
{
  const hsize_t at[3] = {i, 0, 0}, size[3] = {1, plane->ny, plane->nx};
  hid_t         part = H5Dget_space(set), memory = H5Screate_simple(3, size, NULL);

  H5Sselect_hyperslab(part, H5S_SELECT_SET, at, NULL, size, NULL);
  const gboolean done =
    H5Dwrite(set, H5T_NATIVE_FLOAT, memory, part, H5P_DEFAULT, plane->data) >= 0;
  H5Sclose(memory);
  H5Sclose(part);
  return done;
}

gboolean
lac_times_export_add(LacTimesExport *self,
                     gsize           n_times,
                     double          time,
                     const LacFrame *frame,
                     GError        **error)
{
  gboolean done = TRUE;

  lac_h5_lock();
  errno = 0;
  if (self->times->len == 0) {
    self->n_times = n_times;
    done = make_sets(self, frame);
  }
  for (gsize c = 0; done && c < self->run->n_channels; c++)
    if (self->sets[c] >= 0)
      done = put_plane(self->sets[c], self->times->len, &frame->planes[c]);
  g_array_append_val(self->times, time);
  lac_h5_unlock();
  return done || refuse(self, error);
}

static gboolean
close_file(LacTimesExport *self)
{
  gboolean done = TRUE;

  for (gsize c = 0; c < self->run->n_channels; c++)
    if (self->sets[c] >= 0) {
      done &= H5Dclose(self->sets[c]) >= 0;
      self->sets[c] = H5I_INVALID_HID;
    }
  if (self->file >= 0)
    done &= H5Fclose(self->file) >= 0;
  self->file = H5I_INVALID_HID;
  return done;
}

gboolean
lac_times_export_finish(LacTimesExport *self, GError **error)
{
  lac_h5_lock();
  errno = 0;
  gboolean done =
    lac_h5_write_vector(self->file, "t", H5T_NATIVE_DOUBLE, self->times->len, self->times->data);
  done = close_file(self) && done;
  lac_h5_unlock();
  return (done && g_rename(self->temporary, self->path) == 0) || refuse(self, error);
}

void
lac_times_export_free(LacTimesExport *self)
{
  if (!self)
    return;
  lac_h5_lock();
  close_file(self);
  lac_h5_unlock();
  g_unlink(self->temporary); /* not there any more if it is complete */
  g_free(self->path);
  g_free(self->temporary);
  g_free(self->sets);
  g_array_unref(self->times);
  g_free(self);
}
