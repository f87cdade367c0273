/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws the overlay of the field viewer. */
#include "app/field/overlay.h"

#include "app/toolkit/format.h"
#include "app/toolkit/style.h"
#include "base/unit.h"
#include "report/canvas/particle.h"
#include "report/plot/plot.h"
#include "report/text/number.h"

#include <glib/gi18n-lib.h>

#include <math.h>

#define FONT       11.0
#define BAR_HEIGHT 10.0
#define BELOW_BAR  31.0 /* tick labels and a line of text */
#define RADIUS     4.0

/* Draws the title, and to its right the probe's value. */
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

/* Draws a white ring on black, visible on every colour. */
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
  const LacPane *shown = &scene->panes[pane];
  if (lac_field_scene_get_channel(scene, pane)->without_markers)
    return;
  for (gsize i = 0; i < scene->frame->n_markers; i++) {
    double place[2], point[2];
    guint  owner = scene->frame->markers[i].owner;
    if (!isfinite(scene->frame->markers[i].x) ||
        (owner > 0 && (shown->difference || shown->plane != owner - 1)))
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

/* Draws the handle between two fields: a line with a grip. */
static void
draw_handle(LacDrawing          *drawing,
            const LacFieldScene *scene,
            const LacPaneLayout *layout,
            const LacCamera     *camera,
            guint                pane)
{
  const LacBox *box = &layout->panes[pane];
  double        place[2] = {scene->swipe, 0.5}, point[2];
  lac_pane_layout_from_field(layout, camera, pane, place, point);
  double    x = floor(point[0]) + 0.5, y = box->y + box->height / 2;
  LacColour dark = {0, 0, 0, 0.8F}, light = {1, 1, 1, 1};
  LacPoint  line[] = {{x, box->y}, {x, box->y + box->height}};
  LacPoint  left[] = {{x - 3, y - 5}, {x - 8, y}, {x - 3, y + 5}};
  LacPoint  right[] = {{x + 3, y - 5}, {x + 8, y}, {x + 3, y + 5}};
  lac_draw_lines(drawing, line, 2, 4, dark);
  lac_draw_lines(drawing, line, 2, 2, light);
  lac_draw_polygon(drawing, left, 3, dark);
  lac_draw_polygon(drawing, right, 3, dark);
  lac_draw_lines(drawing, left, 3, 1.5, light);
  lac_draw_lines(drawing, right, 3, 1.5, light);
}

static char *
with_unit(const char *text, const char *unit)
{
  if (unit == NULL || g_str_equal(unit, "") || g_str_equal(unit, "1"))
    return g_strdup(text);
  return g_strdup_printf("%s (%s)", text, unit);
}

static void
draw_ticks(LacDrawing *drawing, const LacBox *bar, const LacPane *pane)
{
  const LacPalette *palette = lac_style_palette();
  double            ticks[LAC_MAX_LEVELS], end = bar->x - 1;
  gsize             n = lac_scale_marks(&pane->warp, CLAMP((gsize) (bar->width / 60), 3, 8), ticks);
  for (gsize i = 0; i < n; i++) {
    double           x = bar->x + lac_warp_at(&pane->warp, ticks[i]) * bar->width;
    g_autofree char *text = lac_number_text(ticks[i]);
    double           half = lac_text_width(text, FONT - 1, FALSE) / 2;
    LacPoint         mark[] = {{x, bar->y + bar->height}, {x, bar->y + bar->height + 3}};
    lac_draw_lines(drawing, mark, 2, 1, palette->foreground);
    x = CLAMP(x, bar->x + half, bar->x + bar->width - half);
    if (x - half < end)
      continue; /* ticks of a nonlinear scale can be closer than their labels */
    end = x + half + 4;
    lac_draw_text(drawing, x, bar->y + bar->height + 14, LAC_ALIGN_CENTRE, FONT - 1,
                  palette->foreground, text);
  }
}

/* Returns: (transfer full): the share of values beyond the ends of the bar, and of non-finite ones. */
static char *
describe_clipped(const LacClipped *clipped)
{
  GString *words = g_string_new(NULL);
  guint64  beyond = clipped->n_below + clipped->n_above;
  if (beyond > 0) {
    g_autofree char *share = lac_number_text(100.0 * (double) beyond / (double) clipped->n);
    g_string_append_printf(words, _(" · %s %% off scale"), share);
  }
  if (clipped->n_not_finite > 0) {
    g_autofree char *share =
      lac_number_text(100.0 * (double) clipped->n_not_finite / (double) clipped->n);
    g_string_append_printf(words, _(" · %s %% not finite (striped)"), share);
  }
  return g_string_free(words, FALSE);
}

/* Returns: (transfer full): the unit of a bar's tick labels. */
static char *
dup_unit(const LacFieldScene *scene, const LacPane *pane)
{
  const char *unit = scene->channels[pane->plane].unit;
  if (pane->difference && scene->errors == LAC_ERRORS_RELATIVE)
    return g_strdup(scene->compares ? _("% of max |(a)|") : _("% of max |truth|"));
  if (!pane->difference || scene->errors != LAC_ERRORS_LOG)
    return g_strdup(unit);
  return unit == NULL || *unit == '\0' || g_str_equal(unit, "1")
           ? g_strdup("log₁₀")
           : g_strdup_printf("log₁₀, %s", unit);
}

static const char *
describe_scale(const LacFieldScene *scene, const LacPane *pane)
{
  if (lac_field_scene_get_choice(scene, pane->difference)->locked)
    return _("fixed limits");
  if (pane->difference && scene->errors != LAC_ERRORS_SIGNED)
    return _("up to the maximum");
  if (pane->difference)
    return scene->compares ? _("± largest difference") : _("± largest error");
  if (scene->compares)
    return _("common scale");
  if (scene->channels[pane->plane].role == LAC_ROLE_OTHER)
    return _("up to the maximum");
  if (scene->channels[scene->panes[0].plane].role != LAC_ROLE_TRUTH)
    return _("grows with the data");
  return _("range of the truth");
}

static void
draw_bar(LacDrawing          *drawing,
         const LacPaneView   *view,
         const LacFieldMarks *marks,
         const LacBox        *bar,
         guint                index)
{
  const LacFieldScene *scene = view->scene;
  const LacPane       *pane = &scene->panes[index];
  const LacChannel    *channel = &scene->channels[pane->plane];
  if (!(pane->scale.high > pane->scale.low))
    return;
  lac_draw_image(drawing, bar->x, bar->y, bar->width, bar->height, 256, 1, &pane->map->rgba[0][0]);
  draw_ticks(drawing, bar, pane);
  const char      *mode = describe_scale(scene, pane);
  const char      *named = channel->quantity != NULL ? channel->quantity : channel->label;
  g_autofree char *quantity = lac_format_quantity(named);
  g_autofree char *unit = dup_unit(scene, pane);
  g_autofree char *label = with_unit(quantity, unit);
  g_autofree char *clipped = describe_clipped(&marks->clipped[pane->difference]);
  g_autofree char *line = g_strdup_printf("%s · %s%s", label, mode, clipped);
  g_autofree char *fitted = lac_text_dup_fitted(line, FONT - 1, FALSE, bar->width);
  lac_draw_text(drawing, bar->x, bar->y + bar->height + 28, LAC_ALIGN_LEFT, FONT - 1,
                lac_style_palette()->foreground, fitted);
}

/* Draws the bars in the free corner below the truth: fields at its top, errors at its bottom. */
static void
draw_corner_bars(LacDrawing *drawing, const LacPaneView *view, const LacFieldMarks *marks)
{
  const LacBox *corner = &view->layout->corner;
  LacBox        bar = {corner->x, corner->y, corner->width, BAR_HEIGHT};
  draw_bar(drawing, view, marks, &bar, 0);
  bar.y = corner->y + corner->height - BAR_HEIGHT - BELOW_BAR;
  draw_bar(drawing, view, marks, &bar, view->scene->n_panes);
}

/* Draws one bar below the columns of panes with a common scale, one below those of the errors. */
static void
draw_bars(LacDrawing *drawing, const LacPaneView *view, const LacFieldMarks *marks)
{
  const LacFieldScene *scene = view->scene;
  const LacPaneLayout *layout = view->layout;
  guint                n_values = 0, last = MIN(layout->n_columns, layout->n_panes) - 1;
  while (n_values < layout->n_panes && !scene->panes[n_values].difference)
    n_values++;
  guint split = MIN(n_values, layout->n_columns); /* first column with errors only */
  if (split > last && n_values < layout->n_panes)
    split = last; /* if a single column has both, the error bar wins */
  const LacBox *bottom = &layout->panes[layout->n_panes - 1];
  double        y = bottom->y + bottom->height + 8 + (scene->overlays.axes ? LAC_FIELD_UNDER : 0);
  const LacBox *left = &layout->panes[0], *right = &layout->panes[last];
  if (split > 0) {
    const LacBox *end = &layout->panes[split - 1];
    LacBox        bar = {left->x, y, end->x + end->width - left->x, BAR_HEIGHT};
    draw_bar(drawing, view, marks, &bar, 0);
  }
  if (n_values < layout->n_panes) {
    const LacBox *begin = &layout->panes[split];
    LacBox        bar = {begin->x, y, right->x + right->width - begin->x, BAR_HEIGHT};
    draw_bar(drawing, view, marks, &bar, n_values);
  }
}

/* Draws the profile line, with a ring at its start. */
static void
draw_line(LacDrawing *drawing, const LacPaneView *view, const LacFieldLine *line, guint pane)
{
  double from[2] = {line->from[0], line->from[1]}, to[2] = {line->to[0], line->to[1]};
  double begin[2], end[2];
  lac_pane_layout_from_field(view->layout, view->camera, pane, from, begin);
  lac_pane_layout_from_field(view->layout, view->camera, pane, to, end);
  LacPoint points[] = {{begin[0], begin[1]}, {end[0], end[1]}};
  lac_draw_lines(drawing, points, 2, 3.4, (LacColour){0, 0, 0, 0.8F});
  lac_draw_lines(drawing, points, 2, 1.6, (LacColour){1, 0.85F, 0.1F, 1});
  draw_marker(drawing, begin[0], begin[1], FALSE);
}

/* Draws tick labels below a pane and, for the first column, left of it; axis names at the far ends. */
static void
draw_axes(LacDrawing *drawing, const LacPaneView *view, guint pane)
{
  const LacPalette *palette = lac_style_palette();
  const LacChannel *channel = lac_field_scene_get_channel(view->scene, pane);
  const LacBox     *box = &view->layout->panes[pane];
  double corner[2] = {box->x, box->y + box->height}, far[2] = {box->x + box->width, box->y};
  double low[2], high[2], place[2], ticks[16];
  lac_pane_layout_to_field(view->layout, view->camera, pane, corner, place);
  lac_field_scene_locate(view->scene, place[0], place[1], &low[0], &low[1]);
  lac_pane_layout_to_field(view->layout, view->camera, pane, far, place);
  lac_field_scene_locate(view->scene, place[0], place[1], &high[0], &high[1]);
  const LacShown shown[] = {lac_shown(channel->axis_unit_x), lac_shown(channel->axis_unit_y)};
  for (gsize axis = 0; axis < 2; axis++) {
    low[axis] = lac_shown_value(&shown[axis], low[axis]);
    high[axis] = lac_shown_value(&shown[axis], high[axis]);
  }
  g_autofree char *x_name = lac_label_with_unit(channel->axis_x, shown[0].unit);
  double           room = box->width - lac_text_width(x_name, FONT - 1, FALSE) - 4;
  gsize            n = high[0] > low[0]
                         ? lac_ticks(low[0], high[0], CLAMP((gsize) (box->width / 56), 3, 8), ticks)
                         : 0;
  for (gsize i = 0; i < n; i++) {
    double           x = box->x + (ticks[i] - low[0]) / (high[0] - low[0]) * box->width;
    g_autofree char *text = lac_number_text(ticks[i]);
    double           half = lac_text_width(text, FONT - 1, FALSE) / 2, y = box->y + box->height;
    LacPoint         mark[] = {{x, y}, {x, y + 3}};
    lac_draw_lines(drawing, mark, 2, 1, palette->foreground);
    if (x + half < box->x + room)
      lac_draw_text(drawing, MAX(x, box->x + half), y + 13, LAC_ALIGN_CENTRE, FONT - 1,
                    palette->foreground, text);
  }
  lac_draw_text(drawing, box->x + box->width, box->y + box->height + 13, LAC_ALIGN_RIGHT, FONT - 1,
                palette->faint, x_name);
  if (pane % MAX(view->layout->n_columns, 1) != 0 || box->x < LAC_FIELD_LEFT - 1)
    return;
  n = high[1] > low[1] ? lac_ticks(low[1], high[1], CLAMP((gsize) (box->height / 40), 3, 8), ticks)
                       : 0;
  for (gsize i = 0; i < n; i++) {
    double           y = box->y + (high[1] - ticks[i]) / (high[1] - low[1]) * box->height;
    g_autofree char *text = lac_number_text(ticks[i]);
    LacPoint         mark[] = {{box->x - 3, y}, {box->x, y}};
    lac_draw_lines(drawing, mark, 2, 1, palette->foreground);
    if (y > box->y + 20)
      lac_draw_text(drawing, box->x - 5, MIN(y + 4, box->y + box->height), LAC_ALIGN_RIGHT,
                    FONT - 1, palette->foreground, text);
  }
  lac_draw_text(drawing, box->x - 5, box->y + 9, LAC_ALIGN_RIGHT, FONT - 1, palette->faint,
                channel->axis_y);
}

void
lac_field_overlay_draw(LacDrawing *drawing, const LacPaneView *view, const LacFieldMarks *marks)
{
  const LacFieldScene *scene = view->scene;
  const LacPaneLayout *layout = view->layout;
  if (scene->frame == NULL)
    return;
  for (guint i = 0; i < layout->n_panes; i++) {
    const LacBox *box = &layout->panes[i];
    draw_title(drawing, scene, box, marks->probe, i);
    lac_draw_clip(drawing, box->x, box->y, box->width, box->height);
    lac_field_flow_draw(marks->flow, drawing, view, i);
    draw_markers(drawing, scene, layout, view->camera, i);
    if (marks->line->shown)
      draw_line(drawing, view, marks->line, i);
    if (marks->probe->shown)
      draw_cross(drawing, layout, view->camera, marks->probe, i);
    if (scene->panes[i].swipe)
      draw_handle(drawing, scene, layout, view->camera, i);
    lac_draw_unclip(drawing);
    if (scene->overlays.axes)
      draw_axes(drawing, view, i);
  }
  if (layout->corner.width > 0)
    draw_corner_bars(drawing, view, marks);
  else
    draw_bars(drawing, view, marks);
}

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
add_coordinate(GString *line, const char *name, double value, const char *unit)
{
  const LacShown   shown = lac_shown(unit);
  g_autofree char *text = lac_number_text(lac_shown_value(&shown, value));
  g_string_append_printf(line, "%s %s", name, text);
  if (unit != NULL && !g_str_equal(unit, "1") && *unit != '\0')
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
lac_field_overlay_dup_reading(const LacFieldScene *scene, const LacProbe *probe)
{
  if (!probe->shown || scene->frame == NULL || scene->n_panes == 0)
    return NULL;
  const LacChannel *channel = lac_field_scene_get_channel(scene, 0);
  double            at[2];
  lac_field_scene_locate(scene, probe->u, probe->v, &at[0], &at[1]);
  GString *line = g_string_new(NULL);
  add_coordinate(line, channel->axis_x, at[0], channel->axis_unit_x);
  g_string_append(line, "  ");
  add_coordinate(line, channel->axis_y, at[1], channel->axis_unit_y);
  gsize    pair[2];
  gboolean is_pair = lac_field_scene_get_pair(scene, pair);
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
