/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values of the fields at the probe: as a line of text, and as a table below the true field. */
#include "app/field/overlay-private.h"
#include "app/toolkit/style.h"
#include "base/number-display.h"
#include "base/unit.h"
#include "report/text/number.h"

#include <glib/gi18n-lib.h>

#include <math.h>

/* Appends the values of both fields of a swipe or flicker. */
static void
read_pair(GString *line, const LacFieldScene *scene, const LacProbe *probe, const gsize pair[2])
{
  for (guint i = 0; i < 2; i++) {
    double value = (double) lac_field_scene_sample_channel(scene, pair[i], probe->u, probe->v);
    g_autofree char *text = isfinite(value) ? lac_number_text(value) : g_strdup(_("not finite"));
    g_string_append_printf(line, "   %s %s",
                           g_dgettext(GETTEXT_PACKAGE, scene->channels[pair[i]].label), text);
  }
}

static void
add_coordinate(GString *line, const char *name, double value, const char *unit, gboolean with_unit)
{
  const LacShown   shown = lac_shown(unit);
  g_autofree char *text = lac_number_text(lac_shown_value(&shown, value));
  g_string_append_printf(line, "%s %s", name, text);
  if (with_unit && unit != NULL && !g_str_equal(unit, "1") && *unit != '\0')
    g_string_append_printf(line, " %s", shown.unit);
}

/* Appends the error of a source whose error pane is below it. */
static void
add_error(GString *line, const LacFieldScene *scene, guint pane, const LacProbe *probe)
{
  for (guint i = scene->n_panes; i < scene->n_panes + scene->n_below; i++) {
    double error = (double) lac_field_scene_read(scene, i, probe->u, probe->v);
    if (scene->panes[i].plane != scene->panes[pane].plane || !isfinite(error))
      continue;
    g_autofree char *text = lac_number_text(error);
    g_string_append_printf(line, _(" (error %s)"), text);
  }
}

char *
lac_field_dup_probe_place(const LacFieldScene *scene, const LacProbe *probe)
{
  const LacChannel *channel = lac_field_scene_get_channel(scene, 0);
  GString          *line = g_string_new(NULL);
  double            at[2];
  lac_field_scene_locate(scene, probe->u, probe->v, &at[0], &at[1]);
  gboolean differ = g_strcmp0(channel->axis_unit_x, channel->axis_unit_y) != 0;
  add_coordinate(line, channel->axis_x, at[0], channel->axis_unit_x, differ);
  g_string_append(line, "  ");
  add_coordinate(line, channel->axis_y, at[1], channel->axis_unit_y, TRUE);
  return g_string_free(line, FALSE);
}

char *
lac_field_overlay_dup_reading(const LacFieldScene *scene, const LacProbe *probe)
{
  if (!probe->shown || scene->frame == NULL || scene->n_panes == 0)
    return NULL;
  const LacChannel *channel = lac_field_scene_get_channel(scene, 0);
  g_autofree char  *place = lac_field_dup_probe_place(scene, probe);
  GString          *line = g_string_new(place);
  gsize             pair[2];
  gboolean          is_pair = lac_field_scene_get_pair(scene, pair);
  if (is_pair)
    read_pair(line, scene, probe, pair);
  for (guint i = 0; i < scene->n_panes && !is_pair; i++) {
    double           value = (double) lac_field_scene_read(scene, i, probe->u, probe->v);
    g_autofree char *text = isfinite(value) ? lac_number_text(value) : g_strdup(_("not finite"));
    g_autofree char *title = lac_field_scene_dup_title_as(scene, i, LAC_ERRORS_SIGNED);
    g_string_append_printf(line, "   %s %s", title, text);
    add_error(line, scene, i, probe);
  }
  if (channel->unit != NULL && !g_str_equal(channel->unit, "1"))
    g_string_append_printf(line, " %s", channel->unit);
  return g_string_free(line, FALSE);
}

/* ---- the table below the true field ---- */

#define MARGIN     8.0
#define MOST_POWER 4 /* of ten, with plain notation */
#define MOST_LINES 4 /* about the scale */

/* Returns: the largest finite magnitude at the probe. */
static double
find_largest(const LacFieldScene *scene, const LacProbe *probe)
{
  double largest = 0;
  for (guint i = 0; i < scene->n_panes; i++) {
    double value = fabs((double) lac_field_scene_read(scene, i, probe->u, probe->v));
    largest = isfinite(value) ? fmax(largest, value) : largest;
  }
  return largest;
}

