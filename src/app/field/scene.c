/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The scene of the field viewer. */
#include "app/field/scale.h"
#include "app/field/scene-private.h"
#include "app/field/tap.h"
#include "app/toolkit/format.h"
#include "field/derived.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>

const char *
lac_field_scene_quantity_of(const LacChannel *channel)
{
  return channel->quantity != NULL ? channel->quantity : channel->key;
}

/* Returns: FALSE for volumes and curves. */
static gboolean
is_plane(const LacChannel *channel)
{
  return channel->layers.n == 0 && channel->chart.n == 0;
}

static gboolean
is_shown(const LacFieldScene *scene, gsize channel)
{
  return scene->n_quantities > 0 && is_plane(&scene->channels[channel]) &&
         g_str_equal(lac_field_scene_quantity_of(&scene->channels[channel]),
                     scene->quantities[scene->quantity]);
}

static gboolean
is_source(const LacChannel *channel)
{
  return channel->role == LAC_ROLE_RECONSTRUCTION || channel->role == LAC_ROLE_BASELINE;
}

gssize
lac_field_scene_find_truth(const LacFieldScene *scene, const char *quantity)
{
  for (gsize i = 0; i < scene->n_channels; i++)
    if (scene->channels[i].role == LAC_ROLE_TRUTH &&
        g_str_equal(lac_field_scene_quantity_of(&scene->channels[i]), quantity))
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
  };
}

/* Returns: the channel of source @i, modulo their number, in the order of their ranks. */
static gsize
nth_source(const LacFieldScene *scene, guint i)
{
  gsize order[LAC_MAX_PANES];
  guint n = 0;
  for (gsize c = 0; c < scene->n_channels && n < LAC_MAX_PANES; c++) {
    if (!is_shown(scene, c) || !is_source(&scene->channels[c]))
      continue;
    guint at = n++;
    for (; at > 0 && scene->ranks != NULL && scene->ranks[order[at - 1]] > scene->ranks[c]; at--)
      order[at] = order[at - 1];
    order[at] = c;
  }
  g_return_val_if_fail(n > 0, 0);
  return order[i % n];
}

static void
add_sources(LacFieldScene *scene, gssize subtracted)
{
  guint n = MIN(count_sources(scene), LAC_MAX_PANES);
  for (guint i = 0; i < n; i++)
    add_pane(scene, nth_source(scene, i), subtracted);
}

/* Adds an error pane for each source with a pane. */
static void
add_errors_below(LacFieldScene *scene, gssize truth)
{
  for (guint i = 1; i < scene->n_panes; i++)
    scene->panes[scene->n_panes + scene->n_below++] = (LacPane){
      .plane = scene->panes[i].plane,
      .other = (gsize) truth,
      .difference = TRUE,
    };
}

static void
add_others(LacFieldScene *scene)
{
  for (gsize i = 0; i < scene->n_channels; i++)
    if (is_shown(scene, i) && scene->channels[i].role == LAC_ROLE_OTHER)
      add_pane(scene, i, -1);
}

static gboolean
has_volume(const LacFieldScene *scene)
{
  for (gsize i = 0; i < scene->n_channels; i++)
    if (scene->channels[i].layers.n > 0)
      return TRUE;
  return FALSE;
}

static gboolean
find_pair(const LacFieldScene *scene, gsize pair[2])
{
  gssize truth = scene->n_quantities > 0
                   ? lac_field_scene_find_truth(scene, scene->quantities[scene->quantity])
                   : -1;
  guint  n = count_sources(scene);
  if (truth >= 0 && n > 0) {
    pair[0] = (gsize) truth;
    pair[1] = nth_source(scene, scene->chosen);
    return TRUE;
  }
  if (n < 2)
    return FALSE;
  pair[0] = nth_source(scene, 0);
  pair[1] = nth_source(scene, 1 + scene->chosen % (n - 1));
  return TRUE;
}

gboolean
lac_field_scene_get_pair(const LacFieldScene *scene, gsize channels[2])
{
  return (scene->mode == LAC_VIEW_SWIPE || scene->mode == LAC_VIEW_FADE ||
          scene->mode == LAC_VIEW_FLICKER) &&
         find_pair(scene, channels);
}

