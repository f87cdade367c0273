/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gaussian cube: nuclei and a volume for programs that draw molecules. Bohr; the last axis runs fastest, six numbers a line.
 * Source: Gaussian 16 user's reference, cubegen. */
#include "io/export/export-private.h"

static void
put_number(FILE *out, double value, const char *format)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  fputs(g_ascii_formatd(text, sizeof text, format, value), out);
}

/* A count or a charge, then three lengths. */
static void
put_row(FILE *out, gsize count, const double place[3])
{
  fprintf(out, "%5" G_GSIZE_FORMAT, count);
  for (guint k = 0; k < 3; k++)
    put_number(out, place[k], "%12.6f");
}

static double
get_step(double low, double high, gsize n)
{
  return n > 1 ? (high - low) / (double) (n - 1) : 1;
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

void
lac_export_cube(const LacExport *what, FILE *out)
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
