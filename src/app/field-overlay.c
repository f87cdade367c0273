/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The drawing list over the field viewer. */
#include "app/field-overlay.h"

#include "app/style.h"
#include "report/particle.h"
#include "report/plot.h"

#include <glib/gi18n-lib.h>

#include <math.h>

#define FONT       11.0
#define BAR_HEIGHT 10.0
#define BELOW_BAR  31.0 /* numbers and a line of text */
#define RADIUS     4.0

/* The title, and at its right what the probe reads. */
static void
draw_title(LacDrawing          *drawing,
           const LacFieldScene *scene,
           const LacBox        *box,
           const LacProbe      *probe,
           guint                index)
{
  LacColour        colour = lac_style_palette()->foreground;
  g_autofree char *title = lac_field_scene_dup_title(scene, index);
  double           taken = 0;
  if (probe->shown) {
    double           value = (double) lac_field_scene_sample(scene, index, probe->u, probe->v);
    g_autofree char *text = isfinite(value) ? lac_number_text(value) : g_strdup("–");
    taken = lac_text_width(text, FONT, FALSE) + FONT;
    lac_draw_text(drawing, box->x + box->width, box->y - 9, LAC_ALIGN_RIGHT, FONT, colour, text);
  }
  g_autofree char *fitted = lac_text_dup_fitted(title, FONT + 1, TRUE, box->width - taken);
  lac_draw_text_bold(drawing, box->x, box->y - 9, LAC_ALIGN_LEFT, FONT + 1, colour, fitted);
}

/* A ring, white on black, so that it shows on every colour. */
static void
draw_marker(LacDrawing *drawing, double x, double y, gboolean selected)
{
  double radius = selected ? 1.5 * RADIUS : RADIUS;
  x = floor(x) + 0.5;
  y = floor(y) + 0.5;
  LacPoint ring[17];
  for (gsize i = 0; i < G_N_ELEMENTS(ring); i++) {
    double angle = 2 * G_PI * (double) i / (G_N_ELEMENTS(ring) - 1);
    ring[i] = (LacPoint){x + radius * cos(angle), y + radius * sin(angle)};
  }
  if (selected)
    lac_draw_polygon(drawing, ring, G_N_ELEMENTS(ring), (LacColour){1, 0.85F, 0.1F, 1});
  lac_draw_lines(drawing, ring, G_N_ELEMENTS(ring), 3, (LacColour){0, 0, 0, 0.85F});
  lac_draw_lines(drawing, ring, G_N_ELEMENTS(ring), 1.4, (LacColour){1, 1, 1, 1});
}

static void
draw_markers(LacDrawing          *drawing,
             const LacFieldScene *scene,
             const LacPaneLayout *layout,
             const LacCamera     *camera,
             guint                pane)
{
  if (lac_field_scene_get_channel(scene, pane)->without_markers)
    return;
  for (gsize i = 0; i < scene->frame->n_markers; i++) {
    double place[2], point[2];
    if (!isfinite(scene->frame->markers[i].x))
      continue;
    lac_field_scene_place(scene, &scene->frame->markers[i], place);
    lac_pane_layout_from_field(layout, camera, pane, place, point);
    const char *kind = scene->frame->markers[i].kind;
    if (!lac_draw_particle(drawing, kind, (LacPoint){point[0], point[1]}, RADIUS))
      draw_marker(drawing, point[0], point[1], g_strcmp0(kind, "selected") == 0);
  }
}

static void
draw_cross(LacDrawing          *drawing,
           const LacPaneLayout *layout,
           const LacCamera     *camera,
           const LacProbe      *probe,
           guint                pane)
{
  const LacBox *box = &layout->panes[pane];
  double        place[2] = {probe->u, probe->v}, point[2];
  lac_pane_layout_from_field(layout, camera, pane, place, point);
  double    x = floor(point[0]) + 0.5, y = floor(point[1]) + 0.5;
  LacColour dark = {0, 0, 0, 0.7F}, light = {1, 1, 1, 0.9F};
  LacPoint  across[] = {{box->x, y}, {box->x + box->width, y}};
  LacPoint  along[] = {{x, box->y}, {x, box->y + box->height}};
  lac_draw_lines(drawing, across, 2, 2, dark);
  lac_draw_lines(drawing, along, 2, 2, dark);
  lac_draw_lines(drawing, across, 2, 1, light);
  lac_draw_lines(drawing, along, 2, 1, light);
}

static char *
with_unit(const char *text, const char *unit)
{
  if (unit == NULL || g_str_equal(unit, "") || g_str_equal(unit, "1"))
    return g_strdup(text);
  return g_strdup_printf("%s (%s)", text, unit);
}

static void
draw_ticks(LacDrawing *drawing, const LacBox *bar, const LacScale *scale)
{
  const LacPalette *palette = lac_style_palette();
  double            ticks[16];
  gsize n = lac_ticks(scale->low, scale->high, CLAMP((gsize) (bar->width / 60), 3, 8), ticks);
  for (gsize i = 0; i < n; i++) {
    double           x = bar->x + (ticks[i] - scale->low) / (scale->high - scale->low) * bar->width;
    g_autofree char *text = lac_number_text(ticks[i]);
    double           half = lac_text_width(text, FONT - 1, FALSE) / 2;
    LacPoint         mark[] = {{x, bar->y + bar->height}, {x, bar->y + bar->height + 3}};
    lac_draw_lines(drawing, mark, 2, 1, palette->foreground);
    x = CLAMP(x, bar->x + half, bar->x + bar->width - half);
    lac_draw_text(drawing, x, bar->y + bar->height + 14, LAC_ALIGN_CENTRE, FONT - 1,
                  palette->foreground, text);
  }
}