gboolean
lac_field_scene_has_mode(const LacFieldScene *scene, LacViewMode mode)
{
  if (mode == LAC_VIEW_VOLUME)
    return has_volume(scene);
  if (scene->n_quantities == 0)
    return mode == LAC_VIEW_FIELDS;
  gboolean scored = lac_field_scene_find_truth(scene, scene->quantities[scene->quantity]) >= 0;
  guint    n_sources = count_sources(scene);
  gboolean uncertain = FALSE;
  for (gsize i = 0; i < scene->n_channels; i++)
    uncertain |= is_shown(scene, i) && scene->channels[i].role == LAC_ROLE_OTHER;
  gsize pair[2];
  switch (mode) {
  case LAC_VIEW_SWIPE:
  case LAC_VIEW_FADE:
  case LAC_VIEW_FLICKER:
  case LAC_VIEW_DIFFERENCE: return find_pair(scene, pair);
  case LAC_VIEW_LARGE: return n_sources + scored > 1;
  case LAC_N_VIEWS: break;
  case LAC_VIEW_FIELDS: return TRUE;
  case LAC_VIEW_BOTH: return scored && n_sources > 0 && !scene->compares;
  case LAC_VIEW_ERRORS: return scored && n_sources > (scene->compares ? 1u : 0u);
  case LAC_VIEW_DEVIATION: return uncertain && (scored || n_sources > 0);
  case LAC_VIEW_VOLUME: break;
  }
  g_return_val_if_reached(FALSE);
}

/* Adds one pane: sources are numbered before the truth. */
static void
add_large(LacFieldScene *scene, gssize truth)
{
  guint n_sources = count_sources(scene), at = scene->chosen % (n_sources + (truth >= 0));
  add_pane(scene, at < n_sources ? nth_source(scene, at) : (gsize) truth, -1);
}

/* Adds one pane with two fields. */
static void
add_pair(LacFieldScene *scene, LacViewMode mode)
{
  gsize pair[2];
  if (!find_pair(scene, pair))
    return;
  if (mode == LAC_VIEW_DIFFERENCE) {
    add_pane(scene, pair[1], (gssize) pair[0]);
    return;
  }
  add_pane(scene, pair[mode == LAC_VIEW_FLICKER && scene->shows_second], -1);
  scene->panes[0].swipe = mode == LAC_VIEW_SWIPE;
  scene->panes[0].fade = mode == LAC_VIEW_FADE;
  scene->panes[0].other = pair[1];
}

static void
fill_panes(LacFieldScene *scene)
{
  LacViewMode mode = lac_field_scene_has_mode(scene, scene->mode) ? scene->mode : LAC_VIEW_FIELDS;
  scene->n_panes = scene->n_below = 0;
  if (scene->n_quantities == 0)
    return;
  gssize truth = lac_field_scene_find_truth(scene, scene->quantities[scene->quantity]);
  if (mode == LAC_VIEW_DEVIATION) {
    add_others(scene);
    return;
  }
  if (mode == LAC_VIEW_LARGE) {
    add_large(scene, truth);
    return;
  }
  if (mode >= LAC_VIEW_SWIPE) {
    add_pair(scene, mode);
    return;
  }
  if (truth >= 0)
    add_pane(scene, (gsize) truth, -1);
  add_sources(scene, mode == LAC_VIEW_ERRORS ? truth : -1);
  if (truth >= 0 && scene->compares && count_sources(scene) == 1)
    add_sources(scene, truth);
  else if (mode == LAC_VIEW_BOTH)
    add_errors_below(scene, truth);
  if (scene->n_panes == 0)
    add_others(scene);
}

/* Returns: a diverging map for signed errors, a sequential one for magnitudes. */
static const char *
own_map_of_errors(LacErrorForm form)
{
  return form == LAC_ERRORS_SIGNED ? "balance" : "ember";
}

gboolean
lac_field_scene_is_one_signed(const LacFieldScene *scene, guint quantity)
{
  const LacScale *seen = &scene->seen[quantity];
  return seen->high > seen->low && (seen->low >= 0 || seen->high <= 0);
}

/* Returns: the channel's map; for values of one sign a sequential one in place of a diverging one. */
static const char *
own_map_of_values(const LacFieldScene *scene, gsize channel)
{
  const char *own = scene->channels[channel].colour_map;
  return lac_field_scene_is_one_signed(scene, scene->quantity) &&
             lac_colour_map_is_diverging(lac_colour_map_find(own))
           ? LAC_ONE_SIGNED_MAP
           : own;
}

