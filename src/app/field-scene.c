/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The scene of the field viewer. */
#include "app/field-scene.h"

#include "report/plot.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>

#define SHRINK_AFTER_NS \
  (2 * G_GINT64_CONSTANT(1000000000)) /* an error scale falls only after 2 s of small errors */

static const char *
quantity_of(const LacChannel *channel)
{
  return channel->quantity != NULL ? channel->quantity : channel->key;
}

static gboolean
is_shown(const LacFieldScene *scene, gsize channel)
{
  return scene->n_quantities > 0 && scene->channels[channel].layers.n == 0 &&
         g_str_equal(quantity_of(&scene->channels[channel]), scene->quantities[scene->quantity]);
}

static gboolean
is_source(const LacChannel *channel)
{
  return channel->role == LAC_ROLE_RECONSTRUCTION || channel->role == LAC_ROLE_BASELINE;
}

static gssize
find_truth(const LacFieldScene *scene, const char *quantity)
{
  for (gsize i = 0; i < scene->n_channels; i++)
    if (scene->channels[i].role == LAC_ROLE_TRUTH &&
        g_str_equal(quantity_of(&scene->channels[i]), quantity))
      return (gssize) i;
  return -1;
}

static guint
count_sources(const LacFieldScene *scene)
{
  guint n = 0;
  for (gsize i = 0; i < scene->n_channels; i++)
    n += is_shown(scene, i) && is_source(&scene->channels[i]);
  return n;
}

static void
add_pane(LacFieldScene *scene, gsize plane, gssize other)
{
  if (scene->n_panes == LAC_MAX_PANES)
    return;
  scene->panes[scene->n_panes++] = (LacPane){
    .plane = plane,
    .other = other < 0 ? 0 : (gsize) other,
    .difference = other >= 0,
    .map = lac_colour_map_find(other >= 0 ? "balance" : scene->channels[plane].colour_map),
  };
}

static void
add_sources(LacFieldScene *scene, gssize subtracted)
{
  for (gsize i = 0; i < scene->n_channels; i++)
    if (is_shown(scene, i) && is_source(&scene->channels[i]))
      add_pane(scene, i, subtracted);
}

/* Of the sources that have a pane. */
static void
add_errors_below(LacFieldScene *scene, gssize truth)
{
  for (guint i = 1; i < scene->n_panes; i++)
    scene->panes[scene->n_panes + scene->n_below++] = (LacPane){
      .plane = scene->panes[i].plane,
      .other = (gsize) truth,
      .difference = TRUE,
      .map = lac_colour_map_find("balance"),
    };
}

static void
add_others(LacFieldScene *scene)
{
  for (gsize i = 0; i < scene->n_channels; i++)
    if (is_shown(scene, i) && scene->channels[i].role == LAC_ROLE_OTHER)
      add_pane(scene, i, -1);
}

gboolean
lac_field_scene_has_mode(const LacFieldScene *scene, LacViewMode mode)
{
  if (scene->n_quantities == 0)
    return mode == LAC_VIEW_FIELDS;
  gboolean judged = find_truth(scene, scene->quantities[scene->quantity]) >= 0;
  guint    n_sources = count_sources(scene);
  gboolean uncertain = FALSE;
  for (gsize i = 0; i < scene->n_channels; i++)
    uncertain |= is_shown(scene, i) && scene->channels[i].role == LAC_ROLE_OTHER;
  switch (mode) {
  case LAC_VIEW_FIELDS: return TRUE;
  case LAC_VIEW_ERRORS: return judged && n_sources > 1;
  case LAC_VIEW_DEVIATION: return uncertain && (judged || n_sources > 0);
  }
  g_return_val_if_reached(FALSE);
}

