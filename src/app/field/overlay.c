/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws the overlay of the field viewer. */
#include "app/field/overlay-private.h"
#include "app/toolkit/style.h"
#include "base/unit.h"
#include "report/canvas/particle.h"
#include "report/plot/plot.h"
#include "report/text/number.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>

#define RADIUS         4.0
#define CIRCLE         48 /* corners */
#define LIMIT_DIGITS   2
#define LETTER_CORNERS 24 /* of the round badge of a run */

static double
font(void)
{
  return LAC_DRAWING_FONT;
}

double
lac_field_top(void)
{
  return round(22 * lac_drawing_text_scale());
}

double
lac_field_under(void)
{
  return round(24 * lac_drawing_text_scale());
}

double
lac_field_beside(void)
{
  return LAC_PANE_GAP + 16 + round(44 * lac_drawing_text_scale());
}

void
lac_field_draw_swatch(LacDrawing *drawing, double x, double y, guint look)
{
  const LacPalette *palette = lac_style_palette();
  LacColour         colour = look > 0 ? lac_look_colour(palette, look) : palette->faint;
  LacPoint          line[] = {{x, y}, {x + LAC_FIELD_SWATCH, y}};
  lac_draw_dashed(drawing, line, 2, 3, colour, LAC_DASH_SOLID);
}

/* Returns: (nullable): the caption of the source shown in a pane. */
static const LacFieldCaption *
find_caption(const LacFieldScene *scene, const LacFieldMarks *marks, guint pane)
{
  gsize channel = scene->panes[pane].plane;
  if (marks->captions == NULL || channel >= marks->n_captions)
    return NULL;
  return marks->captions[channel].is_source ? &marks->captions[channel] : NULL;
}

/* Returns: (transfer full): what stands to the right of a title: the probe's value, and without a probe the quantity
 * of the first pane. */
static char *
dup_beside_title(const LacPaneView *view, const LacFieldMarks *marks, guint pane)
{
  const LacFieldScene *scene = view->scene;
  const LacProbe      *probe = marks->probe;
  if (probe->shown && view->layout->corner.width == 0) {
    double value = (double) lac_field_scene_sample(scene, pane, probe->u, probe->v);
    return isfinite(value) ? lac_number_text(value) : g_strdup("–");
  }
  return pane == 0 && !scene->panes[0].difference
           ? lac_field_scene_dup_quantity(scene, scene->quantity)
           : g_strdup("");
}

/* Draws the letter of a run, white on its colour, at the base line @y. Returns: its width. */
static double
draw_letter(LacDrawing *drawing, double x, double y, char letter)
{
  const double    radius = font() * 0.7, middle = y - font() / 3;
  const char      text[] = {letter, '\0'};
  const LacColour white = {1, 1, 1, 1};
  LacPoint        corners[LETTER_CORNERS];
  for (gsize i = 0; i < LETTER_CORNERS; i++) {
    double angle = 2 * G_PI * (double) i / LETTER_CORNERS;
    corners[i] = (LacPoint){x + radius * (1 + cos(angle)), middle + radius * sin(angle)};
  }
  lac_draw_polygon(drawing, corners, LETTER_CORNERS, lac_style_run_colour((guint) (letter - 'a')));
  lac_draw_text_bold(drawing, x + radius, y, LAC_ALIGN_CENTRE, font(), white, text);
  return 2 * radius;
}

/* Returns TRUE if a title begins with the letter of a run: "(a) 16:29". */
static gboolean
has_letter(const LacFieldScene *scene, guint pane, const char *title)
{
  return scene->compares && !scene->panes[pane].difference && title[0] == '(' &&
         g_ascii_islower(title[1]) && g_str_has_prefix(title + 2, ") ");
}

/* Draws the title above a pane, with the colour of its source in curves, or the letter of its run. */
static void
draw_title(LacDrawing *drawing, const LacPaneView *view, const LacFieldMarks *marks, guint pane)
{
  const LacPalette      *palette = lac_style_palette();
  const LacBox          *box = &view->layout->panes[pane];
  const LacFieldCaption *caption = find_caption(view->scene, marks, pane);
  g_autofree char       *title = lac_field_scene_dup_title(view->scene, pane);
  g_autofree char       *beside = dup_beside_title(view, marks, pane);
  double                 x = box->x, y = box->y - 7, taken = lac_text_width(beside, font(), FALSE);
  if (caption != NULL) {
    lac_field_draw_swatch(drawing, x, y - font() / 3, caption->look);
    x += LAC_FIELD_SWATCH + 4;
  }
  const char *words = title;
  if (has_letter(view->scene, pane, title)) {
    x += draw_letter(drawing, x, y, title[1]) + 6;
    words += strlen("(a) ");
  }
  double           room = box->x + box->width - x;
  g_autofree char *fitted = lac_text_dup_fitted(words, font() + 1, FALSE, room);
  lac_draw_text(drawing, x, y, LAC_ALIGN_LEFT, font() + 1, palette->foreground, fitted);
  if (lac_text_width(words, font() + 1, FALSE) + taken + font() <= room)
    lac_draw_text(drawing, box->x + box->width, y, LAC_ALIGN_RIGHT, font(), palette->faint, beside);
}

