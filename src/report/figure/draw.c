/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Panels of a figure: fields, with one locked scale for true field and reconstructions and a symmetric one for the
 * error; a volume; a chart. */
#include "base/unit.h"
#include "report/figure/figure-private.h"
#include "report/figure/panels-private.h"
#include "report/plot/chart.h"
#include "report/plot/plot-private.h"
#include "report/text/number.h"
#include "report/text/words.h"
#include "report/volume/scene.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>

/* ---- volume with its slice; chart ---- */

#define PIXELS       360 /* per side of the picture */
#define VOLUME_GAP   2.0 /* between the panels, relative to the font size */
#define TITLE        1.7
#define BELOW        1.0  /* between a panel and its colour bar */
#define CHART_HEIGHT 0.55 /* relative to its width */

/* Returns the side of the two square panels. */
static double
panel_side(const LacFigurePlace *place)
{
  return (place->width - VOLUME_GAP * place->font_size) / 2;
}

static void
draw_panels(LacDrawing           *drawing,
            const LacVolumeScene *scene,
            const LacVolumeView  *volume_view,
            const LacFigurePlace *place)
{
  const char         letter = place->letter != '\0' ? place->letter : 'a';
  const double       size = place->font_size, side = panel_side(place);
  const double       top = place->y + TITLE * size, beside = place->x + side + VOLUME_GAP * size;
  LacVolumePlace     seen = {place->x, top, side, side, size, TRUE};
  LacVolumePlace     cut = {beside, top, side, side, size, FALSE};
  g_autofree guint8 *rgba = g_malloc(4 * PIXELS * PIXELS);

  lac_volume_scene_paint(scene, volume_view, PIXELS, PIXELS, rgba);
  lac_figure_draw_title(drawing, (LacPoint){place->x, top - 0.55 * size}, side, size, letter,
                        scene->channel.label);
  lac_draw_image(drawing, seen.x, seen.y, side, side, PIXELS, PIXELS, rgba);
  lac_volume_scene_draw_things(drawing, scene, volume_view, &seen);
  lac_figure_draw_title(drawing, (LacPoint){beside, top - 0.55 * size}, side, size, letter + 1,
                        volume_view->cut == LAC_CUT_NUCLEI ? _("Slice through the nuclei")
                                                           : _("Slice"));
  lac_volume_scene_draw_cut(drawing, scene, &cut);
  seen.y = cut.y = top + side + BELOW * size;
  lac_volume_scene_draw_bar(drawing, scene, LAC_VOLUME_LINES, &seen, &lac_palette_paper);
  lac_volume_scene_draw_bar(drawing, scene, LAC_VOLUME_VALUES, &cut, &lac_palette_paper);
}

/* Draws a channel with layers. Returns: the height used. @drawing: (nullable): measures only. */
static double
draw_volume(LacDrawing           *drawing,
            const LacRunFile     *run,
            const LacFrame       *frame,
            const LacFigurePlace *place)
{
  const LacChannel    channel = lac_run_file_get_channel(run, place->channel);
  const LacVolumeView volume_view =
    place->volume_view ? *place->volume_view : LAC_VOLUME_VIEW_START;
  LacVolumeScene scene;

  if (drawing) {
    lac_volume_scene_init(&scene, &channel, place->channel);
    if (lac_volume_scene_set_frame(&scene, (LacFrame *) frame, &volume_view))
      draw_panels(drawing, &scene, &volume_view, place);
    lac_volume_scene_clear(&scene);
  }
  return (TITLE + BELOW + LAC_VOLUME_BAR_ROOM) * place->font_size + panel_side(place);
}

/* Draws a channel with a chart. Returns: the height used. @drawing: (nullable): measures only. */
static double
draw_chart(LacDrawing           *drawing,
           const LacRunFile     *run,
           const LacFrame       *frame,
           const LacFigurePlace *place)
{
  const LacChannel channel = lac_run_file_get_channel(run, place->channel);
  const double     size = place->font_size, height = CHART_HEIGHT * place->width;
  LacChartPlace    at = {place->x, place->y + TITLE * size, place->width, height, size, TRUE, NULL};

  if (drawing) {
    lac_figure_draw_title(drawing, (LacPoint){place->x, place->y + size}, place->width, size,
                          place->letter, channel.label);
    lac_chart_draw(drawing, &channel, &frame->planes[place->channel], &at, &lac_palette_paper);
  }
  return TITLE * size + height;
}