static void
choose_panes(LacFieldScene *scene)
{
  LacViewMode mode = lac_field_scene_has_mode(scene, scene->mode) ? scene->mode : LAC_VIEW_FIELDS;
  scene->n_panes = scene->n_below = 0;
  if (scene->n_quantities == 0)
    return;
  gssize truth = find_truth(scene, scene->quantities[scene->quantity]);
  if (mode == LAC_VIEW_DEVIATION) {
    add_others(scene);
    return;
  }
  if (truth >= 0)
    add_pane(scene, (gsize) truth, -1);
  add_sources(scene, mode == LAC_VIEW_ERRORS ? truth : -1);
  if (truth >= 0 && count_sources(scene) == 1)
    add_sources(scene, truth);
  else if (truth >= 0 && mode == LAC_VIEW_FIELDS)
    add_errors_below(scene, truth);
  if (scene->n_panes == 0)
    add_others(scene);
}

static void
collect_quantities(LacFieldScene *scene)
{
  for (gsize i = 0; i < scene->n_channels; i++) {
    const char *quantity = quantity_of(&scene->channels[i]);
    guint       at = 0;
    if (scene->channels[i].layers.n > 0)
      continue;
    while (at < scene->n_quantities && !g_str_equal(scene->quantities[at], quantity))
      at++;
    if (at == scene->n_quantities && at < LAC_MAX_QUANTITIES)
      scene->quantities[scene->n_quantities++] = quantity;
  }
}

void
lac_field_scene_init(LacFieldScene *scene, const LacChannel *channels, gsize n_channels)
{
  *scene = (LacFieldScene){.channels = channels, .n_channels = n_channels};
  collect_quantities(scene);
  choose_panes(scene);
}

void
lac_field_scene_clear(LacFieldScene *scene)
{
  g_clear_pointer(&scene->frame, lac_frame_unref);
  *scene = (LacFieldScene){0};
}

static double
largest_difference(const LacFieldScene *scene, const LacPane *pane)
{
  const LacPlane *a = &scene->frame->planes[pane->plane];
  const LacPlane *b = &scene->frame->planes[pane->other];
  if (a->nx != b->nx || a->ny != b->ny)
    return 0;
  double largest = 0;
  for (gsize i = 0; i < a->nx * a->ny; i++) {
    double difference = fabs((double) a->data[i] - (double) b->data[i]);
    if (isfinite(difference) && difference > largest)
      largest = difference;
  }
  return largest;
}

/* Rounded up to 1, 2 or 5 times a power of ten, so that the numbers at the bar are quiet. */
static double
round_up(double value)
{
  if (!(value > 0))
    return 1e-12;
  double decade = pow(10, floor(log10(value)));
  double steps[] = {1, 2, 5, 10};
  for (gsize i = 0; i < G_N_ELEMENTS(steps); i++)
    if (value <= steps[i] * decade * (1 + 1e-9))
      return steps[i] * decade;
  return 10 * decade;
}

/* One scale for the errors of all sources: it grows at once and shrinks late. */
static void
follow_errors(LacFieldScene *scene)
{
  double largest = -1;
  for (guint i = 0; i < scene->n_panes + scene->n_below; i++)
    if (scene->panes[i].difference)
      largest = MAX(largest, largest_difference(scene, &scene->panes[i]));
  if (largest < 0)
    return;
  double wanted = round_up(largest);
  gint64 now = scene->frame->made_ns;
  if (wanted >= scene->error.high) {
    scene->error = (LacScale){-wanted, wanted};
    scene->shrink_ns = 0;
  } else if (scene->shrink_ns == 0) {
    scene->shrink_ns = now;
  } else if (now - scene->shrink_ns > SHRINK_AFTER_NS) {
    scene->error = (LacScale){-wanted, wanted};
    scene->shrink_ns = 0;
  }
}

static void
grow_deviation(LacFieldScene *scene)
{
  for (guint i = 0; i < scene->n_panes; i++) {
    double high = (double) scene->frame->planes[scene->panes[i].plane].max;
    if (isfinite(high) && high > scene->deviation.high)
      scene->deviation = (LacScale){0, round_up(high)};
  }
}

