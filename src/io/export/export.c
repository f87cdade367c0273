/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Export of planes of a run: choice of frame, channels and format; CSV, NPY, VTI and Gaussian cubes. HDF5 is in
 * h5.c. */
#include "io/export/export.h"

#include "base/error.h"
#include "io/export/export-private.h"
#include "io/format/write-error.h"

#include <glib/gstdio.h>

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* Writers leave stream errors to the caller, who checks ferror(). Numbers have a decimal point in every locale. */
static void
put_number(FILE *out, double value, const char *format)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  fputs(g_ascii_formatd(text, sizeof text, format, value), out);
}

/* Returns the distance between the centres of adjacent cells. */
static double
get_step(double low, double high, gsize n)
{
  return n > 1 ? (high - low) / (double) (n - 1) : 1;
}

/* ---- Gaussian cube ---- */

/* Gaussian cube: nuclei and a volume for molecule viewers. Bohr; the last axis runs fastest, six numbers a line.
 * Source: Gaussian 16 user's reference, cubegen. */

/* Writes a count or a charge, then three lengths. */
static void
put_row(FILE *out, gsize count, const double place[3])
{
  fprintf(out, "%5" G_GSIZE_FORMAT, count);
  for (guint k = 0; k < 3; k++)
    put_number(out, place[k], "%12.6f");
}

static void
put_head(const LacExport *what, FILE *out)
{
  const LacRunChannel *channel = lac_export_channel(what, 0);
  const LacPlane      *plane = lac_export_plane(what, 0);
  const LacLayers     *layers = &channel->layers;
  const LacMolecule   *molecule = what->run->molecule;
  gsize                rows = lac_layers_rows(layers, plane);
  const double         origin[3] = {plane->x_min, plane->y_min, layers->low};
  const gsize          n[3] = {plane->nx, rows, layers->n};
  const double         steps[3] = {
            get_step(plane->x_min, plane->x_max, plane->nx),
            get_step(plane->y_min, lac_layers_y_max(layers, plane), rows),
            get_step(layers->low, layers->high, layers->n),
  };

  fprintf(out, "%s, step %" G_GINT64_FORMAT "\n%s [%s]\n", what->run->experiment, what->frame->step,
          channel->label, channel->unit);
  put_row(out, molecule != NULL ? molecule->n_nuclei : 0, origin);
  fputc('\n', out);
  for (guint axis = 0; axis < 3; axis++) {
    double step[3] = {0, 0, 0};

    step[axis] = steps[axis];
    put_row(out, n[axis], step);
    fputc('\n', out);
  }
  for (guint a = 0; molecule != NULL && a < molecule->n_nuclei; a++) {
    const LacNucleus *nucleus = &molecule->nuclei[a];

    fprintf(out, "%5u", nucleus->charge);
    put_number(out, nucleus->charge, "%12.6f");
    for (guint k = 0; k < 3; k++)
      put_number(out, nucleus->position[k], "%12.6f");
    fputc('\n', out);
  }
}

/* Writes the first channel, a volume. */
static void
export_cube(const LacExport *what, FILE *out)
{
  const LacPlane *plane = lac_export_plane(what, 0);
  gsize           n_layers = lac_export_channel(what, 0)->layers.n;
  gsize           rows = plane->ny / n_layers;

  put_head(what, out);
  for (gsize x = 0; x < plane->nx; x++)
    for (gsize y = 0; y < rows; y++)
      for (gsize z = 0; z < n_layers; z++) {
        put_number(out, (double) plane->data[(z * rows + y) * plane->nx + x], "%13.5E");
        if (z % 6 == 5 || z + 1 == n_layers)
          fputc('\n', out);
      }
}

/* ---- VTI ---- */

/* VTK ImageData for ParaView: float32 arrays, raw, appended after the XML. Source: VTK file formats, "XML file
 * formats", appended data with header_type UInt64. */

static void
put_grid(const LacPlane *grid, const LacLayers *layers, FILE *out)
{
  gboolean         is_volume = layers->n > 0;
  gsize            rows = is_volume ? lac_layers_rows(layers, grid) : grid->ny;
  double           y_max = is_volume ? lac_layers_y_max(layers, grid) : grid->y_max;
  g_autofree char *extent =
    g_strdup_printf("0 %" G_GSIZE_FORMAT " 0 %" G_GSIZE_FORMAT " 0 %" G_GSIZE_FORMAT, grid->nx - 1,
                    rows - 1, is_volume ? layers->n - 1 : 0);

  fprintf(out, "  <ImageData WholeExtent=\"%s\" Origin=\"", extent);
  put_number(out, grid->x_min, "%.17g");
  fputc(' ', out);
  put_number(out, grid->y_min, "%.17g");
  fputc(' ', out);
  put_number(out, is_volume ? layers->low : 0, "%.17g");
  fputs("\" Spacing=\"", out);
  put_number(out, get_step(grid->x_min, grid->x_max, grid->nx), "%.17g");
  fputc(' ', out);
  put_number(out, get_step(grid->y_min, y_max, rows), "%.17g");
  fputc(' ', out);
  put_number(out, is_volume ? get_step(layers->low, layers->high, layers->n) : 1, "%.17g");
  fprintf(out, "\">\n    <Piece Extent=\"%s\">\n", extent);
}