static const char *
describe_scale(const LacFieldScene *scene, const LacPane *pane)
{
  if (pane->difference)
    return _("± largest error");
  if (scene->channels[pane->plane].role == LAC_ROLE_OTHER)
    return _("up to the largest");
  if (scene->channels[scene->panes[0].plane].role != LAC_ROLE_TRUTH)
    return _("grows with the data");
  return _("locked to the truth");
}

static void
draw_bar(LacDrawing *drawing, const LacFieldScene *scene, const LacBox *bar, guint index)
{
  const LacPane    *pane = &scene->panes[index];
  const LacChannel *channel = &scene->channels[pane->plane];
  if (!(pane->scale.high > pane->scale.low))
    return;
  lac_draw_image(drawing, bar->x, bar->y, bar->width, bar->height, 256, 1, &pane->map->rgba[0][0]);
  draw_ticks(drawing, bar, &pane->scale);
  const char      *mode = describe_scale(scene, pane);
  const char      *named = channel->quantity != NULL ? channel->quantity : channel->label;
  g_autofree char *quantity = g_strdelimit(g_strdup(g_dgettext(GETTEXT_PACKAGE, named)), "_", ' ');
  g_autofree char *label = with_unit(quantity, channel->unit);
  g_autofree char *line = g_strdup_printf("%s · %s", label, mode);
  g_autofree char *fitted = lac_text_dup_fitted(line, FONT - 1, FALSE, bar->width);
  lac_draw_text(drawing, bar->x, bar->y + bar->height + 28, LAC_ALIGN_LEFT, FONT - 1,
                lac_style_palette()->foreground, fitted);
}

/* In the corner that the errors leave under the truth: at its top the bar of the fields, at its bottom that of the errors. */
static void
draw_corner_bars(LacDrawing *drawing, const LacFieldScene *scene, const LacPaneLayout *layout)
{
  const LacBox *corner = &layout->corner;
  LacBox        bar = {corner->x, corner->y, corner->width, BAR_HEIGHT};
  draw_bar(drawing, scene, &bar, 0);
  bar.y = corner->y + corner->height - BAR_HEIGHT - BELOW_BAR;
  draw_bar(drawing, scene, &bar, scene->n_panes);
}

/* One bar under the columns of the panes that share a scale, one under those of the errors. */
static void
draw_bars(LacDrawing *drawing, const LacFieldScene *scene, const LacPaneLayout *layout)
{
  guint n_values = 0, last = MIN(layout->n_columns, layout->n_panes) - 1;
  while (n_values < layout->n_panes && !scene->panes[n_values].difference)
    n_values++;
  guint split = MIN(n_values, layout->n_columns); /* the first column that shows only errors */
  if (split > last && n_values < layout->n_panes)
    split = last; /* a lone column of both gives way */
  const LacBox *bottom = &layout->panes[layout->n_panes - 1];
  double        y = bottom->y + bottom->height + 8;
  const LacBox *left = &layout->panes[0], *right = &layout->panes[last];
  if (split > 0) {
    const LacBox *end = &layout->panes[split - 1];
    LacBox        bar = {left->x, y, end->x + end->width - left->x, BAR_HEIGHT};
    draw_bar(drawing, scene, &bar, 0);
  }
  if (n_values < layout->n_panes) {
    const LacBox *begin = &layout->panes[split];
    LacBox        bar = {begin->x, y, right->x + right->width - begin->x, BAR_HEIGHT};
    draw_bar(drawing, scene, &bar, n_values);
  }
}

void
lac_field_overlay_draw(LacDrawing          *drawing,
                       const LacFieldScene *scene,
                       const LacPaneLayout *layout,
                       const LacCamera     *camera,
                       const LacProbe      *probe)
{
  if (scene->frame == NULL)
    return;
  for (guint i = 0; i < layout->n_panes; i++) {
    const LacBox *box = &layout->panes[i];
    draw_title(drawing, scene, box, probe, i);
    lac_draw_clip(drawing, box->x, box->y, box->width, box->height);
    draw_markers(drawing, scene, layout, camera, i);
    if (probe->shown)
      draw_cross(drawing, layout, camera, probe, i);
    lac_draw_unclip(drawing);
  }
  if (layout->corner.width > 0)
    draw_corner_bars(drawing, scene, layout);
  else
    draw_bars(drawing, scene, layout);
}

char *
lac_field_overlay_dup_reading(const LacFieldScene *scene, const LacProbe *probe)
{
  if (!probe->shown || scene->frame == NULL || scene->n_panes == 0)
    return NULL;
  const LacChannel *channel = lac_field_scene_get_channel(scene, 0);
  double            at[2];
  lac_field_scene_locate(scene, probe->u, probe->v, &at[0], &at[1]);
  g_autofree char *x = lac_number_text(at[0]);
  g_autofree char *y = lac_number_text(at[1]);
  GString         *line = g_string_new(NULL);
  g_string_printf(line, "%s %s  %s %s", channel->axis_x, x, channel->axis_y, y);
  for (guint i = 0; i < scene->n_panes; i++) {
    double           value = (double) lac_field_scene_sample(scene, i, probe->u, probe->v);
    g_autofree char *text = isfinite(value) ? lac_number_text(value) : g_strdup(_("not finite"));
    g_autofree char *title = lac_field_scene_dup_title(scene, i);
    g_string_append_printf(line, "   %s %s", title, text);
  }
  if (channel->unit != NULL && !g_str_equal(channel->unit, "1"))
    g_string_append_printf(line, " %s", channel->unit);
  return g_string_free(line, FALSE);
}