/* Of every quantity at every frame, so that to look away changes no scale. */
static void
grow_locked(LacFieldScene *scene, guint quantity)
{
  gssize truth = find_truth(scene, scene->quantities[quantity]);
  for (gsize i = 0; i < scene->n_channels && truth < 0; i++)
    if (g_str_equal(quantity_of(&scene->channels[i]), scene->quantities[quantity]))
      truth = (gssize) i;
  if (truth < 0 || (gsize) truth >= scene->frame->n_planes ||
      !isfinite(scene->frame->planes[truth].max))
    return;
  LacScale *locked = &scene->locked[quantity];
  gboolean  diverging =
    g_str_equal(lac_colour_map_find(scene->channels[truth].colour_map)->kind, "diverging");
  double low, high;
  lac_scale_of(&scene->frame->planes[truth], diverging, &low, &high);
  gboolean first = locked->low == locked->high;
  locked->low = first ? low : MIN(low, locked->low);
  locked->high = first ? high : MAX(high, locked->high);
}

static gboolean
shows_deviation(const LacFieldScene *scene)
{
  return scene->mode == LAC_VIEW_DEVIATION && lac_field_scene_has_mode(scene, scene->mode);
}

static void
update_scales(LacFieldScene *scene)
{
  if (scene->frame == NULL || scene->n_panes == 0)
    return;
  for (guint q = 0; q < scene->n_quantities; q++)
    grow_locked(scene, q);
  follow_errors(scene);
  if (shows_deviation(scene))
    grow_deviation(scene);
  for (guint i = 0; i < scene->n_panes + scene->n_below; i++) {
    LacPane *pane = &scene->panes[i];
    pane->scale = pane->difference         ? scene->error
                  : shows_deviation(scene) ? scene->deviation
                                           : scene->locked[scene->quantity];
  }
}

static void
choose_again(LacFieldScene *scene)
{
  scene->error = (LacScale){0, 0};
  scene->shrink_ns = 0;
  choose_panes(scene);
  update_scales(scene);
}

char *
lac_field_scene_dup_quantity(const LacFieldScene *scene, guint quantity)
{
  g_return_val_if_fail(quantity < scene->n_quantities, NULL);
  return g_strdelimit(g_strdup(g_dgettext(GETTEXT_PACKAGE, scene->quantities[quantity])), "_", ' ');
}

void
lac_field_scene_set_quantity(LacFieldScene *scene, guint quantity)
{
  g_return_if_fail(quantity < scene->n_quantities);
  if (scene->quantity == quantity)
    return;
  scene->quantity = quantity;
  scene->deviation = (LacScale){0, 0};
  choose_again(scene);
}

void
lac_field_scene_set_mode(LacFieldScene *scene, LacViewMode mode)
{
  if (scene->mode == mode)
    return;
  scene->mode = mode;
  choose_again(scene);
}

void
lac_field_scene_set_frame(LacFieldScene *scene, LacFrame *frame)
{
  for (guint i = 0; frame != NULL && i < scene->n_panes; i++)
    g_return_if_fail(scene->panes[i].plane < frame->n_planes);
  LacFrame *before = scene->frame;
  scene->frame = frame == NULL ? NULL : lac_frame_ref(frame);
  if (before != NULL)
    lac_frame_unref(before);
  update_scales(scene);
}

double
lac_field_scene_get_aspect(const LacFieldScene *scene)
{
  if (scene->frame == NULL || scene->n_panes == 0)
    return 1;
  const LacChannel *channel = &scene->channels[scene->panes[0].plane];
  const LacPlane   *plane = &scene->frame->planes[scene->panes[0].plane];
  if (g_strcmp0(channel->axis_unit_x, channel->axis_unit_y) != 0 ||
      g_strcmp0(channel->axis_x, "t") == 0 || g_strcmp0(channel->axis_y, "t") == 0)
    return 0;
  double width = plane->x_max - plane->x_min, height = plane->y_max - plane->y_min;
  return width > 0 && height > 0 ? width / height : (double) plane->nx / (double) plane->ny;
}