/* ---- fields ---- */

#define GAP     1.7 /* between panels, relative to the font size */
#define ROW_GAP 2.4
#define NARROW  14.0 /* minimum width of a column of fields, relative to the font size */
#define TALLEST \
  640.0 /* pt; maximum height of a column of fields, so that it fits on a page with its caption */
#define NARROW_BAR 10.0
#define BAR_HEIGHT 0.9
#define BAR_ROOM   4.0 /* height of a colour bar with numbers and label */

/* Colour scale of the fields or of the errors. */
typedef struct {
  const LacColourMap *map;
  double              low, high;
  LacTransfer         transfer;
} Tone;

typedef struct {
  const LacRunFile    *run;
  const LacRunChannel *channel;
  double               size;
  LacFigurePanels      all;
  LacFigureScales      scales;
  Tone                 tones[2]; /* fields, errors */
  gboolean             isolines;
  LacFlowLook          flow;
  LacBox               first; /* cells of the first panel */
  double               stride, row_stride;
  double               left, right; /* edges of the figure */
  const LacFrame      *frame;
  char                 letter; /* of the first panel */
  gboolean             has_letter, scale_bar, is_upright,
    is_in_order; /* fields, then the error of each in the same order */
} Figure;

/* Returns TRUE for equal units along x and y, drawn at equal scale; time axes are excluded. */
static gboolean
has_equal_axes(const LacRunChannel *channel)
{
  return g_strcmp0(channel->axis_unit_x, channel->axis_unit_y) == 0 &&
         g_strcmp0(channel->axis_x, "t") != 0 && g_strcmp0(channel->axis_y, "t") != 0;
}

/* Returns the height of the cells of a panel of @width. */
static double
cells_height(const Figure *figure, double width)
{
  const LacPlane *plane = figure->all.panels[0].plane;
  const LacScale  across = lac_plane_scale_x(plane), up = lac_plane_scale_y(plane);

  return has_equal_axes(figure->channel)
           ? width * CLAMP((up.high - up.low) / (across.high - across.low), 0.25, 1.6)
           : width * 0.8;
}

/* Switches to a column of fields with the error beside each, where a row would be too narrow. */
static void
stand_up(Figure *figure, const LacFigurePlace *place)
{
  const double each = cells_height(figure, place->width / 2) + figure->size * ROW_GAP;

  if (figure->all.n_errors == 0 || !figure->is_in_order ||
      place->width / (double) figure->all.n_columns > NARROW * place->font_size ||
      (double) figure->all.n_fields * each > TALLEST)
    return;
  figure->is_upright = TRUE;
  figure->all.n_columns = 2;
  figure->all.n_rows = figure->all.n_fields;
  for (gsize i = 0; i < figure->all.n_panels; i++) {
    LacFigurePanel *panel = &figure->all.panels[i];

    panel->column = panel->is_error;
    panel->row = panel->is_error ? i - figure->all.n_fields + 1 : i;
    panel->is_lowest = panel->row + 1 == figure->all.n_rows;
  }
}

/* Returns TRUE for equal axes with a unit: one scale bar is valid in all directions. */
static gboolean
has_lengths(const LacRunChannel *channel)
{
  return has_equal_axes(channel) && channel->axis_unit_x != NULL && *channel->axis_unit_x != '\0' &&
         !g_str_equal(channel->axis_unit_x, "1");
}

static void
lay_out(Figure *figure, const LacFigurePlace *place)
{
  const LacPlane *plane = figure->all.panels[0].plane;
  LacScale        across = lac_plane_scale_x(plane), up = lac_plane_scale_y(plane);
  double          size = figure->size, n = (double) figure->all.n_columns;
  lac_scale_fit_y(&up, 100, size);
  lac_scale_fit_x(&across, 100, size);
  /* separates the numbers at the facing ends of two axes */
  double gap = MAX(size * GAP, lac_scale_label_width(&across, size) + size * 0.7);
  double left = lac_scale_label_width(&up, size) + size * 2.2;
  double width = (place->width - left - size * 2.0 - (n - 1) * gap) / n;
  if (n == 1) { /* centred */
    double narrow = MIN(width, place->width * 0.5);
    left += (width - narrow) / 2;
    width = narrow;
  }
  const double height = cells_height(figure, width);
  figure->first = (LacBox){place->x + left, place->y + size * 1.7, width, height};
  figure->stride = width + gap;
  figure->left = place->x;
  figure->right = place->x + place->width;
  figure->row_stride = height + size * ROW_GAP;
}

