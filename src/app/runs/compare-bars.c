/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bars and flame graph of two runs. The height follows the width. */
#include "app/runs/compare-bars.h"

#include "app/toolkit/accessible.h"
#include "app/toolkit/format.h"
#include "app/toolkit/style.h"
#include "report/timeline/flame-graph.h"
#include "report/timeline/stacked-bar.h"

#include <glib/gi18n-lib.h>

#define SMALL_HEIGHT 14.0
#define SMALL_GAP    12.0
#define GAP          12.0
#define LETTER       20.0 /* width of the letter before a small bar */
#define TIME         56.0 /* width of the time after it */
#define BASELINE     0.36 /* from the middle of a digit, relative to the font size */
#define FLAME_ROWS   10
#define SEEN         100 /* a bar of less than this part of the width is not described */
#define NO_TEXT      1e4 /* a font size at which no label fits */

struct _LacCompareBars {
  LacDrawingView     parent_instance;
  LacCompareBarsKind kind;
  const LacCompared *compared; /* (nullable): borrowed */
};

G_DEFINE_FINAL_TYPE(LacCompareBars, lac_compare_bars, LAC_TYPE_DRAWING_VIEW)

static const LacTimeParts *
get_parts(LacCompareBars *self, guint run)
{
  const LacComparedTime *time = &self->compared->times[run];
  return self->kind == LAC_COMPARE_BARS_OPERATIONS ? &time->operations : &time->phases;
}

/* Returns the longer of both times. */
static gint64
get_scale(LacCompareBars *self)
{
  return MAX(MAX(get_parts(self, 0)->whole_ns, get_parts(self, 1)->whole_ns), 1);
}

/* Draws a letter, the bar and its time in one line. */
static void
draw_small(LacCompareBars *self, LacDrawing *drawing, double width, guint run)
{
  const LacPalette   *palette = lac_style_palette();
  const LacTimeParts *parts = get_parts(self, run);
  double              y = run * (SMALL_HEIGHT + SMALL_GAP);
  double              baseline = y + SMALL_HEIGHT / 2 + BASELINE * LAC_DRAWING_FONT;
  double              room = MAX(width - LETTER - TIME, 1);
  double              end = (double) parts->whole_ns / (double) get_scale(self) * room;
  g_autofree char    *time = lac_format_duration((double) parts->whole_ns * 1e-9);
  LacStackedBarPlace  place = {.x = LETTER,
                               .y = y,
                               .width = room,
                               .height = SMALL_HEIGHT,
                               .font_size = NO_TEXT,
                               .scale_ns = get_scale(self),
                               .without_shares = TRUE};
  lac_draw_text(drawing, 0, baseline, LAC_ALIGN_LEFT, LAC_DRAWING_FONT, palette->foreground,
                run == 0 ? "a" : "b");
  lac_stacked_bar_draw(parts, self->compared->times[run].looks, &place, palette, drawing, NULL);
  lac_draw_text(drawing, LETTER + end + 6, baseline, LAC_ALIGN_LEFT, LAC_DRAWING_FONT,
                palette->foreground, time);
}

/* @drawing: (nullable): measures only. Returns: the height. */
static double
draw_large(LacCompareBars *self, LacDrawing *drawing, double width)
{
  double y = 0;
  for (guint r = 0; r < 2; r++) {
    g_autofree char   *time = lac_format_duration((double) get_parts(self, r)->whole_ns * 1e-9);
    g_autofree char   *title = g_strdup_printf("%s  %s", lac_comparison_letter(r), time);
    LacStackedBarPlace place = {.y = y,
                                .width = width,
                                .height = LAC_STACKED_BAR_HEIGHT,
                                .font_size = LAC_DRAWING_FONT,
                                .title = title,
                                .has_legend = TRUE,
                                .scale_ns = get_scale(self)};
    y += GAP + lac_stacked_bar_draw(get_parts(self, r), self->compared->times[r].looks, &place,
                                    lac_style_palette(), drawing, NULL);
  }
  return y - GAP;
}

static double
draw_flame(LacCompareBars *self, LacDrawing *drawing, double width)
{
  LacFlamePlace place = {.width = width,
                         .row = LAC_FLAME_ROW,
                         .font_size = LAC_DRAWING_FONT,
                         .most_rows = FLAME_ROWS,
                         .has_legend = TRUE};
  return lac_flame_graph_draw(&self->compared->flame, self->compared->times[1].looks, &place,
                              lac_style_palette(), drawing, NULL);
}

