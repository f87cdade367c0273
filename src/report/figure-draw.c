/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The panels of a figure: one locked scale for truth and reconstructions, a symmetric one for the error. */
#include "report/figure.h"
#include "report/plot-private.h"

#include <math.h>
#include <string.h>

#define MOST_PANELS 5
#define GAP         1.7 /* between panels, of the font size */
#define BAR_HEIGHT  0.9

typedef struct {
  const LacPlane *plane;
  char           *title;
  gboolean        is_error;
} Panel;

typedef struct {
  const LacRunFile    *run;
  const LacRunChannel *channel;
  double               size;
  Panel                panels[MOST_PANELS];
  gsize                n_panels, n_paired; /* the first n_paired share the locked scale */
  LacPlane             error;              /* owned data */
  LacFigureScales      scales;
  LacBox               first; /* cells of the first panel */
  double               stride;
  const LacFrame      *frame;
} Figure;

static gssize
find_role(const LacRunFile *run, LacRole role, const char *quantity)
{
  for (gsize i = 0; i < run->n_channels; i++)
    if (run->channels[i].role == role && g_strcmp0(run->channels[i].quantity, quantity) == 0)
      return (gssize) i;
  return -1;
}

static gboolean
same_shape(const LacPlane *a, const LacPlane *b)
{
  return a->nx == b->nx && a->ny == b->ny;
}

static void
add_panel(Figure *figure, const LacPlane *plane, const char *title, gboolean is_error)
{
  figure->panels[figure->n_panels++] = (Panel){plane, g_strdup(title), is_error};
  figure->n_paired += !is_error;
}

static void
make_error(Figure *figure, const LacPlane *truth, const LacPlane *reconstruction)
{
  figure->error = *reconstruction;
  figure->error.data = g_new(float, truth->nx * truth->ny);
  for (gsize i = 0; i < truth->nx * truth->ny; i++)
    figure->error.data[i] = reconstruction->data[i] - truth->data[i];
  double low;
  lac_scale_of(&figure->error, TRUE, &low, &figure->scales.error_high);
}

static void
collect_panels(Figure *figure, gsize channel)
{
  const LacRunFile *run = figure->run;
  const LacPlane   *planes = figure->frame->planes, *shown = &planes[channel];
  const char       *quantity = run->channels[channel].quantity;
  gssize            truth = find_role(run, LAC_ROLE_TRUTH, quantity);
  gssize            baseline = find_role(run, LAC_ROLE_BASELINE, quantity);
  gboolean          alone = run->channels[channel].role == LAC_ROLE_OTHER || truth < 0 ||
                   truth == (gssize) channel || !same_shape(&planes[truth], shown);
  if (alone) {
    add_panel(figure, shown, run->channels[channel].label, FALSE);
    return;
  }
  add_panel(figure, &planes[truth], run->channels[truth].label, FALSE);
  if (baseline >= 0 && baseline != (gssize) channel && same_shape(&planes[baseline], shown))
    add_panel(figure, &planes[baseline], run->channels[baseline].label, FALSE);
  add_panel(figure, shown, run->channels[channel].label, FALSE);
  make_error(figure, &planes[truth], shown);
  g_autofree char *title =
    g_strdup_printf("Error, (%c) − (a)", (char) ('a' + (int) figure->n_panels - 1));
  add_panel(figure, &figure->error, title, TRUE);
}

/* One unit as long along x as along y, where both are lengths of one kind. */
static gboolean
has_equal_axes(const LacRunChannel *channel)
{
  return g_strcmp0(channel->axis_unit_x, channel->axis_unit_y) == 0 &&
         g_strcmp0(channel->axis_x, "t") != 0 && g_strcmp0(channel->axis_y, "t") != 0;
}

static void
lay_out(Figure *figure, const LacFigurePlace *place)
{
  const LacPlane *plane = figure->panels[0].plane;
  LacScale        across = lac_plane_scale_x(plane), up = lac_plane_scale_y(plane);
  double          size = figure->size, n = (double) figure->n_panels;
  lac_scale_fit_y(&up, 100, size);
  lac_scale_fit_x(&across, 100, size);
  /* numbers at the facing ends of two axes stay apart */
  double gap = MAX(size * GAP, lac_scale_label_width(&across, size) + size * 0.7);
  double left = lac_scale_label_width(&up, size) + size * 2.2;
  double width = (place->width - left - size * 2.0 - (n - 1) * gap) / n;
  if (n == 1) { /* in the middle */
    double narrow = MIN(width, place->width * 0.5);
    left += (width - narrow) / 2;
    width = narrow;
  }
  double height = width * 0.8;
  if (has_equal_axes(figure->channel))
    height = width * CLAMP((up.high - up.low) / (across.high - across.low), 0.25, 1.6);
  figure->first = (LacBox){place->x + left, place->y + size * 1.7, width, height};
  figure->stride = width + gap;
}