static LacBox
panel_box(const Figure *figure, gsize i)
{
  LacBox box = figure->first;
  box.x += (double) figure->all.panels[i].column * figure->stride;
  box.y += (double) figure->all.panels[i].row * figure->row_stride;
  return box;
}

/* Draws the title of a panel; a single panel's title has the whole width. */
static void
draw_panel_title(const Figure *figure, LacDrawing *drawing, gsize i, LacBox box)
{
  const double   size = figure->size;
  const char    *title = figure->all.panels[i].title;
  const gboolean is_alone = figure->all.n_panels == 1;
  double         x = box.x, width = is_alone ? figure->right - x : figure->stride - 0.5 * size;

  if (is_alone && lac_text_width(title, size, FALSE) > width) {
    x = figure->left;
    width = figure->right - x;
  }
  lac_figure_draw_title(drawing, (LacPoint){x, box.y - size * 0.55}, width, size,
                        is_alone && !figure->has_letter ? '\0' : figure->letter + (char) i, title);
}

static void
draw_panel(const Figure *figure, LacDrawing *drawing, gsize i)
{
  const LacFigurePanel *panel = &figure->all.panels[i];
  const Tone           *tone = &figure->tones[panel->is_error ? 1 : 0];
  const LacPalette     *palette = &lac_palette_paper;
  LacBox                box = panel_box(figure, i);
  double                size = figure->size;
  LacFieldStyle         style = {
            .map = tone->map,
            .low = tone->low,
            .high = tone->high,
            .transfer = tone->transfer,
            .isolines = figure->isolines,
            .flow = figure->flow,
            .velocity = panel->velocity,
            .font_size = size,
            .markers = figure->frame->markers,
            .n_markers = figure->channel->without_markers ? 0 : figure->frame->n_markers,
  };
  lac_plot_cells(drawing, box, panel->plane, &style);
  lac_plot_frame(drawing, box, 0.6, palette->foreground);

  LacScale across = lac_plane_scale_x(panel->plane), up = lac_plane_scale_y(panel->plane);
  lac_scale_show(&across, figure->channel->axis_unit_x);
  lac_scale_show(&up, figure->channel->axis_unit_y);
  lac_scale_fit_x(&across, box.width, size);
  lac_scale_fit_y(&up, box.height, size);
  g_autofree char *x_label =
    lac_label_with_shown_unit(figure->channel->axis_x, figure->channel->axis_unit_x);
  g_autofree char *y_label =
    lac_label_with_shown_unit(figure->channel->axis_y, figure->channel->axis_unit_y);
  const gboolean is_first =
    figure->is_upright ? panel->column == 0
                       : panel->column == panel->row; /* the space below the true field is empty */
  for (gsize k = 0; !is_first && k < up.n_ticks; k++)
    up.labels[k][0] = '\0'; /* the panels of a row share an axis */
  for (gsize k = 0; !panel->is_lowest && k < across.n_ticks; k++)
    across.labels[k][0] = '\0';
  lac_plot_axis_x(drawing, box, &across, panel->is_lowest ? x_label : NULL, size, palette);
  lac_plot_axis_y(drawing, box, &up, is_first ? y_label : NULL, size, palette);

  if (i == 0 && figure->scale_bar && has_lengths(figure->channel))
    lac_figure_draw_scale_bar(drawing, (const double[4]){box.x, box.y, box.width, box.height},
                              across.high - across.low,
                              lac_shown(figure->channel->axis_unit_x).unit, size);
  draw_panel_title(figure, drawing, i, box);
}

/* Returns the box of a colour bar centred below the panels @from to @to. */
static LacBox
bar_below(const Figure *figure, gsize from, gsize to)
{
  LacBox first = panel_box(figure, from), last = panel_box(figure, to);
  double span = last.x + last.width - first.x, width = MIN(span, figure->first.width * 1.6);

  return (LacBox){
    first.x + (span - width) / 2,
    first.y + first.height + figure->size * 3.4,
    width,
    figure->size * BAR_HEIGHT,
  };
}