/* Returns: a value to the decimal places at which the largest of its column has four digits. */
static char *
dup_value(double value, double largest)
{
  int power = largest > 0 ? (int) floor(log10(largest)) : -MOST_POWER;
  if (!isfinite(value))
    return g_strdup("–");
  if (abs(power) >= MOST_POWER)
    return lac_number_text(value);
  return lac_number_take_minus(lac_number_dup_fixed(value, (guint) MAX(3 - power, 0)));
}

/* Draws the line of one source: swatch, name, value. @largest: magnitude of all values */
static void
draw_value(LacDrawing          *drawing,
           const LacPaneView   *view,
           const LacFieldMarks *marks,
           const LacBox        *row,
           guint                pane,
           double               largest)
{
  const LacFieldScene *scene = view->scene;
  const LacPalette    *palette = lac_style_palette();
  gsize                channel = scene->panes[pane].plane;
  double               size = LAC_DRAWING_FONT, y = row->y + row->height / 2 + size / 3, x = row->x;
  double   value = (double) lac_field_scene_read(scene, pane, marks->probe->u, marks->probe->v);
  gboolean has_caption = channel < marks->n_captions && marks->captions[channel].is_source;
  g_autofree char *text = dup_value(value, largest);
  g_autofree char *title = lac_field_scene_dup_title(scene, pane);
  double           taken = lac_text_width(text, size, FALSE) + size / 2;
  if (has_caption)
    lac_field_draw_swatch(drawing, x, row->y + row->height / 2, marks->captions[channel].look);
  else
    lac_draw_rectangle(drawing, x, row->y + row->height / 2 - 1.5, LAC_FIELD_SWATCH, 3,
                       palette->foreground);
  x += LAC_FIELD_SWATCH + 6;
  g_autofree char *fitted =
    lac_text_dup_fitted(title, size, FALSE, row->x + row->width - x - taken);
  lac_draw_text(drawing, x, y, LAC_ALIGN_LEFT, size, palette->faint, fitted);
  lac_draw_text(drawing, row->x + row->width, y, LAC_ALIGN_RIGHT, size, palette->foreground, text);
}

/* Draws words at the bottom of the cell. Returns: the y of their top. */
static double
draw_words(LacDrawing *drawing, const LacBox *cell, const char *words, guint most)
{
  double        size = LAC_DRAWING_FONT - 1, pitch = 1.3 * size;
  g_auto(GStrv) lines = lac_text_wrap(words, size, FALSE, cell->width - 2 * MARGIN);
  guint         n = MIN(g_strv_length(lines), most);
  double        top = cell->y + cell->height - MARGIN - n * pitch;
  for (guint i = 0; i < n; i++)
    lac_draw_text(drawing, cell->x + MARGIN, top + (i + 0.8) * pitch, LAC_ALIGN_LEFT, size,
                  lac_style_palette()->faint, lines[i]);
  return top;
}

void
lac_field_draw_probe_cell(LacDrawing *drawing, const LacPaneView *view, const LacFieldMarks *marks)
{
  const LacBox *cell = &view->layout->corner;
  LacColour     back = lac_style_palette()->foreground;
  back.alpha = 0.07F;
  lac_draw_rectangle(drawing, cell->x, cell->y, cell->width, cell->height, back);
  if (!marks->probe->shown) {
    g_autofree char *scale = lac_field_dup_scale_words(view->scene, marks, 0);
    LacBox upper = {cell->x, cell->y, cell->width, MIN(4.5 * LAC_DRAWING_FONT, cell->height)};
    draw_words(drawing, &upper, _("Point at a field to read it."), 2);
    if (cell->height > 8 * LAC_DRAWING_FONT)
      draw_words(drawing, cell, scale, MOST_LINES);
    return;
  }
  double           pitch = 1.9 * LAC_DRAWING_FONT;
  guint            n = view->scene->n_panes;
  gboolean         has_room = n * pitch + 4 * LAC_DRAWING_FONT < cell->height;
  g_autofree char *scale = lac_field_dup_scale_words(view->scene, marks, 0);
  double           bottom =
    has_room ? draw_words(drawing, cell, scale, MOST_LINES) : cell->y + cell->height - MARGIN / 2;
  pitch = MIN(pitch, (bottom - cell->y - MARGIN / 2) / n);
  LacBox row = {cell->x + MARGIN, cell->y + MARGIN / 2, cell->width - 2 * MARGIN, pitch};
  double largest = find_largest(view->scene, marks->probe);
  for (guint i = 0; i < n; i++, row.y += pitch)
    draw_value(drawing, view, marks, &row, i, largest);
}
