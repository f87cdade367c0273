/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The drawing list over the field viewer. */
#include "app/field-overlay.h"

#include "app/style.h"
#include "report/plot.h"

#include <glib/gi18n-lib.h>

#include <math.h>

#define FONT       11.0
#define BAR_HEIGHT 10.0
#define RADIUS     4.0

static const char *
title_of(const LacFieldScene *scene, guint index)
{
  const LacPane *pane = &scene->panes[index];
  if (pane->difference)
    return scene->baseline ? _("Error of the baseline, signed") : _("Error, signed");
  switch (scene->channels[pane->plane].role) {
  case LAC_ROLE_TRUTH: return _("Truth");
  case LAC_ROLE_RECONSTRUCTION: return _("Reconstruction");
  case LAC_ROLE_BASELINE: return _("Baseline");
  case LAC_ROLE_OTHER: break;
  }
  return g_dgettext(GETTEXT_PACKAGE, scene->channels[pane->plane].label);
}

static void
draw_title(LacDrawing *drawing, const LacFieldScene *scene, const LacBox *box, guint index)
{
  g_autofree char *fitted = lac_text_dup_fitted(title_of(scene, index), FONT + 1, TRUE, box->width);
  lac_draw_text_bold(drawing, box->x, box->y - 9, LAC_ALIGN_LEFT, FONT + 1,
                     lac_style_palette()->foreground, fitted);
}

/* A ring, white on black, so that it shows on every colour. */
static void
draw_marker(LacDrawing *drawing, double x, double y)
{
  x = floor(x) + 0.5;
  y = floor(y) + 0.5;
  LacPoint ring[17];
  for (gsize i = 0; i < G_N_ELEMENTS(ring); i++) {
    double angle = 2 * G_PI * (double) i / (G_N_ELEMENTS(ring) - 1);
    ring[i] = (LacPoint){x + RADIUS * cos(angle), y + RADIUS * sin(angle)};
  }
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
  for (gsize i = 0; i < scene->frame->n_markers; i++) {
    double place[2], point[2];
    lac_field_scene_place(scene, &scene->frame->markers[i], place);
    lac_pane_layout_from_field(layout, camera, pane, place, point);
    draw_marker(drawing, point[0], point[1]);
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
  LacPoint  across[] = {
     {box->x,              y},
     {box->x + box->width, y}
  };
  LacPoint along[] = {
    {x, box->y              },
    {x, box->y + box->height}
  };
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
    LacPoint         mark[] = {
              {x, bar->y + bar->height    },
              {x, bar->y + bar->height + 3}
    };
    lac_draw_lines(drawing, mark, 2, 1, palette->foreground);
    x = CLAMP(x, bar->x + half, bar->x + bar->width - half);
    lac_draw_text(drawing, x, bar->y + bar->height + 14, LAC_ALIGN_CENTRE, FONT - 1,
                  palette->foreground, text);
  }
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
  const char *mode = pane->difference ? _("± largest error") : _("locked to the truth");
  if (!pane->difference && scene->channels[scene->panes[0].plane].role != LAC_ROLE_TRUTH)
    mode = _("grows with the data");
  const char *quantity =
    channel->quantity != NULL ? g_dgettext(GETTEXT_PACKAGE, channel->quantity) : channel->label;
  g_autofree char *label = with_unit(quantity, channel->unit);
  g_autofree char *line = g_strdup_printf("%s · %s", label, mode);
  g_autofree char *fitted = lac_text_dup_fitted(line, FONT - 1, FALSE, bar->width);
  lac_draw_text(drawing, bar->x, bar->y + bar->height + 28, LAC_ALIGN_LEFT, FONT - 1,
                lac_style_palette()->foreground, fitted);
}

/* One bar under the panes that share a scale, one under the error. */
static void
draw_bars(LacDrawing *drawing, const LacFieldScene *scene, const LacPaneLayout *layout)
{
  guint n_values = 0;
  while (n_values < layout->n_panes && !scene->panes[n_values].difference)
    n_values++;
  if (n_values > 0) {
    const LacBox *first = &layout->panes[0], *last = &layout->panes[n_values - 1];
    LacBox        bar = {first->x, first->y + first->height + 8, last->x + last->width - first->x,
                         BAR_HEIGHT};
    draw_bar(drawing, scene, &bar, 0);
  }
  for (guint i = n_values; i < layout->n_panes; i++) {
    const LacBox *box = &layout->panes[i];
    LacBox        bar = {box->x, box->y + box->height + 8, box->width, BAR_HEIGHT};
    draw_bar(drawing, scene, &bar, i);
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
    draw_title(drawing, scene, box, i);
    lac_draw_clip(drawing, box->x, box->y, box->width, box->height);
    draw_markers(drawing, scene, layout, camera, i);
    if (probe->shown)
      draw_cross(drawing, layout, camera, probe, i);
    lac_draw_unclip(drawing);
  }
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
    const char      *title = scene->panes[i].difference ? _("Error") : title_of(scene, i);
    g_string_append_printf(line, "   %s %s", title, text);
  }
  if (channel->unit != NULL && !g_str_equal(channel->unit, "1"))
    g_string_append_printf(line, " %s", channel->unit);
  return g_string_free(line, FALSE);
}
