/* SPDX-License-Identifier: GPL-3.0-or-later */
/* VTK ImageData for ParaView: float32 arrays, raw, appended behind the XML.
 * Source: VTK file formats, "XML file formats", appended data with header_type UInt64. */
#include "io/export/export-private.h"

static void
put_number(FILE *out, double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  fputs(g_ascii_formatd(text, sizeof text, "%.17g", value), out);
}

static double
get_spacing(double low, double high, gsize n)
{
  return n > 1 ? (high - low) / (double) (n - 1) : 1;
}

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
  put_number(out, grid->x_min);
  fputc(' ', out);
  put_number(out, grid->y_min);
  fputc(' ', out);
  put_number(out, is_volume ? layers->low : 0);
  fputs("\" Spacing=\"", out);
  put_number(out, get_spacing(grid->x_min, grid->x_max, grid->nx));
  fputc(' ', out);
  put_number(out, get_spacing(grid->y_min, y_max, rows));
  fputc(' ', out);
  put_number(out, is_volume ? get_spacing(layers->low, layers->high, layers->n) : 1);
  fprintf(out, "\">\n    <Piece Extent=\"%s\">\n", extent);
}

void
lac_export_vti(const LacExport *what, FILE *out)
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
