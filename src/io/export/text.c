/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CSV and NPY. Numbers have a decimal point in every locale. */
#include "io/export/export-private.h"

#include <string.h>

static void
put_number(FILE *out, double value, const char *format)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  fputs(g_ascii_formatd(text, sizeof text, format, value), out);
}

/* The third coordinate of a volume. */
static void
put_layer(const LacExport *what, FILE *out, gsize row)
{
  const LacLayers *layers = &lac_export_channel(what, 0)->layers;
  gsize            rows = lac_layers_rows(layers, lac_export_plane(what, 0));

  put_number(out, lac_export_centre(layers->low, layers->high, layers->n, row / rows), "%.17g");
  fputc(',', out);
}

/* Columns: the place along the axis, then a curve each, then their standard errors. */
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

/* Columns: the coordinates, then a channel each; the first line names them with their units. */
void
lac_export_csv(const LacExport *what, FILE *out)
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
        /* nine digits give a float back */
        put_number(out, (double) lac_export_plane(what, c)->data[j * grid->nx + i], "%.9g");
      }
      fputc('\n', out);
    }
  }
}

/* [ny][nx], of a volume [nz][ny][nx], float32. Source: numpy/lib/format.py, version 1.0: the data begin at a multiple of 64. */
void
lac_export_npy(const LacExport *what, FILE *out)
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