/* Returns the box of bar @i in the empty corner below the true field, or beside it. */
static LacBox
bar_in_corner(const Figure *figure, gsize i)
{
  LacBox box = figure->first;

  if (figure->is_upright) {
    box.x += figure->stride;
    box.y += figure->size * (1.0 + (double) i * BAR_ROOM);
    box.height = figure->size * BAR_HEIGHT;
    return box;
  }
  box.y += figure->row_stride + figure->size * (2.2 + (double) i * BAR_ROOM);
  box.height = figure->size * BAR_HEIGHT;
  box.width -= figure->size * 3;               /* space for the numbers of the next panel */
  if (box.width < NARROW_BAR * figure->size) { /* space for the numbers of a narrow bar */
    box.width += box.x - figure->left - figure->size;
    box.x = figure->left + figure->size;
  }
  return box;
}

static char *
quantity_label(const LacRunChannel *channel, const char *prefix)
{
  g_autofree char *quantity =
    g_strdup(channel->quantity != NULL ? channel->quantity : channel->key);
  g_autofree char *label = g_strconcat(prefix, lac_word(g_strdelimit(quantity, "_", ' ')), NULL);
  return lac_label_with_unit(label, channel->unit);
}

static LacPanels
find_panels(const LacFigurePlace *place)
{
  return lac_panels_find(place->look != NULL ? place->look->panels : NULL);
}

/* Sets a scale from 0 to the largest deviation of all panels. */
static void
measure_deviations(Figure *figure)
{
  for (gsize i = 0; i < figure->all.n_panels; i++) {
    double low, high;

    lac_scale_of(figure->all.panels[i].plane, FALSE, &low, &high);
    figure->scales.high = MAX(figure->scales.high, high);
  }
}

static void
figure_init(Figure               *figure,
            const LacRunFile     *run,
            const LacFrame       *frame,
            const LacFigurePlace *place)
{
  const gsize         channel = place->channel;
  const LacColourMap *map = lac_colour_map_find(run->channels[channel].colour_map);

  *figure = (Figure){
    .run = run,
    .frame = frame,
    .channel = &run->channels[channel],
    .letter = place->letter != '\0' ? place->letter : 'a',
    .has_letter = place->letter != '\0',
    .scale_bar = place->scale_bar,
  };
  lac_figure_panels_init(&figure->all, run, frame, place, figure->letter);
  figure->scales.error_high = figure->all.error_high;
  figure->is_in_order = figure->all.n_errors + 1 == figure->all.n_fields;
  if (find_panels(place) == LAC_PANELS_DEVIATION)
    measure_deviations(figure);
  else
    lac_scale_of(figure->all.panels[0].plane, lac_colour_map_is_diverging(map), &figure->scales.low,
                 &figure->scales.high);
}

/* Sets the colour scales from the look of @place, else from @scales. */
static void
set_tones(Figure *figure, const LacFigurePlace *place)
{
  static const LacFigureLook  plain = {0};
  const LacFigureLook        *look = place->look != NULL ? place->look : &plain;
  const LacFigureScales      *scales = place->scales != NULL ? place->scales : &figure->scales;
  const char *const           maps[] = {figure->channel->colour_map, "balance"};
  const char *const           chosen[] = {look->colour_map, look->error_colour_map};
  const char *const           words[] = {look->transfer, look->error_transfer};
  const LacFigureRange *const limits[] = {&look->limits, &look->error_limits};
  const LacFigureRange        own[] = {{TRUE, scales->low, scales->high},
                                       {TRUE, -scales->error_high, scales->error_high}};

  for (gsize i = 0; i < G_N_ELEMENTS(figure->tones); i++) {
    const LacFigureRange *range = limits[i]->is_given ? limits[i] : &own[i];

    figure->tones[i] = (Tone){
      .map = lac_colour_map_find(chosen[i] != NULL ? chosen[i] : maps[i]),
      .low = range->low,
      .high = range->high,
      .transfer = lac_transfer_find(words[i]),
    };
  }
  figure->isolines = look->isolines;
  figure->flow = look->flow;
}