/* Chooses each pane's colour map; both fields of a pair use that of the first. */
void
lac_field_scene_choose_maps(LacFieldScene *scene)
{
  gsize    pair[2];
  gboolean has_pair = lac_field_scene_get_pair(scene, pair);
  for (guint i = 0; i < scene->n_panes + scene->n_below; i++) {
    LacPane              *pane = &scene->panes[i];
    const LacScaleChoice *choice = lac_field_scene_get_choice(scene, pane->difference);
    gsize                 channel = has_pair && !pane->difference ? pair[0] : pane->plane;
    const char           *own =
      pane->difference ? own_map_of_errors(scene->errors) : own_map_of_values(scene, channel);
    pane->map =
      lac_vision_map(scene->vision, choice->map != NULL ? choice->map : lac_colour_map_find(own));
  }
}

static void
choose_panes(LacFieldScene *scene)
{
  fill_panes(scene);
  lac_field_scene_choose_maps(scene);
}

static void
collect_quantities(LacFieldScene *scene)
{
  for (gsize i = 0; i < scene->n_channels; i++) {
    const char *quantity = lac_field_scene_quantity_of(&scene->channels[i]);
    guint       at = 0;
    if (!is_plane(&scene->channels[i]))
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
  *scene = (LacFieldScene){.channels = channels, .n_channels = n_channels, .swipe = 0.5};
  collect_quantities(scene);
  choose_panes(scene);
}

void
lac_field_scene_clear(LacFieldScene *scene)
{
  g_clear_pointer(&scene->frame, lac_frame_unref);
  g_clear_pointer(&scene->ranks, g_free);
  *scene = (LacFieldScene){0};
}

void
lac_field_scene_set_vision(LacFieldScene *scene, LacVision vision)
{
  scene->vision = vision;
  lac_field_scene_choose_maps(scene);
}

gboolean
lac_field_scene_shows_deviation(const LacFieldScene *scene)
{
  return scene->mode == LAC_VIEW_DEVIATION && lac_field_scene_has_mode(scene, scene->mode);
}

static void
choose_again(LacFieldScene *scene)
{
  memset(scene->errors_of, 0, sizeof scene->errors_of);
  memset(scene->shrink_ns, 0, sizeof scene->shrink_ns);
  choose_panes(scene);
  lac_field_scene_update_scales(scene);
}

char *
lac_field_scene_dup_quantity(const LacFieldScene *scene, guint quantity)
{
  g_return_val_if_fail(quantity < scene->n_quantities, NULL);
  return lac_format_quantity(scene->quantities[quantity]);
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
lac_field_scene_set_compares(LacFieldScene *scene, gboolean compares)
{
  if (scene->compares == compares)
    return;
  scene->compares = compares;
  choose_again(scene);
}

void
lac_field_scene_set_mode(LacFieldScene *scene, LacViewMode mode)
{
  if (scene->mode == mode)
    return;
  scene->mode = mode;
  scene->shows_second = FALSE;
  choose_again(scene);
}

void
lac_field_scene_set_errors(LacFieldScene *scene, LacErrorForm form)
{
  g_return_if_fail(form < LAC_N_ERROR_FORMS);
  if (scene->errors == form)
    return;
  scene->errors = form;
  choose_again(scene);
}

void
lac_field_scene_set_one_scale(LacFieldScene *scene, gboolean one_scale)
{
  if (scene->one_scale == one_scale)
    return;
  scene->one_scale = one_scale;
  choose_again(scene);
}

gboolean
lac_field_scene_set_ranks(LacFieldScene *scene, const guint *ranks)
{
  const gsize size = scene->n_channels * sizeof *ranks;
  if (scene->ranks != NULL && memcmp(scene->ranks, ranks, size) == 0)
    return FALSE;
  g_free(scene->ranks);
  scene->ranks = g_memdup2(ranks, size);
  choose_again(scene);
  return TRUE;
}

void
lac_field_scene_choose(LacFieldScene *scene, guint source)
{
  scene->chosen = source;
  choose_again(scene);
}

void
lac_field_scene_show_second(LacFieldScene *scene, gboolean second)
{
  scene->shows_second = second;
  choose_panes(scene);
  lac_field_scene_update_scales(scene);
}

guint
lac_flicker_interval(double rate, gboolean calm)
{
  double most = calm ? LAC_FLICKER_CALM : LAC_FLICKER_MOST;
  return (guint) ceil(500 / CLAMP(rate, LAC_FLICKER_LEAST, most));
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
  lac_field_scene_update_scales(scene);
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

/* Returns: the title of an unsigned error, as a formula. */
static char *
dup_size_title(const LacFieldScene *scene, guint index, LacErrorForm form)
{
  const char *label = g_dgettext(GETTEXT_PACKAGE, lac_field_scene_get_channel(scene, index)->label);
  gboolean    alone = count_sources(scene) == 1 || index >= scene->n_panes;
  g_autofree char *error = scene->compares ? g_strdup(_("(b) − (a)"))
                           : alone         ? g_strdup(_("error"))
                                           : g_strdup_printf(_("%s − truth"), label);
  if (form == LAC_ERRORS_LOG)
    return g_strdup_printf("log₁₀ |%s|", error);
  if (form == LAC_ERRORS_ABSOLUTE)
    return g_strdup_printf("|%s|", error);
  return g_strdup_printf("|%s|, %%", error); /* the bar names the reference of the percentage */
}

char *
lac_field_scene_dup_title(const LacFieldScene *scene, guint index)
{
  return lac_field_scene_dup_title_as(scene, index, scene->errors);
}

char *
lac_field_scene_dup_title_as(const LacFieldScene *scene, guint index, LacErrorForm form)
{
  const LacPane    *pane = &scene->panes[index];
  const LacChannel *channel = &scene->channels[pane->plane];
  const char       *label = g_dgettext(GETTEXT_PACKAGE, channel->label);
  if (pane->swipe || pane->fade)
    return g_strdup_printf(pane->swipe ? "%s | %s" : "%s + %s", label,
                           g_dgettext(GETTEXT_PACKAGE, scene->channels[pane->other].label));
  if (pane->difference && form != LAC_ERRORS_SIGNED)
    return dup_size_title(scene, index, form);
  if (pane->difference && scene->compares)
    return g_strdup(_("(b) − (a)"));
  if (pane->difference)
    return count_sources(scene) == 1 || index >= scene->n_panes
             ? g_strdup(_("Error, signed")) /* beside or below its source */
             : g_strdup_printf(_("%s − truth"), label);
  return g_strdup(label);
}

gboolean
lac_field_scene_get_velocity(const LacFieldScene *scene, guint pane, gsize channels[2])
{
  return lac_velocity_of(scene->channels, scene->n_channels, scene->panes[pane].plane, channels);
}

static float
fetch(const LacPlane *plane, float u, float v, gboolean smooth)
{
  return lac_tap_read(plane, lac_tap_at(u, plane->nx, smooth), lac_tap_at(v, plane->ny, smooth));
}

float
lac_field_scene_sample_as(const LacFieldScene *scene,
                          guint                index,
                          double               u,
                          double               v,
                          gboolean             smooth)
{
  g_return_val_if_fail(index < scene->n_panes + scene->n_below, NAN);
  const LacPane *pane = &scene->panes[index];
  if (pane->swipe && (float) u >= (float) scene->swipe)
    return fetch(&scene->frame->planes[pane->other], (float) u, (float) v, smooth);
  float value = fetch(&scene->frame->planes[pane->plane], (float) u, (float) v, smooth);
  if (!pane->difference)
    return value;
  float error = value - fetch(&scene->frame->planes[pane->other], (float) u, (float) v, smooth);
  return lac_error_form_apply(scene->errors, pane->factor, error);
}

float
lac_field_scene_sample(const LacFieldScene *scene, guint index, double u, double v)
{
  g_return_val_if_fail(index < scene->n_panes + scene->n_below, NAN);
  if (scene->frame == NULL || !(u >= 0 && u < 1 && v >= 0 && v < 1))
    return NAN;
  return lac_field_scene_sample_as(scene, index, u, v, scene->smooth);
}

float
lac_field_scene_sample_channel(const LacFieldScene *scene, gsize channel, double u, double v)
{
  if (scene->frame == NULL || !(u >= 0 && u < 1 && v >= 0 && v < 1))
    return NAN;
  return fetch(&scene->frame->planes[channel], (float) u, (float) v, scene->smooth);
}

float
lac_field_scene_read(const LacFieldScene *scene, guint index, double u, double v)
{
  g_return_val_if_fail(index < scene->n_panes + scene->n_below, NAN);
  const LacPane *pane = &scene->panes[index];
  if (!pane->difference)
    return lac_field_scene_sample(scene, index, u, v);
  return lac_field_scene_sample_channel(scene, pane->plane, u, v) -
         lac_field_scene_sample_channel(scene, pane->other, u, v);
}

/* Plane limits are cell centres; the image extends half a cell further. */
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