static void
export_vti(const LacExport *what, FILE *out)
{
  const LacPlane *grid = lac_export_plane(what, 0);
  guint64         n_bytes = grid->nx * grid->ny * sizeof(float);

  fputs("<?xml version=\"1.0\"?>\n"
        "<VTKFile type=\"ImageData\" version=\"1.0\" byte_order=\"LittleEndian\" "
        "header_type=\"UInt64\">\n",
        out);
  put_grid(grid, &lac_export_channel(what, 0)->layers, out);
  fputs("      <PointData>\n", out);
  for (gsize c = 0; c < what->n_channels; c++) {
    const LacRunChannel *channel = lac_export_channel(what, c);
    g_autofree char     *name = g_markup_printf_escaped("%s [%s]", channel->key, channel->unit);

    fprintf(out,
            "        <DataArray type=\"Float32\" Name=\"%s\" format=\"appended\" "
            "offset=\"%" G_GUINT64_FORMAT "\"/>\n",
            name, c * (n_bytes + sizeof n_bytes));
  }
  fputs("      </PointData>\n    </Piece>\n  </ImageData>\n  <AppendedData encoding=\"raw\">\n_",
        out);
  for (gsize c = 0; c < what->n_channels; c++) {
    fwrite(&n_bytes, sizeof n_bytes, 1, out);
    fwrite(lac_export_plane(what, c)->data, 1, n_bytes, out);
  }
  fputs("\n  </AppendedData>\n</VTKFile>\n", out);
}

/* ---- CSV and NPY ---- */

/* Writes the third coordinate of a volume. */
static void
put_layer(const LacExport *what, FILE *out, gsize row)
{
  const LacLayers *layers = &lac_export_channel(what, 0)->layers;
  gsize            rows = lac_layers_rows(layers, lac_export_plane(what, 0));

  put_number(out, lac_export_centre(layers->low, layers->high, layers->n, row / rows), "%.17g");
  fputc(',', out);
}

/* Columns: position on the axis, then one curve each, then their standard errors. */
static void
put_curves(const LacExport *what, FILE *out)
{
  const LacPlane      *plane = lac_export_plane(what, 0);
  const LacRunChannel *channel = lac_export_channel(what, 0);
  const LacChart      *chart = &channel->chart;
  const gsize          n_rows = MIN(lac_chart_rows(chart), plane->ny);

  fprintf(out, "%s [%s]", channel->axis_x, channel->axis_unit_x);
  for (gsize j = 0; j < n_rows; j++)
    fprintf(out, ",\"%s%s\" [%s]",
            j < chart->n ? "" : "standard error: ", chart->labels[j % chart->n], channel->unit);
  fputs("\n", out);
  for (gsize i = 0; i < plane->nx; i++) {
    put_number(out, lac_export_centre(plane->x_min, plane->x_max, plane->nx, i), "%.17g");
    for (gsize j = 0; j < n_rows; j++) {
      fputc(',', out);
      put_number(out, (double) plane->data[j * plane->nx + i], "%.9g");
    }
    fputc('\n', out);
  }
}

/* Columns: coordinates, then one channel each; the first line has names with units. */
static void
export_csv(const LacExport *what, FILE *out)
{
  const LacPlane      *grid = lac_export_plane(what, 0);
  const LacRunChannel *first = lac_export_channel(what, 0);

  if (first->chart.n > 0) {
    put_curves(what, out);
    return;
  }
  const LacLayers *layers = &first->layers;
  gsize            rows = layers->n > 0 ? lac_layers_rows(layers, grid) : grid->ny;
  double           y_max = layers->n > 0 ? lac_layers_y_max(layers, grid) : grid->y_max;

  if (layers->n > 0)
    fprintf(out, "z [%s],", first->axis_unit_y);
  fprintf(out, "%s [%s],%s [%s]", first->axis_x, first->axis_unit_x, first->axis_y,
          first->axis_unit_y);
  for (gsize c = 0; c < what->n_channels; c++) {
    const LacRunChannel *channel = lac_export_channel(what, c);
    fprintf(out, ",%s [%s]", channel->key, channel->unit);
  }
  fputs("\n", out);
  for (gsize j = 0; j < grid->ny; j++) {
    for (gsize i = 0; i < grid->nx; i++) {
      if (layers->n > 0)
        put_layer(what, out, j);
      put_number(out, lac_export_centre(grid->x_min, grid->x_max, grid->nx, i), "%.17g");
      fputc(',', out);
      put_number(out, lac_export_centre(grid->y_min, y_max, rows, j % rows), "%.17g");
      for (gsize c = 0; c < what->n_channels; c++) {
        fputc(',', out);
        /* nine digits restore a float exactly */
        put_number(out, (double) lac_export_plane(what, c)->data[j * grid->nx + i], "%.9g");
      }
      fputc('\n', out);
    }
  }
}