/* Returns: (transfer full) (nullable): the limit of a pane's signed errors. */
static char *
dup_limit(const LacFieldScene *scene, guint pane)
{
  const LacPane *shown = &scene->panes[pane];
  if (!shown->difference || scene->errors == LAC_ERRORS_LOG || !(shown->scale.high > 0))
    return NULL;
  g_autofree char *limit = lac_significant_text(shown->scale.high, LIMIT_DIGITS);
  /* Translators: the colour scale of an error goes to this value, with both signs or from 0. */
  return g_strdup_printf(scene->errors == LAC_ERRORS_SIGNED ? _("scale ±%s") : _("scale to %s"),
                         limit);
}

/* Returns: the pane with the error of @pane's source; itself if it shows an error, or has none. */
static guint
find_error_pane(const LacFieldScene *scene, const LacPaneLayout *layout, guint pane)
{
  for (guint i = scene->n_panes; i < layout->n_panes; i++)
    if (scene->panes[i].plane == scene->panes[pane].plane)
      return i;
  return pane;
}

/* Draws the caption below a source: its error at the left, the limit of the error's scale at the right. */
static void
draw_caption(LacDrawing *drawing, const LacPaneView *view, const LacFieldMarks *marks, guint pane)
{
  const LacPalette      *palette = lac_style_palette();
  const LacFieldScene   *scene = view->scene;
  const LacBox          *box = &view->layout->panes[pane];
  const LacFieldCaption *caption = find_caption(scene, marks, pane);
  double                 x = box->x, end = box->x + box->width;
  double y = box->y + box->height + font() + 4 + (scene->overlays.axes ? LAC_FIELD_UNDER_AXES : 0);
  g_autofree char *limit = dup_limit(scene, find_error_pane(scene, view->layout, pane));
  if (caption != NULL && caption->text[0] != '\0') {
    g_autofree char *name = g_strdup_printf("%s ", caption->name);
    double           width = lac_text_width(name, font(), FALSE);
    if (width + lac_text_width(caption->text, font(), TRUE) < box->width) {
      lac_draw_text(drawing, x, y, LAC_ALIGN_LEFT, font(), palette->faint, name);
      x += width;
    }
    g_autofree char *fitted = lac_text_dup_fitted(caption->text, font(), TRUE, end - x);
    lac_draw_text_bold(drawing, x, y, LAC_ALIGN_LEFT, font(), palette->foreground, fitted);
    x += lac_text_width(fitted, font(), TRUE) + font() / 2;
  }
  if (limit != NULL && lac_text_width(limit, font(), FALSE) <= end - x)
    lac_draw_text(drawing, end, y, LAC_ALIGN_RIGHT, font(), palette->faint, limit);
}