/* @drawing: (nullable): measures only. Returns: the height. */
static double
draw(LacCompareBars *self, LacDrawing *drawing, double width)
{
  if (self->compared == NULL || self->compared->times == NULL)
    return 0;
  if (self->kind == LAC_COMPARE_BARS_FLAME)
    return draw_flame(self, drawing, width);
  if (self->kind != LAC_COMPARE_BARS_SMALL)
    return draw_large(self, drawing, width);
  for (guint r = 0; r < 2 && drawing != NULL; r++)
    draw_small(self, drawing, width, r);
  return 2 * SMALL_HEIGHT + SMALL_GAP;
}

static void
lac_compare_bars_draw(LacDrawingView *view, LacDrawing *drawing, double width, double height)
{
  draw(LAC_COMPARE_BARS(view), drawing, width);
}

static GtkSizeRequestMode
lac_compare_bars_get_request_mode(GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
lac_compare_bars_measure(GtkWidget     *widget,
                         GtkOrientation orientation,
                         int            for_size,
                         int           *least,
                         int           *natural,
                         int           *least_baseline,
                         int           *natural_baseline)
{
  *least = *natural = orientation == GTK_ORIENTATION_VERTICAL
                        ? (int) (draw(LAC_COMPARE_BARS(widget), NULL, MAX(for_size, 200)) + 1)
                        : 100;
}

static void
lac_compare_bars_class_init(LacCompareBarsClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);
  LAC_DRAWING_VIEW_CLASS(class)->draw = lac_compare_bars_draw;
  widget_class->measure = lac_compare_bars_measure;
  widget_class->get_request_mode = lac_compare_bars_get_request_mode;
}

static void
lac_compare_bars_init(LacCompareBars *self)
{
}

GtkWidget *
lac_compare_bars_new(LacCompareBarsKind kind)
{
  LacCompareBars *self = g_object_new(LAC_TYPE_COMPARE_BARS, NULL);
  self->kind = kind;
  lac_accessible_name(self, kind == LAC_COMPARE_BARS_FLAME ? _("Change of the time by operation")
                                                           : _("Time of both runs"));
  return GTK_WIDGET(self);
}

/* @text: (transfer full) */
static void
add_words(GString *words, const char *letter, char *text)
{
  g_string_append_printf(words, "%s%s%s", words->len > 0 ? "; " : "", letter, text);
  g_free(text);
}

static void
describe_parts(LacCompareBars *self, GString *words, guint run)
{
  const LacTimeParts *parts = get_parts(self, run);
  const LacSpanLooks *looks = self->compared->times[run].looks;
  g_autofree char    *letter = g_strconcat(lac_comparison_letter(run), " ", NULL);
  for (gsize i = 0; i < parts->n; i++)
    add_words(words, letter, lac_stacked_bar_dup_text(parts, looks, i));
}

/* The bars that are wide enough to be seen. */
static void
describe_flame(LacCompareBars *self, GString *words)
{
  const LacFlame *flame = &self->compared->flame;
  for (gsize i = 0; i < flame->n; i++)
    if (flame->bars[i].depth < FLAME_ROWS && flame->bars[i].total_ns * SEEN > flame->whole_ns)
      add_words(words, "", lac_flame_dup_text(flame, self->compared->times[1].looks, i));
}

/* For screen readers. */
static void
describe(LacCompareBars *self)
{
  GString *words = g_string_new(NULL);
  if (self->compared != NULL && self->compared->times != NULL) {
    if (self->kind == LAC_COMPARE_BARS_FLAME)
      describe_flame(self, words);
    for (guint r = 0; self->kind != LAC_COMPARE_BARS_FLAME && r < 2; r++)
      describe_parts(self, words, r);
  }
  gtk_accessible_update_property(GTK_ACCESSIBLE(self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                 words->str, -1);
  g_string_free(words, TRUE);
}

void
lac_compare_bars_show(LacCompareBars *self, const LacCompared *compared)
{
  g_return_if_fail(LAC_IS_COMPARE_BARS(self));
  self->compared = compared;
  gtk_widget_set_visible(GTK_WIDGET(self), compared != NULL && compared->times != NULL);
  describe(self);
  gtk_widget_queue_resize(GTK_WIDGET(self));
  gtk_widget_queue_draw(GTK_WIDGET(self));
}