/* [ny][nx], or [nz][ny][nx] for a volume, float32. Source: numpy/lib/format.py, version 1.0: the data start at a
 * multiple of 64. */
static void
export_npy(const LacExport *what, FILE *out)
{
  static const guint8 magic[8] = {0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0};
  const LacPlane     *plane = lac_export_plane(what, 0);
  char                head[118];
  guint8              length[2] = {sizeof head, 0};

  memset(head, ' ', sizeof head);
  gsize            n_layers = lac_export_channel(what, 0)->layers.n;
  g_autofree char *layers =
    n_layers > 0 ? g_strdup_printf("%" G_GSIZE_FORMAT ", ", n_layers) : g_strdup("");
  int n = g_snprintf(head, sizeof head,
                     "{'descr': '<f4', 'fortran_order': False, 'shape': (%s%" G_GSIZE_FORMAT
                     ", %" G_GSIZE_FORMAT "), }",
                     layers, plane->ny / MAX(n_layers, 1), plane->nx);
  head[n] = ' ';
  head[sizeof head - 1] = '\n';
  G_STATIC_ASSERT((sizeof magic + sizeof length + sizeof head) % 64 == 0);
  fwrite(magic, 1, sizeof magic, out);
  fwrite(length, 1, sizeof length, out);
  fwrite(head, 1, sizeof head, out);
  fwrite(plane->data, sizeof(float), plane->nx * plane->ny, out);
}

/* ---- frame, channels and format ---- */

typedef struct {
  const char *suffix;
  void (*write)(const LacExport *what, FILE *out); /* NULL: HDF5, which opens the file itself */
  gboolean one_channel, one_grid, is_volume;
} Format;

static const Format formats[] = {
  {".h5", NULL, FALSE, FALSE},
  {".csv", export_csv, FALSE, TRUE},
  {".npy", export_npy, TRUE, FALSE},
  {".vti", export_vti, FALSE, TRUE},
  {".cube", export_cube, TRUE, FALSE, TRUE},
};

static const Format *
find_format(const char *path, GError **error)
{
  for (gsize i = 0; i < G_N_ELEMENTS(formats); i++) {
    if (g_str_has_suffix(path, formats[i].suffix))
      return &formats[i];
  }
  g_set_error(error, LAC_ERROR, LAC_ERROR_USAGE,
              "%s: the extension selects the format: use .h5, .csv, .npy, .vti or .cube", path);
  return NULL;
}

gssize
lac_export_find_channel(const LacRunFile *run, const char *key, GError **error)
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

/* Returns: -1 with an error when the run has no volume. */
static gssize
first_volume(const LacRunFile *run, GError **error)
{
  for (gsize c = 0; c < run->n_channels; c++)
    if (run->channels[c].layers.n > 0)
      return (gssize) c;
  g_set_error(error, LAC_ERROR, LAC_ERROR_USAGE,
              "%s has no volume: only quantum runs with volumes can be exported as .cube; use .h5, "
              ".csv, .npy or .vti for planes",
              run->path);
  return -1;
}

static gboolean
is_plane(const LacRunChannel *channel)
{
  return channel->layers.n == 0 && channel->chart.n == 0;
}

/* Fills @channels. Returns: their number; 0 with an error. */
static gsize
choose_channels(const LacRunFile *run,
                const Format     *format,
                const char       *key,
                gsize            *channels,
                GError          **error)
{
  gssize named = key != NULL           ? lac_export_find_channel(run, key, error)
                 : format->is_volume   ? first_volume(run, error)
                 : format->one_channel ? (gssize) first_reconstruction(run)
                                       : 0;
  gsize  n = 0;

  if (named < 0)
    return 0;
  if (key != NULL && format->is_volume && run->channels[named].layers.n == 0) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_USAGE,
                "channel = %s is a plane; .cube requires a volume", key);
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
                "%s has no saved frame to export: the run ended before the first one", run->path);
    return NULL;
  }
  return lac_run_file_load_frame(run, (gsize) i, error);
}

/* Returns TRUE when every plane divides evenly into its layers. */
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

/* Writes through a stream to @path and reports every failure in errno. Returns: FALSE with errno set. */
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
                "%s: a volume of the frame does not match its declared layers", run->path);
    return FALSE;
  }
  if (format->one_grid && !lac_export_is_one_grid(&what)) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_USAGE,
                "%s: the channels lie on different grids; name one with --channel", path);
    return FALSE;
  }
  return write_file(format, &what, path, error);
}