static LacBox
panel_box(const Figure *figure, gsize i)
{
  LacBox box = figure->first;
  box.x += (double) i * figure->stride;
  return box;
}

static void
draw_panel(const Figure *figure, LacDrawing *drawing, gsize i, const LacColourMap *map)
{
  const Panel      *panel = &figure->panels[i];
  const LacPalette *palette = &lac_palette_paper;
  LacBox            box = panel_box(figure, i);
  double            size = figure->size;
  LacFieldStyle     style = {
        .map = panel->is_error ? lac_colour_map_find("balance") : map,
        .low = panel->is_error ? -figure->scales.error_high : figure->scales.low,
        .high = panel->is_error ? figure->scales.error_high : figure->scales.high,
        .font_size = size,
        .markers = figure->frame->markers,
        .n_markers = figure->frame->n_markers,
  };
  lac_plot_cells(drawing, box, panel->plane, &style);
  lac_plot_frame(drawing, box, 0.6, palette->foreground);

  LacScale across = lac_plane_scale_x(panel->plane), up = lac_plane_scale_y(panel->plane);
  lac_scale_fit_x(&across, box.width, size);
  lac_scale_fit_y(&up, box.height, size);
  g_autofree char *x_label =
    lac_label_with_unit(figure->channel->axis_x, figure->channel->axis_unit_x);
  g_autofree char *y_label =
    lac_label_with_unit(figure->channel->axis_y, figure->channel->axis_unit_y);
  for (gsize k = 0; i > 0 && k < up.n_ticks; k++)
    up.labels[k][0] = '\0'; /* the panels stand on one axis */
  lac_plot_axis_x(drawing, box, &across, x_label, size, palette);
  lac_plot_axis_y(drawing, box, &up, i == 0 ? y_label : NULL, size, palette);

  char letter[] = {'(', (char) ('a' + (int) i), ')', '\0'};
  lac_draw_text_bold(drawing, box.x, box.y - size * 0.55, LAC_ALIGN_LEFT, size, palette->foreground,
                     letter);
  double           indent = lac_text_width("(m)", size, TRUE) + size * 0.4;
  g_autofree char *title = lac_text_dup_fitted(panel->title, size, FALSE, box.width - indent);
  lac_draw_text(drawing, box.x + indent, box.y - size * 0.55, LAC_ALIGN_LEFT, size,
                palette->foreground, title);
}

/* Below the panels it belongs to, in their middle. */
static void
draw_bar(const Figure *figure, LacDrawing *drawing, gsize from, gsize n, const LacBarStyle *style)
{
  LacBox first = panel_box(figure, from), last = panel_box(figure, from + n - 1);
  double span = last.x + last.width - first.x, width = MIN(span, figure->first.width * 1.6);
  LacBox box = {
    first.x + (span - width) / 2,
    first.y + first.height + figure->size * 3.4,
    width,
    figure->size * BAR_HEIGHT,
  };
  lac_plot_bar(drawing, box, style, &lac_palette_paper);
}

static char *
quantity_label(const LacRunChannel *channel, const char *prefix)
{
  g_autofree char *quantity =
    g_strdup(channel->quantity != NULL ? channel->quantity : channel->key);
  g_autofree char *label = g_strconcat(prefix, g_strdelimit(quantity, "_", ' '), NULL);
  return lac_label_with_unit(label, channel->unit);
}

