/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The panels of a figure: one locked scale for truth and reconstructions, a symmetric one for the error. */
#include "base/unit.h"
#include "report/figure-private.h"
#include "report/plot-private.h"
#include "report/words.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>

#define MOST_COLUMNS 5   /* the truth and four reconstructions */
#define GAP          1.7 /* between panels, of the font size */
#define ROW_GAP      2.4
#define NARROW       14.0  /* of the font size: a column of fields is no narrower */
#define TALLEST      640.0 /* pt: fields below each other fit on a page with their caption */
#define NARROW_BAR   10.0
#define BAR_HEIGHT   0.9
#define BAR_ROOM     4.0 /* of a bar with its numbers and label */

typedef struct {
  const LacPlane *plane;
  char           *title;
  gboolean        is_error, is_lowest; /* nothing below it in its column */
  gsize           column, row;
} Panel;

/* One reconstruction: a row of fields ending in the error. Several: fields above, the error of each below it. */
typedef struct {
  const LacRunFile    *run;
  const LacRunChannel *channel;
  double               size;
  Panel                panels[2 * MOST_COLUMNS];
  gsize                n_panels, n_fields;   /* the first n_fields share the locked scale */
  LacPlane             errors[MOST_COLUMNS]; /* owned data */
  gsize                n_errors, n_columns, n_rows;
  LacFigureScales      scales;
  LacBox               first; /* cells of the first panel */
  double               stride, row_stride;
  double               left, right; /* edges of the place */
  const LacFrame      *frame;
  char                 letter; /* of the first panel */
  gboolean             scale_bar, is_upright;
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
add_panel(Figure *figure, const Panel *panel)
{
  figure->n_fields += !panel->is_error;
  figure->n_columns = MAX(figure->n_columns, panel->column + 1);
  figure->n_rows = MAX(figure->n_rows, panel->row + 1);
  figure->panels[figure->n_panels++] = *panel;
}

static void
add_field(Figure *figure, gsize channel)
{
  const Panel panel = {
    .plane = &figure->frame->planes[channel],
    .title = g_strdup(lac_word(figure->run->channels[channel].label)),
    .column = figure->n_columns,
    .is_lowest = TRUE,
  };

  add_panel(figure, &panel);
}

/* Of the field in @column. */
static void
add_error(Figure *figure, gsize column)
{
  const LacPlane *truth = figure->panels[0].plane, *field = figure->panels[column].plane;
  const gboolean  is_below = figure->n_fields > 2;
  LacPlane       *error = &figure->errors[figure->n_errors++];
  Panel           panel = {
              .plane = error,
              .title =
                g_strdup_printf(_("Error, (%c) − (%c)"), figure->letter + (int) column, figure->letter),
              .is_error = TRUE,
              .is_lowest = TRUE,
              .column = is_below ? column : column + 1,
              .row = is_below,
  };
  double low, high;

  *error = *field;
  error->data = g_new(float, truth->nx * truth->ny);
  for (gsize i = 0; i < truth->nx * truth->ny; i++)
    error->data[i] = field->data[i] - truth->data[i];
  lac_scale_of(error, TRUE, &low, &high);
  figure->scales.error_high = MAX(figure->scales.error_high, high);
  figure->panels[column].is_lowest = !is_below;
  add_panel(figure, &panel);
}

static gboolean
is_another(const Figure *figure, gsize i, gsize channel)
{
  const LacRunChannel *channels = figure->run->channels;
  const LacPlane      *planes = figure->frame->planes;

  return i != channel && same_shape(&planes[i], &planes[channel]) &&
         (channels[i].role == LAC_ROLE_RECONSTRUCTION || channels[i].role == LAC_ROLE_BASELINE) &&
         g_strcmp0(channels[i].quantity, channels[channel].quantity) == 0;
}

static void
collect_panels(Figure *figure, gsize channel)
{
  const LacRunFile    *run = figure->run;
  const LacPlane      *planes = figure->frame->planes;
  const LacRunChannel *shown = &run->channels[channel];
  const gssize         truth = find_role(run, LAC_ROLE_TRUTH, shown->quantity);
  gsize                n_fields;

  if (shown->role == LAC_ROLE_OTHER || truth < 0 || truth == (gssize) channel ||
      !same_shape(&planes[truth], &planes[channel])) {
    add_field(figure, channel);
    return;
  }
  add_field(figure, (gsize) truth);
  add_field(figure, channel);
  for (gsize i = 0; i < run->n_channels && figure->n_fields < MOST_COLUMNS; i++)
    if (is_another(figure, i, channel))
      add_field(figure, i);
  n_fields = figure->n_fields;
  for (gsize i = 1; i < n_fields; i++)
    add_error(figure, i);
}

/* One unit as long along x as along y, where both are lengths of one kind. */
static gboolean
has_equal_axes(const LacRunChannel *channel)
{
  return g_strcmp0(channel->axis_unit_x, channel->axis_unit_y) == 0 &&
         g_strcmp0(channel->axis_x, "t") != 0 && g_strcmp0(channel->axis_y, "t") != 0;
}

/* Of the cells of a panel so wide. */
static double
cells_height(const Figure *figure, double width)
{
  const LacPlane *plane = figure->panels[0].plane;
  const LacScale  across = lac_plane_scale_x(plane), up = lac_plane_scale_y(plane);

  return has_equal_axes(figure->channel)
           ? width * CLAMP((up.high - up.low) / (across.high - across.low), 0.25, 1.6)
           : width * 0.8;
}

/* Too narrow for all fields beside each other: below each other, the error of each beside it. */
static void
stand_up(Figure *figure, const LacFigurePlace *place)
{
  const double each = cells_height(figure, place->width / 2) + figure->size * ROW_GAP;

  if (figure->n_errors == 0 ||
      place->width / (double) figure->n_columns > NARROW * place->font_size ||
      (double) figure->n_fields * each > TALLEST)
    return;
  figure->is_upright = TRUE;
  figure->n_columns = 2;
  figure->n_rows = figure->n_fields;
  for (gsize i = 0; i < figure->n_panels; i++) {
    Panel *panel = &figure->panels[i];

    panel->column = panel->is_error;
    panel->row = panel->is_error ? i - figure->n_fields + 1 : i;
    panel->is_lowest = panel->row + 1 == figure->n_rows;
  }
}

/* Equal axes with a unit: a length on paper is one in the field. */
static gboolean
has_lengths(const LacRunChannel *channel)
{
  return has_equal_axes(channel) && channel->axis_unit_x != NULL && *channel->axis_unit_x != '\0' &&
         !g_str_equal(channel->axis_unit_x, "1");
}

static void
lay_out(Figure *figure, const LacFigurePlace *place)
{
  const LacPlane *plane = figure->panels[0].plane;
  LacScale        across = lac_plane_scale_x(plane), up = lac_plane_scale_y(plane);
  double          size = figure->size, n = (double) figure->n_columns;
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
  box.x += (double) figure->panels[i].column * figure->stride;
  box.y += (double) figure->panels[i].row * figure->row_stride;
  return box;
}

/* Of a panel that is alone the title has the whole width. */
static void
draw_panel_title(const Figure *figure, LacDrawing *drawing, gsize i, LacBox box)
{
  const double   size = figure->size;
  const char    *title = figure->panels[i].title;
  const gboolean is_alone = figure->n_panels == 1;
  double         x = box.x, width = is_alone ? figure->right - x : figure->stride - 0.5 * size;

  if (is_alone && lac_text_width(title, size, FALSE) > width) {
    x = figure->left;
    width = figure->right - x;
  }
  lac_figure_draw_title(drawing, (LacPoint){x, box.y - size * 0.55}, width, size,
                        is_alone ? '\0' : figure->letter + (char) i, title);
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
  const gboolean is_first = figure->is_upright
                              ? panel->column == 0
                              : panel->column == panel->row; /* below the truth there is nothing */
  for (gsize k = 0; !is_first && k < up.n_ticks; k++)
    up.labels[k][0] = '\0'; /* the panels of a row stand on one axis */
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

/* Below the panels from @from to @to, in their middle. */
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

/* Bar @i in the empty corner below the truth, or beside it. */
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
  box.width -= figure->size * 3;               /* beside it stand the numbers of the next panel */
  if (box.width < NARROW_BAR * figure->size) { /* room for the numbers of a narrow one */
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
    .scale_bar = place->scale_bar,
  };
  collect_panels(figure, channel);
  lac_scale_of(figure->panels[0].plane, strcmp(map->kind, "diverging") == 0, &figure->scales.low,
               &figure->scales.high);
}

static void
figure_clear(Figure *figure)
{
  for (gsize i = 0; i < figure->n_panels; i++)
    g_free(figure->panels[i].title);
  for (gsize i = 0; i < figure->n_errors; i++)
    g_free(figure->errors[i].data);
}

LacFigureScales
lac_figure_measure(const LacRunFile *run, const LacFrame *frame, gsize channel)
{
  Figure figure;

  g_return_val_if_fail(channel < run->n_channels && channel < frame->n_planes,
                       (LacFigureScales){0});
  if (run->channels[channel].layers.n > 0 || run->channels[channel].chart.n > 0)
    return (LacFigureScales){0};
  figure_init(&figure, run, frame, &(LacFigurePlace){.channel = channel});
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
  const gboolean         in_corner = figure->n_rows > 1;
  g_autofree char       *label = quantity_label(figure->channel, "");
  g_autofree char       *error_label = quantity_label(figure->channel, _("error of "));
  LacBarStyle            style = {map, scales->low, scales->high, label, figure->size, FALSE};

  lac_plot_bar(drawing,
               in_corner ? bar_in_corner(figure, 0) : bar_below(figure, 0, figure->n_fields - 1),
               &style, &lac_palette_paper);
  if (figure->n_errors == 0)
    return;
  style.map = lac_colour_map_find("balance");
  style.low = -scales->error_high;
  style.high = scales->error_high;
  style.label = error_label;
  lac_plot_bar(drawing,
               in_corner ? bar_in_corner(figure, 1)
                         : bar_below(figure, figure->n_fields, figure->n_fields),
               &style, &lac_palette_paper);
}

/* Where panels, axes and bars end. */
static double
find_bottom(const Figure *figure)
{
  const double size = figure->size;
  const double one_row = figure->first.y + figure->first.height;
  const LacBox last_bar = bar_in_corner(figure, 1);

  if (figure->is_upright)
    return one_row + (double) (figure->n_rows - 1) * figure->row_stride + size * 3.4;
  if (figure->n_rows == 1)
    return one_row + size * (3.4 + BAR_HEIGHT + 3.0);
  return MAX(one_row + figure->row_stride + size * 3.4,
             last_bar.y + last_bar.height + size * (BAR_ROOM - BAR_HEIGHT));
}

/* Returns: where the panels end. */
static double
draw_fields(LacDrawing *drawing, const LacFigurePlace *place, Figure *figure)
{
  const LacColourMap *map = lac_colour_map_find(figure->channel->colour_map);

  figure->size = place->font_size;
  if (place->scales)
    figure->scales = *place->scales;
  stand_up(figure, place);
  lay_out(figure, place);
  if (drawing != NULL) {
    for (gsize i = 0; i < figure->n_panels; i++)
      draw_panel(figure, drawing, i, map);
    draw_bars(figure, drawing, map);
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
    bottom += lac_figure_draw_volume(drawing, run, frame, place);
  } else if (channel->chart.n > 0) {
    bottom += lac_figure_draw_chart(drawing, run, frame, place);
  } else {
    figure_init(&figure, run, frame, place);
    bottom = draw_fields(drawing, place, &figure);
  }
  if (place->caption) {
    g_autofree char *caption = lac_figure_dup_caption(run, frame, place, figure.n_fields);
    bottom += lac_figure_draw_caption(drawing, place, bottom, caption);
  }
  figure_clear(&figure);
  return bottom - place->y;
}
