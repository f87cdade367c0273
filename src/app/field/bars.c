/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Colour bars of the field viewer. */
#include "app/field/overlay-private.h"
#include "app/toolkit/format.h"
#include "app/toolkit/style.h"
#include "report/plot/plot.h"
#include "report/text/number.h"

#include <glib/gi18n-lib.h>

#include <string.h>

#define BAR_WIDTH   10.0
#define MAP_ENTRIES 256
#define DIGITS      2 /* of shares */

static char *
with_unit(const char *text, const char *unit)
{
  if (unit == NULL || g_str_equal(unit, "") || g_str_equal(unit, "1"))
    return g_strdup(text);
  return g_strdup_printf("%s (%s)", text, unit);
}

/* Draws a tick label, unless it is too close to the one above it. */
static void
draw_tick(LacDrawing *drawing, const LacBox *bar, double share, const char *text, double *end)
{
  double size = LAC_DRAWING_FONT - 1, y = bar->y + (1 - share) * bar->height;
  y = CLAMP(y + size / 3, bar->y + size * 0.8, bar->y + bar->height - size * 0.25);
  if (y - size * 1.2 < *end)
    return;
  *end = y;
  lac_draw_text(drawing, bar->x + bar->width + 6, y, LAC_ALIGN_LEFT, size,
                lac_style_palette()->foreground, text);
}

/* Draws the labels from the top down. The ends of errors that each have a scale of their own are named by words: the
 * captions have the numbers. */
static void
draw_ticks(LacDrawing *drawing, const LacBox *bar, const LacFieldScene *scene, const LacPane *pane)
{
  gboolean is_signed = scene->errors == LAC_ERRORS_SIGNED;
  double   ticks[LAC_MAX_LEVELS], end = -G_MAXDOUBLE;
  if (pane->difference && !scene->one_scale && !scene->compares &&
      scene->errors != LAC_ERRORS_LOG && !lac_field_scene_get_choice(scene, TRUE)->locked) {
    /* Translators: upper end of a colour bar whose limit differs from picture to picture. */
    draw_tick(drawing, bar, 1, is_signed ? _("+max") : _("max"), &end);
    draw_tick(drawing, bar, is_signed ? 0.5 : 0, "0", &end);
    if (is_signed)
      draw_tick(drawing, bar, 0, _("−max"), &end);
    return;
  }
  gsize n = lac_scale_marks(&pane->warp, CLAMP((gsize) (bar->height / 40), 3, 8), ticks);
  for (gsize i = n; i-- > 0;) {
    g_autofree char *text = lac_number_text(ticks[i]);
    draw_tick(drawing, bar, lac_warp_at(&pane->warp, ticks[i]), text, &end);
  }
}

/* Returns: (transfer full): the share of values beyond the ends of the bar, and of non-finite ones. */
static char *
describe_clipped(const LacClipped *clipped)
{
  GString *words = g_string_new(NULL);
  guint64  beyond = clipped->n_below + clipped->n_above;
  if (beyond > 0) {
    g_autofree char *share =
      lac_significant_text(100.0 * (double) beyond / (double) clipped->n, DIGITS);
    g_string_append_printf(words, _(" · %s %% off scale"), share);
  }
  if (clipped->n_not_finite > 0) {
    g_autofree char *share =
      lac_significant_text(100.0 * (double) clipped->n_not_finite / (double) clipped->n, DIGITS);
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

char *
lac_field_dup_scale_words(const LacFieldScene *scene, const LacFieldMarks *marks, guint index)
{
  const LacPane    *pane = &scene->panes[index];
  const LacChannel *channel = &scene->channels[pane->plane];
  const char       *named = channel->quantity != NULL ? channel->quantity : channel->label;
  g_autofree char  *quantity = lac_format_quantity(named);
  g_autofree char  *unit = dup_unit(scene, pane);
  g_autofree char  *label = with_unit(quantity, unit);
  g_autofree char  *clipped = describe_clipped(&marks->clipped[pane->difference]);
  return g_strdup_printf("%s · %s%s", label, describe_scale(scene, pane), clipped);
}

static void
draw_bar(LacDrawing *drawing, const LacFieldScene *scene, const LacBox *bar, guint index)
{
  const LacPane *pane = &scene->panes[index];
  guint8         column[MAP_ENTRIES][4];
  if (!(pane->scale.high > pane->scale.low) || bar->height <= 0)
    return;
  for (gsize i = 0; i < MAP_ENTRIES; i++)
    memcpy(column[i], pane->map->rgba[MAP_ENTRIES - 1 - i], 4);
  lac_draw_image(drawing, bar->x, bar->y, bar->width, bar->height, 1, MAP_ENTRIES, &column[0][0]);
  draw_ticks(drawing, bar, scene, pane);
}

/* Finds the first pane of a row that shows values, or errors. Returns: -1 if there is none. */
static int
find_in_row(const LacPaneView *view, double top, double bottom, gboolean of_errors)
{
  for (guint i = 0; i < view->layout->n_panes; i++) {
    const LacBox *box = &view->layout->panes[i];
    if (box->width > 0 && box->y >= top && box->y < bottom &&
        view->scene->panes[i].difference == of_errors)
      return (int) i;
  }
  return -1;
}

/* Draws the bars of the panes between @top and @bottom; values and errors share the height. */
static void
draw_row(LacDrawing *drawing, const LacPaneView *view, double x, double top, double bottom)
{
  int    values = find_in_row(view, top, bottom, FALSE);
  int    errors = find_in_row(view, top, bottom, TRUE);
  LacBox bar = {x, top, BAR_WIDTH, bottom - top};
  double gap = 2 * LAC_DRAWING_FONT;
  if (values >= 0 && errors >= 0)
    bar.height = (bar.height - gap) / 2;
  if (values >= 0)
    draw_bar(drawing, view->scene, &bar, (guint) values);
  if (values >= 0 && errors >= 0)
    bar.y += bar.height + gap;
  if (errors >= 0)
    draw_bar(drawing, view->scene, &bar, (guint) errors);
}

void
lac_field_draw_bars(LacDrawing *drawing, const LacPaneView *view, const LacFieldMarks *marks)
{
  const LacPaneLayout *layout = view->layout;
  double               right = 0;
  if (layout->n_panes == 0)
    return;
  for (guint i = 0; i < layout->n_panes; i++)
    right = MAX(right, layout->panes[i].x + layout->panes[i].width);
  const LacBox *first = &layout->panes[0];
  double        x = right + LAC_PANE_GAP, bottom = lac_pane_layout_get_bottom(layout);
  if (layout->corner.width == 0) {
    draw_row(drawing, view, x, first->y, bottom);
    return;
  }
  draw_row(drawing, view, x, first->y, first->y + first->height);
  draw_row(drawing, view, x, layout->corner.y, bottom);
}
