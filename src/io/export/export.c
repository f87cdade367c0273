/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writing planes of a run for others: which frame, which channels, which format. */
#include "io/export/export.h"

#include "base/error.h"
#include "io/export/export-private.h"
#include "io/format/write-error.h"

#include <glib/gstdio.h>

#include <errno.h>
#include <string.h>
#include <unistd.h>

typedef struct {
  const char *suffix;
  void (*write)(const LacExport *what, FILE *out); /* NULL: HDF5, which opens its file itself */
  gboolean one_channel, one_grid, is_volume;
} Format;

static const Format formats[] = {
  {".h5", NULL, FALSE, FALSE},
  {".csv", lac_export_csv, FALSE, TRUE},
  {".npy", lac_export_npy, TRUE, FALSE},
  {".vti", lac_export_vti, FALSE, TRUE},
  {".cube", lac_export_cube, TRUE, FALSE, TRUE},
};

static const Format *
find_format(const char *path, GError **error)
{
  for (gsize i = 0; i < G_N_ELEMENTS(formats); i++) {
    if (g_str_has_suffix(path, formats[i].suffix))
      return &formats[i];
  }
  g_set_error(error, LAC_ERROR, LAC_ERROR_USAGE,
              "%s: the ending says the format, one of .h5 .csv .npy .vti .cube", path);
  return NULL;
}

static gssize
find_channel(const LacRunFile *run, const char *key, GError **error)
{
  gssize i = lac_run_file_find_channel(run, key);

  if (i >= 0)
    return i;
  g_autoptr(GString) known = g_string_new(NULL);
  for (gsize c = 0; c < run->n_channels; c++)
    g_string_append_printf(known, "%s%s", c > 0 ? ", " : "", run->channels[c].key);
  g_set_error(error, LAC_ERROR, LAC_ERROR_UNKNOWN_KEY, "channel = %s is not one of this run: %s",
              key, known->str);
  return -1;
}

static gsize
first_reconstruction(const LacRunFile *run)
{
  for (gsize c = 0; c < run->n_channels; c++) {
    if (run->channels[c].role == LAC_ROLE_RECONSTRUCTION)
      return c;
  }
  return 0;
}

/* Returns: -1 with an error where the run has no volume. */
static gssize
first_volume(const LacRunFile *run, GError **error)
{
  for (gsize c = 0; c < run->n_channels; c++)
    if (run->channels[c].layers.n > 0)
      return (gssize) c;
  g_set_error(error, LAC_ERROR, LAC_ERROR_USAGE,
              "%s keeps no volume: a cube is written of what a quantum run keeps in three "
              "dimensions; .h5 .csv .npy .vti take planes",
              run->path);
  return -1;
}

static gboolean
is_plane(const LacRunChannel *channel)
{
  return channel->layers.n == 0 && channel->chart.n == 0;
}

/* Fills @channels. Returns: how many there are; 0 with an error. */
static gsize
choose_channels(const LacRunFile *run,
                const Format     *format,
                const char       *key,
                gsize            *channels,
                GError          **error)
{
  gssize named = key != NULL           ? find_channel(run, key, error)
                 : format->is_volume   ? first_volume(run, error)
                 : format->one_channel ? (gssize) first_reconstruction(run)
                                       : 0;
  gsize  n = 0;

  if (named < 0)
    return 0;
  if (key != NULL && format->is_volume && run->channels[named].layers.n == 0) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_USAGE, "channel = %s is a plane; a cube takes a volume",
                key);
    return 0;
  }
  channels[0] = (gsize) named;
  if (key != NULL || format->one_channel)
    return 1;
  for (gsize c = 0; c < run->n_channels; c++)
    if (!format->one_grid || is_plane(&run->channels[c]))
      channels[n++] = c;
  return MAX(n, 1);
}

static LacFrame *
load_nearest(const LacRunFile *run, gint64 step, GError **error)
{
  gssize i = step < 0 ? (gssize) run->n_frames - 1 : lac_run_file_find_frame(run, step);

  if (i < 0 || run->n_channels == 0) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_USAGE,
                "%s keeps no frame to export: it ended before its first one", run->path);
    return NULL;
  }
  return lac_run_file_load_frame(run, (gsize) i, error);
}

/* What is divided by is there. */
static gboolean
has_layers(const LacExport *what)
{
  for (gsize i = 0; i < what->n_channels; i++) {
    gsize n = lac_export_channel(what, i)->layers.n;

    if (n > 0 && (lac_export_plane(what, i)->ny < n || lac_export_plane(what, i)->ny % n != 0))
      return FALSE;
  }
  return TRUE;
}

/* A stream to @path whose every failure is kept in errno. Returns: FALSE with errno set. */
static gboolean
write_stream(const Format *format, const LacExport *what, const char *path)
{
  FILE *out = fopen(path, "wbe");

  if (out == NULL)
    return FALSE;
  errno = 0;
  format->write(what, out);
  gboolean done = fflush(out) == 0 && !ferror(out) && fsync(fileno(out)) == 0;
  int      code = errno;
  fclose(out);
  errno = code != 0 ? code : EIO;
  return done;
}

static gboolean
write_file(const Format *format, const LacExport *what, const char *path, GError **error)
{
  g_autofree char *temporary = g_strconcat(path, ".tmp", NULL);
  gboolean         done;

  if (format->write != NULL) {
    done = write_stream(format, what, temporary);
  } else {
    g_autofree char *folder = g_path_get_dirname(path);
    done = g_access(folder, W_OK) == 0 && lac_export_h5(what, temporary);
    if (!done && errno == 0)
      errno = ENOSPC;
  }
  if (done && g_rename(temporary, path) == 0)
    return TRUE;
  int code = errno;
  g_unlink(temporary);
  return lac_write_error(error, code, path, 0);
}

gboolean
lac_export(const LacRunFile *run,
           const char       *channel,
           gint64            step,
           const char       *path,
           GError          **error)
{
  const Format       *format = find_format(path, error);
  g_autofree gsize   *channels = g_new(gsize, run->n_channels + 1);
  g_autoptr(LacFrame) frame = format != NULL ? load_nearest(run, step, error) : NULL;
  LacExport           what = {run, frame, channels, 0};

  if (frame == NULL)
    return FALSE;
  what.n_channels = choose_channels(run, format, channel, channels, error);
  if (what.n_channels == 0)
    return FALSE;
  if (!has_layers(&what)) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
                "%s: a volume of the frame does not consist of the layers that are promised",
                run->path);
    return FALSE;
  }
  if (format->one_grid && !lac_export_is_one_grid(&what)) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_USAGE,
                "%s: the channels lie on different grids; name one with --channel", path);
    return FALSE;
  }
  return write_file(format, &what, path, error);
}