LacFigureScales
lac_figure_measure(const LacRunFile    *run,
                   const LacFrame      *frame,
                   gsize                channel,
                   const LacFigureLook *look)
{
  Figure figure;

  g_return_val_if_fail(channel < run->n_channels && channel < frame->n_planes,
                       (LacFigureScales){0});
  if (run->channels[channel].layers.n > 0 || run->channels[channel].chart.n > 0)
    return (LacFigureScales){0};
  figure_init(&figure, run, frame, &(LacFigurePlace){.channel = channel, .look = look});
  lac_figure_panels_clear(&figure.all);
  return figure.scales;
}

gsize
lac_figure_count_panels(const LacRunFile *run, const LacFrame *frame, const LacFigurePlace *place)
{
  LacFigurePanels panels;
  gsize           n;

  lac_figure_panels_init(&panels, run, frame, place, 'a');
  n = panels.n_panels;
  lac_figure_panels_clear(&panels);
  return n;
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
draw_bar(const Figure *figure, LacDrawing *drawing, LacBox box, gboolean of_errors)
{
  const Tone       *tone = &figure->tones[of_errors ? 1 : 0];
  g_autofree char  *label = quantity_label(figure->channel, of_errors ? _("error of ") : "");
  const LacBarStyle style = {tone->map, tone->low, tone->high, label, figure->size, tone->transfer};

  lac_plot_bar(drawing, box, &style, &lac_palette_paper);
}

static void
draw_bars(const Figure *figure, LacDrawing *drawing)
{
  const LacFigurePanels *all = &figure->all;
  const gboolean         in_corner = all->n_rows > 1;

  if (all->n_fields > 0)
    draw_bar(figure, drawing,
             in_corner ? bar_in_corner(figure, 0) : bar_below(figure, 0, all->n_fields - 1), FALSE);
  if (all->n_errors > 0)
    draw_bar(figure, drawing,
             in_corner ? bar_in_corner(figure, 1)
                       : bar_below(figure, all->n_fields, all->n_panels - 1),
             TRUE);
}

/* Returns the lower end of panels, axes and bars. */
static double
find_bottom(const Figure *figure)
{
  const double size = figure->size;
  const double one_row = figure->first.y + figure->first.height;
  const LacBox last_bar = bar_in_corner(figure, 1);

  if (figure->is_upright)
    return one_row + (double) (figure->all.n_rows - 1) * figure->row_stride + size * 3.4;
  if (figure->all.n_rows == 1)
    return one_row + size * (3.4 + BAR_HEIGHT + 3.0);
  return MAX(one_row + figure->row_stride + size * 3.4,
             last_bar.y + last_bar.height + size * (BAR_ROOM - BAR_HEIGHT));
}

/* Returns: the lower end of the panels. */
static double
draw_fields(LacDrawing *drawing, const LacFigurePlace *place, Figure *figure)
{
  figure->size = place->font_size;
  set_tones(figure, place);
  stand_up(figure, place);
  lay_out(figure, place);
  if (drawing != NULL) {
    for (gsize i = 0; i < figure->all.n_panels; i++)
      draw_panel(figure, drawing, i);
    draw_bars(figure, drawing);
  }
  return find_bottom(figure);
}

double
lac_figure_draw(LacDrawing           *drawing,
                const LacRunFile     *run,
                const LacFrame       *frame,
                const LacFigurePlace *place)
{
  g_return_val_if_fail(run != NULL && frame != NULL && place != NULL, 0);
  g_return_val_if_fail(place->channel < run->n_channels && place->channel < frame->n_planes, 0);
  const LacRunChannel *channel = &run->channels[place->channel];
  Figure               figure = {.run = run, .frame = frame, .channel = channel};
  double               bottom = place->y;

  if (channel->layers.n > 0) {
    bottom += draw_volume(drawing, run, frame, place);
  } else if (channel->chart.n > 0) {
    bottom += draw_chart(drawing, run, frame, place);
  } else {
    figure_init(&figure, run, frame, place);
    bottom = draw_fields(drawing, place, &figure);
  }
  if (place->caption) {
    const gboolean   is_whole = find_panels(place) == LAC_PANELS_ALL;
    const gboolean   is_own = place->look == NULL || !place->look->limits.is_given;
    const gsize      n_by_truth = is_whole && is_own ? figure.all.n_fields : 0;
    g_autofree char *caption = lac_figure_dup_caption(run, frame, place, n_by_truth);
    bottom += lac_figure_draw_caption(drawing, place, bottom, caption);
  }
  lac_figure_panels_clear(&figure.all);
  return bottom - place->y;
}