/* Draws the caption below the first pane: the place of the probe, and without a probe what the scale covers. */
static void
draw_first_caption(LacDrawing *drawing, const LacPaneView *view, const LacFieldMarks *marks)
{
  const LacBox        *box = &view->layout->panes[0];
  const LacFieldScene *scene = view->scene;
  double y = box->y + box->height + font() + 4 + (scene->overlays.axes ? LAC_FIELD_UNDER_AXES : 0);
  gboolean         has_cell = view->layout->corner.width > 0;
  g_autofree char *words = marks->probe->shown ? lac_field_dup_probe_place(scene, marks->probe)
                           : has_cell          ? g_strdup("")
                                               : lac_field_dup_scale_words(scene, marks, 0);
  g_autofree char *fitted = lac_text_dup_fitted(words, font(), FALSE, box->width);
  lac_draw_text(drawing, box->x, y, LAC_ALIGN_LEFT, font(), lac_style_palette()->faint, fitted);
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

/* Draws what a marker covers: an aperture. The selected one is bold. */
static void
draw_circle(LacDrawing *drawing, LacPoint centre, const double radius[2], gboolean selected)
{
  LacPoint  ring[CIRCLE + 1];
  LacColour colour = {1, 1, 1, selected ? 1 : 0.6F};
  for (gsize i = 0; i < G_N_ELEMENTS(ring); i++) {
    double angle = 2 * G_PI * (double) i / CIRCLE;
    ring[i] = (LacPoint){centre.x + radius[0] * cos(angle), centre.y + radius[1] * sin(angle)};
  }
  if (selected)
    lac_draw_lines(drawing, ring, G_N_ELEMENTS(ring), 4.5, (LacColour){0, 0, 0, 0.6F});
  lac_draw_lines(drawing, ring, G_N_ELEMENTS(ring), selected ? 2.5 : 1, colour);
}

/* Finds the half axes of the circles of markers in pixels. Returns: FALSE if they are rings of one size. */
static gboolean
find_radius(const LacFieldScene *scene,
            const LacPaneLayout *layout,
            const LacCamera     *camera,
            double               radius[2])
{
  double x0, y0, x1, y1;
  if (!(scene->marker_radius > 0))
    return FALSE;
  lac_field_scene_locate(scene, 0, 0, &x0, &y0);
  lac_field_scene_locate(scene, 1, 1, &x1, &y1);
  if (!(x1 > x0) || !(y1 > y0))
    return FALSE;
  radius[0] = scene->marker_radius / (x1 - x0) * layout->field_width * camera->zoom;
  radius[1] = scene->marker_radius / (y1 - y0) * layout->field_height * camera->zoom;
  return TRUE;
}

static void
draw_markers(LacDrawing          *drawing,
             const LacFieldScene *scene,
             const LacPaneLayout *layout,
             const LacCamera     *camera,
             guint                pane)
{
  const LacPane *shown = &scene->panes[pane];
  double         radius[2];
  gboolean       are_circles = find_radius(scene, layout, camera, radius);
  if (lac_field_scene_get_channel(scene, pane)->without_markers || scene->marker_radius < 0)
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
    if (are_circles)
      draw_circle(drawing, (LacPoint){point[0], point[1]}, radius,
                  g_strcmp0(kind, "selected") == 0);
    else if (!lac_draw_particle(drawing, kind, (LacPoint){point[0], point[1]}, RADIUS))
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
  double           room = box->width - lac_text_width(x_name, (font() - 1), FALSE) - 4;
  gsize            n = high[0] > low[0]
                         ? lac_ticks(low[0], high[0], CLAMP((gsize) (box->width / 56), 3, 8), ticks)
                         : 0;
  for (gsize i = 0; i < n; i++) {
    double           x = box->x + (ticks[i] - low[0]) / (high[0] - low[0]) * box->width;
    g_autofree char *text = lac_number_text(ticks[i]);
    double           half = lac_text_width(text, (font() - 1), FALSE) / 2, y = box->y + box->height;
    LacPoint         mark[] = {{x, y}, {x, y + 3}};
    lac_draw_lines(drawing, mark, 2, 1, palette->foreground);
    if (x + half < box->x + room)
      lac_draw_text(drawing, MAX(x, box->x + half), y + 13, LAC_ALIGN_CENTRE, (font() - 1),
                    palette->foreground, text);
  }
  lac_draw_text(drawing, box->x + box->width, box->y + box->height + 13, LAC_ALIGN_RIGHT,
                (font() - 1), palette->faint, x_name);
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
                    (font() - 1), palette->foreground, text);
  }
  lac_draw_text(drawing, box->x - 5, box->y + 9, LAC_ALIGN_RIGHT, (font() - 1), palette->faint,
                channel->axis_y);
}

/* Draws everything that lies on a pane. */
static void
draw_on_pane(LacDrawing *drawing, const LacPaneView *view, const LacFieldMarks *marks, guint pane)
{
  const LacBox *box = &view->layout->panes[pane];
  lac_draw_clip(drawing, box->x, box->y, box->width, box->height);
  lac_field_flow_draw(marks->flow, drawing, view, pane);
  if (!view->scene->panes[pane].difference || view->layout->corner.width == 0)
    draw_markers(drawing, view->scene, view->layout, view->camera, pane);
  if (marks->line->shown)
    draw_line(drawing, view, marks->line, pane);
  if (marks->probe->shown)
    draw_cross(drawing, view->layout, view->camera, marks->probe, pane);
  if (view->scene->panes[pane].swipe)
    draw_handle(drawing, view->scene, view->layout, view->camera, pane);
  lac_draw_unclip(drawing);
}

void
lac_field_overlay_draw(LacDrawing *drawing, const LacPaneView *view, const LacFieldMarks *marks)
{
  const LacFieldScene *scene = view->scene;
  const LacPaneLayout *layout = view->layout;
  if (scene->frame == NULL)
    return;
  for (guint i = 0; i < layout->n_panes; i++) {
    if (layout->panes[i].width == 0)
      continue;
    draw_on_pane(drawing, view, marks, i);
    if (scene->overlays.axes)
      draw_axes(drawing, view, i);
    if (marks->is_bare || i >= scene->n_panes) /* below its source, which has the captions */
      continue;
    draw_title(drawing, view, marks, i);
    if (i == 0 && !scene->panes[0].difference)
      draw_first_caption(drawing, view, marks);
    else
      draw_caption(drawing, view, marks, i);
  }
  if (marks->is_bare)
    return;
  if (layout->corner.width > 0)
    lac_field_draw_probe_cell(drawing, view, marks);
  lac_field_draw_bars(drawing, view, marks);
}