const LacChannel *
lac_field_scene_get_channel(const LacFieldScene *scene, guint pane)
{
  return &scene->channels[scene->panes[pane].plane];
}

char *
lac_field_scene_dup_title(const LacFieldScene *scene, guint index)
{
  const LacPane    *pane = &scene->panes[index];
  const LacChannel *channel = &scene->channels[pane->plane];
  const char       *label = g_dgettext(GETTEXT_PACKAGE, channel->label);
  if (pane->difference)
    return count_sources(scene) == 1 || index >= scene->n_panes
             ? g_strdup(_("Error, signed")) /* beside or below its source */
             : g_strdup_printf(_("%s − truth"), label);
  return g_strdup(label);
}

static float
cell(const LacPlane *plane, gint64 column, gint64 row)
{
  column = CLAMP(column, 0, (gint64) plane->nx - 1);
  row = CLAMP(row, 0, (gint64) plane->ny - 1);
  return plane->data[(gsize) row * plane->nx + (gsize) column];
}

/* The shader's fetch, term by term. */
static float
fetch(const LacPlane *plane, float u, float v, gboolean smooth)
{
  float x = u * (float) plane->nx, y = v * (float) plane->ny;
  if (!smooth)
    return cell(plane, (gint64) floorf(x), (gint64) floorf(y));
  float  left = floorf(x - 0.5F), below = floorf(y - 0.5F);
  float  fx = x - 0.5F - left, fy = y - 0.5F - below;
  gint64 i = (gint64) left, j = (gint64) below;
  float  lower = cell(plane, i, j) * (1 - fx) + cell(plane, i + 1, j) * fx;
  float  upper = cell(plane, i, j + 1) * (1 - fx) + cell(plane, i + 1, j + 1) * fx;
  return lower * (1 - fy) + upper * fy;
}

float
lac_field_scene_sample(const LacFieldScene *scene, guint index, double u, double v)
{
  g_return_val_if_fail(index < scene->n_panes + scene->n_below, NAN);
  if (scene->frame == NULL || !(u >= 0 && u < 1 && v >= 0 && v < 1))
    return NAN;
  const LacPane *pane = &scene->panes[index];
  float value = fetch(&scene->frame->planes[pane->plane], (float) u, (float) v, scene->smooth);
  if (!pane->difference)
    return value;
  return value - fetch(&scene->frame->planes[pane->other], (float) u, (float) v, scene->smooth);
}

/* The planes' limits are centres of cells; the picture reaches half a cell further. */
void
lac_field_scene_locate(const LacFieldScene *scene, double u, double v, double *x, double *y)
{
  const LacPlane *plane = &scene->frame->planes[scene->panes[0].plane];
  double          dx = plane->nx > 1 ? (plane->x_max - plane->x_min) / (double) (plane->nx - 1) : 0;
  double          dy = plane->ny > 1 ? (plane->y_max - plane->y_min) / (double) (plane->ny - 1) : 0;
  *x = plane->x_min - dx / 2 + u * dx * (double) plane->nx;
  *y = plane->y_min - dy / 2 + v * dy * (double) plane->ny;
}

void
lac_field_scene_place(const LacFieldScene *scene, const LacMarker *marker, double place[2])
{
  double x0, y0, x1, y1;
  lac_field_scene_locate(scene, 0, 0, &x0, &y0);
  lac_field_scene_locate(scene, 1, 1, &x1, &y1);
  place[0] = x1 > x0 ? (marker->x - x0) / (x1 - x0) : 0.5;
  place[1] = y1 > y0 ? (marker->y - y0) / (y1 - y0) : 0.5;
}