static char *
make_caption(const Figure *figure)
{
  const LacRunFile *run = figure->run;
  GString          *text = g_string_new(NULL);
  g_string_printf(text, "%s (%s), step %" G_GINT64_FORMAT, run->title, run->experiment,
                  figure->frame->step);
  g_autofree char *seconds = lac_duration_text(figure->frame->seconds);
  g_string_append_printf(text, ", after %s of computing.", seconds);
  for (gsize m = 0; m < run->n_metrics && m < figure->frame->n_metrics; m++) {
    if (!run->metrics[m].is_result || !isfinite(figure->frame->metrics[m]))
      continue;
    g_autofree char *value = lac_number_text(figure->frame->metrics[m]);
    gboolean         has_unit = g_strcmp0(run->metrics[m].unit, "1") != 0;
    g_string_append_printf(text, " %s: %s%s%s.", run->metrics[m].label, value, has_unit ? " " : "",
                           has_unit ? run->metrics[m].unit : "");
  }
  if (figure->frame->n_markers > 0)
    g_string_append_printf(text, " Circles: %" G_GSIZE_FORMAT " sensors.",
                           figure->frame->n_markers);
  if (figure->n_paired > 1)
    g_string_append(text, " One colour scale, the truth's, for all fields; the error has its own.");
  return g_string_free(text, FALSE);
}

static void
figure_init(Figure *figure, const LacRunFile *run, const LacFrame *frame, gsize channel)
{
  const LacColourMap *map = lac_colour_map_find(run->channels[channel].colour_map);

  *figure = (Figure){.run = run, .frame = frame, .channel = &run->channels[channel]};
  collect_panels(figure, channel);
  lac_scale_of(figure->panels[0].plane, strcmp(map->kind, "diverging") == 0, &figure->scales.low,
               &figure->scales.high);
}

static void
figure_clear(Figure *figure)
{
  for (gsize i = 0; i < figure->n_panels; i++)
    g_free(figure->panels[i].title);
  g_free(figure->error.data);
}

LacFigureScales
lac_figure_measure(const LacRunFile *run, const LacFrame *frame, gsize channel)
{
  Figure figure;

  g_return_val_if_fail(channel < run->n_channels && channel < frame->n_planes,
                       (LacFigureScales){0});
  figure_init(&figure, run, frame, channel);
  figure_clear(&figure);
  return figure.scales;
}

LacFigureScales
lac_figure_join(const LacFigureScales *a, const LacFigureScales *b)
{
  return (LacFigureScales){
    .low = MIN(a->low, b->low),
    .high = MAX(a->high, b->high),
    .error_high = MAX(a->error_high, b->error_high),
  };
}

static void
draw_bars(const Figure *figure, LacDrawing *drawing, const LacColourMap *map)
{
  const LacFigureScales *scales = &figure->scales;
  g_autofree char       *label = quantity_label(figure->channel, "");
  g_autofree char       *error_label = quantity_label(figure->channel, "error of ");
  LacBarStyle            style = {map, scales->low, scales->high, label, figure->size, FALSE};

  draw_bar(figure, drawing, 0, figure->n_paired, &style);
  if (figure->n_panels == figure->n_paired)
    return;
  style.map = lac_colour_map_find("balance");
  style.low = -scales->error_high;
  style.high = scales->error_high;
  style.label = error_label;
  draw_bar(figure, drawing, figure->n_paired, 1, &style);
}

double
lac_figure_draw(LacDrawing           *drawing,
                const LacRunFile     *run,
                const LacFrame       *frame,
                const LacFigurePlace *place)
{
  g_return_val_if_fail(run != NULL && frame != NULL && place != NULL, 0);
  g_return_val_if_fail(place->channel < run->n_channels && place->channel < frame->n_planes, 0);
  const LacColourMap *map = lac_colour_map_find(run->channels[place->channel].colour_map);
  Figure              figure;
  double              bottom;

  figure_init(&figure, run, frame, place->channel);
  figure.size = place->font_size;
  if (place->scales)
    figure.scales = *place->scales;
  lay_out(&figure, place);
  bottom = figure.first.y + figure.first.height + figure.size * (3.4 + BAR_HEIGHT + 3.0);
  if (drawing != NULL) {
    for (gsize i = 0; i < figure.n_panels; i++)
      draw_panel(&figure, drawing, i, map);
    draw_bars(&figure, drawing, map);
  }
  if (place->caption) {
    g_autofree char  *caption = make_caption(&figure);
    LacParagraphStyle style = {figure.size, FALSE, lac_palette_paper.foreground};
    bottom += figure.size * 0.6;
    bottom += lac_draw_paragraph(drawing, place->x, bottom, place->width, &style, caption);
  }
  figure_clear(&figure);
  return bottom - place->y;
}
